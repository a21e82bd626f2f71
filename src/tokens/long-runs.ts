/** Longest run of characters without a break, or of nothing but space, that is left whole. */
const MAX_RUN_CHARACTERS = 1000;

/** Long enough that few tokens are cut, short enough that the square of it is small. */
const PIECE_CHARACTERS = 32;

/** No letter, digit, space or ASCII: a vocabulary takes a run of emoji for one word, of four bytes or more each. */
const SYMBOL = '[^\\s\\p{L}\\p{N}\\x21-\\x7e]';
/** In characters, not UTF-16 units. */
const MAX_SYMBOL_CHARACTERS = 128;

// Looking behind keeps it from trying each character of a run that is too short as a beginning.
const RUNS_PATTERN = new RegExp(
  ['\\S', '\\s'].map((kind) => `(?<!${kind})${kind}{${MAX_RUN_CHARACTERS + 1},}`).join('|') +
    `|(?<!${SYMBOL})${SYMBOL}{${MAX_SYMBOL_CHARACTERS + 1},}`,
  'gu',
);

/**
 * Cuts a text where it has no break for more than 1,000 characters, or 128 emoji or other signs; pieces joined give
 * the text again.
 * Never cuts between the halves of a surrogate pair.
 */
export function cutLongRuns(text: string): string[] {
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: run, index } of text.matchAll(RUNS_PATTERN)) {
    if (index > done) pieces.push(text.slice(done, index));
    pieces.push(...cutRun(run));
    done = index + run.length;
  }
  if (done < text.length) pieces.push(text.slice(done));
  return pieces;
}

function cutRun(run: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < run.length;) {
    let end = Math.min(start + PIECE_CHARACTERS, run.length);
    if (end < run.length && isHighSurrogate(run.charCodeAt(end - 1))) end += 1;
    pieces.push(run.slice(start, end));
    start = end;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
