import type { StoreName } from './schema.ts';
import type { StorageEngine, Transaction } from './storage-engine.ts';
import type { ChangeCursor } from './change-log.ts';

/** How something keeps up with what is stored. */
export interface Replay<Changes> {
  /** Reads what has come since a cursor, everything without one; in a transaction of its own unless one is given. */
  read(
    since: ChangeCursor | undefined,
    signal: AbortSignal | undefined,
    within: Transaction | undefined,
  ): Promise<Changes>;
  /** Takes over what was read. Should it fail halfway, everything is read again. */
  apply(changes: Changes, signal: AbortSignal | undefined): void | Promise<void>;
  /** Goes on when everything was taken over; an abort here loses nothing. */
  afterwards?(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Keeps what a tab holds in memory up to date with the log of changes: what this tab and others have written is
 * replayed, one reading after the other, and nothing is read twice.
 */
export class ChangeFollower<Changes extends { readonly cursor: ChangeCursor }> {
  readonly #replay: Replay<Changes>;
  #cursor: ChangeCursor | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(replay: Replay<Changes>) {
    this.#replay = replay;
  }

  /** How far it has come; undefined before the first reading, and after {@link reset}. */
  get cursor(): ChangeCursor | undefined {
    return this.#cursor;
  }

  /** Replays what was missed. */
  sync(signal?: AbortSignal): Promise<void> {
    return this.inTurn(async () => void (await this.syncNow(signal)));
  }

  /** Runs tasks one after the other, so that nobody reads what is being changed. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(task);
    this.#queue = next.catch(() => undefined); // each caller is told of its own failure only
    return next;
  }

  /** {@link sync} for a task that has its turn. Resolves with how far that has come. */
  async syncNow(signal?: AbortSignal): Promise<ChangeCursor> {
    const take = await this.readNow(signal);
    return take();
  }

  /** The first half of {@link syncNow}: reads, and gives what takes that over. */
  async readNow(signal?: AbortSignal, within?: Transaction): Promise<() => Promise<ChangeCursor>> {
    const changes = await this.#replay.read(this.#cursor, signal, within);
    return async () => {
      signal?.throwIfAborted(); // here, what was loaded before stays
      this.#cursor = undefined;
      await this.#replay.apply(changes, signal);
      this.#cursor = changes.cursor;
      await this.#replay.afterwards?.(signal);
      return changes.cursor;
    };
  }

  /** Has everything read again the next time. */
  reset(): void {
    this.#cursor = undefined;
  }
}

/**
 * Brings several followers up to one state, which is read in one transaction over these stores, and resolves with what
 * `look` finds in that state, before anything changes it.
 */
export function catchUp<T>(
  engine: StorageEngine,
  stores: readonly StoreName[],
  followers: readonly Pick<ChangeFollower<never>, 'inTurn' | 'readNow'>[],
  look: () => T,
  signal?: AbortSignal,
): Promise<T> {
  const readAll = async (): Promise<T> => {
    const takes = await engine.read(
      [...stores],
      (transaction) => Promise.all(followers.map((follower) => follower.readNow(signal, transaction))),
      signal,
    );
    for (const take of takes) await take();
    return look();
  };
  // Each waits for its turn in the same order, so that two callers never wait for each other.
  return followers.reduceRight<() => Promise<T>>(
    (inner, follower) => () => follower.inTurn(inner),
    readAll,
  )();
}
