import scanRows from './scan-rows.wat';

/** A row that may be among the best, with an upper bound of its score. */
export interface Candidate {
  readonly row: number;
  readonly atMost: number;
}

/** Called with a row and a lower bound of its score. Returns the score that a row must reach to be a candidate. */
export type LowerBoundListener = (row: number, atLeast: number) => number;

interface Kernel {
  /** See `scan-rows.wat`. */
  scan(
    group: number,
    end: number,
    query: number,
    queryEnd: number,
    offset: number,
    step: number,
    rowMargin: number,
    margin: number,
    threshold: number,
  ): number;
}

interface RoundedQuery {
  /** Scale: the value of one quantization step. */
  step: number;
  /** Length of the difference between the query and its rounded form. */
  residualNorm: number;
  /** Amount by which the kernel's sums are too large, because half of a row's numbers are stored with 128 added. */
  offset: number;
}

const ROWS_PER_GROUP = 4;
/** Number of values of a row that are stored side by side. */
const RUN = 16;
const RUN_OF_GROUP = ROWS_PER_GROUP * RUN;
/** Steps of a byte on each side of zero. The kernel requires that −128 is not used. */
const STEPS = 127;
/** Address of the query, after the kernel's results. */
const QUERY_AT = 64;
const PAGE_BYTES = 65_536;
/** Rows by which memory grows at a time: growing for each row would cost more than writing it. */
const ROWS_PER_GROWTH = 1024;
/** Maximum number of dimensions: each adds up to 255 × 127 to a sum, which must fit in the kernel's 32 bits. */
const MOST_DIMENSIONS = 65_536;
/** Maximum deviation of a unit vector's length from 1. */
const LENGTH_SLACK = 1e-4;
/** Maximum rounding error of the kernel's sums in single precision. */
const ROUNDING_SLACK = 1e-6;

/**
 * Unit vectors quantized to one byte per number, and a search over them that reads a quarter of the memory. It returns
 * the rows that can be among the best, by strict bounds, so that an exact search has to score only those.
 *
 * A score differs from its estimate by at most the residual norm of the row plus that of the query (Cauchy and Schwarz).
 * Both are computed exactly when the vectors are quantized.
 */
export class QuantizedVectors {
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  readonly #runs: number;
  readonly #groupBytes: number;
  readonly #firstGroup: number;
  // Views of the whole memory by type, which are renewed when it grows.
  #bytes: Uint8Array = new Uint8Array();
  #words: Int16Array = new Int16Array();
  #floats: Float32Array = new Float32Array();

