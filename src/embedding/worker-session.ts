import { abortable, deferred } from '../model/abortable.ts';
import { assertNever, MnemoraError } from '../model/error.ts';
import { onWorkerEnd } from '../model/worker-life.ts';
import { SilenceWatch } from '../model/silence-watch.ts';
import type { VectorSearch } from '../search/vector-search.ts';
import type { LoadProgress, ProgressListener } from './embedder.ts';
import {
  isFromWorker,
  PROTOCOL_VERSION,
  type MessageFromWorker,
  type MessageToWorker,
  type ModelRequest,
} from './protocol.ts';
import { modelUnavailable } from './start-worker.ts';
import { TextQueue } from './text-queue.ts';
import { WorkerVectors } from './worker-vectors.ts';

/** Options of a session. */
export interface SessionOptions {
  readonly worker: Worker;
  readonly request: ModelRequest;
  /** Maximum number of texts in a message to the worker. */
  readonly batchSize: number;
  /** Milliseconds without a message after which a worker that owes an answer is terminated; twice that while loading. */
  readonly timeoutMs: number;
  /** Called for every vector that the worker returns, even if its caller has given up. */
  readonly onVector: (text: string, vector: Float32Array) => void;
  /** Called once, when the worker cannot be used any more. */
  readonly onEnd: () => void;
}

/**
 * One worker from start to end: it loads a model, embeds texts, stores vectors, and ends by a failure, by silence or by
 * `end`.
 */
