import { MnemoraError } from '../model/error.ts';
import type { BackupEntry } from './backup-format.ts';

/** Collects the scopes of a file's records. */
export class FileScopes {
  readonly #scopes = new Set<string>();

  add({ row }: BackupEntry): void {
    if ('scope' in row) this.#scopes.add(row.scope);
  }

  /**
   * Returns the only scope, or undefined if no record has one.
   *
   * @throws MnemoraError `backup-invalid` if there are several
   */
  only(): string | undefined {
    const [scope, ...others] = this.#scopes;
    if (others.length === 0) return scope;
    throw new MnemoraError(
      'backup-invalid',
      `This backup holds the memories of ${this.#scopes.size} scopes, but a memory can import only one. Export each scope from its own memory; nothing was changed.`,
    );
  }
}

/** Returns a record moved to another scope, including queue and collection names that contain the scope. */
export function intoScope(entry: BackupEntry, from: string | undefined, to: string): BackupEntry {
  if (from === undefined || from === to) return entry;
  const renamed = (queue: string): string =>
    queue.endsWith(`/${from}`) ? `${queue.slice(0, -from.length)}${to}` : queue;
  switch (entry.store) {
    case 'sessions':
      return { ...entry, row: { ...entry.row, scope: to } };
    case 'triples':
      return { ...entry, row: { ...entry.row, scope: to } };
    case 'entities':
      return { ...entry, row: { ...entry.row, scope: to } };
    case 'vectors':
      return { ...entry, row: { ...entry.row, scope: to } };
    case 'records':
      return { ...entry, row: { ...entry.row, scope: to } };
    case 'documents': {
      const { collection } = entry.row;
      return { ...entry, row: { ...entry.row, collection: collection === from ? to : collection } };
    }
    case 'summaries': {
      const { queue } = entry.row;
      return { ...entry, row: { ...entry.row, ...(queue === undefined ? {} : { queue: renamed(queue) }) } };
    }
    case 'jobs':
      return { ...entry, row: { ...entry.row, queue: renamed(entry.row.queue) } };
    case 'tombstones':
    case 'messages':
    case 'chatMemories':
      return entry;
  }
}
