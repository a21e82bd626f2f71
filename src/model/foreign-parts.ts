import type { ChatMessage } from './message.ts';
import { pastedParts } from './pasted-parts.ts';

/**
 * Returns the parts of a user message that are not the user's own words: the whole text if another person wrote it,
 * if it was imported or if it is a document; otherwise the content parts marked as documents, and everything that
 * looks pasted.
 *
 * @param text text of the message, as far as it is read
 * @param userName name under which the user speaks; a message with any other name is another person's
 */
export function foreignParts(
  message: ChatMessage,
  text: string,
  userName: string | undefined,
): readonly string[] {
  if (message.role !== 'user') return [];
  const isOther = message.name !== undefined && message.name !== userName;
  if (isOther || message.origin !== undefined) return text === '' ? [] : [text];
  if (typeof message.content === 'string') return pastedParts(text);
  const documents = message.content.flatMap((part) =>
    part.type === 'text' && part['origin'] === 'document' ? [String(part['text'])] : [],
  );
  const own = documents.reduce((left, part) => left.replace(part, () => '\n\n'), text);
  return [...documents.filter((part) => part !== ''), ...pastedParts(own)];
}
