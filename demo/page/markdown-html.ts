import { Marked } from 'marked';

/** Longer texts are shown as they are: an answer is drawn again with each piece that comes. */
const MAX_CHARACTERS = 40_000;
/** Quotes and lists within one another, told by the marks that one line begins with. */
const MAX_DEPTH = 32;
/** Stars and underscores in one paragraph: the parser's work grows with their square. */
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
    // Raw HTML is shown as the text that it is, and an image as its description: nothing is loaded.
    html: ({ text }) => escape(text),
    image: ({ text, title }) => escape(text || title || 'image'),
  },
  tokenizer: {
    emStrong(rest, paragraph) {
      if (/^[*_]/u.test(rest) && hasTooManyMarks(paragraph))
        throw new Error('Too many marks in a paragraph.');
      return false; // marked goes on as it does without this
    },
  },
});

/** The HTML of a markdown text, not yet cleaned; undefined where the text is too long, too deep or too dense to parse. */
export function markdownToHtml(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS || DEEP_LINE.test(text)) return undefined;
  try {
    const html = marked.parse(text);
    return typeof html === 'string' ? html : undefined;
  } catch {
    return undefined; // the parser gives up in many ways, one of them a full stack
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
