import type { StoredMessage } from '../../../index.ts';

/** Returns the text of a message: its content, or its text parts joined by line breaks. */
export function plainText({ content }: Pick<StoredMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])).join('\n');
}
