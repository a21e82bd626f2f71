import type { BackupStore } from './codec/backup-rows.ts';
import { RowFields } from './codec/row-fields.ts';
import type { StoreName } from './schema.ts';
import { STORE_NAMES } from './schema.ts';
import { chatMemories } from './stores/chat-memories.ts';
import { documents } from './stores/documents.ts';
import { entities } from './stores/entities.ts';
import { jobs } from './stores/jobs.ts';
import { messages } from './stores/messages.ts';
import { postings } from './stores/postings.ts';
import { records } from './stores/records.ts';
import type { StoreRules } from './stores/rules.ts';
import { sessions } from './stores/sessions.ts';
import { statements } from './stores/statements.ts';
import { summaries } from './stores/summaries.ts';
import { triples } from './stores/triples.ts';
import { vectors } from './stores/vectors.ts';

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
