import type { VectorSearch } from '../search/vector-search.ts';

/** Progress of loading a model. */
export interface LoadProgress {
  /** Path of the file being loaded, relative to the model's folder. */
  file: string;
  loadedBytes: number;
  /** Size of the file; undefined if the server does not send it. */
  totalBytes?: number;
}

export type ProgressListener = (progress: LoadProgress) => void;

/** `rankingWeight` of models that were trained to find the passage that answers a question. */
export const WEIGHT_OF_TRAINED = 1.4;

/** Turns texts into vectors of unit length. */
export interface Embedder {
  /** Identifies model and settings. Only vectors with the same id are compared. */
  readonly id: string;
  /**
   * How much similarity in meaning counts in the ranking, relative to that of the offline model: more than 1 for a model that
   * finds answers better, with which words have the weights that were fitted with such models, too. Families of models
   * that were trained to find answers have 1.4.
   *
   * @default 1
   */
  readonly rankingWeight?: number;
  /**
   * Loads the model and returns the length of its vectors. Further calls share the load.
   *
   * @throws MnemoraError `model-unavailable` if the model cannot be loaded
   */
  ready(options?: { onProgress?: ProgressListener; signal?: AbortSignal }): Promise<{ dimensions: number }>;
  /** Returns one vector for each text, in order. The vector of a text without words is all zeros. */
  embed(
    texts: readonly string[],
    options?: { kind?: 'query' | 'document'; signal?: AbortSignal },
  ): Promise<Float32Array[]>;
  /**
   * @internal Returns an empty collection of vectors that is searched in the model's worker, off the main thread.
   *   Without this method, vectors are searched on the page.
   *
   * @throws MnemoraError `model-unavailable` if the worker cannot be started
   */
  openVectors?(): VectorSearch;
  close(): Promise<void>;
}
