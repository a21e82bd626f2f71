import type { StoredMessage } from '../../../index.ts';

/** Returns the text of a message: its content, or its text parts joined by line breaks. */
export function plainText({ content }: Pick<StoredMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])).join('\n');
}

/** Returns the beginning of a text, `limit` UTF-16 units at most; an ellipsis marks what was cut. */
export function cutText(text: string, limit: number): string {
  // The cut may split a surrogate pair.
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the day of a time in UTC, such as `2026-05-01`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
