import { h } from './element.ts';
import { markdownToHtml } from './markdown-html.ts';
import { sanitize } from './sanitize.ts';

/**
 * Renders untrusted markdown. Raw HTML in it appears as text; images and other media are omitted. Markdown that is too
 * long, too deep or too dense to parse is shown as plain text.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = markdownToHtml(text);
  if (html !== undefined) return sanitize(html);
  const fragment = document.createDocumentFragment();
  fragment.append(h('p', { class: 'plain-text' }, text));
  return fragment;
}
