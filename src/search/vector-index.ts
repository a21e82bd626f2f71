import { checkOptionNames, wholeNumber } from '../model/check-options.ts';
import { invalidInput, type MnemoraError } from '../model/error.ts';
import { QuantizedVectors } from './quantized-vectors.ts';
import { TopHits, type HitFilter, type SearchHit } from './search-hit.ts';

/** The numbers of a vector. */
export type VectorValues = Float32Array | readonly number[];

/** A block of up to {@link ROWS_PER_BLOCK} vectors, to be stored as one record. */
export interface VectorBlock {
  readonly ids: string[];
  /** Concatenated vectors in the order of `ids`, each of unit length or zero. */
  readonly vectors: Float32Array;
}

/** Vectors per block: large enough that 100,000 vectors take about a hundred records. */
export const ROWS_PER_BLOCK = 1024;

/** Number of vectors from which on a quantized copy pays. Each needs a WebAssembly memory; a page has about a hundred. */
export const FEWEST_BYTE_ROWS = 256;

/**
 * An exact nearest-neighbor search by cosine over vectors of one length.
 *
 * Scores are from −1 to 1. A vector of zeros has no direction: its score is 0 for every query, and so is every score for
 * a query of zeros. Equal scores are ordered by id.
 *
 * From {@link FEWEST_BYTE_ROWS} vectors on, if WebAssembly is available, a search scans quantized vectors and scores
 * only those that can be among the best. The results are identical to the last bit.
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
  // Allocated once and reused by every call.
  readonly #scores = new Float64Array(4);
  readonly #added: Float64Array;
  /** Undefined while there are few vectors, and where WebAssembly or memory for it is not available. */
  #byteRows: QuantizedVectors | undefined;

  /** @throws MnemoraError `invalid-option` if `dimensions` is not a whole number from 1, or an option is unknown */
  constructor(options: { dimensions: number }) {
    checkOptionNames('VectorIndex', options, ['dimensions']);
    const dimensions = wholeNumber(1)('The dimensions of a VectorIndex', options.dimensions);
    this.dimensions = dimensions;
    this.#added = new Float64Array(dimensions);
  }

  /** Number of vectors. */
  get size(): number {
    return this.#ids.length;
  }

  has(id: string): boolean {
    return this.#rowById.has(id);
  }

  /**
   * Adds a vector, or replaces the one with the same id. It is scaled to unit length.
   *
   * @throws MnemoraError `invalid-input` if the number of dimensions is wrong or a number is not finite; nothing changes
   */
  add(id: string, vector: VectorValues): void {
    this.#put(id, this.#toUnitLength(vector, `The vector "${id}"`, this.#added));
    this.#added.fill(0); // a copy of the vector must not outlive its deletion
  }

  /** Adds several vectors like {@link add}, all or none. The last of several vectors with the same id wins. */
  addAll(entries: Iterable<{ readonly id: string; readonly vector: VectorValues }>): void {
    const checked = Array.from(entries, ({ id, vector }) => ({
      id,
      vector: this.#toUnitLength(vector, `The vector "${id}"`),
    }));
    for (const { id, vector } of checked) this.#put(id, vector);
  }

  /** Deletes a vector and overwrites its numbers. Returns false for an unknown id. */
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
    this.#byteRows?.erase(lastRow);
    this.#ids.pop();
    this.#rowById.delete(id);
    if (lastRow % ROWS_PER_BLOCK === 0) this.#blocks.pop();
    return true;
  }

  /**
   * Returns the `k` vectors nearest to `query`, best first; fewer if the index has, or the filter admits, fewer.
   *
   * @throws MnemoraError `invalid-input` if the query is not a vector of this length or `k` is not a whole number from 0
   */
  search(query: VectorValues, k: number, filter?: HitFilter): SearchHit[] {
    const unitQuery = this.#toUnitLength(query, 'The query');
    const top = new TopHits(k, filter);
    if (k === 0) return [];
    // If a large part of the vectors is wanted, preselecting candidates saves nothing.
    if (this.#byteRows && k * 4 <= this.size) {
      this.#searchLikely(this.#byteRows, unitQuery, top, new TopHits(k, filter));
    } else {
      for (let row = 0; row < this.size; row += 4) {
        const end = Math.min(row + 4, this.size);
        this.#offer(top, unitQuery, [row, row + 1, row + 2, row + 3].slice(0, end - row));
      }
    }
    return top.ranked();
  }

  /** Returns a copy of all vectors as blocks. All but the last are full. */
  toBlocks(): VectorBlock[] {
    return this.#blocks.map((block, blockIndex) => {
      const firstRow = blockIndex * ROWS_PER_BLOCK;
      const ids = this.#ids.slice(firstRow, firstRow + ROWS_PER_BLOCK);
      return { ids, vectors: block.slice(0, ids.length * this.dimensions) };
    });
  }

  /**
   * Returns an index over the blocks of {@link toBlocks}. Its scores are identical to those of the first index.
   *
   * @throws MnemoraError `invalid-input` if a block is damaged: rebuild the index from its texts
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
    const known = this.#rowById.get(id);
    if (known !== undefined) return this.#setRow(known, unitVector);
    const row = this.#ids.length;
    if (row % ROWS_PER_BLOCK === 0) this.#blocks.push(new Float32Array(ROWS_PER_BLOCK * this.dimensions));
    this.#ids.push(id);
    this.#rowById.set(id, row);
    this.#setRow(row, unitVector);
    if (this.size === FEWEST_BYTE_ROWS) this.#byteRows ??= this.#quantized();
  }

  #setRow(row: number, unitVector: ArrayLike<number>): void {
    const vector = this.#row(row);
    vector.set(unitVector);
    if (this.#byteRows?.reserve(row + 1)) this.#byteRows.write(row, vector);
    else this.#byteRows = undefined;
  }

  #quantized(): QuantizedVectors | undefined {
    const byteRows = QuantizedVectors.create(this.dimensions);
    if (!byteRows?.reserve(this.size)) return undefined;
    for (let row = 0; row < this.size; row++) byteRows.write(row, this.#row(row));
    return byteRows;
  }

  /** Scores the candidates by descending upper bound, until no other can be among the best. */
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
    const slices = [this.#sliceOf(a), this.#sliceOf(b), this.#sliceOf(c), this.#sliceOf(d)] as const;
    dotProductX4(unitQuery, slices, this.#scores);
    for (const [i, row] of rows.entries()) {
      const score = this.#scores[i] as number;
      if (score >= top.threshold) top.offer(this.#ids[row] ?? '', score);
    }
  }

  #sliceOf(row: number): RowSlice {
    const block = this.#blocks[Math.floor(row / ROWS_PER_BLOCK)] ?? new Float32Array();
    return { block, start: (row % ROWS_PER_BLOCK) * this.dimensions };
  }

  #row(row: number): Float32Array {
    const { block, start } = this.#sliceOf(row);
    return block.subarray(start, start + this.dimensions);
  }

  #toUnitLength(
    vector: VectorValues,
    what: string,
    unit: Float64Array = new Float64Array(this.dimensions),
  ): Float64Array {
    if (vector.length !== this.dimensions) {
      throw invalidInput(
        `${what} has ${vector.length} dimensions; this index holds vectors of ${this.dimensions}.`,
      );
    }
    let largest = 0;
    for (let i = 0; i < this.dimensions; i++) {
      const value = vector[i] as number;
      if (!Number.isFinite(value)) {
        throw invalidInput(`${what} holds ${String(value)}, which is not a finite number.`);
      }
      if (Math.abs(value) > largest) largest = Math.abs(value);
    }
    if (largest === 0) return unit.fill(0);
    // Scaled by the largest first, because squares of very large or very small numbers leave the range of a double.
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
  return invalidInput(`A block of vectors is damaged: ${why}. Rebuild the index.`);
}

