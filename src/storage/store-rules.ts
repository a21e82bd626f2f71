import type { BackupStore, StoreRules } from './codec/backup-rows.ts';
import { RowFields } from './codec/row-fields.ts';
import { STORE_NAMES, type StoreName } from './schema.ts';
import { documents } from './stores/documents.ts';
import { entities, statements, triples } from './stores/knowledge.ts';
import { chatMemories, messages } from './stores/messages.ts';
import { records } from './record-store.ts';
import { postings, vectors } from './stores/search.ts';
import { jobs, sessions, summaries } from './stores/sessions.ts';

/** Rules of each object store of the table. */
export const STORE_RULES: { readonly [Name in StoreName]: StoreRules<Name> } = {
  tombstones: {
    backup: { keyOf: ({ key }) => [key], read: (row) => ({ key: new RowFields(row, ['key']).id('key') }) },
  },
  sessions,
  messages,
  summaries,
  chatMemories,
  documents,
  records,
  triples,
  entities,
  vectors,
  jobs,
  statements,
  postings,
  /** Erased together with facts and entities: see `knowledge-erasure.ts`. */
  packedKnowledge: {},
  changes: {},
  meta: {},
};

/** Stores with records in a backup. */
export const BACKUP_STORES: readonly BackupStore[] = STORE_NAMES.filter(
  (name): name is BackupStore => STORE_RULES[name].backup !== undefined,
);
