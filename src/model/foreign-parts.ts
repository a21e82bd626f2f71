import type { ChatMessage } from './message.ts';
import { pastedParts } from './pasted-parts.ts';

/**
 * The parts of a user's message that are not the user's word: all of one that another person wrote, that comes from
 * elsewhere or is a document; else the parts that the page calls documents, and what has the shape of a paste.
 *
 * @param text of the message, as far as it is read
 * @param userName the name under which the user speaks; a message with any other name is another person's
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
