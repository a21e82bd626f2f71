import type { RecordStore } from '../../../index.ts';
import { newId } from '../../../model/id.ts';
import type { FileChange } from './memory-commands.ts';
import type { MemoryFiles } from './memory-listing.ts';
import { isPath } from './memory-paths.ts';

/** Files of a memory as one read of the database returned them. */
export interface StoredFiles {
  readonly files: MemoryFiles;
  /** Keys of the records of each path; the current one comes first. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/**
 * Loads all files. Each is one record `{ path, text }` under a random key, for two reasons: a key can be used by a
 * single scope of the database, and files of the same name from two devices can be merged. Among files with the same
 * path, the newest is the current one.
 */
export async function loadFiles(
  records: RecordStore,
  options: { signal?: AbortSignal } = {},
): Promise<StoredFiles> {
  const files = new Map<string, string>();
  const keys = new Map<string, string[]>();
  const rows = await records.list(options);
  for (const { key, value } of rows.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    // A backup from elsewhere can contain any JSON.
    const { path, text } = (value ?? {}) as { path?: unknown; text?: unknown };
    if (!isPath(path) || typeof text !== 'string') continue;
    if (!files.has(path)) files.set(path, text);
    keys.set(path, [...(keys.get(path) ?? []), key]);
  }
  return { files, keys };
}

/**
 * Stores changes, one after the other. Each file is changed as a whole or not at all; if storing fails in the middle
 * of several, those before it stay changed.
 */
export async function saveChanges(
  records: RecordStore,
  { files, keys }: StoredFiles,
  changes: readonly FileChange[],
): Promise<void> {
  for (const change of changes) {
    const [key = newId(), ...older] = keys.get(change.path) ?? [];
    switch (change.kind) {
      case 'write':
        await records.put(key, { path: change.path, text: change.text });
        break;
      case 'move':
        await records.put(key, { path: change.to, text: files.get(change.path) ?? '' });
        await removeAll(records, older);
        break;
      case 'remove':
        // The older ones first: otherwise they would appear if a later step failed.
        await removeAll(records, [...older, key]);
        break;
    }
  }
}

async function removeAll(records: RecordStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await records.delete(key);
}
