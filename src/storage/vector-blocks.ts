import { between } from './key-range.ts';
import { MnemoraError } from '../model/error.ts';
import type { Plan } from './plan.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import { VECTORS_PER_BLOCK, type VectorBlockRecord } from './schema.ts';

/** A message id with the embedding of the message. */
export interface VectorRow {
  id: string;
  vector: Float32Array;
}

export type BlockKey = [embedder: string, scope: string, block: number];

/** Number of rows of a small block, which is the most that an append rewrites. */
const ROWS_PER_PART = 64;
/** Number of small blocks that are merged into a large one, which gets the last of their numbers. */
const PARTS_PER_BLOCK = VECTORS_PER_BLOCK / ROWS_PER_PART;

/**
 * Appends rows to those of a scope. They go into small blocks, sixteen of which are merged into a large one that is
 * not rewritten. Returns the number of the block that each part was added to: from then on its rows are in the first
 * block with that number or a higher one.
 *
 * @throws MnemoraError `invalid-input` if the vectors have different lengths, or another length than the stored ones
 */
export async function appendRows(
  transaction: WriteTransaction,
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
    if (block.ids.length >= ROWS_PER_PART) block = emptyBlock(embedder, scope, block.block + 1);
    const isFirstPart = block.ids.length === 0 && block.block % PARTS_PER_BLOCK === 0;
    const fillsBlock = isFirstPart && rest.length >= VECTORS_PER_BLOCK;
    const part = rest.slice(0, fillsBlock ? VECTORS_PER_BLOCK : ROWS_PER_PART - block.ids.length);
    if (fillsBlock) block = emptyBlock(embedder, scope, lastPartOf(block.block));
    block = withRows(block, part);
    const isLastPart = block.block === lastPartOf(block.block) && block.ids.length >= ROWS_PER_PART;
    await store.put(isLastPart ? await withEarlierParts(transaction, block) : block);
    written.push({ block: block.block, ids: part.map((row) => row.id) });
    rest = rest.slice(part.length);
  }
  return written;
}

/** Removes the small blocks that end with this one from the store, and returns one block with the rows of all. */
async function withEarlierParts(
  transaction: WriteTransaction,
  last: VectorBlockRecord,
): Promise<VectorBlockRecord> {
  const { embedder, scope, block } = last;
  const first = block - PARTS_PER_BLOCK + 1;
  const range = between([embedder, scope, first], [embedder, scope, block], { upperOpen: true });
  const store = transaction.objectStore('vectors');
  const rows = [...(await store.getAll(range)), last].flatMap(rowsOf);
  if (rows.length > VECTORS_PER_BLOCK) return last; // a block of version 1 may be a large one
  await store.delete(range);
  return withRows(emptyBlock(embedder, scope, block), rows);
}

/**
 * Checks that all vectors have one length, that of the stored ones if there are any.
 *
 * @throws MnemoraError `invalid-input`
 */
function checkDimensions(rows: readonly VectorRow[], stored: number | undefined): void {
  const dimensions = stored ?? rows[0]?.vector.length;
  const odd = rows.find((row) => row.vector.length !== dimensions || dimensions === 0);
  if (!odd) return;
  throw new MnemoraError(
    'invalid-input',
    `A vector has ${odd.vector.length} numbers, but the other vectors of this embedder have ${dimensions ?? 0}. Use another embedder id for another model; nothing was saved.`,
  );
}

/** Plans the removal of erased messages' vectors from the blocks of all embedders in a scope. */
export async function planWithoutRows(
  transaction: Transaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<Plan> {
  const store = transaction.objectStore('vectors');
  const keys = await keysHolding(transaction, scope, erased);
  const blocks = (await Promise.all(keys.map((key) => store.get(key)))).filter(
    (block) => block !== undefined,
  );
  const left = blocks.map((block) => {
    const kept = rowsOf(block).filter((row) => !erased.has(row.id));
    return withRows(emptyBlock(block.embedder, block.scope, block.block), kept);
  });
  const sizes = blocks.map((block, position) => block.ids.length - (left[position]?.ids.length ?? 0));
  return {
    deletes: left.flatMap(({ ids, embedder, block }) =>
      ids.length === 0 ? [{ store: 'vectors', key: [embedder, scope, block] }] : [],
    ),
    puts: left.flatMap((row) => (row.ids.length > 0 ? [{ store: 'vectors', row }] : [])),
    counts: { vectors: sizes.reduce((sum, size) => sum + size, 0) },
  };
}

/** Removes whole blocks that contain vectors of erased messages. Other vectors in them can be recomputed. */
export async function removeBlocks(
  transaction: WriteTransaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<void> {
  const store = transaction.objectStore('vectors');
  const keys = await keysHolding(transaction, scope, erased);
  await Promise.all(keys.map((key) => store.delete(key)));
}

/** Returns all rows of a scope. */
export async function readRows(
  transaction: Transaction,
  embedder: string,
  scope: string,
): Promise<VectorRow[]> {
  const blocks = await transaction.objectStore('vectors').getAll(scopeRange(embedder, scope));
  return blocks.flatMap(rowsOf);
}

/**
 * Returns the rows of the blocks that now contain what was appended under these block numbers, with other rows in
 * them.
 */
export async function readRowsOf(
  transaction: Transaction,
  embedder: string,
  scope: string,
  numbers: Iterable<number>,
): Promise<VectorRow[]> {
  const store = transaction.objectStore('vectors');
  const found = await Promise.all(
    Array.from(numbers, (number) => store.getKey(scopeRange(embedder, scope, number))),
  );
  const wanted = new Map(found.flatMap((key) => (key === undefined ? [] : [[key[2], key] as const])));
  const keys = Array.from(wanted.values()).toSorted((a, b) => a[2] - b[2]);
  const blocks = await Promise.all(keys.map((key) => store.get(key)));
  return blocks.flatMap((block) => (block === undefined ? [] : rowsOf(block)));
}

/** Returns the keys of the blocks of a scope with vectors of these ids, without duplicates. Reads no block. */
async function keysHolding(
  transaction: Transaction,
  scope: string,
  ids: ReadonlySet<string>,
): Promise<BlockKey[]> {
  const index = transaction.objectStore('vectors').index('ids');
  const found = (await Promise.all(Array.from(ids, (id) => index.getAllKeys(id)))).flat();
  const ofScope = found.filter(([, keyScope]) => keyScope === scope);
  return [...new Map(ofScope.map((key) => [JSON.stringify(key), key])).values()];
}

function lastPartOf(block: number): number {
  return block - (block % PARTS_PER_BLOCK) + PARTS_PER_BLOCK - 1;
}

function scopeRange(embedder: string, scope: string, fromBlock = 0): IDBKeyRange {
  // Arrays sort after numbers, so an empty one is above every block number.
  return between([embedder, scope, fromBlock], [embedder, scope, []]);
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
