import type { StoredMessage } from '../model/message.ts';
import type { ForgetReceipt } from './receipts.ts';
import type { AppendInput, PendingTurn } from './append-plan.ts';
import type { SessionReach } from './read-back.ts';
import type { PostingsRecord, SessionRecord, StoreName, SummaryRecord } from './schema.ts';
import type { Transaction } from './storage-engine.ts';

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

/** How far a reader of changes has come. */
export interface ChangeCursor {
  /** Made with the database: another one means that the old database is gone. */
  generation: string;
  revision: number;
}

export interface EmbeddedMessage {
  id: string;
  vector: Float32Array;
}

/** What has come since a cursor. */
export interface ChangeSet {
  cursor: ChangeCursor;
  /** The cursor was unknown or too old: forget all that was read before; this is the whole state. */
  reset: boolean;
  /** Messages written or rewritten, in any state. */
  messages: StoredMessage[];
  removed: string[];
  vectors: EmbeddedMessage[];
}

/** A part of a saved keyword index: see `PostingsRecord`. */
export type SavedPart = Pick<PostingsRecord, 'cursor' | 'analyzer' | 'segment'>;
export type NewPart = Omit<SavedPart, 'cursor'>;

export interface SavedIndexParts {
  /** Oldest first; as they were stored, sound or not. */
  parts: SavedPart[];
  /** Since the cursor of the newest part, vectors apart. */
  changes: ChangeSet;
}

/** What a part of a saved index holds: the changes after one cursor, up to another. */
export interface SavedSpan {
  from: ChangeCursor | undefined;
  to: ChangeCursor;
}

/** What {@link TranscriptStore.readChanges} reads. */
export const CHANGE_STORES: readonly StoreName[] = ['sessions', 'messages', 'vectors', 'changes', 'meta'];

/** What {@link TranscriptStore.loadIndex} reads. */
export const INDEX_STORES: readonly StoreName[] = ['postings', ...CHANGE_STORES];

/**
 * The transcript of all sessions and the vectors derived from it. Each method is one transaction. Two
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
  /** Stores vectors of messages; those forgotten meanwhile are left out. The last vector stored for an id counts. */
  appendVectors(embedder: string, scope: string, entries: readonly EmbeddedMessage[]): Promise<void>;
  /**
   * What a scope's indexes have missed since a cursor; everything without one. In a transaction over
   * {@link CHANGE_STORES}, if given.
   */
  readChanges(
    scope: string,
    embedder: string | undefined,
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
    within?: Transaction,
  ): Promise<ChangeSet>;
  /** All vectors that an embedder made of a scope's messages. */
  readVectors(scope: string, embedder: string): Promise<EmbeddedMessage[]>;
  /** Removes what other embedders than these made of a scope's messages. */
  dropOtherVectors(scope: string, embedders: readonly string[]): Promise<void>;
  /** The keyword index of a scope as far as it is saved, and what a tab has missed that goes on from there. */
  loadIndex(scope: string, signal?: AbortSignal, within?: Transaction): Promise<SavedIndexParts>;
  /**
   * Saves what came to the keyword index of a scope between two cursors, unless something of the scope was erased
   * since, or another tab has saved meanwhile. From the beginning (`from` is undefined), it takes the place of what is
   * saved. Returns how far what is saved reaches now; undefined where nothing is.
   */
  saveIndex(scope: string, parts: readonly NewPart[], span: SavedSpan): Promise<ChangeCursor | undefined>;
  close(): void;
}
