import { abortable } from '../model/abortable.ts';
import {
  checkBoolean,
  checkFunction,
  checkOptions,
  checkString,
  oneOf,
  wholeNumber,
  objectWith,
  mustBe,
  type OptionChecks,
} from '../model/check-options.ts';
import { invalidInput, invalidOption, type MnemoraError } from '../model/error.ts';
import { memoizeAsync } from '../model/loading.ts';
import type { VectorSearch } from '../search/vector-search.ts';
import type { Embedder, ProgressListener } from './embedder.ts';
import { habitsOf } from './model-habits.ts';
import { OFFLINE_MODEL } from './offline/offline-model.ts';
import { prepareText } from './prepare-text.ts';
import type { ModelRequest } from './protocol.ts';
import { assetsFolder, folderUrl, modelUnavailable, startWorker } from './start-worker.ts';
import type { VectorCache } from './vector-cache.ts';
import { WorkerSession } from './worker-session.ts';

/** Settings of `transformersEmbedder`. */
export interface TransformersEmbedderOptions {
  /**
   * `use-lite` for the offline model, or the id of a feature-extraction model of the Hugging Face hub, such as
   * `Xenova/all-MiniLM-L6-v2`, which is loaded from the hub or from `modelBaseUrl`.
   * @default 'use-lite'
   */
  model?: string;
  /** URL of the folder with worker, wasm and offline model. @default the folder of this library's script */
  assetsUrl?: string;
  /** URL of the folder that contains the model's folder. @default `models/` in `assetsUrl`; for other models the hub */
  modelBaseUrl?: string;
  /**
   * How the token vectors are combined: `mean` averages them, `cls` uses the first one.
   * @default what the model was trained with, if it is of a known family (see `model-habits.ts`), or else 'mean'
   */
  pooling?: 'mean' | 'cls';
  /**
   * Text put in front of each question, for models that were trained with one, such as `query: `.
   * @default what the model was trained with, if it is of a known family, or else none
   */
  queryPrefix?: string;
  /** Text put in front of each message. @default as for `queryPrefix` */
  documentPrefix?: string;
  /** Whether to load the model's int8 file, a quarter of the full size. The offline model has no other. @default true */
  quantized?: boolean;
  /** Called whenever a part of a file has been loaded. */
  onProgress?: ProgressListener;
  /** Returns a new worker, for pages that cannot start it in the default way. */
  worker?: () => Worker;
  /**
   * Maximum number of texts in a message to the worker. Whatever the size, a canceled call stops, and a question is
   * embedded, after at most one more text.
   * @default 16
   */
  batchSize?: number;
  /** Maximum number of vectors in the cache of recent texts. @default 2000 */
  cacheSize?: number;
  /**
   * Milliseconds without a sign of life after which the worker is terminated, doubled while the model is being loaded.
   * A sign of life is a part of a file that arrives or a text that has been embedded, so the limit has to be longer
   * than the longest text takes on the slowest device.
   * @default 30000
   */
  timeoutMs?: number;
}

