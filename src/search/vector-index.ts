import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { QuantizedVectors } from './quantized-vectors.ts';
import { dotProductX4, type RowSlice } from './dot-product-x4.ts';
import type { HitFilter, SearchHit } from './search-hit.ts';
import { TopHits } from './top-hits.ts';

/** Numbers of a vector, in any array that holds numbers. */
export type VectorValues = Float32Array | readonly number[];

/** Up to {@link ROWS_PER_BLOCK} vectors in one piece, to be stored as one record. */
export interface VectorBlock {
  readonly ids: string[];
  /** The vectors one after the other, of unit length (or zero), in the order of `ids`. */
  readonly vectors: Float32Array;
}

/** Rows of a block: large enough that opening 100,000 vectors reads about a hundred records. */
export const ROWS_PER_BLOCK = 1024;

/** From here on a copy in bytes pays for its memory, of which a page can have about a hundred. */
export const FEWEST_BYTE_ROWS = 256;

/**
 * Exact nearest-neighbor search by cosine over vectors of one size.
 *
 * Scores run from −1 to 1. A vector of zeros has no direction: it is kept, and its score is 0 whatever is asked; so
 * is every score for a query of zeros. Equal scores are ordered by id.
 *
 * From {@link FEWEST_BYTE_ROWS} vectors on, and where WebAssembly may run, a search reads the vectors rounded to bytes
 * and scores what can be among the best. The results are the same to the last bit.
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
  // Made once, for they are needed again and again.
  readonly #scores = new Float64Array(4);
  readonly #added: Float64Array;
  #byteRows: QuantizedVectors | 'not yet' | 'impossible' = 'not yet';

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
    this.#added = new Float64Array(dimensions);
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
    this.#put(id, this.#toUnitLength(vector, `The vector "${id}"`, this.#added));
    this.#added.fill(0); // or it would outlive its deletion
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
      this.#setRow(row, last);
      this.#ids[row] = lastId;
      this.#rowById.set(lastId, row);
    }
    last.fill(0);
    if (this.#byteRows instanceof QuantizedVectors) this.#byteRows.erase(lastRow);
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
    // Where a good part is wanted, sorting out first saves nothing.
    if (this.#byteRows instanceof QuantizedVectors && k * 4 <= this.size) {
      this.#searchLikely(this.#byteRows, unitQuery, top, new TopHits(k, filter));
    } else {
      for (let row = 0; row < this.size; row += 4) {
        const end = Math.min(row + 4, this.size);
        this.#offer(top, unitQuery, [row, row + 1, row + 2, row + 3].slice(0, end - row));
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
    this.#setRow(row, unitVector);
    if (this.#byteRows === 'not yet' && this.size >= FEWEST_BYTE_ROWS) this.#startByteRows();
  }

  #setRow(row: number, unitVector: ArrayLike<number>): void {
    const vector = this.#row(row);
    vector.set(unitVector);
    if (!(this.#byteRows instanceof QuantizedVectors)) return;
    if (this.#byteRows.reserve(row + 1)) this.#byteRows.write(row, vector);
    else this.#byteRows = 'impossible';
  }

  #startByteRows(): void {
    const byteRows = QuantizedVectors.create(this.dimensions);
    const hasRoom = byteRows?.reserve(this.size) === true;
    this.#byteRows = hasRoom ? byteRows : 'impossible';
    if (hasRoom) for (let row = 0; row < this.size; row++) byteRows.write(row, this.#row(row));
  }

  /** Scores what can be among the best, the likeliest first, until what is left cannot be any more. */
  #searchLikely(byteRows: QuantizedVectors, unitQuery: Float64Array, top: TopHits, sure: TopHits): void {
    const likely = byteRows.candidates(unitQuery, this.size, (row, atLeast) => {
      sure.offer(this.#ids[row] ?? '', atLeast);
      return sure.threshold;
    });
    for (let at = 0; at < likely.length; at += 4) {
      if (Math.max(-1, likely[at]?.atMost ?? -1) < top.threshold) return;
      this.#offer(
        top,
        unitQuery,
        likely.slice(at, at + 4).map(({ row }) => row),
      );
    }
  }

  /** Scores one to four rows. */
  #offer(top: TopHits, unitQuery: Float64Array, rows: readonly number[]): void {
    const [a = 0, b = a, c = a, d = a] = rows;
    dotProductX4(
      unitQuery,
      this.#placeOf(a),
      this.#placeOf(b),
      this.#placeOf(c),
      this.#placeOf(d),
      this.#scores,
    );
    for (const [i, row] of rows.entries()) {
      const score = this.#scores[i] as number;
      if (score >= top.threshold) top.offer(this.#ids[row] ?? '', score);
    }
  }

  #placeOf(row: number): RowSlice {
    const block = this.#blocks[Math.floor(row / ROWS_PER_BLOCK)] ?? new Float32Array();
    return { block, start: (row % ROWS_PER_BLOCK) * this.dimensions };
  }

  #row(row: number): Float32Array {
    const { block, start } = this.#placeOf(row);
    return block.subarray(start, start + this.dimensions);
  }

  #toUnitLength(
    vector: VectorValues,
    what: string,
    unit: Float64Array = new Float64Array(this.dimensions),
  ): Float64Array {
    if (vector.length !== this.dimensions) {
      throw new MnemoraError(
        'invalid-input',
        `${what} has ${vector.length} dimensions; this index holds vectors of ${this.dimensions}.`,
      );
    }
    let largest = 0;
    for (let i = 0; i < this.dimensions; i++) {
      const value = vector[i] as number;
      if (!Number.isFinite(value)) {
        throw new MnemoraError('invalid-input', `${what} holds ${String(value)}, which is no finite number.`);
      }
      if (Math.abs(value) > largest) largest = Math.abs(value);
    }
    if (largest === 0) return unit.fill(0);
    // Scaled by the largest first: squares of very large or very small numbers leave the range of a double.
    let sumOfSquares = 0;
    for (let i = 0; i < this.dimensions; i++) {
      const scaled = (vector[i] as number) / largest;
      unit[i] = scaled;
      sumOfSquares += scaled * scaled;
    }
    const factor = 1 / Math.sqrt(sumOfSquares);
    for (let i = 0; i < this.dimensions; i++) unit[i] = (unit[i] as number) * factor;
    return unit;
  }
}

function isUnitOrZero(vector: Float32Array): boolean {
  let squaredLength = 0;
  for (let i = 0; i < vector.length; i++) squaredLength += (vector[i] as number) ** 2;
  return squaredLength === 0 || Math.abs(squaredLength - 1) < 1e-4;
}

function damaged(why: string): MnemoraError {
  return new MnemoraError('invalid-input', `A block of vectors is damaged: ${why}. Rebuild the index.`);
}
