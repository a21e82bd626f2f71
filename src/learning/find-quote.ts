import { CUT_MARK } from './cut-text.ts';

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
  const runs: Run[] = [];
  const words: string[] = [];
  let length = 0;
  for (const { 0: word, index } of plain.matchAll(/\S+/gu)) {
    runs.push({ start: index, foldedStart: length });
    words.push(word);
    length += word.length + 1;
  }
  const last = runs.at(-1);
  const isSpacedBehind = last !== undefined && last.start + (words.at(-1)?.length ?? 0) < plain.length;
  const folded = `${words.join(' ')}${isSpacedBehind ? ' ' : ''}`;
  return { folded, positionOf: (index) => positionIn(runs, index) };
}

/** Maps an offset in the folded text back to the original, using the last run that begins at or before it. */
function positionIn(runs: readonly Run[], index: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.foldedStart ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const { start, foldedStart } = runs[low - 1] ?? { start: 0, foldedStart: 0 };
  return start + index - foldedStart;
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