/**
 * Returns an embedder that runs transformers.js in a worker of its own.
 *
 * Without options it uses the offline model that comes with this library: English, vectors of 512 numbers, no requests to
 * other origins. That model cannot tell texts in non-Latin letters apart, so these get a vector of zeros, which is not
 * similar to anything. Worker and model are loaded by the first `ready` or `embed`. The vectors of recent texts are
 * cached.
 *
 * Methods reject with a MnemoraError: `model-unavailable` if worker, wasm or model cannot be loaded, the embedder is
 * closed, or the model returned an unusable vector; `worker-crashed` if the worker crashes or stops answering (the next
 * call starts a new one); `invalid-input` if `texts` is not an array of strings. They reject with the signal's reason
 * if it aborts.
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
  readonly rankingWeight: number;
  readonly #settings: ReturnType<typeof resolveOptions>;
  /**
   * Loaded with the model, because its digests need code that nothing else of an opening page needs. Where that code
   * cannot be loaded, texts are embedded without a cache.
   */
  #cache: VectorCache | undefined;
  #session: WorkerSession | undefined;
  #dimensions: number | undefined;
  #isClosed = false;

  constructor(settings: ReturnType<typeof resolveOptions>) {
    const { model, quantized, pooling, queryPrefix, documentPrefix } = settings;
    const prefixes = queryPrefix || documentPrefix ? `/${JSON.stringify([queryPrefix, documentPrefix])}` : '';
    this.id = `${model}/${quantized ? 'int8' : 'fp32'}/${pooling}${prefixes}`;
    this.rankingWeight = settings.rankingWeight;
    this.#settings = settings;
  }

  async ready(
    options: { onProgress?: ProgressListener; signal?: AbortSignal } = {},
  ): Promise<{ dimensions: number }> {
    options.signal?.throwIfAborted();
    const session = this.#openSession();
    const unfollow = options.onProgress && session.follow(options.onProgress);
    try {
      const loading = Promise.all([session.loaded, this.#loadCache()]);
      const [{ dimensions }] = await abortable(loading, options.signal);
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
    const { isOffline, queryPrefix, documentPrefix } = this.#settings;
    const prefix = kind === 'query' ? queryPrefix : documentPrefix;
    const maxLength = isOffline ? OFFLINE_MAX_TEXT_LENGTH : HUB_MAX_TEXT_LENGTH;
    const dropQuestionMarks = kind === 'query' && isOffline;
    const prepared = texts.map((text) => {
      const read = prepareText(text, { maxLength, dropQuestionMarks, isLatinOnly: isOffline });
      return read === '' ? '' : `${prefix}${read}`;
    });
    if (prepared.length === 0) return [];
    const dimensions = this.#dimensions ?? (await this.ready(signal && { signal })).dimensions;
    const vectors = await this.#vectorsOf(new Set(prepared), kind === 'query', signal);
    // Copies, because a caller that changes its vector must not change the cached one.
    return prepared.map((text) => vectors.get(text)?.slice() ?? new Float32Array(dimensions));
  }

  openVectors(): VectorSearch {
    const vectors = this.#openSession().openVectors();
    // The vectors of texts are deleted when the texts are forgotten. A cached vector, or the digest of a text, would
    // still confirm it to someone who guesses it.
    return {
      ...vectors,
      delete: (ids) => {
        if (ids.length > 0) this.#cache?.clear();
        vectors.delete(ids);
      },
      close: () => {
        this.#cache?.clear();
        vectors.close();
      },
    };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#session?.end(closed());
    this.#cache?.clear();
    return Promise.resolve();
  }

  async #vectorsOf(
    texts: ReadonlySet<string>,
    urgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    await this.#loadCache();
    signal?.throwIfAborted();
    for (const text of texts) {
      const cached = this.#cache?.get(text);
      if (cached) vectors.set(text, cached);
    }
    // Texts without words are not known to the model.
    const missing = [...texts].filter((text) => text !== '' && !vectors.has(text));
    if (missing.length === 0) return vectors;
    const embedded = await this.#openSession().embed(missing, urgent, signal);
    embedded.forEach((vector, index) => vectors.set(missing[index] ?? '', vector));
    return vectors;
  }

  readonly #loadCache = memoizeAsync(async () => {
    try {
      const { VectorCache: Cache } = await import('./vector-cache.ts');
      this.#cache ??= new Cache(this.#settings.cacheSize);
    } catch {
      // The page is offline, or its files have changed: texts are embedded again.
    }
  });

  /** Returns the running session, or a new one if there is none. */
  #openSession(): WorkerSession {
    if (this.#isClosed) throw closed();
    if (this.#session) return this.#session;
    const session = new WorkerSession({
      request: this.#request(),
      worker: this.#startWorker(),
      batchSize: this.#settings.batchSize,
      timeoutMs: this.#settings.timeoutMs,
      onVector: (text, vector) => this.#cache?.put(text, vector),
      onEnd: () => {
        this.#session = undefined;
      },
    });
    if (this.#settings.onProgress) session.follow(this.#settings.onProgress);
    this.#session = session;
    session.start();
    return session;
  }

  #startWorker(): Worker {
    const { worker } = this.#settings;
    if (!worker) return startWorker(assetsFolder(this.#settings.assetsUrl), 'embedding-worker.js');
    try {
      return objectWith<Worker>(
        'addEventListener',
        'postMessage',
        'terminate',
      )('The result of worker', worker());
    } catch (cause) {
      throw modelUnavailable(
        'The embedding model was not loaded: the option worker of transformersEmbedder did not return a worker.',
        cause,
      );
    }
  }

  #request(): ModelRequest {
    const { model, quantized, pooling, isOffline, modelBaseUrl, assetsUrl } = this.#settings;
    const wasmBaseUrl = assetsFolder(assetsUrl);
    const folder = modelBaseUrl ?? (isOffline ? new URL('models/', wasmBaseUrl).href : undefined);
    return { model, quantized, pooling, wasmBaseUrl, modelBaseUrl: folder && folderUrl(folder) };
  }
}

// The offline model reads 128 tokens, the models of the hub 8,192 at most; no usual token is longer than 16.
const OFFLINE_MAX_TEXT_LENGTH = 4096;
const HUB_MAX_TEXT_LENGTH = 131_072;
// One or two plain names: the id becomes part of a URL and must not lead out of the folder.
const MODEL_ID = /^\w[\w.-]*(\/\w[\w.-]*)?$/;

const isAddress = mustBe('an address', (value) => typeof value === 'string' && value !== '');

const CHECKS: OptionChecks<TransformersEmbedderOptions> = {
  model: mustBe(
    "a model id such as 'Xenova/all-MiniLM-L6-v2'",
    (value) => typeof value === 'string' && MODEL_ID.test(value),
  ),
  assetsUrl: isAddress,
  modelBaseUrl: isAddress,
  pooling: oneOf('mean', 'cls'),
  queryPrefix: checkString,
  documentPrefix: checkString,
  quantized: checkBoolean,
  onProgress: checkFunction,
  worker: mustBe('a function that returns a Worker', (value) => typeof value === 'function'),
  batchSize: wholeNumber(1),
  cacheSize: wholeNumber(0),
  timeoutMs: wholeNumber(1),
};

/** Returns the checked options with their defaults. @throws MnemoraError `invalid-option` if one is invalid */
function resolveOptions(options: TransformersEmbedderOptions) {
  checkOptions('transformersEmbedder', options, CHECKS);
  const { model = OFFLINE_MODEL, quantized = true } = options;
  const habits = habitsOf(model);
  const { pooling = habits.pooling, queryPrefix = habits.queryPrefix } = options;
  const { documentPrefix = habits.documentPrefix } = options;
  const { batchSize = 16, cacheSize = 2000, timeoutMs = 30_000 } = options;
  const isOffline = model === OFFLINE_MODEL;
  if (isOffline && !quantized)
    throw invalidOption(
      `The model ${OFFLINE_MODEL} is available as int8 only. Omit quantized, or set another model.`,
    );
  return {
    ...options,
    ...{ model, pooling, queryPrefix, documentPrefix, quantized },
    ...{ batchSize, cacheSize, timeoutMs, isOffline, rankingWeight: habits.rankingWeight },
  };
}

function checkInput(texts: readonly unknown[], kind: unknown): void {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw invalidInput('Nothing was embedded: texts must be an array of strings.');
  if (kind !== 'query' && kind !== 'document')
    throw invalidInput(`Nothing was embedded: kind must be 'query' or 'document'; got ${String(kind)}.`);
}

function closed(): MnemoraError {
  return modelUnavailable('The embedder is closed. Create a new one to embed more texts.');
}
