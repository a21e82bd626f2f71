import type { RecordStore } from '../storage/record-store.ts';
import type { ChatMemoryStore } from './chat-memory-store.ts';
import type { ChatMessageHistory } from './chat-message-history.ts';
import type { EntityStore } from './entity-store.ts';

/** One conversation, as a list of conversations shows it. Times are milliseconds since 1970. */
export interface SessionInfo {
  id: string;
  scope: string;
  /** The first words of the first user message. */
  title: string;
  createdAt: number;
  updatedAt: number;
  messageCount: number;
}

/** One database of this site: what histories, chat memories and retrievers keep. */
export interface MemoryDatabase {
  readonly name: string;
  chatHistory(sessionId: string): ChatMessageHistory;
  chatMemoryStore(): ChatMemoryStore;
  /** What entity memories know. @param options.scope whose it is. @default the scope of sessions that name none */
  entityStore(options?: { scope?: string }): EntityStore;
  /** JSON rows of an integration. @param options.scope whose they are. @default the scope of sessions that name none */
  records(namespace: string, options?: { scope?: string }): RecordStore;
  /** Sessions that hold messages, newest first. */
  sessions(): Promise<SessionInfo[]>;
  /** Erases a session, its messages and what is derived from them. Deleting what is not there changes nothing. */
  deleteSession(id: string): Promise<void>;
  /** Later calls reject with `storage-closed`. */
  close(): void;
  /** Closes and deletes the database with all that it holds. */
  delete(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
