import { messageText, type StoredMessage } from '../model/message.ts';

/** Whether search should find a message: what a person or the assistant said, in a turn that was not cut short. */
export function isSearchable(message: StoredMessage): boolean {
  const spoken = message.role === 'user' || message.role === 'assistant';
  return spoken && message.state === 'complete' && messageText(message).trim() !== '';
}

/**
 * What keyword search looks through: the text, who said it and when. The speaker and the date raise what is found by
 * a seventh on long conversations between named people.
 */
export function keywordKey(message: StoredMessage): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    message.createdAt,
  );
  return `${speaker(message)} ${date} ${messageText(message)}`;
}

/** What is embedded: a sentence encoder tells "who" from the speaker's name in front. */
export function embeddingKey(message: StoredMessage): string {
  return `${speaker(message)}: ${messageText(message)}`;
}

function speaker(message: StoredMessage): string {
  return ('name' in message && message.name) || (message.role === 'user' ? 'User' : 'Assistant');
}
