import { messageText, type StoredMessage } from '../model/message.ts';

/**
 * What keyword search looks through: the text, who said it and when. The speaker and the date raise what is found by
 * a seventh on long conversations between named people.
 */
export function textForKeywords(message: StoredMessage): string {
  dateFormat ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const date = dateFormat.format(message.createdAt);
  return `${speaker(message)} ${date} ${messageText(message)}`;
}

// Making one takes longer than indexing a message.
let dateFormat: Intl.DateTimeFormat | undefined;

/** What is embedded: a sentence encoder tells "who" from the speaker's name in front. */
export function textForEmbedding(message: StoredMessage): string {
  return `${speaker(message)}: ${messageText(message)}`;
}

/** The name that came with a message. */
export function speakerName(message: StoredMessage): string | undefined {
  return ('name' in message && message.name) || undefined;
}

function speaker(message: StoredMessage): string {
  return speakerName(message) ?? (message.role === 'user' ? 'User' : 'Assistant');
}
