import { aborted, backgroundPause } from '../model/abortable.ts';
import { newId } from '../model/id.ts';
import { memoizeAsync } from '../model/loading.ts';

/** Milliseconds to wait for the lock manager. No lock is waited for here that another tab could hold for itself. */
const ANSWER_MS = 5_000;

/** One opening of a database in one tab. A lock shows other tabs that it still exists. */
export class Presence {
  readonly id: string = newId();
  /**
   * Makes it visible to other tabs until the database is closed or the tab is gone. Resolves when they can see it.
   */
  readonly show: () => Promise<void>;

  constructor(databaseName: string, closed: AbortSignal) {
    this.show = memoizeAsync(() => holdInUse(`${prefixOf(databaseName)}${this.id}`, closed));
  }
}

/** Returns the ids of the current openings of a database, or undefined if Web Locks are missing or refused. */
export function presentIds(databaseName: string): Promise<ReadonlySet<string> | undefined> {
  return namesInUse(prefixOf(databaseName));
}

/**
 * Shows all tabs that something is in use here, until the signal aborts or the tab is gone: {@link namesInUse} lists
 * it. Resolves when other tabs can see it, or when the lock manager does not answer. Does nothing without Web Locks.
 */
export async function holdInUse(name: string, signal: AbortSignal): Promise<void> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (!locks || signal.aborted) return;
  const held = new Promise<void>((resolve) => {
    const hold = (): Promise<void> => {
      resolve();
      return aborted(signal);
    };
    // Shared locks do not wait for each other. A sandboxed frame may be refused locks, and has no other tabs.
    locks.request(name, { mode: 'shared' }, hold).catch(() => resolve());
  });
  await answered(held);
}

/**
 * Returns the names with this prefix that any tab holds in use, without the prefix, or undefined if Web Locks are
 * missing or refused, or the lock manager does not answer.
 */
export async function namesInUse(prefix: string): Promise<ReadonlySet<string> | undefined> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  const snapshot = locks && (await answered(locks.query().catch(() => undefined)));
  if (!snapshot) return undefined;
  const names = (snapshot.held ?? []).map(({ name = '' }) => name).filter((name) => name.startsWith(prefix));
  return new Set(names.map((name) => name.slice(prefix.length)));
}

/** Settles with the promise, or resolves to undefined after {@link ANSWER_MS}. */
async function answered<T>(promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = backgroundPause(ANSWER_MS, over.signal).then(() => undefined);
  return Promise.race([promise, late]).finally(() => over.abort());
}

function prefixOf(databaseName: string): string {
  return `mnemora:open:${databaseName}:`;
}
