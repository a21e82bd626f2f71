import { MnemoraError } from '../model/error.ts';
import type { Transaction } from './connection.ts';
import { VECTORS_PER_BLOCK, type VectorBlockRecord } from './schema.ts';

export interface VectorRow {
  id: string;
  vector: Float32Array;
}

/** Appends rows behind the last block of a scope. Full blocks are never rewritten. Returns where each block's rows went. */
export async function appendRows(
  transaction: Transaction<'readwrite'>,
  embedder: string,
  scope: string,
  rows: readonly VectorRow[],
): Promise<{ block: number; ids: string[] }[]> {
  const store = transaction.objectStore('vectors');
  const newest = await store.openCursor(scopeRange(embedder, scope), 'prev');
  let block = newest?.value ?? emptyBlock(embedder, scope, 0);
  const written: { block: number; ids: string[] }[] = [];
  checkDimensions(rows, block.ids.length === 0 ? undefined : block.vectors.length / block.ids.length);
  let rest = rows;
  while (rest.length > 0) {
    if (block.ids.length >= VECTORS_PER_BLOCK) block = emptyBlock(embedder, scope, block.block + 1);
    const part = rest.slice(0, VECTORS_PER_BLOCK - block.ids.length);
    block = withRows(block, part);
    await store.put(block);
    written.push({ block: block.block, ids: part.map((row) => row.id) });
    rest = rest.slice(part.length);
  }
  return written;
}

/** @throws MnemoraError `invalid-input` unless all vectors are of one length: that of those stored, if there are any */
export function checkDimensions(rows: readonly VectorRow[], stored: number | undefined): void {
  const dimensions = stored ?? rows[0]?.vector.length;
  const odd = rows.find((row) => row.vector.length !== dimensions || dimensions === 0);
  if (!odd) return;
  throw new MnemoraError(
    'invalid-input',
    `A vector of ${odd.vector.length} numbers does not fit this embedder's others, of ${dimensions ?? 0}. Give another model another embedder id; nothing was saved.`,
  );
}

/** Removes the vectors of erased texts from every embedder's blocks of a scope. Returns how many there were. */
export async function removeRows(
  transaction: Transaction<'readwrite'>,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<number> {
  const store = transaction.objectStore('vectors');
  const keys = await store.getAllKeys();
  let removed = 0;
  for (const key of keys.filter(([, keyScope]) => keyScope === scope)) {
    const block = await store.get(key);
    if (!block?.ids.some((id) => erased.has(id))) continue;
    const kept = rowsOf(block).filter((row) => !erased.has(row.id));
    removed += block.ids.length - kept.length;
    if (kept.length === 0) await store.delete(key);
    else await store.put(withRows(emptyBlock(block.embedder, block.scope, block.block), kept));
  }
  return removed;
}

/** Removes whole blocks that hold vectors of erased texts, and with them the vectors of others: they can be made again. */
export async function removeBlocks(
  transaction: Transaction<'readwrite'>,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<void> {
  const store = transaction.objectStore('vectors');
  const keys = await store.getAllKeys();
  for (const key of keys.filter(([, keyScope]) => keyScope === scope)) {
    const block = await store.get(key);
    if (block?.ids.some((id) => erased.has(id))) await store.delete(key);
  }
}

/** All rows of a scope, or those of one block. */
export async function readRows(
  transaction: Transaction,
  embedder: string,
  scope: string,
  block?: number,
): Promise<VectorRow[]> {
  const range =
    block === undefined ? scopeRange(embedder, scope) : IDBKeyRange.only([embedder, scope, block]);
  const blocks = await transaction.objectStore('vectors').getAll(range);
  return blocks.flatMap(rowsOf);
}

function scopeRange(embedder: string, scope: string): IDBKeyRange {
  // Arrays sort after numbers, so an empty one is above every block number.
  return IDBKeyRange.bound([embedder, scope], [embedder, scope, []]);
}

function emptyBlock(embedder: string, scope: string, block: number): VectorBlockRecord {
  return { embedder, scope, block, ids: [], vectors: new Float32Array(0) };
}

function withRows(block: VectorBlockRecord, rows: readonly VectorRow[]): VectorBlockRecord {
  const added = rows.reduce((sum, row) => sum + row.vector.length, 0);
  const vectors = new Float32Array(block.vectors.length + added);
  vectors.set(block.vectors);
  let offset = block.vectors.length;
  for (const row of rows) {
    vectors.set(row.vector, offset);
    offset += row.vector.length;
  }
  return { ...block, ids: [...block.ids, ...rows.map((row) => row.id)], vectors };
}

function rowsOf(block: VectorBlockRecord): VectorRow[] {
  const dimensions = block.vectors.length / block.ids.length;
  return block.ids.map((id, row) => ({
    id,
    vector: block.vectors.subarray(row * dimensions, (row + 1) * dimensions),
  }));
}
