import { between } from './key-range.ts';
import { MnemoraError } from '../model/error.ts';
import type { Plan } from './plan.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import { VECTORS_PER_BLOCK, type VectorBlockRecord } from './schema.ts';

/** A message by its id, with the vector that an embedder made of it. */
export interface VectorRow {
  id: string;
  vector: Float32Array;
}

export type BlockKey = [embedder: string, scope: string, block: number];

/** Rows of a small block: what an append rewrites at most. */
const ROWS_PER_PART = 64;
/** So many small blocks become one. Block numbers tell: it gets the last of theirs. */
const PARTS_PER_BLOCK = VECTORS_PER_BLOCK / ROWS_PER_PART;

/**
 * Appends rows behind those of a scope. They go into small blocks, sixteen of which are merged into a large one that
 * is not written again. Returns the number of the block that each part went to: from then on its rows are in the
 * first block of that number or a higher one.
 *
 * @throws MnemoraError `invalid-input` where the vectors are not of one length: that of those stored
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

/** Takes the small blocks that a last one closes out of the store and puts their rows before its own. */
async function withEarlierParts(
  transaction: WriteTransaction,
  last: VectorBlockRecord,
): Promise<VectorBlockRecord> {
  const { embedder, scope, block } = last;
  const first = block - PARTS_PER_BLOCK + 1;
  const range = between([embedder, scope, first], [embedder, scope, block], { upperOpen: true });
  const store = transaction.objectStore('vectors');
  const rows = [...(await store.getAll(range)), last].flatMap(rowsOf);
  if (rows.length > VECTORS_PER_BLOCK) return last; // among blocks of version 1 are large ones
  await store.delete(range);
  return withRows(emptyBlock(embedder, scope, block), rows);
}

/** @throws MnemoraError `invalid-input` unless all vectors are of one length: that of those stored, if there are any */
function checkDimensions(rows: readonly VectorRow[], stored: number | undefined): void {
  const dimensions = stored ?? rows[0]?.vector.length;
  const odd = rows.find((row) => row.vector.length !== dimensions || dimensions === 0);
  if (!odd) return;
  throw new MnemoraError(
    'invalid-input',
    `A vector of ${odd.vector.length} numbers does not fit this embedder's others, of ${dimensions ?? 0}. Give another model another embedder id; nothing was saved.`,
  );
}

/** Every embedder's blocks of a scope without the vectors of erased texts. */
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

/** Removes whole blocks that hold vectors of erased texts, and with them the vectors of others: they can be made again. */
export async function removeBlocks(
  transaction: WriteTransaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<void> {
  const store = transaction.objectStore('vectors');
  const keys = await keysHolding(transaction, scope, erased);
  await Promise.all(keys.map((key) => store.delete(key)));
}

/** All rows of a scope. */
export async function readRows(
  transaction: Transaction,
  embedder: string,
  scope: string,
): Promise<VectorRow[]> {
  const blocks = await transaction.objectStore('vectors').getAll(scopeRange(embedder, scope));
  return blocks.flatMap(rowsOf);
}

/** The rows of the blocks that hold what was appended under these block numbers, and others that lie with them. */
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

/** Keys of the blocks of a scope that hold vectors of these ids, each once. No block is read. */
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
