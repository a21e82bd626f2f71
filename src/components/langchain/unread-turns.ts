import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { WarningListener } from '../../model/warning.ts';
import { oneAtATime } from '../../model/one-at-a-time.ts';

/** Reads turns that were stored, by their ids, oldest first, and stores what it learns. Rejects where it could not. */
export type ReadTurns = (turnIds: readonly string[], signal: AbortSignal | undefined) => Promise<void>;

/**
 * The turns that were stored and not yet read by a model: the newest, and those before it whose reading failed.
 * They are read one batch at a time, so that no two readings overwrite each other's results.
 */
export class UnreadTurns {
  readonly #read: ReadTurns;
  readonly #onWarning: WarningListener | undefined;
  readonly #unread = new Set<string>();
  readonly #done = new Set<string>();

  constructor(read: ReadTurns, onWarning: WarningListener | undefined) {
    this.#read = read;
    this.#onWarning = onWarning;
  }

  /**
   * Reads a turn, and those that wait. A failure is warned of, as `enrichment-failed`, and does not reject: the turn
   * itself is stored, and is read with the next one. An abort rejects; the turn waits then as well. One that was read
   * before is not read again.
   */
  async readWith(turnId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#done.has(turnId)) return;
    this.#unread.add(turnId);
    dropOldest(this.#unread, MOST_WAITING);
    const reading = oneAtATime(this, 'read', async () => {
      // One that was read before it may have taken it along.
      if (!this.#unread.has(turnId)) return;
      const turnIds = [...this.#unread];
      try {
        signal?.throwIfAborted();
        await abortable(this.#read(turnIds, signal), signal);
      } catch (cause) {
        signal?.throwIfAborted();
        this.#onWarning?.({ code: 'enrichment-failed', message: whyUnread(turnIds.length, cause), cause });
        return;
      }
      for (const id of turnIds) {
        this.#unread.delete(id);
        this.#done.add(id);
        dropOldest(this.#done, MOST_DONE);
      }
    });
    await abortable(reading, signal);
  }

  /** Resolves when nothing is being read. */
  async idle(): Promise<void> {
    await oneAtATime(this, 'read', async () => undefined);
  }

  /** Forgets what waits, and resolves when nothing is being read any more. */
  async clear(): Promise<void> {
    this.#unread.clear();
    await this.idle();
    this.#done.clear();
  }
}

/** What has piled up must fit into one request. */
const MOST_WAITING = 20;
/** A turn that is saved twice is saved twice soon. */
const MOST_DONE = 200;

function dropOldest(ids: Set<string>, most: number): void {
  const [oldest] = ids;
  if (ids.size > most && oldest !== undefined) ids.delete(oldest);
}

function whyUnread(count: number, cause: unknown): string {
  const what = count === 1 ? 'The turn was' : `${count} turns were`;
  const code = cause instanceof MnemoraError ? ` (${cause.code})` : '';
  return `${what} stored, but nothing could be learned${code}; it is tried again with the next turn.`;
}
