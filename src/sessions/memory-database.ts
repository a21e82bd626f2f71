import { describe } from '../model/describe.ts';
import { invalidOption } from '../model/error.ts';
import { behindProxy, targetOf } from '../model/proxy-target.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { ChatMemoryStore } from './chat-memory-store.ts';
import type { ChatMessageHistory } from './chat-message-history.ts';
import type { EntityStore } from './entity-store.ts';

/** A conversation, for display in a list. Times are in milliseconds since 1970. */
export interface SessionInfo {
  id: string;
  scope: string;
  /** The first words of the first user message. */
  title: string;
  createdAt: number;
  updatedAt: number;
  messageCount: number;
}

/** A database of this site: the storage of histories, chat memories, retrievers and integrations. */
export interface MemoryDatabase {
  readonly name: string;
  /**
   * Returns the messages of a session. Each scope has its own sessions.
   *
   * @param options.scope the scope of the session.
   * @default 'user'
   */
  chatHistory(sessionId: string, options?: { scope?: string }): ChatMessageHistory;
  /** Returns the lists of chat memories, which belong to the sessions of the scope `user` with their ids. */
  chatMemoryStore(): ChatMemoryStore;
  /**
   * Returns the store of entity memories.
   *
   * @param options.scope the scope of the entities.
   * @default 'user'
   */
  entityStore(options?: { scope?: string }): EntityStore;
  /**
   * Returns the JSON records of an integration.
   *
   * @param options.scope the scope of the records.
   * @default 'user'
   */
  records(namespace: string, options?: { scope?: string }): RecordStore;
  /** Lists the sessions of all scopes that have messages, newest first. */
  sessions(): Promise<SessionInfo[]>;
  /**
   * Erases a session, its messages and everything derived from them. Does nothing if the session does not exist.
   *
   * @param options.scope the scope of the session.
   * @default 'user'
   */
  deleteSession(id: string, options?: { scope?: string }): Promise<void>;
  /** Closes the database. Later calls reject with `storage-closed`. */
  close(): void;
  /** Closes and deletes the database with everything in it. */
  delete(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const engines = new WeakMap<object, StorageEngine>();

/** Remembers the storage engine of a database, for the parts of the library that work on it directly. */
export function registerEngine(database: MemoryDatabase, engine: StorageEngine): MemoryDatabase {
  engines.set(behindProxy(database), engine);
  return database;
}

/**
 * Returns the storage engine of a database.
 *
 * @throws MnemoraError `invalid-option` if `openDatabase` did not return it
 */
export function engineOf(database: MemoryDatabase): StorageEngine {
  const engine = engines.get(targetOf(database));
  if (!engine)
    throw invalidOption(
      `database must be a database returned by \`await openDatabase()\`; got ${describe(database)}.`,
    );
  return engine;
}
