import { Marked } from 'marked';
import { sanitize } from './sanitize.ts';

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    // Raw HTML is shown as the text that it is, and an image as its description: nothing is loaded.
    html: ({ text }) => escape(text),
    image: ({ text, title }) => escape(text || title || 'image'),
  },
});

/** Renders untrusted markdown. Raw HTML in it appears as text; images and other media are left out. */
export function renderMarkdown(text: string): DocumentFragment {
  const html = marked.parse(text);
  return sanitize(typeof html === 'string' ? html : '');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
