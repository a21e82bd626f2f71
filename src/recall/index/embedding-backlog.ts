import type { Embedder, ProgressListener } from '../../embedding/embedder.ts';
import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import { inBackground } from '../../model/event-loop.ts';
import type { StoredMessage } from '../../model/message.ts';
import { SilenceWatch } from '../../model/silence-watch.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { SearchRows } from '../../storage/search-rows.ts';
import type { TranscriptStore } from '../../storage/transcript/transcript-store.ts';
import type { VectorRow } from '../../storage/vector-blocks.ts';
import { lead } from '../../tabs/leadership.ts';
import { holdInUse, namesInUse } from '../../tabs/presence.ts';
import { embedTexts } from './embed-texts.ts';
import { textForEmbedding } from './indexed-text.ts';
import type { ScopeIndex } from './scope-index.ts';

export interface EmbeddingBacklogOptions {
  transcript: Pick<TranscriptStore, 'loadTurns'>;
  rows: Pick<SearchRows, 'appendVectors' | 'dropOtherVectors'>;
  scope: string;
  index: ScopeIndex;
  embedder: Embedder;
  /** Name of the lock that all tabs of one database and scope share. */
  lockName: string;
  onProgress: ProgressListener;
  onWarning: WarningListener;
}

const BATCH_MESSAGES = 32;
/** Minutes after which an embedder that has neither answered nor loaded anything is given up. */
const SILENCE_MINUTES = 5;
/** Pause after a failure, doubled after each further one. */
const RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 600_000;
/** Failures in a row after which a new turn no longer shortens the pause. */
const MAX_FAILURES = 6;
/** Failures of one message, while others are embedded, after which it is left out. */
const MAX_ATTEMPTS = 3;

/**
 * Embeds messages without a vector in the background, newest first, in one tab at a time. Failures are retried with
 * increasing delays.
 *
 * There is no queue that could be lost: the backlog is the difference between the messages and the vectors stored, so a
 * reload or a crash costs at most the current batch.
 */
export class EmbeddingBacklog {
  readonly #options: EmbeddingBacklogOptions;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  #wokenMeanwhile = false;
  #inUse: Promise<void> | undefined;
  #ready = false;
  /** Failures since the embedder last worked. */
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Number of failures that the message itself caused, by message id. */
  readonly #attempts = new Map<string, number>();
  #probes = 0;

