/** Stands where text was left out: no quote reaches across it. */
export const CUT_MARK = '[…]';

/** Finds the words that a quote repeats, as they stand in the text; undefined where they do not. */
export type QuoteFinder = (quote: string) => string | undefined;

/**
 * Looks for quotes in a text. Case, spacing and the shape of quotation marks and dashes do not matter, nor do marks
 * around the quote.
 */
export function quoteFinder(text: string): QuoteFinder {
  const parts = text.split(CUT_MARK).map((part) => ({ part, ...fold(part) }));
  return (quote) => {
    const wanted = fold(quote.replace(MARKS_BEFORE, '').replace(MARKS_BEHIND, '')).folded.trim();
    if (wanted === '') return undefined;
    for (const { part, folded, positions } of parts) {
      const at = folded.indexOf(wanted);
      if (at >= 0) return part.slice(positions[at], (positions[at + wanted.length - 1] ?? part.length) + 1);
    }
    return undefined;
  };
}

const MARKS_BEFORE = /^["'“”‘’«»„`\s]+/u;
const MARKS_BEHIND = /(?<!["'“”‘’«»`\s])["'“”‘’«»`\s]+$/u;

/** A text in the form in which quotes are compared, and where each of its characters stood. */
function fold(text: string): { folded: string; positions: readonly number[] } {
  const positions: number[] = [];
  let folded = '';
  for (let index = 0; index < text.length; index++) {
    const character = FORMS.get(text.charAt(index)) ?? text.charAt(index);
    if (/\s/u.test(character)) {
      if (folded.endsWith(' ') || folded === '') continue;
      folded += ' ';
    } else {
      const lower = character.toLowerCase();
      // A few characters have a longer lower case; their position would be lost.
      folded += lower.length === 1 ? lower : character;
    }
    positions.push(index);
  }
  return { folded, positions };
}

const FORMS: ReadonlyMap<string, string> = new Map([
  ...Array.from('“”„«»', (mark): [string, string] => [mark, '"']),
  ...Array.from('‘’‚`´', (mark): [string, string] => [mark, "'"]),
  ...Array.from('–—‑−', (mark): [string, string] => [mark, '-']),
]);
