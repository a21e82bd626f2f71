import type { ChatMessageHistory, ListMessagesOptions } from '../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../src/sessions/in-memory-history.ts';
import type { CountedMessage } from '../../src/model/message.ts';

/** A history that tells how much was read from it and how often it was written to. */
export interface WatchedHistory extends ChatMessageHistory {
  readonly rowsRead: () => number;
  readonly writes: () => number;
  /** Of the last write. */
  readonly written: () => readonly CountedMessage[];
}

export function watchedHistory(inner: ChatMessageHistory = new InMemoryChatMessageHistory()): WatchedHistory {
  let rowsRead = 0;
  let writes = 0;
  let written: readonly CountedMessage[] = [];
  const addMessages: ChatMessageHistory['addMessages'] = (messages, options) => {
    writes += 1;
    written = messages;
    return inner.addMessages(messages, options);
  };
  return {
    rowsRead: () => rowsRead,
    writes: () => writes,
    written: () => written,
    getMessages: async () => {
      const messages = await inner.getMessages();
      rowsRead += messages.length;
      return messages;
    },
    list: async (options?: ListMessagesOptions) => {
      const rows = await inner.list(options);
      rowsRead += rows.length;
      return rows;
    },
    addMessages,
    addMessage: (message) => addMessages([message]),
    addUserMessage: (content) => addMessages([{ role: 'user', content }]),
    addAIMessage: (content) => addMessages([{ role: 'assistant', content }]),
    addAIChatMessage: (content) => addMessages([{ role: 'assistant', content }]),
    recordTokens: async (id, counts) => inner.recordTokens?.(id, counts),
    clear: () => inner.clear(),
  };
}
