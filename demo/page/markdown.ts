import { markdownToHtml } from './markdown-html.ts';
import { plainText } from './plain-text.ts';
import { sanitize } from './sanitize.ts';

/**
 * Renders untrusted markdown. Raw HTML in it appears as text; images and other media are omitted. What is too long, too
 * deep or too dense to parse is shown as plain text.
 */
export function renderMarkdown(text: string): DocumentFragment {
  try {
    return sanitize(markdownToHtml(text));
  } catch {
    return plainText(text); // the parser can fail in many ways, for example with a stack overflow
  }
}
