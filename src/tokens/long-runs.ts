/** Longest run of characters without a break, or of white space only, that is not split. */
const MAX_RUN_CHARACTERS = 1000;

/** Long enough to split few tokens, short enough that quadratic time does not matter. */
const PIECE_CHARACTERS = 32;

/** Anything but letters, digits, space and ASCII: vocabularies treat a run of emoji, of four bytes each, as one word. */
const SYMBOL = '[^\\s\\p{L}\\p{N}\\x21-\\x7e]';
/** In characters, not UTF-16 units. */
const MAX_SYMBOL_CHARACTERS = 128;

// The lookbehind prevents a match attempt at each character of a run that is too short.
const RUNS_PATTERN = new RegExp(
  ['\\S', '\\s'].map((kind) => `(?<!${kind})${kind}{${MAX_RUN_CHARACTERS + 1},}`).join('|') +
    `|(?<!${SYMBOL})${SYMBOL}{${MAX_SYMBOL_CHARACTERS + 1},}`,
  'gu',
);

/**
 * Splits runs of more than 1,000 characters without a break, or of more than 128 emoji or other symbols. The pieces
 * joined are the text. Never splits a surrogate pair.
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
