import { abortable } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { oneAtATime } from '../model/one-at-a-time.ts';
import { jobsOf } from '../storage/jobs/jobs.ts';
import type { WarningListener } from '../model/warning.ts';
import type { ChatMessageHistory } from '../sessions/chat-message-history.ts';
import type { JobTicket, NewJob } from '../storage/jobs/job-store.ts';
import { BackgroundWork } from './background-work.ts';
import { joinEarlierJob } from './job-turns.ts';

/** How some turns are read. */
export interface ReadOptions {
  readonly turnIds: readonly string[];
  /** The job that this is done for: ended when the result is stored, in one transaction. */
  readonly ticket?: JobTicket;
  readonly signal?: AbortSignal;
}

export interface TurnLearnerOptions {
  /** Who wants it, for messages to the developer. */
  readonly component: string;
  /** Names the queue within the session. */
  readonly learns: 'entities' | 'facts';
  readonly history: ChatMessageHistory;
  /** Whether a save waits until its turn was read, or a queue has it read. */
  readonly enrichment: 'inline' | 'background';
  readonly onWarning: WarningListener | undefined;
  readonly reader: TurnReader;
}

/** What is learned from turns, and where that is kept. */
export interface TurnReader {
  /** Reads turns, and stores what it learns. Rejects where it could not. */
  read(options: ReadOptions): Promise<void>;
  /** Called when the messages were removed: what is being read is not to be kept. */
  cancel(): void;
  /** Removes what is known from these messages alone. */
  forget(messageIds: readonly string[]): Promise<void>;
}

/** A turn to be saved. */
export interface TurnToSave {
  readonly turnId?: string;
  readonly signal?: AbortSignal;
}

/** Stores a turn under an id, with the jobs that it causes, in one transaction. */
export type StoreTurn = (
  turn: TurnToSave & { readonly turnId: string },
  jobs: readonly NewJob[],
) => Promise<void>;

/** What waits for a model must fit into one request. */
const MOST_WAITING = 20;
/** A turn that is saved twice is saved twice soon. */
const MOST_REMEMBERED = 200;
const NEWEST_MESSAGES = 50;

/**
 * Has the turns of one history read by a model: each is stored first, then read, at once or by a queue. Where reading
 * fails, the turns wait for the next one. They are read one batch at a time, so that no two readings overwrite each
 * other's results.
 */
export class TurnLearner {
  readonly #options: TurnLearnerOptions;
  /** Undefined where a save waits for the model. */
  readonly #work: BackgroundWork | undefined;
  /** The newest turn, and those before it whose reading failed. */
  readonly #unread = new Set<string>();
  /** Turns that were read, or queued. */
  readonly #done = new Set<string>();

  /** @throws MnemoraError `invalid-option` for the background of a history that cannot queue work */
  constructor(options: TurnLearnerOptions) {
    this.#options = options;
    const { component, learns, history, enrichment, onWarning, reader } = options;
    if (enrichment === 'inline') return;
    this.#work = new BackgroundWork({
      component,
      history,
      queueOf: (sessionId) => `${learns}/${sessionId}`,
      handler: async (job, ticket, signal) => {
        const { background } = history;
        if (background && (await joinEarlierJob(jobsOf(background.engine), job, ticket))) return;
        await reader.read({ turnIds: job.turnIds, ticket, signal });
      },
      messages: {
        failed: `Turns were stored, but their ${learns} were not found yet.`,
        dead: `The ${learns} of some turns could not be found in several attempts: a retry by hand tries again.`,
      },
      onWarning,
    });
  }

  /**
   * Saves a turn, and has it read. A failure of the reading is warned of, as `enrichment-failed`, and does not reject:
   * the turn is stored, and is read with the next one. An abort rejects; the turn waits then as well. One that was read
   * before is not read again.
   */
  async save(given: TurnToSave, store: StoreTurn): Promise<void> {
    const { turnId = newId(), signal } = given;
    const turn = { ...given, turnId };
    if (!this.#work) {
      await store(turn, []);
      return this.#readWith(turnId, signal);
    }
    const isNew = given.turnId === undefined || this.#done.has(turnId);
    const isStored = !isNew && (await this.#isStored(turnId));
    await store(turn, this.#work.newJobs());
    // One that another memory over this history has stored was stored without this one's job.
    if (isStored) await this.#work.enqueue(turnId);
    remember(this.#done, turnId, MOST_REMEMBERED);
    this.#work.wake();
  }

  /** Resolves when no turn is being read, and in the background none is queued. */
  async settled(): Promise<void> {
    await this.#work?.settled();
    await this.#idle();
  }

  /** Removes all messages of the history, and what is known from them alone. */
  async clear(): Promise<void> {
    const { history, reader } = this.#options;
    const messageIds = (await history.list()).map((message) => message.id);
    await history.clear();
    reader.cancel();
    this.#unread.clear();
    // What is being read must have ended before it can be removed.
    await this.#idle();
    this.#done.clear();
    await reader.forget(messageIds);
  }

  /** Leaves the queue to other tabs and later pages, and waits for what is being read here. */
  async close(): Promise<void> {
    await this.#work?.close();
    await this.#idle();
  }

  async #readWith(turnId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#done.has(turnId)) return;
    remember(this.#unread, turnId, MOST_WAITING);
    const reading = oneAtATime(this, 'read', async () => {
      // One that was read before it may have taken it along.
      if (!this.#unread.has(turnId)) return;
      const turnIds = [...this.#unread];
      try {
        signal?.throwIfAborted();
        await abortable(this.#options.reader.read({ turnIds, ...(signal ? { signal } : {}) }), signal);
      } catch (cause) {
        signal?.throwIfAborted();
        const message = whyUnread(turnIds.length, cause);
        this.#options.onWarning?.({ code: 'enrichment-failed', message, cause });
        return;
      }
      for (const id of turnIds) {
        this.#unread.delete(id);
        remember(this.#done, id, MOST_REMEMBERED);
      }
    });
    await abortable(reading, signal);
  }

  async #idle(): Promise<void> {
    await oneAtATime(this, 'read', async () => undefined);
  }

  async #isStored(turnId: string): Promise<boolean> {
    const newest = await this.#options.history.list({ last: NEWEST_MESSAGES });
    return newest.some((row) => row.turnId === turnId && row.state === 'complete');
  }
}

function remember(ids: Set<string>, id: string, most: number): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > most && oldest !== undefined) ids.delete(oldest);
}

function whyUnread(count: number, cause: unknown): string {
  const what = count === 1 ? 'The turn was' : `${count} turns were`;
  const code = cause instanceof MnemoraError ? ` (${cause.code})` : '';
  return `${what} stored, but nothing could be learned${code}; it is tried again with the next turn.`;
}
