import { newId } from '../model/id.ts';
import { holdInUse } from './usage-locks.ts';

/** One opening of a database in one tab. A lock shows the other tabs that it is still there. */
export class Presence {
  readonly id: string = newId();
  readonly #lockName: string;
  readonly #closed: AbortSignal;
  #held: Promise<void> | undefined;

  constructor(databaseName: string, closed: AbortSignal) {
    this.#lockName = `${prefixOf(databaseName)}${this.id}`;
    this.#closed = closed;
  }

  /** Resolves when other tabs can see it: until the database is closed, or the tab is gone. */
  show(): Promise<void> {
    this.#held ??= holdInUse(this.#lockName, this.#closed);
    return this.#held;
  }
}

/** The openings of a database that are shown now; undefined where there are no Web Locks, or none are granted. */
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
