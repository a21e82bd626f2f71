import { isNotice, messageText, type StoredMessage } from './message.ts';

/** Whether search should find a message: what a person or the assistant said, in a turn that was not cut short. */
export function isSearchable(message: StoredMessage): boolean {
  const spoken = message.role === 'user' || (message.role === 'assistant' && !isNotice(message));
  return spoken && message.state === 'complete' && messageText(message).trim() !== '';
}
