import type { BackupRows, BackupStore } from '../codec/backup-rows.ts';
import type { Schema, StoreName } from '../schema.ts';
import { rulesOf } from '../store-rules.ts';
import type { ImportTarget, StoreMerge } from './import-target.ts';
import { mergeEntities, mergeFacts } from './merge-knowledge.ts';
import {
  mergeMessages,
  mergeSessions,
  mergeSummaries,
  mergeTombstones,
  mergeWork,
} from './merge-transcript.ts';
import { mergeVectors } from './merge-vectors.ts';

/** Stores whose records are stored as they are, unless a row with their key is here. */
type PlainStore = 'chatMemories' | 'documents' | 'records';

/** How the records of a backup meet the rows that are here: the part of the table that only an import loads. */
const STORE_MERGES: {
  readonly [Name in Exclude<BackupStore, PlainStore>]: (target: ImportTarget) => StoreMerge<Name>;
} = {
  tombstones: mergeTombstones,
  sessions: mergeSessions,
  messages: mergeMessages,
  summaries: mergeSummaries,
  triples: mergeFacts,
  entities: mergeEntities,
  vectors: mergeVectors,
  jobs: mergeWork,
};

/** Returns what merges the records of a store. */
export function mergeOf(store: BackupStore, target: ImportTarget): StoreMerge<BackupStore> {
  const rules: { readonly [Name in BackupStore]?: (target: ImportTarget) => unknown } = STORE_MERGES;
  const merge = rules[store]?.(target) as StoreMerge<BackupStore> | undefined;
  return merge ?? mergePlainRows(store as PlainStore, target);
}

/**
 * Stores a record, unless one with its key is here already, it was forgotten here, or it belongs to something that
 * was.
 */
function mergePlainRows(store: PlainStore, target: ImportTarget): StoreMerge<BackupStore> {
  const { backup, refersTo, tombstones } = rulesOf<BackupStore>(store);
  const tombstoneRows = target.transaction.objectStore('tombstones');
  const rows = target.transaction.objectStore<StoreName>(store);
  const put = async (row: BackupRows[BackupStore]): Promise<boolean> => {
    const { scope = '', sessionId = '' } = row as { scope?: string; sessionId?: string };
    const { messageIds = [] } = refersTo?.(row) ?? {};
    const key = backup?.keyOf(row) ?? [];
    const storedUnder = (key.length === 1 ? key[0] : [...key]) as Schema[StoreName]['key'];
    const [known, tombstone] = await Promise.all([
      rows.getKey(storedUnder),
      tombstoneRows.getKey(tombstones?.keyOf(row) ?? ''),
    ]);
    const isForgotten = target.session(scope, sessionId)?.isWithheld || (tombstone && !target.isRestoring);
    const areHere = messageIds.every((id) => target.messages.has(id));
    if (known !== undefined || isForgotten || !areHere) return false;
    if (tombstone !== undefined) await tombstoneRows.delete(tombstone);
    await rows.put(row as Schema[StoreName]['value']);
    return true;
  };
  return { put: (all) => target.putEach(store, all, put) };
}
