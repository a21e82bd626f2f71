import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange, VectorBatch } from '../search/vector-search.ts';

/** Raised with every change of the messages below: page and worker are separate files and may be out of step. */
export const PROTOCOL_VERSION = 2;

/** Which model to load, and from where. All addresses are absolute and end with a slash. */
export interface ModelRequest {
  /** Name of the model's folder, as in `use-lite` or `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Folder that holds the model's folder. Undefined: the Hugging Face hub. */
  readonly modelBaseUrl?: string;
  /** Folder of the wasm runtime. */
  readonly wasmBaseUrl: string;
  readonly quantized: boolean;
  readonly pooling: 'mean' | 'cls';
}

/** What the page sends. `load` comes first and once; then one batch of texts at a time. */
export type MessageToWorker =
  | { readonly type: 'load'; readonly version: number; readonly request: ModelRequest }
  | { readonly type: 'embed'; readonly batch: number; readonly texts: readonly string[] }
  /** Stops a batch between two of its texts. */
  | { readonly type: 'cancel'; readonly batch: number }
  | VectorsMessage;

/** About one of the collections of vectors that the worker keeps; the page numbers them, each with a number of its own. */
export type VectorsMessage =
  | { readonly type: 'vectors-add'; readonly collection: number; readonly batch: VectorBatch }
  | { readonly type: 'vectors-delete'; readonly collection: number; readonly ids: readonly string[] }
  | {
      readonly type: 'vectors-search';
      readonly collection: number;
      /** Comes back with the answer. */
      readonly search: number;
      readonly query: Float32Array;
      readonly k: number;
      readonly range: MessageRange;
    }
  | { readonly type: 'vectors-close'; readonly collection: number };

/** What the worker sends. */
export type MessageFromWorker =
  /** The first answer to `load`. The worker holds the Web Lock named here for as long as it lives. */
  | { readonly type: 'started'; readonly version: number; readonly lifeLock?: string }
  | {
      readonly type: 'progress';
      readonly file: string;
      readonly loadedBytes: number;
      readonly totalBytes?: number;
    }
  | { readonly type: 'loaded'; readonly dimensions: number }
  /** Vectors of the first texts of the batch: of all of them, unless it was cancelled. */
  | { readonly type: 'embedded'; readonly batch: number; readonly vectors: readonly Float32Array[] }
  | { readonly type: 'vectors-found'; readonly search: number; readonly hits: readonly SearchHit[] }
  /** Loading or embedding went wrong. The worker is of no further use. */
  | { readonly type: 'failed'; readonly reason: string };