  private constructor(dimensions: number) {
    this.#runs = Math.ceil(dimensions / RUN);
    this.#groupBytes = this.#runs * RUN_OF_GROUP + 2 * ROWS_PER_GROUP * Float32Array.BYTES_PER_ELEMENT;
    this.#firstGroup = Math.ceil((QUERY_AT + this.#runs * RUN * 2) / RUN_OF_GROUP) * RUN_OF_GROUP;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#firstGroup / PAGE_BYTES) });
    const { exports } = new WebAssembly.Instance(compiled(), { rows: { memory: this.#memory } });
    this.#kernel = exports as unknown as Kernel;
    this.#mapMemory();
  }

  /** Returns undefined if WebAssembly or its SIMD instructions are not available or not allowed, or memory is short. */
  static create(dimensions: number): QuantizedVectors | undefined {
    if (dimensions > MOST_DIMENSIONS) return undefined;
    try {
      return new QuantizedVectors(dimensions);
    } catch {
      return undefined;
    }
  }

  /** Grows memory for a number of rows, and keeps those that are there. Returns false if memory cannot grow. */
  reserve(rowCount: number): boolean {
    if (this.#groupOf(rowCount + ROWS_PER_GROUP - 1) <= this.#bytes.length) return true;
    const missing = this.#groupOf(rowCount + ROWS_PER_GROWTH) - this.#bytes.length;
    try {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch {
      return false;
    }
    this.#mapMemory();
    return true;
  }

  /** Writes a vector, of unit length or zero, to a reserved row. */
  write(row: number, vector: Float32Array): void {
    const bytes = this.#bytes;
    const largest = largestOf(vector);
    const step = Math.fround(largest / STEPS);
    const stepsPerUnit = step === 0 ? 0 : 1 / step;
    let residualNorm = 0;
    let at = this.#addressOf(row);
    for (let run = 0; run < vector.length; run += RUN) {
      const length = Math.min(RUN, vector.length - run);
      for (let i = 0; i < length; i++) {
        const value = vector[run + i] as number;
        const steps = roundSteps(value * stepsPerUnit);
        bytes[at + i] = steps + (i % 2 === 0 ? 128 : 0);
        const rest = value - steps * step;
        residualNorm += rest * rest;
      }
      at += RUN_OF_GROUP;
    }
    const scale = this.#scaleOf(row);
    this.#floats[scale] = step;
    // Rounded up so that the bound stays conservative.
    this.#floats[scale + ROWS_PER_GROUP] = Math.sqrt(residualNorm) * (1 + 1e-6);
  }

  /** Overwrites a row with zeros. */
  erase(row: number): void {
    const first = this.#addressOf(row);
    const end = first + this.#runs * RUN_OF_GROUP;
    for (let at = first; at < end; at += RUN_OF_GROUP) this.#bytes.fill(0, at, at + RUN);
    const scale = this.#scaleOf(row);
    this.#floats[scale] = 0;
    this.#floats[scale + ROWS_PER_GROUP] = 0;
  }

  /** Returns those of the first `rowCount` rows that can be among the best, by descending upper bound. */
  candidates(query: Float64Array, rowCount: number, onLowerBound: LowerBoundListener): Candidate[] {
    const { step, residualNorm, offset } = this.#writeQuery(query);
    const margin = residualNorm * (1 + LENGTH_SLACK) + ROUNDING_SLACK;
    const floats = this.#floats;
    const queryEnd = QUERY_AT + this.#runs * RUN * 2;
    const end = this.#groupOf(rowCount + ROWS_PER_GROUP - 1);
    const candidates: Candidate[] = [];
    let threshold = -Infinity;
    let group = this.#firstGroup;
    for (;;) {
      group = this.#kernel.scan(
        group,
        end,
        QUERY_AT,
        queryEnd,
        offset,
        step,
        1 + residualNorm,
        margin,
        threshold,
      );
      if (group === end) break;
      const firstRow = ((group - this.#firstGroup) / this.#groupBytes) * ROWS_PER_GROUP;
      const count = Math.min(ROWS_PER_GROUP, rowCount - firstRow);
      for (let i = 0; i < count; i++) {
        const estimate = floats[i] as number;
        const rowMargin = floats[ROWS_PER_GROUP + i] as number;
        if (estimate + rowMargin < threshold) continue;
        candidates.push({ row: firstRow + i, atMost: estimate + rowMargin });
        const atLeast = lowerBound(estimate - rowMargin);
        if (atLeast >= threshold) threshold = onLowerBound(firstRow + i, atLeast);
      }
      group += this.#groupBytes;
    }
    return candidates.filter((row) => row.atMost >= threshold).toSorted((a, b) => b.atMost - a.atMost);
  }

  /** Quantizes the query and writes it to memory in the kernel's layout. */
  #writeQuery(query: Float64Array): RoundedQuery {
    const words = this.#words;
    const step = largestOf(query) / STEPS;
    const stepsPerUnit = step === 0 ? 0 : 1 / step;
    let residualNorm = 0;
    let offset = 0;
    for (let i = 0; i < this.#runs * RUN; i += 2) {
      const a = i < query.length ? (query[i] as number) : 0;
      const b = i + 1 < query.length ? (query[i + 1] as number) : 0;
      const stepsOfA = roundSteps(a * stepsPerUnit);
      const stepsOfB = roundSteps(b * stepsPerUnit);
      const at = QUERY_AT / 2 + i - (i % RUN) / 2;
      words[at] = stepsOfA;
      words[at + RUN / 2] = stepsOfB - 256 * stepsOfA;
      offset += 128 * stepsOfA;
      residualNorm += (a - stepsOfA * step) ** 2 + (b - stepsOfB * step) ** 2;
    }
    return { step, residualNorm: Math.sqrt(residualNorm), offset };
  }

  /** Returns the address of a row's group. */
  #groupOf(row: number): number {
    return this.#firstGroup + Math.floor(row / ROWS_PER_GROUP) * this.#groupBytes;
  }

  /** Returns the address of a row's first values. */
  #addressOf(row: number): number {
    return this.#groupOf(row) + (row % ROWS_PER_GROUP) * RUN;
  }

  /** Returns the index of a row's scale among the floats. Its residual norm is stored `ROWS_PER_GROUP` further on. */
  #scaleOf(row: number): number {
    const address = this.#groupOf(row) + this.#runs * RUN_OF_GROUP;
    return address / Float32Array.BYTES_PER_ELEMENT + (row % ROWS_PER_GROUP);
  }

  #mapMemory(): void {
    const { buffer } = this.#memory;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Int16Array(buffer);
    this.#floats = new Float32Array(buffer);
  }
}

let module: WebAssembly.Module | undefined;

function compiled(): WebAssembly.Module {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(scanRows), (character) => character.charCodeAt(0)));
  return module;
}

function largestOf(vector: Float32Array | Float64Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] as number);
    if (size > largest) largest = size;
  }
  return largest;
}

/** Rounds a number from −127.5 to 127.5. Math.round would take several times as long. */
function roundSteps(steps: number): number {
  return ((steps + 128.5) | 0) - 128;
}

/** Clamps a lower bound like the scores, which are from −1 to 1: a bound of −1 or less excludes nothing. */
function lowerBound(atLeast: number): number {
  return atLeast <= -1 ? -Infinity : Math.min(1, atLeast);
}
