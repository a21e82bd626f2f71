import { MnemoraError } from '../model/error.ts';
import { SCRIPT_FOLDER } from './assets-url.ts';
import type { Embedder, ProgressListener } from './embedder.ts';
import type { VectorSearch } from '../search/vector-search.ts';
import { prepareText } from './prepare-text.ts';
import type { ModelRequest } from './protocol.ts';
import { startWorker } from './start-worker.ts';
import {
  resolveOptions,
  type EmbedderSettings,
  type TransformersEmbedderOptions,
} from './embedder-options.ts';
import { VectorCache } from './vector-cache.ts';
import { abortable } from '../model/abortable.ts';
import { WorkerSession } from './worker-session.ts';

/**
 * Returns an embedder that runs transformers.js in a worker of its own.
 *
 * Without options it uses the offline model that comes with this library: English, vectors of 512 numbers, no requests to
 * other origins. That model cannot tell texts in non-Latin letters apart, so these get a vector of zeros, which is not
 * similar to anything. Worker and model are loaded by the first `ready` or `embed`. The vectors of recent texts are
 * cached.
 *
 * Methods reject with a MnemoraError: `model-unavailable` if worker, wasm or model cannot be loaded or the embedder is
 * closed, `worker-crashed` if the worker crashes (the next call starts a new one), `invalid-input` if `texts` is not an
 * array of strings. They reject with the signal's reason if it aborts.
 *
 * @example
 * const embedder = transformersEmbedder();
 * const [question] = await embedder.embed(['Where do I live?'], { kind: 'query' });
 * @throws MnemoraError `invalid-option`
 */
export function transformersEmbedder(options: TransformersEmbedderOptions = {}): Embedder {
  return new TransformersEmbedder(resolveOptions(options));
}

class TransformersEmbedder implements Embedder {
  readonly id: string;
  readonly #settings: EmbedderSettings;
  readonly #cache: VectorCache;
  #session: WorkerSession | undefined;
  #dimensions: number | undefined;
  #isClosed = false;

  constructor(settings: EmbedderSettings) {
    const { model, quantized, pooling } = settings;
    this.id = `${model}/${quantized ? 'int8' : 'fp32'}/${pooling}`;
    this.#settings = settings;
    this.#cache = new VectorCache(settings.cacheSize);
  }

  async ready(
    options: { onProgress?: ProgressListener; signal?: AbortSignal } = {},
  ): Promise<{ dimensions: number }> {
    options.signal?.throwIfAborted();
    const session = this.#openSession();
    const unfollow = options.onProgress && session.follow(options.onProgress);
    try {
      const { dimensions } = await abortable(session.loaded, options.signal);
      this.#dimensions = dimensions;
      return { dimensions };
    } finally {
      unfollow?.();
    }
  }

  async embed(
    texts: readonly string[],
    options: { kind?: 'query' | 'document'; signal?: AbortSignal } = {},
  ): Promise<Float32Array[]> {
    const { kind = 'document', signal } = options;
    checkInput(texts, kind);
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const prepared = texts.map((text) =>
      prepareText(text, {
        maxLength: this.#settings.maxTextLength,
        dropQuestionMarks: kind === 'query' && this.#settings.isOffline,
        isLatinOnly: this.#settings.isOffline,
      }),
    );
    if (prepared.length === 0) return [];
    const dimensions = this.#dimensions ?? (await this.ready(signal && { signal })).dimensions;
    const vectors = await this.#vectorsOf(new Set(prepared), kind === 'query', signal);
    // Copies, because a caller that changes its vector must not change the cached one.
    return prepared.map((text) => vectors.get(text)?.slice() ?? new Float32Array(dimensions));
  }

  openVectors(): VectorSearch {
    return this.#openSession().openVectors();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#session?.end(closed());
    this.#cache.clear();
    return Promise.resolve();
  }

  async #vectorsOf(
    texts: ReadonlySet<string>,
    urgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const text of texts) {
      const cached = text === '' ? undefined : this.#cache.get(text);
      if (cached) vectors.set(text, cached);
      else if (text !== '') missing.push(text);
    }
    if (missing.length === 0) return vectors;
    const embedded = await this.#openSession().embed(missing, urgent, signal);
    embedded.forEach((vector, index) => vectors.set(missing[index] ?? '', vector));
    return vectors;
  }

  /** Returns the running session, or a new one if there is none. */
  #openSession(): WorkerSession {
    if (this.#isClosed) throw closed();
    if (this.#session) return this.#session;
    const session = new WorkerSession({
      request: this.#request(),
      worker: this.#startWorker(),
      batchSize: this.#settings.batchSize,
      onVector: (text, vector) => this.#cache.put(text, vector),
      onEnd: () => {
        this.#session = undefined;
      },
    });
    if (this.#settings.onProgress) session.follow(this.#settings.onProgress);
    this.#session = session;
    return session;
  }

  #startWorker(): Worker {
    const { worker } = this.#settings;
    if (!worker) return startWorker(this.#assetsUrl());
    try {
      return worker();
    } catch (cause) {
      throw new MnemoraError(
        'model-unavailable',
        'The embedding model was not loaded: the option worker of transformersEmbedder threw.',
        { cause },
      );
    }
  }

  #request(): ModelRequest {
    const { model, quantized, pooling, isOffline, modelBaseUrl } = this.#settings;
    const wasmBaseUrl = this.#assetsUrl();
    const baseUrl = modelBaseUrl === undefined ? undefined : folderUrl(modelBaseUrl);
    const folder = baseUrl ?? (isOffline ? new URL('models/', wasmBaseUrl).href : undefined);
    return {
      model,
      quantized,
      pooling,
      wasmBaseUrl,
      ...(folder === undefined ? {} : { modelBaseUrl: folder }),
    };
  }

  #assetsUrl(): string {
    const url = this.#settings.assetsUrl ?? SCRIPT_FOLDER;
    if (url !== undefined) return folderUrl(url);
    throw new MnemoraError(
      'model-unavailable',
      'The embedding model was not loaded: it cannot be told where its files lie. Set assetsUrl.',
    );
  }
}

/** Returns an absolute URL with a slash at the end, without which its last part would count as a file. */
function folderUrl(url: string): string {
  const here = typeof document === 'undefined' ? globalThis.location?.href : document.baseURI;
  const folder = url.endsWith('/') ? url : `${url}/`;
  if (!URL.canParse(folder, here))
    throw new MnemoraError(
      'model-unavailable',
      `The embedding model was not loaded: ${url} is no address. Set assetsUrl and modelBaseUrl to folders that are served.`,
    );
  return new URL(folder, here).href;
}

function checkInput(texts: readonly unknown[], kind: unknown): void {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new MnemoraError('invalid-input', 'Nothing was embedded: texts must be an array of strings.');
  if (kind !== 'query' && kind !== 'document')
    throw new MnemoraError(
      'invalid-input',
      `Nothing was embedded: kind is ${String(kind)}; it must be 'query' or 'document'.`,
    );
}

function closed(): MnemoraError {
  return new MnemoraError(
    'model-unavailable',
    'The embedder was closed. Make a new one to embed more texts.',
  );
}
