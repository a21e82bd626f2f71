import { between } from './key-range.ts';
import { invalidInput } from '../model/error.ts';
import { getEach } from './rows.ts';
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
  let block = (await store.last(scopeRange(embedder, scope))) ?? toBlock({ embedder, scope, block: 0 }, []);
  const written: { block: number; ids: string[] }[] = [];
  checkDimensions(rows, block.ids.length === 0 ? undefined : dimensionsOf(block));
  let rest = rows;
  while (rest.length > 0) {
    if (block.ids.length >= ROWS_PER_PART) block = toBlock({ embedder, scope, block: block.block + 1 }, []);
    const isFirstPart = block.ids.length === 0 && block.block % PARTS_PER_BLOCK === 0;
    const fillsBlock = isFirstPart && rest.length >= VECTORS_PER_BLOCK;
    const part = rest.slice(0, fillsBlock ? VECTORS_PER_BLOCK : ROWS_PER_PART - block.ids.length);
    const number = fillsBlock ? lastPartOf(block.block) : block.block;
    block = toBlock({ embedder, scope, block: number }, [...rowsOf(block), ...part]);
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
  await store.delete(range);
  return toBlock(last, rows);
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
  throw invalidInput(
    `A vector has ${odd.vector.length} numbers, but the other vectors of this embedder have ${dimensions ?? 0}. Use another embedder id for another model; nothing was saved.`,
  );
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
  const keys = new Map(found.filter((key) => key !== undefined).map((key) => [key[2], key]));
  const blocks = await getEach(
    store,
    Array.from(keys.values()).toSorted((a, b) => a[2] - b[2]),
  );
  return blocks.flatMap(rowsOf);
}

function lastPartOf(block: number): number {
  return block - (block % PARTS_PER_BLOCK) + PARTS_PER_BLOCK - 1;
}

function scopeRange(embedder: string, scope: string, fromBlock = 0): IDBKeyRange {
  // Arrays sort after numbers, so an empty one is above every block number.
  return between([embedder, scope, fromBlock], [embedder, scope, []]);
}

/** Returns a block with the number of the given one, and with these rows. */
export function toBlock(
  { embedder, scope, block }: Pick<VectorBlockRecord, 'embedder' | 'scope' | 'block'>,
  rows: readonly VectorRow[],
): VectorBlockRecord {
  const vectors = new Float32Array(rows.reduce((sum, row) => sum + row.vector.length, 0));
  let offset = 0;
  for (const { vector } of rows) {
    vectors.set(vector, offset);
    offset += vector.length;
  }
  return { embedder, scope, block, ids: rows.map((row) => row.id), vectors };
}

/** Returns the number of dimensions, which is not a whole number if the block is empty or damaged. */
export function dimensionsOf(block: VectorBlockRecord): number {
  return block.vectors.length / block.ids.length;
}

export function rowsOf(block: VectorBlockRecord): VectorRow[] {
  const dimensions = dimensionsOf(block);
  return block.ids.map((id, row) => ({
    id,
    vector: block.vectors.subarray(row * dimensions, (row + 1) * dimensions),
  }));
}
