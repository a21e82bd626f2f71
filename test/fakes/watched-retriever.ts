import {
  memoryRetriever,
  type MemoryRetrieverOptions,
  type MemoryRetriever,
  type NewDocument,
  type RetrievedDocument,
} from '../../src/recall/memory-retriever.ts';
import { LETTERS_EMBEDDER } from './letters-embedder.ts';

/** A retriever whose documents can be looked at, in the order in which they were added. */
export interface WatchedRetriever extends MemoryRetriever {
  documents(): Promise<RetrievedDocument[]>;
}

/** Finds by letters. */
export function lettersRetriever(
  topK: number,
  options: Pick<MemoryRetrieverOptions, 'database' | 'sessionId'> = {},
): WatchedRetriever {
  const inner = memoryRetriever({ ...options, embedder: LETTERS_EMBEDDER, topK });
  const added: string[] = [];
  return {
    search: (query, searchOptions) => inner.search(query, searchOptions),
    add: async (documents: readonly NewDocument[], addOptions) => {
      const ids = await inner.add(documents, addOptions);
      added.push(...ids);
      return ids;
    },
    delete: (ids) => inner.delete(ids),
    clear: async () => inner.clear?.(),
    documents: async () => {
      const found = await inner.search('a', { limit: 1000 });
      return found.toSorted((a, b) => added.indexOf(a.id) - added.indexOf(b.id));
    },
  };
}
