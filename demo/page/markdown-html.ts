import { Marked } from 'marked';

/** Longer texts are not parsed, because a streaming answer is parsed again and again. */
const MAX_CHARACTERS = 20_000;
/** Limit of asterisks and underscores in a paragraph: the parser's work is quadratic in their number. */
const MAX_MARKS = 200;
/** Limit of the HTML, which can be far longer than the text: a table has cells that no text is in. */
const MAX_HTML = 5 * MAX_CHARACTERS;
/** Limit of a word and of the space between two. */
const MAX_RUN = 1_000;
/** Limit of the lines between two empty ones, times the columns if they are a table. */
const MAX_CELLS = 1_000;
/** Nested quotes and lists, counted by the markers at the beginning of a line. */
const DEEP_LINE = /^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t]))){33}/mu;

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
      if (/^[*_]/u.test(rest) && hasTooManyMarks(paragraph)) throw tooHard();
      return false; // use marked's own tokenizer
    },
  },
});

/**
 * Converts markdown to HTML that is not yet sanitized.
 *
 * @throws RangeError if the text is too long, too deep or too dense to parse
 */
export function markdownToHtml(text: string): string {
  if (isTooHard(text)) throw tooHard();
  const html = marked.parse(text);
  if (typeof html !== 'string' || html.length > MAX_HTML) throw tooHard();
  return html;
}

/** The parser calls itself for each level, and its work is quadratic in the length of the other parts. */
function isTooHard(text: string): boolean {
  return (
    text.length > MAX_CHARACTERS ||
    mostOf(text.split(/\s+/u), (word) => word.length) > MAX_RUN ||
    mostOf(text.split(/\S+/u), (space) => space.length) > MAX_RUN ||
    mostOf(text.split(/\n[ \t]*\n/u), cells) > MAX_CELLS ||
    DEEP_LINE.test(text)
  );
}

function cells(block: string): number {
  const lines = block.split('\n');
  return lines.length * mostOf(lines, (line) => line.split('|').length);
}

function mostOf(parts: readonly string[], size: (part: string) => number): number {
  return parts.reduce((most, part) => Math.max(most, size(part)), 0);
}

function tooHard(): RangeError {
  return new RangeError('This Markdown is too long, too deep or too dense to parse.');
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
