import type { MessageRecord } from '../schema.ts';
import type { StorageEngine } from '../storage-engine.ts';

/** Returns the messages with these ids that a scope still has, in the order of the ids. */
export function readMessages(
  engine: StorageEngine,
  scope: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<MessageRecord[]> {
  return engine.read(
    ['messages'],
    async (transaction) => {
      const byId = transaction.objectStore('messages').index('id');
      const rows = await Promise.all(ids.map((id) => byId.getAll(id)));
      return rows.flat().filter((row) => row.scope === scope);
    },
    signal,
  );
}
