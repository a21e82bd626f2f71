import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { scoreRows } from './score-rows.ts';
import type { HitFilter, SearchHit } from './search-hit.ts';
import { TopHits } from './top-hits.ts';

/** Numbers of a vector, in any array that holds numbers. */
export type VectorValues = Float32Array | readonly number[];

/** Up to {@link ROWS_PER_BLOCK} vectors in one piece: what is written to disk as one record. */
export interface VectorBlock {
  readonly ids: string[];
  /** The vectors one after the other, of unit length (or zero), in the order of `ids`. */
  readonly vectors: Float32Array;
}

/** Rows of a block: large enough that opening 100,000 vectors reads about a hundred records. */
export const ROWS_PER_BLOCK = 1024;

/**
 * Exact nearest-neighbour search by cosine over vectors of one size.
 *
 * Scores run from −1 to 1. A vector of zeros has no direction: it is kept, and its score is 0 whatever is asked; so
 * is every score for a query of zeros. Equal scores are ordered by id.
 *
 * @example
 * const index = new VectorIndex({ dimensions: 2 });
 * index.add('east', [1, 0]);
 * index.add('north', [0, 1]);
 * index.search([1, 0.1], 1); // [{ id: 'east', score: 0.995… }]
 */
export class VectorIndex {
  readonly dimensions: number;
  // Growing adds a block and copies nothing.
  readonly #blocks: Float32Array[] = [];
  readonly #ids: string[] = [];
  readonly #rowById = new Map<string, number>();

  /** @throws MnemoraError `invalid-option` where `dimensions` is not a whole number from 1, or on an unknown option */
  constructor(options: { dimensions: number }) {
    checkOptionNames('VectorIndex', options, ['dimensions']);
    const { dimensions } = options;
    if (!Number.isSafeInteger(dimensions) || dimensions < 1) {
      throw new MnemoraError(
        'invalid-option',
        `The dimensions of a VectorIndex must be a whole number from 1, not ${String(dimensions)}.`,
      );
    }
    this.dimensions = dimensions;
  }

  /** How many vectors it holds. */
  get size(): number {
    return this.#ids.length;
  }

  has(id: string): boolean {
    return this.#rowById.has(id);
  }

  /**
   * Adds a vector, of any length above zero: it is stored with length 1. An id that is present gets the new vector.
   *
   * @throws MnemoraError `invalid-input` on a wrong number of dimensions or a number that is not finite; nothing changes
   */
  add(id: string, vector: VectorValues): void {
    this.#put(id, this.#toUnitLength(vector, `The vector "${id}"`));
  }

  /** {@link add} for many, all or none. The last of several vectors under one id counts. */
  addAll(entries: Iterable<{ readonly id: string; readonly vector: VectorValues }>): void {
    const checked = Array.from(entries, ({ id, vector }) => ({
      id,
      vector: this.#toUnitLength(vector, `The vector "${id}"`),
    }));
    for (const { id, vector } of checked) this.#put(id, vector);
  }

  /** Removes a vector and overwrites its numbers. Returns whether there was one. */
  delete(id: string): boolean {
    const row = this.#rowById.get(id);
    const lastRow = this.#ids.length - 1;
    const lastId = this.#ids[lastRow];
    if (row === undefined || lastId === undefined) return false;
    const last = this.#row(lastRow);
    if (row !== lastRow) {
      this.#row(row).set(last);
      this.#ids[row] = lastId;
      this.#rowById.set(lastId, row);
    }
    last.fill(0);
    this.#ids.pop();
    this.#rowById.delete(id);
    if (lastRow % ROWS_PER_BLOCK === 0) this.#blocks.pop();
    return true;
  }

