import { env, pipeline } from '@xenova/transformers';
import { executionProviders } from '@xenova/transformers/src/backends/onnx.js';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { holdLifeLock } from '../model/worker-life.ts';
import { checkedFetch } from './checked-fetch.ts';
import { addOfflineBackend } from './offline/offline-backend.ts';
import { OFFLINE_MODEL } from './offline/offline-model.ts';
import {
  PROTOCOL_VERSION,
  type MessageFromWorker,
  type MessageToWorker,
  type ModelRequest,
} from './protocol.ts';
import { VectorCollections } from './worker-vectors.ts';

/** SHA-256 of each asset except this file, in hexadecimal, by path. Written by `scripts/build-assets.ts`. */
declare const ASSET_HASHES: Readonly<Record<string, string>>;

/** The progress events of transformers.js. */
type LibraryProgress = { status: string; file?: string; loaded?: number; total?: number };

// The global scope of a worker has the methods that the worker has on the page.
const page = globalThis as unknown as Pick<Worker, 'addEventListener' | 'postMessage'>;
// Batches come one at a time, so one number is enough.
let cancelledBatch = 0;
let loading: ReturnType<typeof load> | undefined;
/** Names the refused file and what to do, because the runtime's own error does not. */
let refusal: string | undefined;
const vectors = new VectorCollections(send);

page.addEventListener('message', ({ data }: MessageEvent<MessageToWorker>) => {
  switch (data.type) {
    case 'load':
      loading = load(data.request);
      loading.catch(fail);
      break;
    case 'embed':
      embed(data.batch, data.texts).catch(fail);
      break;
    case 'cancel':
      cancelledBatch = data.batch;
      break;
    default:
      vectors.receive(data).catch(fail);
  }
});

function send(message: MessageFromWorker, transfer: Transferable[] = []): void {
  page.postMessage(message, transfer);
}

function fail(error: unknown): void {
  send({ type: 'failed', reason: refusal ?? (error instanceof Error ? error.message : String(error)) });
}

async function load(request: ModelRequest) {
  const lifeLock = await holdLifeLock();
  send({ type: 'started', version: PROTOCOL_VERSION, lifeLock });

  configure(request);
  // If the file is another model, transformers.js goes on to the next backend, which is the runtime's own.
  if (request.model === OFFLINE_MODEL) executionProviders.unshift(addOfflineBackend());
  const extract = await pipeline('feature-extraction', request.model, {
    quantized: request.quantized,
    progress_callback: progressReporter(),
  });
  // Embedding one word gives the vector length and shows that the runtime can run the model.
  const sample = await extract('word', { pooling: request.pooling, normalize: true });
  send({ type: 'loaded', dimensions: sample.dims.at(-1) ?? 0 });
  return { extract, pooling: request.pooling };
}

function configure({ modelBaseUrl, wasmBaseUrl }: ModelRequest): void {
  const fromHub = modelBaseUrl === undefined;
  env.allowRemoteModels = fromHub;
  env.allowLocalModels = !fromHub;
  if (!fromHub) env.localModelPath = modelBaseUrl;
  // The site's own files are cached by HTTP or its service worker; a second copy would waste storage.
  env.useBrowserCache &&= fromHub;
  const wasm = env.backends.onnx.wasm;
  wasm.wasmPaths = wasmBaseUrl;
  const hashes = Object.entries(ASSET_HASHES).map(([path, hash]) => [wasmBaseUrl + path, hash] as const);
  const fetch = checkedFetch({
    fetch: globalThis.fetch,
    hashes: new Map(hashes),
    onBytes: () => send({ type: 'working' }),
    onRefusal: (reason) => {
      refusal = reason;
    },
  });
  // The runtime would load a wasm that was refused again with XMLHttpRequest, which is not checked.
  Object.assign(globalThis, { fetch, XMLHttpRequest: undefined });
  // More threads need SharedArrayBuffer and thus cross-origin isolation, which few pages have.
  wasm.numThreads = 1;
}

/**
 * Embeds one text per run. On one thread a padded batch is no faster, and in models that quantize their activations a
 * text's vector would depend on the other texts of the batch.
 */
async function embed(batch: number, texts: readonly string[]): Promise<void> {
  if (!loading) throw new Error('No model was requested.');
  const { extract, pooling } = await loading;
  const embedded: Float32Array<ArrayBuffer>[] = [];
  for (const text of texts) {
    const { data } = await extract(text, { pooling, normalize: true });
    embedded.push(Float32Array.from(data as Float32Array));
    send({ type: 'working' });
    // So that a `cancel` or a search is received: a run of the model never yields.
    await yieldToEventLoop();
    if (cancelledBatch === batch) break;
  }
  const buffers = embedded.map((vector) => vector.buffer);
  send({ type: 'embedded', batch, vectors: embedded }, buffers);
}

/**
 * If the server does not send the size of a file, transformers.js reports the bytes loaded so far as the total.
 * A total is therefore used only if it was known before the end.
 */
function progressReporter(): (progress: LibraryProgress) => void {
  const files = new Map<string, { loadedBytes: number; totalBytes?: number }>();
  return ({ status, file, loaded, total }) => {
    if (file === undefined) return;
    if (status === 'progress' && loaded !== undefined && total !== undefined) {
      const announced = files.get(file)?.totalBytes ?? (total > loaded ? total : undefined);
      const known = announced !== undefined && announced === total;
      const state = known ? { loadedBytes: loaded, totalBytes: total } : { loadedBytes: loaded };
      files.set(file, state);
      send({ type: 'progress', file, ...state });
    } else if (status === 'done') {
      const loadedBytes = files.get(file)?.loadedBytes ?? 0;
      send({ type: 'progress', file, loadedBytes, totalBytes: loadedBytes });
    }
  };
}
