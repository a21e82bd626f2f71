import type { VectorSearch } from '../search/vector-search.ts';

/** How far a model has been loaded. */
export interface LoadProgress {
  /** File under way, relative to the model. */
  file: string;
  loadedBytes: number;
  /** Undefined where the server does not say. */
  totalBytes?: number;
}

export type ProgressListener = (progress: LoadProgress) => void;

/** Turns texts into vectors of unit length. */
export interface Embedder {
  /** Names model and settings: vectors are comparable where the id is the same. */
  readonly id: string;
  /** Loads the model, once; further calls share the load. @throws MnemoraError `model-unavailable` */
  ready(options?: { onProgress?: ProgressListener; signal?: AbortSignal }): Promise<{ dimensions: number }>;
  /** One vector a text, in order. A text without any word gives a vector of zeros. */
  embed(
    texts: readonly string[],
    options?: { kind?: 'query' | 'document'; signal?: AbortSignal },
  ): Promise<Float32Array[]>;
  /**
   * Opens a search over vectors, empty at first, that runs off the page's thread, where the model is.
   * @default the vectors are searched on the page
   * @throws MnemoraError `model-unavailable`
   */
  openVectors?(): VectorSearch;
  close(): Promise<void>;
}