/** A row of a block, given by the position of its first number. */
interface RowSlice {
  readonly block: Float32Array;
  readonly start: number;
}

/**
 * Writes the cosines of a query and four rows to `scores`; all vectors have unit length or are zero. Each result is
 * identical, to the last bit, to a sequential sum over one row: four independent sums only use the processor's pipeline
 * better. The casts avoid a check for undefined on each number.
 */
function dotProductX4(
  query: Float64Array,
  rows: readonly [RowSlice, RowSlice, RowSlice, RowSlice],
  scores: Float64Array,
): void {
  const [
    { block: blockA, start: startA },
    { block: blockB, start: startB },
    { block: blockC, start: startC },
    { block: blockD, start: startD },
  ] = rows;
  let sumA = 0;
  let sumB = 0;
  let sumC = 0;
  let sumD = 0;
  for (let i = 0; i < query.length; i++) {
    const value = query[i] as number;
    sumA += value * (blockA[startA + i] as number);
    sumB += value * (blockB[startB + i] as number);
    sumC += value * (blockC[startC + i] as number);
    sumD += value * (blockD[startD + i] as number);
  }
  scores[0] = clampCosine(sumA);
  scores[1] = clampCosine(sumB);
  scores[2] = clampCosine(sumC);
  scores[3] = clampCosine(sumD);
}

// The length of a unit vector in single precision differs slightly from 1.
function clampCosine(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
