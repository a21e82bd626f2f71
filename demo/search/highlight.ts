/** A piece of a text, and whether it is one of the words that were looked for. */
export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Words that are written with spaces between them have to be this long: `is` and `my` say nothing. */
const MIN_LETTERS = 3;

/** The words of a query that are worth marking, in lower case. */
export function wordsOf(query: string): string[] {
  const words = Array.from(query.matchAll(WORD), ([word]) => fold(word));
  const long = words.filter((word) => word.length >= MIN_LETTERS || !/^[\p{Script=Latin}\d]+$/u.test(word));
  return long.length > 0 ? long : words;
}

/** Whether a word of a text is one that was looked for: its beginning, or the same but for an ending. */
export function isHit(word: string, wanted: readonly string[]): boolean {
  const folded = fold(word);
  return wanted.some(
    (each) =>
      folded.startsWith(each) ||
      (folded.length > MIN_LETTERS && each.startsWith(folded)) ||
      (!isSpaced(each) && folded.includes(each)),
  );
}

/** A part of a text of about this length, around the first word that was looked for, in pieces to be marked or not. */
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

/** The beginning of a word somewhat before the hit. */
function startOf(line: string, hit: number, maxCharacters: number): number {
  if (hit < maxCharacters / 2) return 0;
  const near = Math.floor(hit - maxCharacters / 3);
  const space = line.indexOf(' ', near);
  return space === -1 || space >= hit ? hit : space + 1;
}

/** Without case and accents. */
function fold(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Whether the word is of a script that puts spaces between words. */
function isSpaced(word: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
}
