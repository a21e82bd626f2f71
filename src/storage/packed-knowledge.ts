import { readMissed } from './change-log.ts';
import type { PackedKnowledge } from './schema.ts';
import type { WriteTransaction } from './storage-engine.ts';

/** Stores packed knowledge, unless something that it may contain has been erased since. Returns whether it did. */
export async function putPacked(transaction: WriteTransaction, packed: PackedKnowledge): Promise<boolean> {
  const { missed } = await readMissed(transaction, packed.cursor);
  const isVoid =
    missed?.some(
      (change) => change.kind === 'knowledge' && change.scope === packed.scope && change.erases === true,
    ) ?? true;
  if (isVoid) return false;
  await transaction.objectStore('packedKnowledge').put(packed);
  return true;
}
