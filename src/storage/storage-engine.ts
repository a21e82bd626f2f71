import type { Presence } from '../tabs/presence.ts';
import type { Losses } from './data-loss.ts';
import type { Schema, StoreName } from './schema.ts';

type Query<Key> = Key | IDBKeyRange | null | undefined;

/** Read methods of an object store or index: as promises, in both engines. */
interface Rows<Name extends StoreName, Key> {
  get(query: Query<Key>): Promise<Schema[Name]['value'] | undefined>;
  getKey(query: Query<Key>): Promise<Schema[Name]['key'] | undefined>;
  getAll(query?: Query<Key>, count?: number): Promise<Schema[Name]['value'][]>;
  getAllKeys(query?: Query<Key>, count?: number): Promise<Schema[Name]['key'][]>;
  count(query?: Query<Key>): Promise<number>;
  /**
   * Returns the greatest key, or the key `before` rows before it: of an index, the key in the index. Reads no row.
   */
  lastKey(query?: Query<Key>, before?: number): Promise<Key | undefined>;
}

type IndexKeys<Name extends StoreName> = Schema[Name]['indexes'];

export interface ReadableStore<Name extends StoreName> extends Rows<Name, Schema[Name]['key']> {
  index<Index extends keyof IndexKeys<Name> & string>(name: Index): Rows<Name, IndexKeys<Name>[Index]>;
  /** Returns the row with the greatest key. */
  last(query?: Query<Schema[Name]['key']>): Promise<Schema[Name]['value'] | undefined>;
}

export interface WritableStore<Name extends StoreName> extends ReadableStore<Name> {
  put(value: Schema[Name]['value'], key?: Schema[Name]['key']): Promise<Schema[Name]['key']>;
  add(value: Schema[Name]['value'], key?: Schema[Name]['key']): Promise<Schema[Name]['key']>;
  delete(query: Schema[Name]['key'] | IDBKeyRange): Promise<void>;
  clear(): Promise<void>;
}

/** A consistent view of some object stores. It ends as soon as it has no pending request. */
export interface Transaction {
  /** True if the transaction ends only with its body, whether or not requests are pending. */
  readonly staysOpen?: true;
  objectStore<Name extends StoreName>(name: Name): ReadableStore<Name>;
}

/** A transaction that can write. */
export interface WriteTransaction extends Transaction {
  objectStore<Name extends StoreName>(name: Name): WritableStore<Name>;
}

/**
 * Runs transactions in IndexedDB (`connection.ts`) or in memory (`memory-engine.ts`). All code above it is written
 * once for both. Any failure in a write transaction leaves everything as it was.
 *
 * @throws MnemoraError `storage-closed` after it was closed, and the other `storage-…` codes
 */
export interface StorageEngine {
  /** Name of the database, used in the names of locks and channels. */
  readonly name: string;
  /** Shows other tabs that this one has the database open. Absent if no other tab can open it. */
  readonly presence?: Presence;
  /** Absent if the data lives no longer than the page. */
  readonly losses?: Losses;
  /** Aborts when the engine is closed for good. */
  readonly closed: AbortSignal;
  read<T>(
    stores: readonly StoreName[],
    body: (transaction: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /**
   * Resolves when the rows are committed and survive a power cut: every commit is `strict`, even for derived rows. The
   * databases of an origin, or the stores of one database, share files, so a commit that is not flushed can cost data
   * that is: after `relaxed` commits, Firefox empties its log before the rows are in the database file, and Chromium
   * continues to write after a lost part of its log, where it later finds nothing.
   */
  write<T>(
    stores: readonly StoreName[],
    body: (transaction: WriteTransaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  close(): void;
  delete(): Promise<void>;
}
