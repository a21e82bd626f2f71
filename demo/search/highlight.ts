/** A piece of a text, and whether it is a search hit. */
export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Minimum length of words in scripts with spaces: `is` and `my` are too common to highlight. */
const MIN_LETTERS = 3;

/** The words of a query to highlight, in lower case. */
export function wordsOf(query: string): string[] {
  const words = Array.from(query.matchAll(WORD), ([word]) => fold(word));
  const long = words.filter((word) => word.length >= MIN_LETTERS || !/^[\p{Script=Latin}\d]+$/u.test(word));
  return long.length > 0 ? long : words;
}

/** Whether a word of a text matches a query word: one begins with the other. */
export function isHit(word: string, wanted: readonly string[]): boolean {
  const folded = fold(word);
  return wanted.some(
    (each) =>
      folded.startsWith(each) ||
      (folded.length > MIN_LETTERS && each.startsWith(folded)) ||
      (!isSpaced(each) && folded.includes(each)),
  );
}

/** An excerpt of about `maxCharacters` around the first hit, divided into hits and other text. */
export function excerpt(text: string, wanted: readonly string[], maxCharacters: number): Piece[] {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const first = [...line.matchAll(WORD)].find(([word]) => isHit(word, wanted));
  const from = startOf(line, first?.index ?? 0, maxCharacters);
  const cut = line.slice(from, from + maxCharacters).toWellFormed();
  const pieces: Piece[] = from > 0 ? [{ text: '…', isHit: false }] : [];
  let end = 0;
  for (const match of cut.matchAll(WORD)) {
    if (!isHit(match[0], wanted)) continue;
    if (match.index > end) pieces.push({ text: cut.slice(end, match.index), isHit: false });
    pieces.push({ text: match[0], isHit: true });
    end = match.index + match[0].length;
  }
  if (end < cut.length) pieces.push({ text: cut.slice(end), isHit: false });
  if (from + maxCharacters < line.length) pieces.push({ text: '…', isHit: false });
  return pieces;
}

/** Where an excerpt starts: at the beginning of a word, somewhat before the hit. */
function startOf(line: string, hit: number, maxCharacters: number): number {
  if (hit < maxCharacters / 2) return 0;
  const near = Math.floor(hit - maxCharacters / 3);
  const space = line.indexOf(' ', near);
  return space === -1 || space >= hit ? hit : space + 1;
}

/** Removes case and accents. */
function fold(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Whether the script of a word puts spaces between words. */
function isSpaced(word: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
}
