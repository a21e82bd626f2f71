import { deferred, type Deferred } from '../../model/abortable.ts';
import { SilenceWatch } from '../../model/silence-watch.ts';
import { onWorkerEnd } from '../../model/worker-life.ts';
import {
  isTaggingAnswer,
  isTaggingStart,
  type TaggingAnswer,
  type TaggingRequest,
} from './tagging-protocol.ts';

type Words = TaggingAnswer['words'];

/** A worker that tags sentences. After its first failure it is terminated and rejects all calls. */
export class WorkerTagger {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Deferred<Words> & { readonly count: number }>();
  readonly #life = new AbortController();
  readonly #watch: SilenceWatch;
  #lastId = 0;

  constructor(worker: Worker, timeoutMs: number) {
    this.#worker = worker;
    this.#watch = new SilenceWatch({
      limitMs: timeoutMs,
      patience: () => Math.min(this.#pending.size, 1),
      onSilence: () => this.end(new Error('The worker is silent.')),
    });
    const { signal } = this.#life;
    const fail = (event: Event): void => {
      event.preventDefault();
      this.end(new Error('The worker failed.'));
    };
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data), { signal });
    worker.addEventListener('error', fail, { signal });
    worker.addEventListener('messageerror', fail, { signal });
  }

  /** Returns the tagged words of each sentence. */
  async tag(sentences: readonly string[]): Promise<Words> {
    this.#life.signal.throwIfAborted();
    this.#lastId += 1;
    const words = deferred<Words>();
    this.#pending.set(this.#lastId, { ...words, count: sentences.length });
    this.#worker.postMessage({ id: this.#lastId, sentences } satisfies TaggingRequest);
    this.#watch.start();
    return words.promise;
  }

  /** Terminates the worker and rejects pending and later calls. */
  end(reason: unknown): void {
    this.#life.abort(reason);
    this.#watch.stop();
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #receive(data: unknown): void {
    this.#watch.heard();
    if (isTaggingStart(data)) {
      onWorkerEnd(data.lifeLock, this.#life.signal, () => this.end(new Error('The worker was killed.')));
      return;
    }
    if (isTaggingAnswer(data)) {
      const asked = this.#pending.get(data.id);
      if (asked?.count === data.words.length) {
        this.#pending.delete(data.id);
        asked.resolve(data.words);
        return;
      }
    }
    this.end(new Error('The worker sent an answer in an unknown format.'));
  }
}
