import { isNotice, messageText, type StoredMessage } from './message.ts';

/** Returns whether search should find a message: text of the user or the assistant, in a complete turn. */
export function isSearchable(message: StoredMessage): boolean {
  const spoken = message.role === 'user' || (message.role === 'assistant' && !isNotice(message));
  return spoken && message.state === 'complete' && messageText(message).trim() !== '';
}
