import type { StoredMessage } from '../model/message.ts';
import type { ForgetReceipt } from './receipts.ts';
import type { AppendInput, PendingTurn } from './append-plan.ts';
import type { SessionReach } from './read-back.ts';
import type { SessionRecord, SummaryRecord } from './schema.ts';

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

/** How much of a session is to be read. */
export interface SessionQuery {
  /** Whose summary. */
  memoryId: string;
  /** How far back to read, given the summary that there is; undefined for no messages at all. */
  reach: (summary: SummaryRecord | undefined) => SessionReach | undefined;
  signal?: AbortSignal;
}

export interface SessionSnapshot {
  session: SessionRecord | undefined;
  /** Undefined where there is none yet, or where it had to be erased. */
  summary: SummaryRecord | undefined;
  /** How often messages of the session were erased. */
  erasures: number;
  /** Of whole turns that are complete, turn after turn, oldest first. */
  messages: StoredMessage[];
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
  /**
   * What a request of a session is made from, of one state. Writes nothing; a session that was never written to has
   * neither row nor messages.
   */
  readSession(sessionId: string, query: SessionQuery): Promise<SessionSnapshot>;
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
  /**
   * Marks the pending turns of a scope as failed for which the function says that nobody will end them; whoever comes
   * back may still end such a turn. Returns the number of turns. Writes nothing where there are none.
   */
  endAbandoned(scope: string, isAbandoned: (turn: PendingTurn) => boolean): Promise<number>;
  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  close(): void;
}
