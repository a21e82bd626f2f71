import { between } from './key-range.ts';
import type { Transaction } from './storage-engine.ts';

/** Returns the tombstones of entities in these messages. */
export async function tombstonesOf(
  transaction: Transaction,
  messageIds: readonly string[],
): Promise<string[]> {
  const store = transaction.objectStore('tombstones');
  return (await Promise.all(messageIds.map((id) => store.getAllKeys(entityTombstoneRange(id))))).flat();
}

/** Returns the key range of all tombstones of entities in a message. */
export function entityTombstoneRange(messageId: string): IDBKeyRange {
  return between(`${messageId}/`, `${messageId}/\uffff`);
}