  /**
   * The `k` vectors nearest to `query`, best first; fewer where the index or the filter leaves fewer.
   *
   * @throws MnemoraError `invalid-input` where the query is no vector of this size or `k` is not a whole number from 0
   */
  search(query: VectorValues, k: number, filter?: HitFilter): SearchHit[] {
    const unitQuery = this.#toUnitLength(query, 'The query');
    const top = new TopHits(k, filter);
    if (k === 0) return [];
    const scores = new Float64Array(ROWS_PER_BLOCK);
    let threshold = top.threshold;
    for (const [blockIndex, block] of this.#blocks.entries()) {
      const firstRow = blockIndex * ROWS_PER_BLOCK;
      const rowCount = Math.min(ROWS_PER_BLOCK, this.#ids.length - firstRow);
      scoreRows(unitQuery, block, rowCount, scores);
      for (let row = 0; row < rowCount; row++) {
        const score = scores[row] ?? 0;
        if (score < threshold) continue;
        top.offer(this.#ids[firstRow + row] ?? '', score);
        threshold = top.threshold;
      }
    }
    return top.ranked();
  }

  /** Copies of everything, packed: all blocks but the last are full. */
  toBlocks(): VectorBlock[] {
    return this.#blocks.map((block, blockIndex) => {
      const firstRow = blockIndex * ROWS_PER_BLOCK;
      const ids = this.#ids.slice(firstRow, firstRow + ROWS_PER_BLOCK);
      return { ids, vectors: block.slice(0, ids.length * this.dimensions) };
    });
  }

  /**
   * An index over what {@link toBlocks} gave; it scores bit for bit as the first one did.
   *
   * @throws MnemoraError `invalid-input` where a block is damaged: rebuild the index from its texts
   */
  static fromBlocks(blocks: Iterable<VectorBlock>, options: { dimensions: number }): VectorIndex {
    const index = new VectorIndex(options);
    for (const { ids, vectors } of blocks) {
      if (!Array.isArray(ids) || !(vectors instanceof Float32Array)) throw damaged('a part of it is missing');
      if (vectors.length !== ids.length * index.dimensions) {
        throw damaged(`it does not hold ${index.dimensions} numbers for each of its ids`);
      }
      for (const [row, id] of ids.entries()) {
        const vector = vectors.subarray(row * index.dimensions, (row + 1) * index.dimensions);
        if (index.has(id)) throw damaged(`the vector "${id}" is there twice`);
        if (!isUnitOrZero(vector)) throw damaged(`the vector "${id}" is not of unit length`);
        index.#put(id, vector);
      }
    }
    return index;
  }

  #put(id: string, unitVector: ArrayLike<number>): void {
    let row = this.#rowById.get(id);
    if (row === undefined) {
      row = this.#ids.length;
      if (row % ROWS_PER_BLOCK === 0) this.#blocks.push(new Float32Array(ROWS_PER_BLOCK * this.dimensions));
      this.#ids.push(id);
      this.#rowById.set(id, row);
    }
    this.#row(row).set(unitVector);
  }

  #row(row: number): Float32Array {
    const block = this.#blocks[Math.floor(row / ROWS_PER_BLOCK)];
    const start = (row % ROWS_PER_BLOCK) * this.dimensions;
    return (block ?? new Float32Array()).subarray(start, start + this.dimensions);
  }

  #toUnitLength(vector: VectorValues, what: string): Float64Array {
    if (vector.length !== this.dimensions) {
      throw new MnemoraError(
        'invalid-input',
        `${what} has ${vector.length} dimensions; this index holds vectors of ${this.dimensions}.`,
      );
    }
    let largest = 0;
    for (const value of vector) {
      if (!Number.isFinite(value)) {
        throw new MnemoraError('invalid-input', `${what} holds ${String(value)}, which is no finite number.`);
      }
      largest = Math.max(largest, Math.abs(value));
    }
    const unit = new Float64Array(this.dimensions);
    if (largest === 0) return unit;
    // Scaled by the largest first: squares of very large or very small numbers leave the range of a double.
    let sumOfSquares = 0;
    for (const value of vector) sumOfSquares += (value / largest) ** 2;
    const scaledLength = Math.sqrt(sumOfSquares);
    let i = 0;
    for (const value of vector) unit[i++] = value / largest / scaledLength;
    return unit;
  }
}

function isUnitOrZero(vector: Float32Array): boolean {
  let squaredLength = 0;
  for (const value of vector) squaredLength += value * value;
  return squaredLength === 0 || Math.abs(squaredLength - 1) < 1e-4;
}

function damaged(why: string): MnemoraError {
  return new MnemoraError('invalid-input', `A block of vectors is damaged: ${why}. Rebuild the index.`);
}
