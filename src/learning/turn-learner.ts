import { abortable } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { oneAtATime } from '../model/named-queue.ts';
import { jobsOf, type JobTicket } from '../storage/jobs/job-store.ts';
import type { WarningListener } from '../model/warning.ts';
import type { ChatMessageHistory } from '../sessions/chat-message-history.ts';
import { findPassage, type Passage } from '../sessions/read-turns.ts';
import type { NewJob } from '../storage/jobs/job-plan.ts';
import { BackgroundWork } from './background-work.ts';
import { joinEarlierJob } from './job-turns.ts';

export interface TurnLearnerOptions {
  /** Name of the component, for error and warning messages. */
  readonly component: string;
  /** Identifies the queue within the session. */
  readonly learns: 'entities' | 'facts';
  readonly history: ChatMessageHistory;
  /** Whether a save waits until its turn has been read (`inline`) or a queue reads it (`background`). */
  readonly enrichment: 'inline' | 'background';
  readonly onWarning: WarningListener;
  readonly reader: TurnReader;
  /** Number of whole turns that the reader sees before those that it reads. */
  readonly k: number;
}

/** Stores what was learned, and ends the job, if any, in the same transaction. */
export type StoreLearned = (ticket: JobTicket | undefined) => Promise<void>;

/** Learns from turns. */
export interface TurnReader {
  /** Reads turns, and returns the function that stores what it has learned. Rejects if it could not. */
  read(passage: Passage, signal: AbortSignal | undefined): Promise<StoreLearned>;
  /** Called after the messages were removed. */
  cancel?(): void;
  /** Removes what is known from these messages alone. */
  forget(messageIds: readonly string[]): Promise<void>;
}

/** A turn to save. */
export interface TurnToSave {
  readonly turnId?: string;
  readonly signal?: AbortSignal;
}

/** A turn to save under its id. */
type IdentifiedTurn = TurnToSave & { readonly turnId: string };

/** Stores a turn together with its jobs, in one transaction. */
export type StoreTurn<Turn extends TurnToSave> = (turn: Turn, jobs: readonly NewJob[]) => Promise<void>;

/** The waiting turns must fit into one request. */
const MAX_UNREAD = 20;
/** A turn that is saved a second time is saved soon after the first, so a short list is enough. */
const MAX_REMEMBERED = 200;
const NEWEST_MESSAGES = 50;

/**
 * Lets a model read the turns of one history. Each turn is stored first and then read, immediately or by a queue. If
 * reading fails, the turns are read together with the next one. Only one batch is read at a time, so that results do
 * not overwrite each other.
 */
export class TurnLearner {
  readonly #options: TurnLearnerOptions;
  /** Undefined if saves wait for the model. */
  readonly #work: BackgroundWork | undefined;
  /** The newest turn, and earlier ones whose reading failed. */
  readonly #unread = new Set<string>();
  /** Turns that have been read or queued. */
  readonly #done = new Set<string>();
  /** Ids of the messages that were learned from. A memory that shares the history may clear it before this one does. */
  readonly #sources = new Set<string>();
  /** Incremented when the messages are removed, after which the result of the reading in progress is dropped. */
  #generation = 0;
  /** Storing of the last result. */
  #storing: Promise<void> = Promise.resolve();

  /** @throws MnemoraError `invalid-option` for `background` with a history that cannot queue work */
  constructor(options: TurnLearnerOptions) {
    this.#options = options;
    const { component, learns, history, enrichment, onWarning } = options;
    if (enrichment === 'inline') return;
    this.#work = new BackgroundWork({
      component,
      history,
      queueOf: (sessionId) => `${learns}/${sessionId}`,
      handler: async (job, ticket, signal) => {
        const { background } = history;
        if (background && (await joinEarlierJob(jobsOf(background.engine), job, ticket))) return;
        await this.#read(job.turnIds, signal, ticket);
      },
      messages: {
        failed: `Turns were stored, but their ${learns} could not be extracted yet. The queue tries again.`,
        dead: `The ${learns} of some turns could not be extracted after several attempts. Retry the job to try again.`,
      },
      onWarning,
    });
  }

  /**
   * Saves a turn and lets the model read it. If reading fails, an `learning-failed` warning is raised instead of
   * rejecting: the turn is stored, and read with the next one. The same is true after an abort, which does reject. A
   * turn that has been read is not read again.
   *
   * @param store stores the turn together with its jobs, in one transaction
   */
  async save(given: TurnToSave, store: StoreTurn<IdentifiedTurn>): Promise<void> {
    const { turnId = newId(), signal } = given;
    const turn = { ...given, turnId };
    if (!this.#work) {
      await store(turn, []);
      return this.#readWith(turnId, signal);
    }
    const isNew = given.turnId === undefined || this.#done.has(turnId);
    const isStored = !isNew && (await this.#isStored(turnId));
    await store(turn, this.#work.newJobs());
    // Another memory over this history may have stored the turn, without the job of this one.
    if (isStored) await this.#work.enqueue(turnId);
    remember(this.#done, turnId, MAX_REMEMBERED);
    this.#work.wake();
  }

  /** Resolves when no turn is being read and, for `background`, none is queued. */
  async settled(): Promise<void> {
    await this.#work?.settled();
    await this.#idle();
  }

  /** Removes all messages of the history, and what is known from them alone. */
  async clear(): Promise<void> {
    const { history, reader } = this.#options;
    const listed = (await history.list()).map((message) => message.id);
    await history.clear();
    this.#generation += 1;
    reader.cancel?.();
    this.#unread.clear();
    // What is being stored can be removed only afterwards. What a model still works on is dropped.
    await this.#storing.catch(() => undefined);
    this.#done.clear();
    await reader.forget([...new Set([...listed, ...this.#sources])]);
    this.#sources.clear();
  }

  /**
   * Stops working on the queue, so that other tabs or later pages continue it, and waits for the reading in progress.
   */
  async close(): Promise<void> {
    await this.#work?.close();
    await this.#idle();
  }

  async #readWith(turnId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#done.has(turnId)) return;
    remember(this.#unread, turnId, MAX_UNREAD);
    const reading = oneAtATime(this, 'read', async () => {
      // The reading before may have included this turn.
      if (!this.#unread.has(turnId)) return;
      const turnIds = [...this.#unread];
      const generation = this.#generation;
      try {
        signal?.throwIfAborted();
        await abortable(this.#read(turnIds, signal), signal);
      } catch (cause) {
        signal?.throwIfAborted();
        const message = whyUnread(turnIds.length, cause);
        this.#options.onWarning({ code: 'learning-failed', message, cause });
        return;
      }
      // The same ids may belong to other turns since.
      if (generation !== this.#generation) return;
      for (const id of turnIds) {
        this.#unread.delete(id);
        remember(this.#done, id, MAX_REMEMBERED);
      }
    });
    await abortable(reading, signal);
  }

  async #read(
    turnIds: readonly string[],
    signal: AbortSignal | undefined,
    ticket?: JobTicket,
  ): Promise<void> {
    const { history, reader, k } = this.#options;
    const generation = this.#generation;
    const passage = await findPassage(history, turnIds, k);
    // Turns that were deleted meanwhile are skipped.
    if (passage.turns.length === 0) return;
    const store = await reader.read(passage, signal);
    // After an abort the result is dropped: the turn is processed again with the next one.
    signal?.throwIfAborted();
    if (generation !== this.#generation) return;
    for (const { id } of passage.turns.flat()) this.#sources.add(id);
    this.#storing = store(ticket);
    await this.#storing;
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
  return `${what} stored, but nothing could be learned${code}. The next turn tries again.`;
}
