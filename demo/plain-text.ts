import { renderMarkdown } from './markdown.ts';
import type { StoredMessage } from '../src/index.ts';
import { messageText } from './turns.ts';

/** What a message says as a person reads it: an answer without its markdown. */
export function plainText(message: Pick<StoredMessage, 'role' | 'content'>): string {
  const text = messageText(message);
  if (message.role !== 'assistant') return text;
  const rendered = renderMarkdown(text);
  for (const block of rendered.querySelectorAll('p, li, pre, h1, h2, h3, h4, h5, h6, td, th, br'))
    block.after(' ');
  return rendered.textContent ?? '';
}
