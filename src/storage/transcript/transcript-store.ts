import type { StoredMessage } from '../../model/message.ts';
import type { ForgetReceipt } from '../receipts.ts';
import type { AppendInput } from './append-plan.ts';
import type { SessionRecord } from '../schema.ts';

export interface AppendReceipt {
  turnId: string;
  /** Ids of all messages of the turn. */
  messageIds: string[];
  sessionId: string;
  /** True if the same turn was already stored, so that nothing was written. */
  duplicate: boolean;
}

export interface ListOptions {
  last?: number;
  beforeSeq?: number;
  /** Returns only messages with a sequence number above this. */
  afterSeq?: number;
  signal?: AbortSignal;
}

/**
 * Selects what to erase within a scope. `before` is a time in milliseconds since 1970: every turn begun earlier is
 * erased.
 */
export type ErasureSelector =
  | { messageId: string }
  | { turnIds: readonly string[] }
  | { sessionId: string }
  | { before: number }
  | { everything: true };

/** Stores the transcript of all sessions. Each method is one transaction. */
export interface TranscriptStore {
  /** Appends messages. @throws MnemoraError `turn-conflict` */
  append(input: AppendInput, signal?: AbortSignal): Promise<AppendReceipt>;
  /** Lists messages, oldest first. Reads no more rows than it returns. */
  listMessages(sessionId: string, options?: ListOptions): Promise<StoredMessage[]>;
  /** Returns the messages of each turn that still exists. */
  loadTurns(turnIds: readonly string[], signal?: AbortSignal): Promise<StoredMessage[][]>;
  /**
   * Returns the random secret of this database, which is in no backup, so that values computed from it cannot be
   * predicted.
   */
  secret(): Promise<string>;
  /** Returns a session, or undefined if nothing was ever written to it. */
  session(sessionId: string): Promise<SessionRecord | undefined>;
  /** Lists sessions that have messages, newest first, of one scope or of all scopes. */
  listSessions(scope?: string): Promise<SessionRecord[]>;
  /**
   * Erases the selected messages and what is derived from them, and leaves tombstones. Erasing a session, a period or
   * everything also erases the documents of retrievers whose collection has the name of the scope. A preview changes
   * nothing.
   */
  forget(selector: ErasureSelector, scope: string, options?: { isPreview?: boolean }): Promise<ForgetReceipt>;
  /**
   * Erases a session's messages and what is derived from them; with `drop-row`, also its documents and the session
   * itself.
   */
  clearSession(sessionId: string, row: 'keep-row' | 'drop-row'): Promise<ForgetReceipt>;
  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  close(): void;
}
