/** A text to be found again. */
export interface RetrieverDocument {
  text: string;
  metadata?: Readonly<Record<string, unknown>>;
}

/** A document to add. */
export interface NewDocument extends RetrieverDocument {
  /** Adding another document under an id that is there already changes nothing. @default a new random id */
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

/** Finds old texts again: what `memoryRetriever` makes, or anything of your own with these three methods. */
export interface MemoryRetriever {
  /** The most relevant first. `limit` is the most to return; the retriever's own number where it is absent. */
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<RetrievedDocument[]>;
  /** The ids of the documents, in order. */
  add(documents: readonly NewDocument[], options?: { signal?: AbortSignal }): Promise<string[]>;
  /** Ids that are not there are passed over. */
  delete(ids: readonly string[]): Promise<void>;
  /**
   * Removes what this retriever's own session has added, also before a reload, and nothing else. Where it is absent, a
   * memory deletes the ids that it got from `add`.
   */
  clear?(): Promise<void>;
}