  constructor(options: EmbeddingBacklogOptions) {
    this.#options = options;
    // A model that comes from the network may have failed for so long that its next attempt is minutes away.
    const onOnline = (): void => {
      if (this.#retry !== undefined) this.#loadAgain();
    };
    globalThis.addEventListener?.('online', onOnline, { signal: this.#abort.signal });
  }

  /**
   * Whether the model is loaded and has answered last time, so that a question can be embedded without waiting long.
   */
  get ready(): boolean {
    return this.#ready;
  }

  /** Starts embedding new messages. To be called after each write. */
  wake(): void {
    const isGivenUp = this.#failures >= MAX_FAILURES && this.#retry !== undefined;
    if (this.#abort.signal.aborted || isGivenUp) return;
    this.#wokenMeanwhile = this.#running !== undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wokenMeanwhile) this.wake();
    });
  }

  /** Call it when the embedder has answered a question. */
  worked(): void {
    this.#failures = 0;
  }

  /**
   * Call it when the embedder has failed. Questions are not embedded until it has been asked again, after a pause that
   * doubles with each failure in a row.
   */
  failed(): void {
    if (this.#abort.signal.aborted) return;
    this.#ready = false;
    this.#failures += 1;
    clearTimeout(this.#retry);
    const pause = Math.min(RETRY_AFTER_MS * 2 ** (this.#failures - 1), MAX_RETRY_AFTER_MS);
    this.#retry = inBackground(setTimeout(() => this.#loadAgain(), pause));
  }

  #loadAgain(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    // A tab that does not lead is waiting in `#run`, so it has to retry the embedder for its own questions.
    this.#load().then(
      () => this.wake(),
      (cause: unknown) => this.#report(cause),
    );
  }

  /** Resolves when nothing is left to embed, or when embedding has failed, which a warning reports. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#retry);
    this.#wokenMeanwhile = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { embedder, lockName } = this.#options;
    const { signal } = this.#abort;
    try {
      this.#inUse ??= holdInUse(`${lockName}:with:${embedder.id}`, signal);
      const dimensions = await this.#load();
      await this.#inUse;
      await this.#options.index.loadVectors();
      // If two tabs lead for a moment, both embed the same texts, and the last vector stored wins.
      await lead(lockName, signal, (term) => this.#embedMissing(dimensions, term));
    } catch (cause) {
      this.#report(cause);
    }
  }

  /** Loads the model, again if its worker has ended, and returns the length of its vectors. */
  async #load(): Promise<number> {
    const { embedder } = this.#options;
    const { dimensions } = await this.#ask(this.#abort.signal, (signal, onProgress) =>
      embedder.ready({ onProgress, signal }),
    );
    this.#ready = true;
    return dimensions;
  }

  /**
   * Asks the embedder, and gives up when it is silent for minutes: a page's own embedder may never answer, and without
   * an end no tab would embed anything.
   */
  async #ask<T>(
    signal: AbortSignal,
    ask: (either: AbortSignal, onProgress: ProgressListener) => Promise<T>,
  ): Promise<T> {
    const message = `The embedder did not answer within ${SILENCE_MINUTES} minutes.`;
    const silence = new AbortController();
    const either = AbortSignal.any([signal, silence.signal]);
    const watch = new SilenceWatch({
      limitMs: SILENCE_MINUTES * 60_000,
      patience: () => 1,
      onSilence: () => silence.abort(new MnemoraError('model-unavailable', message)),
    });
    const onProgress: ProgressListener = (progress) => {
      watch.heard();
      this.#options.onProgress(progress);
    };
    watch.start();
    try {
      return await abortable(ask(either, onProgress), either);
    } finally {
      watch.stop();
    }
  }

  /** Warns of the first failure in a row and of giving up, because the others change nothing for the user. */
  #report(cause: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.failed();
    if (this.#failures > 1 && this.#failures !== MAX_FAILURES) return;
    const end =
      this.#failures === 1
        ? 'a later try succeeds'
        : 'a retry succeeds; retries continue at increasing intervals';
    const message = `Texts could not be embedded; only keyword search is used until ${end}. ${reasonOf(cause)}`;
    this.#options.onWarning({ code: 'model-unavailable', message, cause });
  }

  async #embedMissing(dimensions: number, signal: AbortSignal): Promise<void> {
    const { transcript, rows, scope, index, embedder, lockName } = this.#options;
    const isTried = ({ id }: { readonly id: string }): boolean =>
      (this.#attempts.get(id) ?? 0) < MAX_ATTEMPTS;
    do {
      this.#wokenMeanwhile = false;
      await index.sync(signal);
      const missing = (await index.withoutVector()).filter(isTried);
      // New turns are embedded first: after a wake-up the missing messages are listed again.
      for (let start = 0; start < missing.length && !this.#wokenMeanwhile; start += BATCH_MESSAGES) {
        const batch = missing.slice(start, start + BATCH_MESSAGES);
        const wanted = new Set(batch.map(({ id }) => id));
        const turnIds = new Set(batch.map(({ turnId }) => turnId));
        const loaded = await transcript.loadTurns(scope, [...turnIds], signal);
        const messages = loaded.flat().filter(({ id }) => wanted.has(id));
        const entries = await this.#embed(messages, dimensions, signal);
        await rows.appendVectors(embedder.id, scope, entries);
        await index.sync(signal);
      }
    } while (this.#wokenMeanwhile);
    // Vectors of the previous model were kept until this one had embedded everything. Another tab may still use that
    // model, as during an update of the page: without its vectors it would embed everything again, and drop these.
    const inUse = await namesInUse(`${lockName}:with:`);
    await rows.dropOtherVectors(scope, [embedder.id, ...(inUse ?? [])]);
  }

  /** Embeds messages. If some of them cannot be embedded although other texts can, only these are left out. */
  async #embed(
    messages: readonly StoredMessage[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<VectorRow[]> {
    const embed = (texts: readonly string[]): Promise<Float32Array[]> =>
      this.#ask(signal, (either) =>
        embedTexts(this.#options.embedder, texts, 'document', either, dimensions),
      );
    try {
      const vectors = await embed(messages.map(textForEmbedding));
      this.worked();
      return vectors.map((vector, position) => ({ id: messages[position]?.id ?? '', vector }));
    } catch (cause) {
      signal.throwIfAborted();
      // Uses a different text each time, because embedders cache.
      const probe = `Is text ${++this.#probes} embedded?`;
      await embed([probe]).catch(() => {
        throw cause; // these messages are not the cause
      });
      const [only, ...others] = messages;
      if (only && others.length === 0) return this.#leaveOut(only, cause);
      const middle = messages.length >> 1;
      const first = await this.#embed(messages.slice(0, middle), dimensions, signal);
      return [...first, ...(await this.#embed(messages.slice(middle), dimensions, signal))];
    }
  }

  #leaveOut({ id }: StoredMessage, cause: unknown): [] {
    const attempts = (this.#attempts.get(id) ?? 0) + 1;
    this.#attempts.set(id, attempts);
    if (attempts === MAX_ATTEMPTS) {
      const message = `The message ${id} could not be embedded in ${attempts} attempts; only keyword search finds it until the memory is reopened. ${reasonOf(cause)}`;
      this.#options.onWarning({ code: 'model-unavailable', message, cause });
    }
    return [];
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
