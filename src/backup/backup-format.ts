import type { BackupKey, BackupRows, BackupStore, StoreBackup } from '../storage/codec/backup-rows.ts';
import { MnemoraError } from '../model/error.ts';
import { STORE_RULES } from '../storage/store-rules.ts';

/**
 * The file of a backup, version 1. Text in UTF-8 with one JSON value in each line, and a line feed at the end of each
 * line:
 *
 * 1. the header `{"format":"mnemora-backup","scope":"user","version":1}`, without `scope` if the file holds all
 *    scopes,
 * 2. the records `{"row":{…},"store":"messages"}`, store by store in the order of {@link BACKUP_STORES}, and within a
 *    store in IndexedDB's order of keys,
 * 3. the trailer `{"counts":{"messages":2},"sha256":"…"}`: the number of records of each store, and the SHA-256 of
 *    all bytes before this line.
 *
 * In a file of one scope, what belongs to a session or retriever does not name its scope. In a file of all scopes it does.
 *
 * The same state gives the same bytes: the keys of objects are sorted, there is no white space between values, and the
 * file does not say when or by whom it was written. A line in any other form is refused. Derivable fields are left out of records (the message ids of
 * sources and mentions), and so are secrets, counters that can be recounted, and the progress of jobs.
 */
export const BACKUP_FORMAT = 'mnemora-backup';
export const BACKUP_VERSION = 1;

/** Longest line, in UTF-16 units. */
export const MAX_LINE: number = 2 ** 26;

export type BackupEntry = {
  [Store in BackupStore]: { store: Store; row: BackupRows[Store]; line: number };
}[BackupStore];

/** Returns an error about a part of a file. Its message becomes part of the reader's message. */
export function damaged(why: string, cause?: unknown): MnemoraError {
  return new MnemoraError('backup-invalid', why, cause === undefined ? undefined : { cause });
}

/** Returns how the records of a store are written and read. */
export function backupOf(store: BackupStore): Partial<StoreBackup<BackupStore>> {
  return (STORE_RULES[store].backup as StoreBackup<BackupStore> | undefined) ?? {};
}

/** Returns the key by which the records of a store are sorted. */
export function keyOf(entry: Pick<BackupEntry, 'store' | 'row'>): BackupKey {
  return backupOf(entry.store).keyOf?.(entry.row) ?? [];
}

/** Checks a record of a file field by field. @throws MnemoraError with any code; its message says what is wrong */
export function checkRow(
  store: BackupStore,
  row: unknown,
  line: number,
  fileScope: string | undefined,
): BackupEntry {
  return { store, row: backupOf(store).read?.(row, fileScope), line } as BackupEntry;
}

/**
 * Returns JSON with sorted keys and without undefined fields, so that equal data gives equal text.
 *
 * @throws MnemoraError `invalid-input` for values that JSON cannot represent
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (typeof value !== 'object')
    throw new MnemoraError('invalid-input', `JSON cannot represent a ${typeof value}, NaN or Infinity.`);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${fields.join(',')}}`;
}

/** Progress of an export (in rows) or import (in bytes). */
export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}
