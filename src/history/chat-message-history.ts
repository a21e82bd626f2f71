import type { ChatMessage, CountedMessage, StoredMessage, TurnState } from '../model/message.ts';

export interface AddMessagesOptions {
  /**
   * Makes the messages one turn under this id. Adding the same messages under the same id again changes nothing;
   * other messages are refused with `turn-conflict`, unless the turn is `pending`: then they end it.
   */
  turnId?: string;
  /** @default 'complete' */
  state?: TurnState;
  signal?: AbortSignal;
}

export interface ListMessagesOptions {
  /** Only the newest so many. @default all */
  last?: number;
  /** Only messages with a sequence number below this: how to page backwards. */
  beforeSeq?: number;
  signal?: AbortSignal;
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
  /** All messages in any state, oldest first, with ids, times and token counts. */
  list(options?: ListMessagesOptions): Promise<StoredMessage[]>;
  /** Keeps token counts, by message id, so that no message is counted twice in its life. */
  recordTokens?(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  clear(): Promise<void>;
}
