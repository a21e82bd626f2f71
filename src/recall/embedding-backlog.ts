import type { Embedder, ProgressListener } from '../embedding/embedder.ts';
import { abortable } from '../model/abortable.ts';
import type { WarningListener } from '../model/warning.ts';
import type { SearchRows } from '../storage/search-rows.ts';
import type { TranscriptStore } from '../storage/transcript-store.ts';
import { holdInUse, namesInUse } from '../tabs/in-use.ts';
import { lead } from '../tabs/leadership.ts';
import { embedTexts } from './embed-texts.ts';
import { textForEmbedding } from './indexed-text.ts';
import type { ScopeIndex } from './scope-index.ts';

export interface EmbeddingBacklogOptions {
  transcript: Pick<TranscriptStore, 'loadTurns'>;
  rows: Pick<SearchRows, 'appendVectors' | 'dropOtherVectors'>;
  scope: string;
  index: ScopeIndex;
  embedder: Embedder;
  /** Shared by all tabs of one database and scope. */
  lockName: string;
  onProgress: ProgressListener;
  onWarning: WarningListener;
}

const BATCH_MESSAGES = 32;

/**
 * Embeds in the background what has no vector yet, newest first, one tab at a time.
 *
 * There is no queue to lose: what is left to do is the difference between the messages and the vectors stored, so
 * that a reload or a crash costs at most the batch under way.
 */
export class EmbeddingBacklog {
  readonly #options: EmbeddingBacklogOptions;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  #wokenMeanwhile = false;
  #inUse: Promise<void> | undefined;
  #ready = false;

  constructor(options: EmbeddingBacklogOptions) {
    this.#options = options;
  }

  /** Whether the model is loaded: a question can be embedded without waiting for it. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Something was written: sees to it that it gets embedded. */
  wake(): void {
    if (this.#abort.signal.aborted) return;
    if (this.#running) {
      this.#wokenMeanwhile = true;
      return;
    }
    this.#wokenMeanwhile = false;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wokenMeanwhile) this.wake();
    });
  }

  /** Resolves when nothing is left to embed, or when embedding has failed (a warning said so). */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#wokenMeanwhile = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { embedder, lockName, onProgress, onWarning } = this.#options;
    const { signal } = this.#abort;
    try {
      this.#inUse ??= holdInUse(`${lockName}:with:${embedder.id}`, signal);
      await abortable(embedder.ready({ onProgress, signal }), signal);
      this.#ready = true;
      await this.#inUse;
      await this.#options.index.loadVectors();
      // Two tabs that lead for a moment embed the same texts twice, and the last vector stored counts.
      await lead(lockName, signal, (term) => this.#embedMissing(term));
    } catch (cause) {
      if (signal.aborted) return;
      const reason = cause instanceof Error ? cause.message : String(cause);
      onWarning({
        code: 'model-unavailable',
        message: `Texts could not be embedded; keyword search serves alone until the next turn is stored. ${reason}`,
        cause,
      });
    }
  }

  async #embedMissing(signal: AbortSignal): Promise<void> {
    const { transcript, rows, scope, index, embedder, lockName } = this.#options;
    do {
      this.#wokenMeanwhile = false;
      await index.sync(signal);
      const missing = await index.withoutVector();
      // Woken by a new turn, which is to come first, the rest is listed again.
      for (let start = 0; start < missing.length && !this.#wokenMeanwhile; start += BATCH_MESSAGES) {
        const wanted = new Set(missing.slice(start, start + BATCH_MESSAGES).map((message) => message.id));
        const turnIds = missing.slice(start, start + BATCH_MESSAGES).map((message) => message.turnId);
        const messages = (await transcript.loadTurns([...new Set(turnIds)], signal))
          .flat()
          .filter((message) => wanted.has(message.id));
        const vectors = await embedTexts(embedder, messages.map(textForEmbedding), 'document', signal);
        const entries = messages.map((message, position) => ({
          id: message.id,
          vector: vectors[position] as Float32Array,
        }));
        await rows.appendVectors(embedder.id, scope, entries);
        await index.sync(signal);
      }
    } while (this.#wokenMeanwhile);
    // Of a model used before, whose vectors were kept in case that this one would not get here. Another tab may still use
    // it, as it does while a page is being updated: without them it would embed everything again, and drop these.
    const inUse = await namesInUse(`${lockName}:with:`);
    await rows.dropOtherVectors(scope, [embedder.id, ...inUse]);
  }
}
