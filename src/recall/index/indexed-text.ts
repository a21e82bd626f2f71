import { analyze } from '../../language/terms.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';

/**
 * Returns the text of a message for the keyword index: speaker, date and text. On long conversations between named
 * people, speaker and date raise recall by a seventh.
 */
export function textForKeywords(message: StoredMessage): string {
  dateFormat ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const date = dateFormat.format(message.createdAt);
  return `${speaker(message)} ${date} ${messageText(message)}`;
}

// Kept, because creating a DateTimeFormat takes longer than indexing a message.
let dateFormat: Intl.DateTimeFormat | undefined;

/** Returns the text of a message that is embedded, with the speaker's name in front so that "who" can be matched. */
export function textForEmbedding(message: StoredMessage): string {
  return `${speaker(message)}: ${messageText(message)}`;
}

/** Returns the speaker's name, if the message has one. */
export function speakerName(message: StoredMessage): string | undefined {
  return ('name' in message && message.name) || undefined;
}

function speaker(message: StoredMessage): string {
  return speakerName(message) ?? (message.role === 'user' ? 'User' : 'Assistant');
}

/**
 * Returns a key that is equal for messages that differ only in case, marks and endings: their speakers and their terms
 * in order. Empty if they have no terms. It is no looser than that, because "I paid 50" and "I paid 60" differ in a
 * single word. The text after the first 20,000 characters must be identical.
 */
export function duplicateKey(messages: readonly StoredMessage[]): string {
  return messages
    .flatMap((message) => {
      const text = messageText(message);
      const terms = analyze(text.slice(0, COMPARED_CHARACTERS));
      const rest = text.slice(COMPARED_CHARACTERS);
      if (terms.length === 0 && rest.trim() === '') return [];
      return [...analyze(speakerName(message) ?? ''), ':', ...terms, rest];
    })
    .join(' ');
}

/** A longer text is hardly ever said twice, except by pasting it again. */
const COMPARED_CHARACTERS = 20_000;
