/** Raised with every change of the messages below: page and worker are separate files and may be out of step. */
export const PROTOCOL_VERSION = 1;

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

/** What the page sends. `load` comes first and once; then one batch at a time. */
export type MessageToWorker =
  | { readonly type: 'load'; readonly version: number; readonly request: ModelRequest }
  | { readonly type: 'embed'; readonly batch: number; readonly texts: readonly string[] }
  /** Stops a batch between two of its texts. */
  | { readonly type: 'cancel'; readonly batch: number };

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
  /** Loading or embedding went wrong. The worker is of no further use. */
  | { readonly type: 'failed'; readonly reason: string };
