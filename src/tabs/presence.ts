import { newId } from '../model/id.ts';
import { holdInUse } from './usage-locks.ts';

/** One opening of a database in one tab. A lock shows other tabs that it still exists. */
export class Presence {
  readonly id: string = newId();
  readonly #lockName: string;
  readonly #closed: AbortSignal;
  #held: Promise<void> | undefined;

  constructor(databaseName: string, closed: AbortSignal) {
    this.#lockName = `${prefixOf(databaseName)}${this.id}`;
    this.#closed = closed;
  }

  /**
   * Makes it visible to other tabs until the database is closed or the tab is gone. Resolves when they can see it.
   */
  show(): Promise<void> {
    this.#held ??= holdInUse(this.#lockName, this.#closed);
    return this.#held;
  }
}

/** Returns the ids of the current openings of a database, or undefined if Web Locks are missing or refused. */
export async function presentIds(databaseName: string): Promise<ReadonlySet<string> | undefined> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  const snapshot = await locks?.query().catch(() => undefined);
  if (!snapshot) return undefined;
  const prefix = prefixOf(databaseName);
  const names = (snapshot.held ?? []).map(({ name = '' }) => name);
  return new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
}

function prefixOf(databaseName: string): string {
  return `mnemora:open:${databaseName}:`;
}
