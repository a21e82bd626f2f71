import { checkWord } from '../../model/check-options.ts';
import { newId } from '../../model/id.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { JobTicket } from '../../storage/job-store.ts';
import { BackgroundTurns } from './background-turns.ts';
import type { HistoryConnection } from './history-connection.ts';
import type { SaveContextOptions, Values } from './memory.ts';
import { checkSaveOptions } from './save-options.ts';
import { UnreadTurns } from './unread-turns.ts';

/** How some turns are read. */
export interface ReadOptions {
  readonly turnIds: readonly string[];
  /** The job that this is done for: ended when the result is stored, in one transaction. */
  readonly ticket?: JobTicket;
  readonly signal?: AbortSignal;
}

export interface LearnedTurnsOptions {
  readonly component: string;
  readonly learns: 'entities' | 'facts';
  readonly connection: HistoryConnection;
  readonly enrichment: 'inline' | 'background' | undefined;
  readonly onWarning: WarningListener | undefined;
  /** Reads turns, and stores what it learns. Rejects where it could not. */
  readonly read: (options: ReadOptions) => Promise<void>;
}

/** What the memories that learn from turns share: a turn is stored first, then read, at once or by a queue. */
export class LearnedTurns {
  readonly #connection: HistoryConnection;
  readonly #unread: UnreadTurns;
  /** Undefined where `saveContext` waits for the model. */
  readonly #background: BackgroundTurns | undefined;
  /** Turns that it has queued. */
  readonly #saved = new Set<string>();

  /** @throws MnemoraError `invalid-option` */
  constructor({ component, learns, connection, enrichment, onWarning, read }: LearnedTurnsOptions) {
    const mode = checkWord('enrichment', enrichment ?? 'inline', ['inline', 'background']);
    this.#connection = connection;
    this.#unread = new UnreadTurns(
      (turnIds, signal) => read({ turnIds, ...(signal ? { signal } : {}) }),
      onWarning,
    );
    const { history } = connection;
    if (mode === 'background') {
      this.#background = new BackgroundTurns({
        component,
        learns,
        history,
        onWarning,
        read: (turnIds, ticket, signal) => read({ turnIds, ticket, signal }),
      });
    }
  }

  /** @param onStored called with the id of the turn when it is stored, before it is read */
  async save(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions,
    onStored: (turnId: string) => void = () => undefined,
  ): Promise<void> {
    checkSaveOptions(options);
    const turn = { ...options, turnId: options.turnId ?? newId() };
    if (!this.#background) {
      await this.#connection.save(inputs, outputs, turn);
      onStored(turn.turnId);
      await this.#unread.readWith(turn.turnId, options.signal);
      return;
    }
    const isStored = options.turnId !== undefined && (await this.#isStored(options.turnId));
    await this.#connection.save(inputs, outputs, turn, { jobs: this.#background.newJobs() });
    onStored(turn.turnId);
    // One that another memory over this history has stored was stored without this one's job.
    if (isStored && !this.#saved.has(turn.turnId)) await this.#background.enqueue(turn.turnId);
    this.#saved.add(turn.turnId);
    const [oldest] = this.#saved;
    if (this.#saved.size > MOST_SAVED && oldest !== undefined) this.#saved.delete(oldest);
    this.#background.wake();
  }

  async settled(): Promise<void> {
    await this.#background?.settled();
    await this.#unread.idle();
  }

  /** Forgets what waits, and resolves when nothing is being read here any more: its result can then be removed. */
  async clear(): Promise<void> {
    await this.#unread.clear();
  }

  async #isStored(turnId: string): Promise<boolean> {
    const newest = await this.#connection.history.list({ last: NEWEST_MESSAGES });
    return newest.some((row) => row.turnId === turnId && row.state === 'complete');
  }
}

/** A turn that is saved twice is saved twice soon. */
const MOST_SAVED = 200;
const NEWEST_MESSAGES = 50;
