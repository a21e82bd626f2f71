import type { VectorRow } from '../vector-blocks.ts';

/** Approximate number of vectors of a page, all of which are in memory while it is sorted: some ten megabytes. */
const PAGE_VECTORS = 8192;
/** Pages begin at ids of a sample, one of this many, because sorting all ids would block the page. */
const SAMPLE_STEP = 64;
/** Bytes of a page that are held in memory before they are passed to the browser, which may keep them on disk. */
const MAX_WAITING = 2 ** 20;

/**
 * Sorts vectors of one length by id, also if they do not fit in memory: they are distributed to pages by id as they
 * arrive, and a page is sorted when it is read.
 */
export class VectorPages {
  readonly #pages: readonly VectorPage[];

  /** @param ids all ids that the vectors may have, in any order */
  constructor(ids: Iterable<string>) {
    const sample = [...ids].filter((_id, at) => at % SAMPLE_STEP === 0).toSorted();
    const starts = sample.filter((_id, at) => at % (PAGE_VECTORS / SAMPLE_STEP) === 0);
    this.#pages = ['', ...starts.slice(1)].map((from) => new VectorPage(from));
  }

  add(row: VectorRow): void {
    this.#pages.findLast(({ from }) => from <= row.id)?.add(row);
  }

  /** Yields the rows of each page, sorted by id. If an id has several vectors, the last one counts. */
  *read(): Generator<Promise<VectorRow[]>, void> {
    for (const page of this.#pages) yield page.sorted();
  }
}

/** The vectors whose ids are between two others. */
class VectorPage {
  /** The first id that it may have. */
  readonly from: string;
  readonly #ids: string[] = [];
  readonly #pieces: Blob[] = [];
  #waiting: Float32Array<ArrayBuffer>[] = [];
  #waitingBytes = 0;

  constructor(from: string) {
    this.from = from;
  }

  add({ id, vector }: VectorRow): void {
    this.#ids.push(id);
    this.#waiting.push(new Float32Array(vector)); // a copy, which does not keep the vector's whole block in memory
    this.#waitingBytes += vector.byteLength;
    if (this.#waitingBytes >= MAX_WAITING) this.#flush();
  }

  async sorted(): Promise<VectorRow[]> {
    this.#flush();
    const numbers = new Float32Array(await new Blob(this.#pieces.splice(0)).arrayBuffer());
    const dimensions = numbers.length / this.#ids.length;
    const rows = new Map(this.#ids.map((id, row) => [id, row]));
    return [...rows]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, row]) => ({ id, vector: numbers.subarray(row * dimensions, (row + 1) * dimensions) }));
  }

  #flush(): void {
    this.#pieces.push(new Blob(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
