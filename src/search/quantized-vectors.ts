import scanRows from './scan-rows.wat';

/** A row that may be among the best, and the most that its score can be. */
export interface Candidate {
  readonly row: number;
  readonly atMost: number;
}

/** Hears of a row and the least that its score can be; answers what a row must reach to matter still. */
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
  /** How much one step of its numbers is worth. */
  step: number;
  /** The length of what rounding took. */
  residualNorm: number;
  /** What the kernel's sums have too much because rows hold half of their numbers with 128 added. */
  offset: number;
}

const ROWS_PER_GROUP = 4;
/** How many numbers of a row lie side by side. */
const RUN = 16;
const RUN_OF_GROUP = ROWS_PER_GROUP * RUN;
/** Steps of a byte on each side of zero: −128 is left out, as the kernel asks. */
const STEPS = 127;
/** Where the query lies, behind what the kernel answers. */
const QUERY_AT = 64;
const PAGE_BYTES = 65_536;
/** Room that is made at a time: growing row by row would cost more than writing them. */
const ROWS_PER_GROWTH = 1024;
/** Above this a sum may not fit in the kernel's 32 bits: 255 × 127 for each number. */
const MOST_DIMENSIONS = 65_536;
/** Unit vectors may be this much longer than 1. */
const LENGTH_SLACK = 1e-4;
/** The kernel's sums in single precision may be this much off. */
const ROUNDING_SLACK = 1e-6;

/**
 * Rows of unit vectors rounded to a byte a number, and a search over them that reads a quarter of the memory: it says
 * which rows can be among the best, by bounds that hold for certain, so that scoring those alone is exact.
 *
 * The difference between a score and its estimate is at most the length of what rounding took from the row plus that
 * of what it took from the query (Cauchy and Schwarz); both are measured, not guessed.
 */
export class QuantizedVectors {
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  readonly #runs: number;
  readonly #groupBytes: number;
  readonly #firstGroup: number;
  // All of memory as each type, made again when it grows.
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

  /** Undefined where WebAssembly or its vector instructions are missing or forbidden, or there is no room. */
  static create(dimensions: number): QuantizedVectors | undefined {
    if (dimensions > MOST_DIMENSIONS) return undefined;
    try {
      return new QuantizedVectors(dimensions);
    } catch {
      return undefined;
    }
  }

  /** Makes room for a number of rows; what is there stays where it is. Returns false where memory cannot grow. */
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

  /** Writes a vector of unit length, or zero, to a row that there is room for. */
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

  /** Overwrites a row. */
  erase(row: number): void {
    const first = this.#addressOf(row);
    const end = first + this.#runs * RUN_OF_GROUP;
    for (let at = first; at < end; at += RUN_OF_GROUP) this.#bytes.fill(0, at, at + RUN);
    const scale = this.#scaleOf(row);
    this.#floats[scale] = 0;
    this.#floats[scale + ROWS_PER_GROUP] = 0;
  }

  /** The rows below `rowCount` that can be among the best, the likeliest first. */
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

  /** Rounds the query and lays it out as the kernel wants it. */
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

  /** The address of the group that a row belongs to. */
  #groupOf(row: number): number {
    return this.#firstGroup + Math.floor(row / ROWS_PER_GROUP) * this.#groupBytes;
  }

  /** The address of a row's first run. */
  #addressOf(row: number): number {
    return this.#groupOf(row) + (row % ROWS_PER_GROUP) * RUN;
  }

  /** Where the worth of a row's step lies among the floats; the length that it residualNorm lies a group's rows further on. */
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

/** Rounds a number from −127.5 to 127.5; Math.round takes several times as long. */
function roundSteps(steps: number): number {
  return ((steps + 128.5) | 0) - 128;
}

/** As scores end at 1 and at −1, so does what is known of them; nothing lies below −1. */
function lowerBound(atLeast: number): number {
  return atLeast <= -1 ? -Infinity : Math.min(1, atLeast);
}
