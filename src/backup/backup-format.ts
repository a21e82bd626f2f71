import type { BackupKey, BackupRows, BackupStore, StoreBackup } from '../storage/codec/backup-rows.ts';
import { STORE_RULES } from '../storage/store-rules.ts';

/**
 * The file of a backup, version 1. Text in UTF-8, one JSON value a line, each line ended by a line feed:
 *
 * 1. the header `{"format":"mnemora-backup","scope":"user","version":1}`, without `scope` where it holds all scopes,
 * 2. the records `{"row":{…},"store":"messages"}`, store after store in the order of {@link BACKUP_STORES}, in each by
 *    key as IndexedDB orders keys,
 * 3. the trailer `{"counts":{"messages":2},"sha256":"…"}`: how many records of each store there are, and the SHA-256 of
 *    all bytes before this line.
 *
 * The same state gives the same bytes: keys of objects are in order, and nothing is in it that says when or by whom it
 * was written. What a record says by its place is left out of it (the scope of what belongs to a session, the message
 * ids that follow from sources and mentions), as are secrets, counters that can be counted, and how far work has come.
 */
export const BACKUP_FORMAT = 'mnemora-backup';
export const BACKUP_VERSION = 1;

/** Longest line, in UTF-16 units. */
export const MAX_LINE: number = 2 ** 26;

export type BackupEntry = {
  [Store in BackupStore]: { store: Store; row: BackupRows[Store]; line: number };
}[BackupStore];

/** What records of a store are ordered by. */
export function keyOf(entry: Pick<BackupEntry, 'store' | 'row'>): BackupKey {
  const { store, row } = entry;
  const backup = STORE_RULES[store].backup as StoreBackup<BackupStore> | undefined;
  return backup?.keyOf(row) ?? [];
}

/** A record of a file, checked field by field. @throws MnemoraError of any code, which says what is wrong with it */
export function checkRow(store: BackupStore, row: unknown, line: number): BackupEntry {
  return { store, row: STORE_RULES[store].backup?.read(row), line } as BackupEntry;
}

/** How far an export or import has come, in steps of its own. */
export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}
