import type { Embedder, ProgressListener } from '../embedding/embedder.ts';
import { abortable } from '../model/abortable.ts';
import type { WarningListener } from '../model/warning.ts';
import type { SearchRows } from '../storage/search-rows.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import { holdInUse, namesInUse } from '../tabs/presence.ts';
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
  /** Name of the lock that all tabs of one database and scope share. */
  lockName: string;
  onProgress: ProgressListener;
  onWarning: WarningListener;
}

const BATCH_MESSAGES = 32;

/**
 * Embeds messages without a vector in the background, newest first, in one tab at a time.
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

  constructor(options: EmbeddingBacklogOptions) {
    this.#options = options;
  }

  /** Whether the model is loaded, so that a question can be embedded without waiting for it. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Starts embedding new messages. To be called after each write. */
  wake(): void {
    if (this.#abort.signal.aborted) return;
    this.#wokenMeanwhile = this.#running !== undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wokenMeanwhile) this.wake();
    });
  }

  /** Resolves when nothing is left to embed, or when embedding has failed, which a warning reports. */
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
      // If two tabs lead for a moment, both embed the same texts, and the last vector stored wins.
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
      // New turns are embedded first: after a wake-up the missing messages are listed again.
      for (let start = 0; start < missing.length && !this.#wokenMeanwhile; start += BATCH_MESSAGES) {
        const batch = missing.slice(start, start + BATCH_MESSAGES);
        const wanted = new Set(batch.map(({ id }) => id));
        const turnIds = new Set(batch.map(({ turnId }) => turnId));
        const loaded = await transcript.loadTurns([...turnIds], signal);
        const messages = loaded.flat().filter(({ id }) => wanted.has(id));
        const vectors = await embedTexts(embedder, messages.map(textForEmbedding), 'document', signal);
        const entries = vectors.map((vector, position) => ({ id: messages[position]?.id ?? '', vector }));
        await rows.appendVectors(embedder.id, scope, entries);
        await index.sync(signal);
      }
    } while (this.#wokenMeanwhile);
    // Vectors of the previous model were kept until this one had embedded everything. Another tab may still use that
    // model, as during an update of the page: without its vectors it would embed everything again, and drop these.
    const inUse = await namesInUse(`${lockName}:with:`);
    await rows.dropOtherVectors(scope, [embedder.id, ...(inUse ?? [])]);
  }
}
