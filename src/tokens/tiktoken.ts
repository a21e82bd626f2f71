import type { Tiktoken, TiktokenBPE } from 'js-tiktoken/lite';
import { invalidOption, MnemoraError } from '../model/error.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { tokenizerOf, type Tokenizer } from './tokenizer.ts';

/** Vocabularies of OpenAI's models: `o200k_base` since GPT-4o, `cl100k_base` before. */
export type TiktokenEncoding = 'o200k_base' | 'cl100k_base';

/**
 * Returns a tokenizer that counts exactly as OpenAI's models do. The vocabulary (1 to 2 MB of script) is loaded by the
 * first call and shared by all later ones; after a failed load the next call tries again.
 *
 * Counts are exact except for runs of more than 1,000 characters without a break and of more than 128 emoji, which are
 * counted in pieces because the time grows with the square of the length. Text that looks like a special token is
 * counted as plain text.
 *
 * @throws MnemoraError `tokenizer-unavailable` if the vocabulary cannot be loaded; `invalid-option` for an unknown
 *   encoding
 * @example
 * const tokenizer = await tiktokenTokenizer();
 * tokenizer.countText('hello world'); // 2
 */
export function tiktokenTokenizer(encoding: TiktokenEncoding = 'o200k_base'): Promise<Tokenizer> {
  const running = loads.get(encoding);
  if (running) return running;
  const load = loadTokenizer(encoding);
  loads.set(encoding, load);
  // The caller gets the rejection from the promise itself; this only allows the next call to try again.
  load.catch(() => loads.delete(encoding));
  return load;
}

const loads = new Map<TiktokenEncoding, Promise<Tokenizer>>();

async function loadTokenizer(encoding: TiktokenEncoding): Promise<Tokenizer> {
  const loadRanks = RANKS[encoding];
  if (!Object.hasOwn(RANKS, encoding)) {
    throw invalidOption(
      `There is no encoding ${JSON.stringify(encoding)}: use one of ${Object.keys(RANKS).join(', ')}.`,
    );
  }
  try {
    const [lite, ranks] = await Promise.all([import('js-tiktoken/lite'), loadRanks()]);
    const bpe = await inSlices(lite.Tiktoken, ranks.default);
    const words = new RegExp(ranks.default.pat_str, 'gu');
    return tokenizerOf(`tiktoken/${encoding}/1`, textCounter(bpe, words));
  } catch (cause) {
    throw new MnemoraError(
      'tokenizer-unavailable',
      `The vocabulary ${encoding} could not be loaded. Check that the page's scripts can be reached, or count with approximateTokenizer().`,
      { cause },
    );
  }
}

// Literal names, because bundlers cannot resolve a computed dynamic import.
const RANKS: Readonly<Record<TiktokenEncoding, () => Promise<{ default: TiktokenBPE }>>> = {
  o200k_base: () => import('js-tiktoken/ranks/o200k_base'),
  cl100k_base: () => import('js-tiktoken/ranks/cl100k_base'),
};

/** Tokens added without a pause: a few milliseconds. */
const TOKENS_AT_ONCE = 2000;

/**
 * Returns what `new Tiktoken(ranks)` does, for encoding only, but in slices: the library's constructor adds all tokens at
 * once, which blocks the page for half a second.
 */
async function inSlices(make: typeof Tiktoken, ranks: TiktokenBPE): Promise<Tiktoken> {
  const bpe = new make({ ...ranks, bpe_ranks: '' });
  const rankOf: unknown = Reflect.get(bpe, 'rankMap');
  if (!(rankOf instanceof Map)) return new make(ranks); // a version of the library with other internals
  let left = TOKENS_AT_ONCE;
  for (const line of ranks.bpe_ranks.split('\n')) {
    const [, first = '', ...tokens] = line.split(' ');
    for (const [position, token] of tokens.entries()) {
      rankOf.set(bytesOf(token), Number(first) + position);
      left -= 1;
      if (left > 0) continue;
      await yieldToEventLoop();
      left = TOKENS_AT_ONCE;
    }
  }
  return bpe;
}

/** Returns the library's key of a token: its bytes in decimal, separated by commas. */
function bytesOf(base64: string): string {
  const units = atob(base64);
  let bytes = String(units.charCodeAt(0));
  for (let at = 1; at < units.length; at++) bytes += `,${units.charCodeAt(at)}`;
  return bytes;
}

/** Limits of the per-word token-count cache: number of words, and characters of a word. */
const KNOWN_WORDS = 16_384;
const MAX_WORD_CHARACTERS = 32;

/** @param words the pattern by which the encoding splits a text into words; no token crosses a word boundary */
function textCounter(bpe: Tiktoken, words: RegExp): Tokenizer['countText'] {
  const known = new Map<string, number>();
  const countWord = (word: string): number => {
    const before = known.get(word);
    if (before !== undefined) return before;
    // Two empty lists: no special token is allowed, and none is forbidden in the text.
    const tokens = bpe.encode(word, [], []).length;
    if (known.size === KNOWN_WORDS) known.clear();
    if (word.length <= MAX_WORD_CHARACTERS) known.set(word, tokens);
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const piece of cutLongRuns(text))
      for (const [word] of piece.matchAll(words)) tokens += countWord(word);
    return tokens;
  };
}

/** Longest run of characters without a break, or of white space only, that is not split. */
const MAX_RUN_CHARACTERS = 1000;

/**
 * Matches a piece of a run, which is not cut inside a surrogate pair. 32 characters are long enough to split few tokens,
 * short enough that quadratic time does not matter.
 */
const PIECE = /[^]{31}[\ud800-\udbff][^]|[^]{1,32}/g;

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
    pieces.push(...(run.match(PIECE) ?? []));
    done = index + run.length;
  }
  if (done < text.length) pieces.push(text.slice(done));
  return pieces;
}
