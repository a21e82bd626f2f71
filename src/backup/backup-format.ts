import type { BackupRows, BackupStore } from '../storage/codec/backup-rows.ts';

/**
 * The file of a backup, version 1. Text in UTF-8 with one JSON value in each line, and a line feed at the end of each
 * line:
 *
 * 1. the header `{"format":"mnemora-backup","scope":"user","version":1}`, without `scope` if the file holds all
 *    scopes,
 * 2. the records `{"row":{…},"store":"messages"}`, store by store in the order of `BACKUP_STORES`, and within a
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

/** A record of a backup. */
export interface BackupEntry {
  readonly store: BackupStore;
  readonly row: BackupRows[BackupStore];
}

/** Progress of an export (in rows) or import (in bytes). */
export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}
