import { deferred, type Deferred } from '../model/abortable.ts';
import { assertNever, type MnemoraError } from '../model/error.ts';
import { FilteredVectorIndex } from '../search/filtered-vector-index.ts';
import type { VectorSearch } from '../search/vector-search.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageFromWorker, VectorsMessage } from './protocol.ts';

/** The page's access to the vector collections of one worker. */
export class WorkerVectors {
  readonly #send: (message: VectorsMessage, transfer: Transferable[]) => void;
  readonly #waiting = new Map<number, Deferred<SearchHit[]>>();
  #collections = 0;
  #searches = 0;
  #ended: MnemoraError | undefined;

  constructor(send: (message: VectorsMessage, transfer: Transferable[]) => void) {
    this.#send = send;
  }

  /** Whether a search has not been answered yet. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns a new, empty collection. */
  open(): VectorSearch {
    const collection = this.#collections++;
    return {
      add: (batch) => {
        const columns = [batch.vectors.buffer, batch.createdAt.buffer];
        this.#post({ type: 'vectors-add', collection, batch }, columns);
      },
      delete: (ids) => this.#post({ type: 'vectors-delete', collection, ids }),
      search: (query, k, range) => {
        const search = this.#searches++;
        const found = deferred<SearchHit[]>();
        if (this.#ended) found.reject(this.#ended);
        else this.#waiting.set(search, found);
        this.#post({ type: 'vectors-search', collection, search, query, k, range });
        return found.promise;
      },
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

  #post(message: VectorsMessage, transfer: Transferable[] = []): void {
    if (!this.#ended) this.#send(message, transfer);
  }
}

/** The vector collections of a worker. `WorkerVectors` is their counterpart on the page. */
export class VectorCollections {
  readonly #collections = new Map<number, FilteredVectorIndex>();
  readonly #answer: (message: MessageFromWorker) => void;

  constructor(answer: (message: MessageFromWorker) => void) {
    this.#answer = answer;
  }

  async receive(message: VectorsMessage): Promise<void> {
    switch (message.type) {
      case 'vectors-add':
        return this.#collection(message.collection).add(message.batch);
      case 'vectors-delete':
        return this.#collection(message.collection).delete(message.ids);
      case 'vectors-search': {
        const { collection, search, query, k, range } = message;
        const hits = await this.#collection(collection).search(query, k, range);
        return this.#answer({ type: 'vectors-found', search, hits });
      }
      case 'vectors-close':
        return void this.#collections.delete(message.collection);
      default:
        return assertNever(message);
    }
  }

  #collection(number: number): FilteredVectorIndex {
    const collection = this.#collections.get(number) ?? new FilteredVectorIndex();
    this.#collections.set(number, collection);
    return collection;
  }
}
