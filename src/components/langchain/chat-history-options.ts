import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import {
  checkBoolean,
  checkFunction,
  checkName,
  checkString,
  objectWith,
  oneOf,
  type OptionChecks,
} from '../../model/check-options.ts';
import type { WarningListener } from '../../model/warning.ts';

/** Options of all memories that read from a chat history. */
export interface ChatHistoryOptions {
  /** Chat history that stores the messages. @default new InMemoryChatMessageHistory() */
  chatHistory?: ChatMessageHistory;
  /** Name of the variable that contains the messages. @default 'history' */
  memoryKey?: string;
  /** Name of the input with the user's message. @default the only one that is not a variable of the memory */
  inputKey?: string;
  /** Name of the output with the answer. @default the only one; of several, the first of output, answer, response, text */
  outputKey?: string;
  /** Label of user messages in text. @default 'Human' */
  humanPrefix?: string;
  /** Label of assistant messages in text. @default 'AI' */
  aiPrefix?: string;
  /** Whether to return messages instead of text. @default false */
  returnMessages?: boolean;
  /**
   * Format of messages as text. `text`: a line `Human: …` for each message, unescaped, so that a message with a line break
   * can look like two messages. `xml`: an escaped element for each message, which no message can forge.
   * @default 'text'
   */
  format?: 'text' | 'xml';
  /** Called for problems that do not stop the work, such as a guessed output key or an exceeded budget. */
  onWarning?: WarningListener;
}

export const CHAT_HISTORY_CHECKS: OptionChecks<ChatHistoryOptions> = {
  chatHistory: objectWith('getMessages', 'addMessages', 'list', 'clear'),
  memoryKey: checkName,
  inputKey: checkName,
  outputKey: checkName,
  humanPrefix: checkString,
  aiPrefix: checkString,
  returnMessages: checkBoolean,
  format: oneOf('text', 'xml'),
  onWarning: checkFunction,
};
