import { Marked } from 'marked';

/** Longer texts are not parsed, because a streaming answer is parsed again with every piece. */
const MAX_CHARACTERS = 40_000;
/** Limit of nested quotes and lists, counted by the markers at the beginning of a line. */
const MAX_DEPTH = 32;
/** Limit of asterisks and underscores in a paragraph: the parser's work is quadratic in their number. */
const MAX_MARKS = 1_000;
const DEEP_LINE = new RegExp(
  String.raw`^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${MAX_DEPTH + 1}}`,
  'mu',
);

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    // Raw HTML is shown as text and an image as its description, so that nothing is loaded.
    html: ({ text }) => escape(text),
    image: ({ text, title }) => escape(text || title || 'image'),
  },
  tokenizer: {
    emStrong(rest, paragraph) {
      if (/^[*_]/u.test(rest) && hasTooManyMarks(paragraph))
        throw new Error('Too many marks in a paragraph.');
      return false; // use marked's own tokenizer
    },
  },
});

/** Converts markdown to HTML that is not yet sanitized. Returns undefined if it is too long, too deep or too dense to parse. */
export function markdownToHtml(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS || DEEP_LINE.test(text)) return undefined;
  try {
    const html = marked.parse(text);
    return typeof html === 'string' ? html : undefined;
  } catch {
    return undefined; // the parser can fail in many ways, for example with a stack overflow
  }
}

function hasTooManyMarks(paragraph: string): boolean {
  let marks = 0;
  for (const character of paragraph) {
    if ((character === '*' || character === '_') && ++marks > MAX_MARKS) return true;
  }
  return false;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
