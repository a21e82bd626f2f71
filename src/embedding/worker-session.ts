import { assertNever, MnemoraError } from '../model/error.ts';
import type { LoadProgress, ProgressListener } from './embedder.ts';
import {
  PROTOCOL_VERSION,
  type MessageFromWorker,
  type MessageToWorker,
  type ModelRequest,
} from './protocol.ts';
import { TextQueue } from './text-queue.ts';
import { abortable } from '../model/abortable.ts';
import { WorkerVectors } from './worker-vectors.ts';
import type { VectorSearch } from '../search/vector-search.ts';

/** What a session is told when it starts. */
export interface SessionOptions {
  readonly worker: Worker;
  readonly request: ModelRequest;
  /** Texts a message. */
  readonly batchSize: number;
  /** Called with every vector that arrives, wanted or not. */
  readonly onVector: (text: string, vector: Float32Array) => void;
  /** Called once, when the worker can no longer be used. */
  readonly onEnd: () => void;
}

type State = 'silent' | 'loading' | 'ready' | 'ended';

/** The life of one worker: it loads one model, embeds, keeps vectors, and ends in a failure or by `end`. */
export class WorkerSession {
  /** Settles when the model is loaded or cannot be. */
  readonly loaded: Promise<{ dimensions: number }>;
  readonly #options: SessionOptions;
  readonly #queue = new TextQueue();
  readonly #vectors = new WorkerVectors((message, transfer) => this.#send(message, transfer));
  readonly #listeners = new Set<ProgressListener>();
  readonly #life = new AbortController();
  #state: State = 'silent';
  #batch = 0;
  #texts: readonly string[] | undefined;
  #settleLoaded: { resolve: (model: { dimensions: number }) => void; reject: (error: unknown) => void };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#settleLoaded = { resolve: () => undefined, reject: () => undefined };
    this.loaded = new Promise((resolve, reject) => {
      this.#settleLoaded = { resolve, reject };
    });
    // Everybody who waited may have given up by then.
    this.loaded.catch(() => undefined);

    const { signal } = this.#life;
    const { worker, request } = options;
    worker.addEventListener('message', ({ data }) => this.#receive(data), { signal });
    worker.addEventListener('error', (event) => this.#crash(event.message, event), { signal });
    worker.addEventListener('messageerror', () => this.#crash('it sent what cannot be read'), { signal });
    this.#send({ type: 'load', version: PROTOCOL_VERSION, request });
  }

  /** Follows the loading until the returned function is called. */
  follow(listener: ProgressListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Vectors of different texts. The texts are given up if the signal aborts. Urgent ones wait for one text of the
   * others at most.
   */
  async embed(
    texts: readonly string[],
    urgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const asked = texts.map((text) => ({ text, vector: this.#queue.add(text, urgent) }));
    const vectors = Promise.all(asked.map(({ vector }) => vector));
    // The session may have ended before the texts came: nobody would ever take them.
    if (this.#state === 'ended') this.#queue.rejectAll(workerCrashed('it ended'));
    this.#work();
    if (this.#queue.isBatchOvertaken) this.#cancelBatch();
    try {
      return await abortable(vectors, signal);
    } catch (error) {
      vectors.catch(() => undefined);
      for (const { text, vector } of asked) this.#queue.giveUp(text, vector);
      if (this.#queue.isBatchUnwanted) this.#cancelBatch();
      throw error;
    }
  }

  /** A search over vectors that the worker keeps, empty at first. They are gone when the session ends. */
  openVectors(): VectorSearch {
    return this.#vectors.open();
  }

  /** Stops the worker and rejects everything that is waited for. */
  end(error: MnemoraError): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#life.abort();
    this.#options.worker.terminate();
    this.#settleLoaded.reject(error);
    this.#queue.rejectAll(error);
    this.#vectors.end(error);
    this.#options.onEnd();
  }

  #receive(message: MessageFromWorker): void {
    switch (message.type) {
      case 'started':
        return this.#start(message.version, message.lifeLock);
      case 'progress':
        return this.#report(message);
      case 'loaded':
        this.#state = 'ready';
        this.#settleLoaded.resolve({ dimensions: message.dimensions });
        return this.#work();
      case 'embedded':
        return this.#finish(message.batch, message.vectors);
      case 'vectors-found':
        return this.#vectors.found(message.search, message.hits);
      case 'failed':
        return this.#fail(message.reason);
      default:
        return assertNever(message);
    }
  }

  #start(version: number, lifeLock: string | undefined): void {
    if (version !== PROTOCOL_VERSION) {
      const reason = `the worker speaks version ${version} of the protocol, this page version ${PROTOCOL_VERSION}`;
      return this.end(modelUnavailable(this.#options.request, reason));
    }
    this.#state = 'loading';
    if (lifeLock !== undefined) this.#watch(lifeLock);
    return undefined;
  }

  /** The browser gives us the worker's lock when the worker is gone, however it went. */
  #watch(lifeLock: string): void {
    const { signal } = this.#life;
    navigator.locks
      .request(lifeLock, { signal }, () => this.#crash('it closed or was killed'))
      .catch(() => undefined); // aborted: the session ended in another way
  }

  #report({ file, loadedBytes, totalBytes }: LoadProgress): void {
    const progress = { file, loadedBytes, ...(totalBytes === undefined ? {} : { totalBytes }) };
    for (const listener of this.#listeners) {
      try {
        listener(progress);
      } catch (error) {
        reportError(error); // a faulty listener is the page's own affair and must not stop the load
      }
    }
  }

  #work(): void {
    if (this.#state !== 'ready' || this.#texts || this.#queue.length === 0) return;
    this.#batch += 1;
    this.#texts = this.#queue.take(this.#options.batchSize);
    this.#send({ type: 'embed', batch: this.#batch, texts: this.#texts });
  }

  #cancelBatch(): void {
    this.#send({ type: 'cancel', batch: this.#batch });
  }

  #finish(batch: number, vectors: readonly Float32Array[]): void {
    if (batch !== this.#batch || !this.#texts) return;
    const texts = this.#texts;
    this.#texts = undefined;
    vectors.forEach((vector, index) => this.#options.onVector(texts[index] ?? '', vector));
    this.#queue.settle(vectors);
    this.#work();
  }

  #fail(reason: string): void {
    const isLoaded = this.#state === 'ready';
    this.end(isLoaded ? workerCrashed(reason) : modelUnavailable(this.#options.request, reason));
  }

  /** A worker that has not said a word was never there: its file is missing, or the page's policy forbids it. */
  #crash(reason: string | undefined, event?: Event): void {
    event?.preventDefault();
    const why = reason || 'its file could not be loaded';
    this.end(this.#state === 'silent' ? modelUnavailable(this.#options.request, why) : workerCrashed(why));
  }

  #send(message: MessageToWorker, transfer: Transferable[] = []): void {
    this.#options.worker.postMessage(message, transfer);
  }
}

function workerCrashed(reason: string): MnemoraError {
  return new MnemoraError(
    'worker-crashed',
    `The embedding worker stopped: ${reason}. The texts were not embedded; the next call starts a new worker.`,
  );
}

function modelUnavailable({ model, wasmBaseUrl, modelBaseUrl }: ModelRequest, reason: string): MnemoraError {
  const source = modelBaseUrl ?? 'the Hugging Face hub';
  return new MnemoraError(
    'model-unavailable',
    `The model ${model} was not loaded: ${reason}. It was sought in ${source}, worker and wasm in ${wasmBaseUrl}. Check that these files are served, or set assetsUrl.`,
  );
}
