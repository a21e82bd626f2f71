import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange, VectorBatch } from '../search/vector-search.ts';
import type { LoadProgress } from './embedder.ts';

/** Incremented with every change of the messages below: page and worker are separate files with separate caches. */
export const PROTOCOL_VERSION = 3;

/** The model to load and its location. All URLs are absolute and end with a slash. */
export interface ModelRequest {
  /** Name of the model's folder, such as `use-lite` or `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** URL of the folder that contains the model's folder; undefined for the Hugging Face hub. */
  readonly modelBaseUrl?: string | undefined;
  /** Folder of the wasm runtime. */
  readonly wasmBaseUrl: string;
  readonly quantized: boolean;
  readonly pooling: 'mean' | 'cls';
}

/** Messages from the page. `load` is sent first and once, then one batch of texts at a time. */
export type MessageToWorker =
  | { readonly type: 'load'; readonly version: number; readonly request: ModelRequest }
  | { readonly type: 'embed'; readonly batch: number; readonly texts: readonly string[] }
  /** Stops a batch between two of its texts. */
  | { readonly type: 'cancel'; readonly batch: number }
  | VectorsMessage;

/** Messages about one of the worker's vector collections. The page assigns each a unique number. */
export type VectorsMessage =
  | { readonly type: 'vectors-add'; readonly collection: number; readonly batch: VectorBatch }
  | { readonly type: 'vectors-delete'; readonly collection: number; readonly ids: readonly string[] }
  | {
      readonly type: 'vectors-search';
      readonly collection: number;
      /** Number of the search, which the answer repeats. */
      readonly search: number;
      readonly query: Float32Array;
      readonly k: number;
      readonly range: MessageRange;
    }
  | { readonly type: 'vectors-close'; readonly collection: number };

/** Messages from the worker. */
export type MessageFromWorker =
  /** First answer to `load`. The worker holds the Web Lock of this name until it ends. */
  | { readonly type: 'started'; readonly version: number; readonly lifeLock?: string | undefined }
  /** Sign of life: part of a file has arrived, or a text has been embedded. */
  | { readonly type: 'working' }
  | (Readonly<LoadProgress> & { readonly type: 'progress' })
  | { readonly type: 'loaded'; readonly dimensions: number }
  /** Vectors of the first texts of the batch: of all texts, unless the batch was cancelled. */
  | { readonly type: 'embedded'; readonly batch: number; readonly vectors: readonly Float32Array[] }
  | { readonly type: 'vectors-found'; readonly search: number; readonly hits: readonly SearchHit[] }
  /** Loading or embedding failed. The worker cannot be used any more. */
  | { readonly type: 'failed'; readonly reason: string };

/** Whether data is a message of this protocol. Messages of a damaged worker must not reach code that trusts them. */
export function isFromWorker(data: unknown): data is MessageFromWorker {
  const message = Object(data) as Record<string, unknown>;
  const { type } = message;
  return typeof type === 'string' && Object.hasOwn(CHECKS, type) && CHECKS[type as Type](message);
}

type Type = MessageFromWorker['type'];

const CHECKS: { readonly [Each in Type]: (message: Record<string, unknown>) => boolean } = {
  started: ({ version, lifeLock }) =>
    Number.isFinite(version) && (lifeLock === undefined || typeof lifeLock === 'string'),
  working: () => true,
  progress: ({ file, loadedBytes, totalBytes }) =>
    typeof file === 'string' &&
    Number.isFinite(loadedBytes) &&
    (totalBytes === undefined || Number.isFinite(totalBytes)),
  loaded: ({ dimensions }) => Number.isSafeInteger(dimensions) && Number(dimensions) > 0,
  embedded: ({ batch, vectors }) =>
    Number.isFinite(batch) && Array.isArray(vectors) && vectors.every(isFloat32Array),
  'vectors-found': ({ search, hits }) => Number.isFinite(search) && Array.isArray(hits) && hits.every(isHit),
  failed: ({ reason }) => typeof reason === 'string',
};

/** Not `instanceof`, which fails for a worker that another frame has made. */
function isFloat32Array(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Float32Array]';
}

function isHit(value: unknown): boolean {
  const { id, score } = Object(value) as Partial<Record<keyof SearchHit, unknown>>;
  return typeof id === 'string' && Number.isFinite(score);
}