export class WorkerSession {
  readonly #options: SessionOptions;
  readonly #queue = new TextQueue();
  readonly #vectors = new WorkerVectors((message, transfer) => this.#send(message, transfer));
  readonly #listeners = new Set<ProgressListener>();
  readonly #life = new AbortController();
  readonly #loaded = deferred<{ dimensions: number }>();
  readonly #watch: SilenceWatch;
  #dimensions = 0;
  #state: 'silent' | 'loading' | 'ready' | 'ended' = 'silent';
  #batch = 0;
  #texts: readonly string[] | undefined;
  #isCanceled = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#watch = new SilenceWatch({
      limitMs: options.timeoutMs,
      patience: () => this.#patience,
      onSilence: (ms) => this.#crash(`it gave no sign of life for ${ms / 1000} s`),
    });
  }

  /** Makes the worker load the model. */
  start(): void {
    const { signal } = this.#life;
    const { worker, request } = this.#options;
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data), { signal });
    worker.addEventListener('error', (event) => this.#crash(event.message, event), { signal });
    worker.addEventListener('messageerror', () => this.#crash(MALFORMED), { signal });
    this.#send({ type: 'load', version: PROTOCOL_VERSION, request });
  }

  /** Resolves when the model is loaded; rejects if it cannot be loaded. */
  get loaded(): Promise<{ dimensions: number }> {
    return this.#loaded.promise;
  }

  /** Adds a progress listener. Returns a function that removes it. */
  follow(listener: ProgressListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns the vectors of distinct texts. An abort withdraws the texts. Urgent texts wait for at most one non-urgent text.
   */
  async embed(
    texts: readonly string[],
    urgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const asked = texts.map((text) => ({ text, vector: this.#queue.add(text, urgent) }));
    const vectors = Promise.all(asked.map(({ vector }) => vector));
    // If the session has ended already, nothing would ever take these texts from the queue.
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

  /** Returns an empty vector collection in the worker, which is lost when the session ends. */
  openVectors(): VectorSearch {
    return this.#vectors.open();
  }

  /** Terminates the worker and rejects all pending calls. */
  end(error: MnemoraError): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#life.abort();
    this.#watch.stop();
    this.#options.worker.terminate();
    this.#loaded.reject(error);
    this.#queue.rejectAll(error);
    this.#vectors.end(error);
    this.#options.onEnd();
  }

  /** Returns the factor by which the time limit is multiplied; 0 if no answer is awaited. */
  get #patience(): number {
    if (this.#state !== 'ready') return 2; // compiling the wasm and reading a large model give no sign of life
    return this.#texts || this.#vectors.isWaiting ? 1 : 0;
  }

  #receive(message: unknown): void {
    if (!isFromWorker(message)) return this.#crash(MALFORMED);
    this.#watch.heard();
    switch (message.type) {
      case 'started':
        return this.#begin(message.version, message.lifeLock);
      case 'working':
        return;
      case 'progress':
        return this.#report(message);
      case 'loaded':
        this.#state = 'ready';
        this.#dimensions = message.dimensions;
        this.#loaded.resolve({ dimensions: message.dimensions });
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

  #begin(version: number, lifeLock: string | undefined): void {
    if (version !== PROTOCOL_VERSION) {
      const reason = `the worker speaks version ${version} of the protocol, this page version ${PROTOCOL_VERSION}`;
      this.end(notLoaded(this.#options.request, reason));
      return;
    }
    this.#state = 'loading';
    onWorkerEnd(lifeLock, this.#life.signal, () => this.#crash('it closed or was killed'));
  }

  #report(message: Extract<MessageFromWorker, LoadProgress>): void {
    const { type: _, ...progress } = message;
    for (const listener of this.#listeners) {
      try {
        listener(progress);
      } catch (error) {
        reportError(error); // an error in the page's listener must not stop the load
      }
    }
  }

  #work(): void {
    if (this.#state !== 'ready' || this.#texts || this.#queue.length === 0) return;
    this.#batch += 1;
    this.#isCanceled = false;
    this.#texts = this.#queue.take(this.#options.batchSize);
    this.#send({ type: 'embed', batch: this.#batch, texts: this.#texts });
  }

  #cancelBatch(): void {
    this.#isCanceled = true;
    this.#send({ type: 'cancel', batch: this.#batch });
  }

  #finish(batch: number, vectors: readonly Float32Array[]): void {
    if (batch !== this.#batch || !this.#texts) return;
    const texts = this.#texts;
    const missing = texts.length - vectors.length;
    if (missing < 0 || (missing > 0 && !this.#isCanceled)) return this.#crash(MALFORMED);
    this.#texts = undefined;
    const results = vectors.map((vector) => (this.#isUsable(vector) ? vector : this.#unusable()));
    for (const [index, vector] of results.entries())
      if (!(vector instanceof Error)) this.#options.onVector(texts[index] ?? '', vector);
    this.#queue.settle(results);
    this.#work();
  }

  /** Whether a vector can be compared. Texts without words, whose vector is zero, are not sent to the worker. */
  #isUsable(vector: Float32Array): boolean {
    return vector.length === this.#dimensions && vector.every(Number.isFinite) && vector.some(Boolean);
  }

  #unusable(): MnemoraError {
    return modelUnavailable(
      `The model ${this.#options.request.model} did not return ${this.#dimensions} finite numbers for a text. The vector was neither stored nor cached.`,
    );
  }

  #fail(reason: string): void {
    const isLoaded = this.#state === 'ready';
    this.end(isLoaded ? workerCrashed(reason) : notLoaded(this.#options.request, reason));
  }

  /** Ends the session. If the worker never sent a message, its file is missing or the page's policy forbids it. */
  #crash(reason: string | undefined, event?: Event): void {
    event?.preventDefault();
    const why = reason || 'its file could not be loaded';
    this.end(this.#state === 'silent' ? notLoaded(this.#options.request, why) : workerCrashed(why));
  }

  #send(message: MessageToWorker, transfer: Transferable[] = []): void {
    if (this.#state === 'ended') return;
    this.#watch.start();
    try {
      this.#options.worker.postMessage(message, transfer);
    } catch (cause) {
      this.#crash(`a message could not be sent to it (${String(cause)})`);
    }
  }
}

const MALFORMED = 'it sent a malformed message';

function workerCrashed(reason: string): MnemoraError {
  return new MnemoraError(
    'worker-crashed',
    `The embedding worker stopped: ${reason}. The texts were not embedded; the next call starts a new worker.`,
  );
}

function notLoaded({ model, wasmBaseUrl, modelBaseUrl }: ModelRequest, reason: string): MnemoraError {
  const source = modelBaseUrl ?? 'the Hugging Face hub';
  return modelUnavailable(
    `The model ${model} was not loaded: ${reason}. The model was requested from ${source}, and the worker and its WebAssembly from ${wasmBaseUrl}. Check that these files are served, or set assetsUrl.`,
  );
}
