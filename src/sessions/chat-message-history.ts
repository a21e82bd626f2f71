import {
  type ChatMessage,
  type CountedMessage,
  type StoredMessage,
  type TokenCounts,
  type TurnState,
  parseMessage,
} from '../model/message.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { NewJob } from '../storage/jobs/job-plan.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { SummaryState } from '../storage/summary-store.ts';
import { invalidMessage } from '../model/error.ts';

export interface AddMessagesOptions {
  /**
   * Stores the messages as one turn with this id. Adding the same messages under the same id again changes nothing;
   * other messages are rejected with `turn-conflict`, unless the turn is `pending`, in which case they complete it.
   */
  turnId?: string;
  /** @default 'complete' */
  state?: TurnState;
  /** @internal Jobs to queue in the same transaction, if the history has a `background`. */
  jobs?: readonly NewJob[];
  signal?: AbortSignal;
}

export interface ListMessagesOptions {
  /** Number of messages to return, counted from the newest. @default all */
  last?: number;
  /** Returns only messages with a sequence number below this: use it to page backwards. */
  beforeSeq?: number;
  signal?: AbortSignal;
}

/** A summary of a session, to be stored. */
export interface NewSummary {
  text: string;
  /** Sequence number of the last message that the summary covers; it covers all messages up to it. */
  coversSeq: number;
  /** Id of that message. */
  lastId?: string;
  /** Queue of the job that rebuilds the summary after it was erased. */
  queue?: string;
  tokens?: TokenCounts;
}

/** Summaries of one session, by memory id. A summary is erased with any message that it covers. */
export interface SessionSummaries {
  load(memoryId: string, signal?: AbortSignal): Promise<SummaryState>;
  /**
   * Stores a summary and ends the job, if any. Returns false, and stores nothing, if messages were erased after
   * `state` was loaded.
   */
  save(memoryId: string, summary: NewSummary, state: SummaryState, ticket?: JobTicket): Promise<boolean>;
  remove(memoryId: string): Promise<void>;
  /**
   * Returns the tombstones of the entities that were forgotten in these messages. Absent if the store cannot forget
   * by name.
   */
  forgotten?(messageIds: readonly string[]): Promise<string[]>;
}

/** Session and storage of a history that can queue background jobs. */
export interface HistoryBackground {
  readonly scope: string;
  readonly sessionId: string;
  readonly engine: StorageEngine;
}

/**
 * The messages of one session: LangChain's `BaseChatMessageHistory`, with an asynchronous `getMessages`. Append-only
 * except for `clear`.
 */
export interface ChatMessageHistory {
  /**
   * Returns the messages that a model may see: those of complete turns, grouped by turn, oldest first, in a new array.
   */
  getMessages(): Promise<ChatMessage[]>;
  /** Appends all messages in one transaction, or none. */
  addMessages(messages: readonly CountedMessage[], options?: AddMessagesOptions): Promise<void>;
  addMessage(message: ChatMessage): Promise<void>;
  addUserMessage(text: string): Promise<void>;
  addAIMessage(text: string): Promise<void>;
  /** Same as `addAIMessage`, under the older name in LangChain. */
  addAIChatMessage(text: string): Promise<void>;
  /** Returns all messages in any state, oldest first, with ids, times and token counts. */
  list(options?: ListMessagesOptions): Promise<StoredMessage[]>;
  /** Stores token counts by message id, so that each message is counted only once. */
  recordTokens?(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  /** @internal Store for the summaries of this history. Without one, memories keep their summaries in RAM. */
  readonly summaries?: SessionSummaries;
  /** @internal Present if the history can queue background jobs, which needs a database. */
  readonly background?: HistoryBackground;
  clear(): Promise<void>;
}

/**
 * Checks messages from outside, with their token counts, and returns copies.
 *
 * @throws MnemoraError `invalid-message`
 */
export function parseCountedMessages(messages: readonly CountedMessage[]): CountedMessage[] {
  if (!Array.isArray(messages)) throw invalidMessage('Messages must be an array.');
  return Array.from(messages, (counted: CountedMessage) => {
    if (!counted?.tokens) return parseMessage(counted);
    const { tokens, ...message } = counted;
    return { ...parseMessage(message), tokens: parseCounts(tokens) };
  });
}

function parseCounts(tokens: TokenCounts): TokenCounts {
  for (const [id, count] of Object.entries(tokens)) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw invalidMessage(`The token count of "${id}" must be a whole number, not ${count}.`);
    }
  }
  return { ...tokens };
}
