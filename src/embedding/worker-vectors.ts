import type { MnemoraError } from '../model/error.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange, VectorBatch, VectorSearch } from '../search/vector-search.ts';
import type { VectorsMessage } from './protocol.ts';

type Send = (message: VectorsMessage, transfer: Transferable[]) => void;

interface Waiting {
  readonly resolve: (hits: SearchHit[]) => void;
  readonly reject: (error: MnemoraError) => void;
}

/** The page's access to the vector collections of one worker. */
export class WorkerVectors {
  readonly #send: Send;
  readonly #waiting = new Map<number, Waiting>();
  #collections = 0;
  #searches = 0;
  #ended: MnemoraError | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Returns a new, empty collection. */
  open(): VectorSearch {
    const collection = this.#collections++;
    return {
      add: (batch) => this.#add(collection, batch),
      delete: (ids) => this.#post({ type: 'vectors-delete', collection, ids }),
      search: (query, k, range) => this.#search(collection, query, k, range),
      close: () => this.#post({ type: 'vectors-close', collection }),
    };
  }

  /** Resolves a search with the worker's answer. */
  found(search: number, hits: readonly SearchHit[]): void {
    this.#waiting.get(search)?.resolve([...hits]);
    this.#waiting.delete(search);
  }

  /** Rejects all searches from now on, because the worker has ended. The owner then fills a new collection. */
  end(error: MnemoraError): void {
    this.#ended = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #add(collection: number, batch: VectorBatch): void {
    this.#post({ type: 'vectors-add', collection, batch }, [batch.vectors.buffer, batch.createdAt.buffer]);
  }

  #search(collection: number, query: Float32Array, k: number, range: MessageRange): Promise<SearchHit[]> {
    if (this.#ended) return Promise.reject(this.#ended);
    const search = this.#searches++;
    const hits = new Promise<SearchHit[]>((resolve, reject) =>
      this.#waiting.set(search, { resolve, reject }),
    );
    this.#post({ type: 'vectors-search', collection, search, query, k, range });
    return hits;
  }

  #post(message: VectorsMessage, transfer: Transferable[] = []): void {
    if (!this.#ended) this.#send(message, transfer);
  }
}
