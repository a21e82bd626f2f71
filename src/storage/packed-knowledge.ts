import { readMissed } from './change-log.ts';
import type { Transaction } from './connection.ts';
import type { PackedKnowledge } from './schema.ts';

export async function readPacked(
  transaction: Transaction,
  scope: string,
): Promise<PackedKnowledge | undefined> {
  const row = await transaction.objectStore('meta').get(keyOf(scope));
  return typeof row?.value === 'object' ? row.value : undefined;
}

/** Stores what was packed, unless something that it could hold was written or erased since. */
export async function putPacked(
  transaction: Transaction<'readwrite'>,
  scope: string,
  packed: PackedKnowledge,
): Promise<boolean> {
  const { missed } = await readMissed(transaction, packed.cursor);
  const isTouched = missed?.some((change) => change.kind === 'knowledge' && change.scope === scope) ?? true;
  if (isTouched) return false;
  await transaction.objectStore('meta').put({ key: keyOf(scope), value: packed });
  return true;
}

/** To be called where something that a scope knows is erased; for all scopes without one. */
export function dropPacked(transaction: Transaction<'readwrite'>, scope?: string): Promise<void> {
  const all = IDBKeyRange.bound(PREFIX, `${PREFIX}\uffff`);
  return transaction.objectStore('meta').delete(scope === undefined ? all : keyOf(scope));
}

const PREFIX = 'knowledge:';

function keyOf(scope: string): `knowledge:${string}` {
  return `${PREFIX}${scope}`;
}
