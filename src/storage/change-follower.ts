import type { StoreName } from './schema.ts';
import type { StorageEngine, Transaction } from './storage-engine.ts';
import type { ChangeCursor } from './change-log.ts';

/**
 * Number of attempts before a change is given up because other tabs keep changing the same data. Each lost attempt
 * means that another tab has stored a change, and a tab with a large copy loses many in a row to one that only adds.
 */
export const MAX_TRIES = 100;

/** Reads changes and applies them to an in-memory copy. */
export interface Replay<Changes> {
  /** Reads the changes since a cursor, or everything without one. Uses the given transaction, or one of its own. */
  read(
    since: ChangeCursor | undefined,
    signal: AbortSignal | undefined,
    within: Transaction | undefined,
  ): Promise<Changes>;
  /** Applies changes. If it fails halfway, everything is read again. */
  apply(changes: Changes, signal: AbortSignal | undefined): void | Promise<void>;
  /** Optional work after the changes are applied. An abort here loses nothing. */
  afterwards?(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Keeps the in-memory copy of a tab up to date with the change log: replays what this tab and others have written, in
 * order and without reading anything twice.
 */
export class ChangeFollower<Changes extends { readonly cursor: ChangeCursor }> {
  readonly #replay: Replay<Changes>;
  #cursor: ChangeCursor | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(replay: Replay<Changes>) {
    this.#replay = replay;
  }

  /** Cursor of the last applied change; undefined before the first read, and after {@link reset}. */
  get cursor(): ChangeCursor | undefined {
    return this.#cursor;
  }

  /** Replays the changes since the last call. */
  sync(signal?: AbortSignal): Promise<void> {
    return this.inTurn(async () => void (await this.syncNow(signal)));
  }

  /** Runs tasks one after another, so that no task reads what another one is changing. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(task);
    this.#queue = next.catch(() => undefined); // each caller gets its own error only
    return next;
  }

  /** Does the same as {@link sync} for a task that runs within {@link inTurn}. Resolves with the new cursor. */
  async syncNow(signal?: AbortSignal): Promise<ChangeCursor> {
    const take = await this.readNow(signal);
    return take();
  }

  /** First half of {@link syncNow}: reads the changes and returns a function that applies them. */
  async readNow(signal?: AbortSignal, within?: Transaction): Promise<() => Promise<ChangeCursor>> {
    const changes = await this.#replay.read(this.#cursor, signal, within);
    return async () => {
      signal?.throwIfAborted(); // before anything changes, so that an abort keeps the loaded state
      this.#cursor = undefined;
      await this.#replay.apply(changes, signal);
      this.#cursor = changes.cursor;
      await this.#replay.afterwards?.(signal);
      return changes.cursor;
    };
  }

  /** Makes the next sync read everything again. */
  reset(): void {
    this.#cursor = undefined;
  }
}

/**
 * Brings several followers to one state, read in one transaction over these stores. Resolves with the result of
 * `look`, which is called before the state can change.
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
      stores,
      (transaction) => Promise.all(followers.map((follower) => follower.readNow(signal, transaction))),
      signal,
    );
    for (const take of takes) await take();
    return look();
  };
  // All callers wait in the same order, so that two of them can never deadlock.
  return followers.reduceRight<() => Promise<T>>(
    (inner, follower) => () => follower.inTurn(inner),
    readAll,
  )();
}
