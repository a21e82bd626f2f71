import { between } from './key-range.ts';
import type { Transaction } from './storage-engine.ts';

/** The tombstones of entities as told by these messages. */
export async function tombstonesOf(
  transaction: Transaction,
  messageIds: readonly string[],
): Promise<string[]> {
  const store = transaction.objectStore('tombstones');
  return (await Promise.all(messageIds.map((id) => store.getAllKeys(entityTombstoneRange(id))))).flat();
}

/** All tombstones of entities as told by a message. */
export function entityTombstoneRange(messageId: string): IDBKeyRange {
  return between(`${messageId}/`, `${messageId}/\uffff`);
}
