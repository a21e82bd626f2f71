import type { Presence } from '../tabs/presence.ts';
import type { Schema, StoreName } from './schema.ts';

type Query<Key> = Key | IDBKeyRange | null | undefined;

/** What is read of an object store or of one of its indexes: the part of idb's interface that both engines offer. */
interface Rows<Name extends StoreName, Key> {
  get(query: Query<Key>): Promise<Schema[Name]['value'] | undefined>;
  getKey(query: Query<Key>): Promise<Schema[Name]['key'] | undefined>;
  getAll(query?: Query<Key>, count?: number): Promise<Schema[Name]['value'][]>;
  getAllKeys(query?: Query<Key>, count?: number): Promise<Schema[Name]['key'][]>;
  count(query?: Query<Key>): Promise<number>;
}

/** A place in the rows of an object store, in the order of their keys. */
interface KeyCursor<Name extends StoreName> {
  readonly key: Schema[Name]['key'];
  advance(count: number): Promise<this | null>;
}

interface RowCursor<Name extends StoreName> extends KeyCursor<Name> {
  readonly value: Schema[Name]['value'];
}

type IndexKeys<Name extends StoreName> = Schema[Name] extends { indexes: infer Keys } ? Keys : never;

export interface ReadableStore<Name extends StoreName> extends Rows<Name, Schema[Name]['key']> {
  index<Index extends keyof IndexKeys<Name> & string>(name: Index): Rows<Name, IndexKeys<Name>[Index]>;
  openCursor(
    query?: Query<Schema[Name]['key']>,
    direction?: 'next' | 'prev',
  ): Promise<RowCursor<Name> | null>;
  openKeyCursor(
    query?: Query<Schema[Name]['key']>,
    direction?: 'next' | 'prev',
  ): Promise<KeyCursor<Name> | null>;
}

export interface WritableStore<Name extends StoreName> extends ReadableStore<Name> {
  put(value: Schema[Name]['value'], key?: Schema[Name]['key']): Promise<Schema[Name]['key']>;
  add(value: Schema[Name]['value'], key?: Schema[Name]['key']): Promise<Schema[Name]['key']>;
  delete(query: Schema[Name]['key'] | IDBKeyRange): Promise<void>;
  clear(): Promise<void>;
}

/** One state of some object stores. It ends as soon as nothing is asked of it any more. */
export interface Transaction {
  /** It ends with its body only, however long nothing is asked of it. */
  readonly staysOpen?: true;
  objectStore<Name extends StoreName>(name: Name): ReadableStore<Name>;
}

/** A transaction that changes rows. */
export interface WriteTransaction extends Transaction {
  objectStore<Name extends StoreName>(name: Name): WritableStore<Name>;
}

/**
 * Carries out transactions: in IndexedDB (`connection.ts`) or in memory (`memory-engine.ts`). Everything above it is
 * written once. A failure within a write transaction leaves everything as it was.
 *
 * @throws MnemoraError `storage-closed` once it was closed, and the other `storage-…` codes
 */
export interface StorageEngine {
  /** Names the database: locks and channels carry it. */
  readonly name: string;
  /** Shows other tabs that this one has the database open; absent where no other tab can have it. */
  readonly presence?: Presence;
  /** Aborts when this is closed for good. */
  readonly closed: AbortSignal;
  read<T>(
    stores: StoreName[],
    body: (transaction: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /**
   * Resolves when what was written is on disk (`strict`), or handed to the system (`relaxed`, for rows that can be made
   * again).
   */
  write<T>(
    stores: StoreName[],
    durability: 'strict' | 'relaxed',
    body: (transaction: WriteTransaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  close(): void;
  delete(): Promise<void>;
}
