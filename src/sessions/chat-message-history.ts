import type { ChatMessage, CountedMessage, StoredMessage, TokenCounts, TurnState } from '../model/message.ts';
import type { JobTicket, NewJob } from '../storage/jobs/job-store.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { SummaryState } from '../storage/summary-store.ts';

export interface AddMessagesOptions {
  /**
   * Makes the messages one turn under this id. Adding the same messages under the same id again changes nothing;
   * other messages are refused with `turn-conflict`, unless the turn is `pending`: then they end it.
   */
  turnId?: string;
  /** @default 'complete' */
  state?: TurnState;
  /** @internal Work to queue in the same transaction, where the history has a `background`. */
  jobs?: readonly NewJob[];
  signal?: AbortSignal;
}

export interface ListMessagesOptions {
  /** The number of newest messages. @default all */
  last?: number;
  /** Only messages with a sequence number below this: how to page backwards. */
  beforeSeq?: number;
  signal?: AbortSignal;
}

/** What a memory makes of a session, to be stored. */
export interface NewSummary {
  text: string;
  /** It covers every message up to this sequence number, itself included. */
  coversSeq: number;
  /** The queue in which it is to be made again when it had to be erased. */
  queue?: string;
  tokens?: TokenCounts;
}

/** The summaries of one session, by memory. They go with the messages that they cover. */
export interface SessionSummaries {
  load(memoryId: string, signal?: AbortSignal): Promise<SummaryState>;
  /** Returns false, and stores nothing, where messages were erased since `state` was loaded. Ends the job, if any. */
  save(memoryId: string, summary: NewSummary, state: SummaryState, ticket?: JobTicket): Promise<boolean>;
  remove(memoryId: string): Promise<void>;
  /** Tombstones of the entities that were forgotten as told by these messages. Absent where nothing is forgotten by name. */
  forgotten?(messageIds: readonly string[]): Promise<string[]>;
}

/** Where a history is stored: what queues work for the background. */
export interface HistoryBackground {
  readonly sessionId: string;
  readonly engine: StorageEngine;
}

/**
 * The messages of one session: LangChain's `BaseChatMessageHistory`, with the asynchronous `getMessages` that its
 * users miss. Append-only but for `clear`.
 */
export interface ChatMessageHistory {
  /** What the model may see: the messages of complete turns, turn after turn, oldest first, in a fresh array. */
  getMessages(): Promise<ChatMessage[]>;
  /** Appends in one transaction: all or none. */
  addMessages(messages: readonly CountedMessage[], options?: AddMessagesOptions): Promise<void>;
  addMessage(message: ChatMessage): Promise<void>;
  addUserMessage(text: string): Promise<void>;
  addAIMessage(text: string): Promise<void>;
  /** The same as `addAIMessage`, by the name that LangChain gave it first. */
  addAIChatMessage(text: string): Promise<void>;
  /** All messages in any state, oldest first, with ids, times and token counts. */
  list(options?: ListMessagesOptions): Promise<StoredMessage[]>;
  /** Keeps token counts, by message id, so that no message is counted twice in its life. */
  recordTokens?(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  /** @internal Where it keeps what memories make of it; without, they keep that in RAM. */
  readonly summaries?: SessionSummaries;
  /** @internal Present where it can queue work for the background: over a database. */
  readonly background?: HistoryBackground;
  clear(): Promise<void>;
}
