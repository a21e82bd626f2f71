/** Marks where text was left out. A quote never spans it. */
export const CUT_MARK = '[…]';

/** Shortens a text to a number of UTF-16 code units by replacing its middle with a mark. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const kept = Math.max(0, maxCharacters - CUT_MARK.length - 2);
  const end = Math.floor(kept / 3);
  const rest = end === 0 ? '' : text.slice(-end);
  return `${text.slice(0, kept - end)} ${CUT_MARK} ${rest}`.toWellFormed();
}

/** Returns the largest limit at which these texts fit into a space together, so that only the longest are cut. */
export function fairShare(texts: readonly string[], space: number): number {
  let left = space;
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return space;
}

/**
 * Returns the words of the text that a quote repeats, as written there, or undefined if the text does not contain
 * them.
 */
export type QuoteFinder = (quote: string) => string | undefined;

/**
 * Returns a function that finds quotes in a text. Case, spacing and the style of quotation marks and dashes do not
 * matter, nor do marks around the quote.
 */
export function quoteFinder(text: string): QuoteFinder {
  const parts = text.split(CUT_MARK).map((part) => ({ part, ...fold(part) }));
  return (quote) => {
    const wanted = fold(quote.replace(MARKS_BEFORE, '').replace(MARKS_BEHIND, '')).folded.trim();
    if (wanted === '') return undefined;
    for (const { part, folded, positionOf } of parts) {
      const at = folded.indexOf(wanted);
      if (at >= 0) return part.slice(positionOf(at), positionOf(at + wanted.length - 1) + 1);
    }
    return undefined;
  };
}

const MARKS_BEFORE = /^["'“”‘’«»„`\s]+/u;
const MARKS_BEHIND = /(?<!["'“”‘’«»`\s])["'“”‘’«»`\s]+$/u;

/** A word of a text, with its offsets in the text and in the folded text. */
interface Run {
  readonly start: number;
  readonly foldedStart: number;
}

/** Returns a text in the form in which quotes are compared, and a function that maps its offsets back. */
function fold(text: string): { folded: string; positionOf: (index: number) => number } {
  const plain = text
    .replaceAll(/[`\u0080-\uffff]/g, (character) => FORMS.get(character) ?? inLowerCase(character))
    .replaceAll(/[A-Z]+/gu, (letters) => letters.toLowerCase());
  const words = [...plain.matchAll(/\S+/gu)];
  let length = 0;
  const runs = words.map(({ 0: word, index: start }): Run => {
    const foldedStart = length;
    length += word.length + 1;
    return { start, foldedStart };
  });
  const isSpacedBehind = words.length > 0 && /\s$/u.test(plain);
  return {
    folded: `${words.map(([word]) => word).join(' ')}${isSpacedBehind ? ' ' : ''}`,
    positionOf: (index) => {
      const run = runs.findLast(({ foldedStart }) => foldedStart <= index);
      return run ? run.start + index - run.foldedStart : index;
    },
  };
}

/** Skips the few characters whose lower case is longer, so that offsets stay valid. */
function inLowerCase(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

const FORMS: ReadonlyMap<string, string> = new Map([
  ...Array.from('“”„«»', (mark): [string, string] => [mark, '"']),
  ...Array.from('‘’‚`´', (mark): [string, string] => [mark, "'"]),
  ...Array.from('–—‑−', (mark): [string, string] => [mark, '-']),
]);
