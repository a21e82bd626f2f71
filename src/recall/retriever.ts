/** A text with its metadata, as a retriever stores it. */
export interface RetrieverDocument {
  text: string;
  metadata?: Readonly<Record<string, unknown>>;
}

/** A document to add. */
export interface NewDocument extends RetrieverDocument {
  /** Id of the document. If the id exists already, the new document is ignored. @default a new random id */
  id?: string;
  /** Milliseconds since 1970. @default now */
  createdAt?: number;
}

/** A document that was found. */
export interface RetrievedDocument {
  id: string;
  document: RetrieverDocument;
  /** Higher is more relevant; comparable within one search only. */
  score: number;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Stores texts and finds them again. `memoryRetriever` returns one; any object with these methods works as well. */
export interface MemoryRetriever {
  /** Returns at most `limit` documents, the most relevant first. @default the retriever's own limit */
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<RetrievedDocument[]>;
  /** Stores documents and returns their ids, in the order given. */
  add(documents: readonly NewDocument[], options?: { signal?: AbortSignal }): Promise<string[]>;
  /** Deletes documents. Unknown ids are ignored. */
  delete(ids: readonly string[]): Promise<void>;
  /**
   * Deletes the documents that this retriever's own session has added, including those from before a reload, and nothing
   * else. If the method is missing, a memory deletes the ids that `add` returned to it.
   */
  clear?(): Promise<void>;
}
