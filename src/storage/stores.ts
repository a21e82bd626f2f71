import { RowFields } from './codec/row-fields.ts';
import type { BackupStore } from './codec/backup-rows.ts';
import type { StoreName } from './schema.ts';
import type { StoreDefinition } from './store-definition.ts';
import { chatMemories } from './stores/chat-memories.ts';
import { documents } from './stores/documents.ts';
import { entities } from './stores/entities.ts';
import { jobs } from './stores/jobs.ts';
import { messages } from './stores/messages.ts';
import { postings } from './stores/postings.ts';
import { records } from './stores/records.ts';
import { sessions } from './stores/sessions.ts';
import { statements } from './stores/statements.ts';
import { summaries } from './stores/summaries.ts';
import { triples } from './stores/triples.ts';
import { vectors } from './stores/vectors.ts';

/** The table of object stores. A backup holds them in this order, so that what a record refers to comes before it. */
export const STORES: { readonly [Name in StoreName]: StoreDefinition<Name> } = {
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
  /** Goes with what is erased of facts and entities: see `knowledge-erasure.ts`. */
  packedKnowledge: { since: 7, keyPath: 'scope' },
  changes: { autoIncrement: true },
  meta: { keyPath: 'key' },
};

export const STORE_NAMES: readonly StoreName[] = Object.keys(STORES) as StoreName[];

/** The stores of which a backup holds something. */
export const BACKUP_STORES: readonly BackupStore[] = STORE_NAMES.filter(
  (name): name is BackupStore => STORES[name].backup !== undefined,
);
