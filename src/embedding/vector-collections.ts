import { assertNever } from '../model/error.ts';
import { FilteredVectorIndex } from '../search/vector-search.ts';
import type { MessageFromWorker, VectorsMessage } from './protocol.ts';

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
