import type { StoredMessage } from '../../model/message.ts';
import type { ForgetReceipt } from '../receipts.ts';
import type { AppendInput } from './append-plan.ts';
import type { SessionRecord } from '../schema.ts';

export interface AppendReceipt {
  turnId: string;
  /** All messages of the turn. */
  messageIds: string[];
  sessionId: string;
  /** The same turn was stored before; nothing was written. */
  duplicate: boolean;
}

export interface ListOptions {
  last?: number;
  beforeSeq?: number;
  /** Only messages with a sequence number above this. */
  afterSeq?: number;
  signal?: AbortSignal;
}

/** What to erase, within a scope. `before` is a time in milliseconds: every turn begun earlier goes. */
export type ErasureSelector =
  | { messageId: string }
  | { turnIds: readonly string[] }
  | { sessionId: string }
  | { before: number }
  | { everything: true };

/**
 * The transcript of all sessions. Each method is one transaction. Two
 * implementations, one contract: IndexedDB and memory.
 */
export interface TranscriptStore {
  /** @throws MnemoraError `turn-conflict` */
  append(input: AppendInput, signal?: AbortSignal): Promise<AppendReceipt>;
  /** Oldest first; reads no more rows than it returns. */
  listMessages(sessionId: string, options?: ListOptions): Promise<StoredMessage[]>;
  /** The messages of each turn that is still there. */
  loadTurns(turnIds: readonly string[], signal?: AbortSignal): Promise<StoredMessage[][]>;
  /** Random bits made with the database, which leave it in no backup: what is computed from them nobody can foretell. */
  secret(): Promise<string>;
  /** Undefined where the session has never been written to. */
  session(sessionId: string): Promise<SessionRecord | undefined>;
  /** Sessions that hold messages, newest first; all scopes unless one is named. */
  listSessions(scope?: string): Promise<SessionRecord[]>;
  /**
   * Erases what is selected, what is derived from it, and leaves tombstones. A session, a time or all takes with it
   * the documents of retrievers whose collection is named as the scope. A preview changes nothing.
   */
  forget(selector: ErasureSelector, scope: string, options?: { isPreview?: boolean }): Promise<ForgetReceipt>;
  /** Erases a session's messages and what is derived from them; with `drop-row`, its documents and the session itself. */
  clearSession(sessionId: string, row: 'keep-row' | 'drop-row'): Promise<ForgetReceipt>;
  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  close(): void;
}
