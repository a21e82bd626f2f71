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
  /** Where the messages are. @default new InMemoryChatMessageHistory() */
  chatHistory?: ChatMessageHistory;
  /** The name that `loadMemoryVariables` returns the messages under. @default 'history' */
  memoryKey?: string;
  /** The input that holds the user's words. @default the only one that is no variable of the memory */
  inputKey?: string;
  /** The output that holds the answer. @default the only one; of several, output, answer, response or text */
  outputKey?: string;
  /** Label of user messages in text. @default 'Human' */
  humanPrefix?: string;
  /** Label of assistant messages in text. @default 'AI' */
  aiPrefix?: string;
  /** Return messages instead of text. @default false */
  returnMessages?: boolean;
  /**
   * How messages become text. `text`: one `Human: …` line each, unescaped, so that a message with a line break can
   * look like two. `xml`: one escaped element each, which no message can forge.
   * @default 'text'
   */
  format?: 'text' | 'xml';
  /** Called for what did not stop the work: a guessed output key, a budget that cannot be kept. */
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
