import type { BackupStore, StoreRules } from './codec/backup-rows.ts';
import { readFields } from './codec/row-fields.ts';
import { STORE_NAMES, type StoreName } from './schema.ts';
import { documents } from './stores/documents.ts';
import { entities, claims, packedKnowledge, triples } from './stores/knowledge.ts';
import { chatMemories, messages } from './stores/messages.ts';
import { records } from './record-store.ts';
import { postings, vectors } from './stores/search.ts';
import { jobs, sessions, summaries } from './stores/sessions.ts';

/** Rules of each object store of the table. */
export const STORE_RULES: { readonly [Name in StoreName]: StoreRules<Name> } = {
  tombstones: {
    backup: {
      keyOf: ({ key }) => [key],
      read: (record) => readFields(record, { key: 'id' }),
      check: ({ key }, contents) => void contents.tombstones.add(key),
      write(_row, contents, key) {
        contents.tombstones.add(key);
        return { key };
      },
      /** Somebody else's file erases nothing here. */
      foreign: () => undefined,
    },
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
  claims,
  postings,
  packedKnowledge,
  changes: {},
  meta: {},
};

/** Stores with records in a backup. */
export const BACKUP_STORES: readonly BackupStore[] = STORE_NAMES.filter(
  (name): name is BackupStore => STORE_RULES[name].backup !== undefined,
);

/** Returns the rules of any store, for code that walks the table. */
export function rulesOf<Name extends StoreName>(name: Name): StoreRules<Name> {
  return STORE_RULES[name];
}
