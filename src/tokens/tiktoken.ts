import type { Tiktoken, TiktokenBPE } from 'js-tiktoken/lite';
import { MnemoraError } from '../model/error.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { cutLongRuns } from './long-runs.ts';
import { countMessageTokens } from './message-tokens.ts';
import type { Tokenizer } from './tokenizer.ts';

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
    throw new MnemoraError(
      'invalid-option',
      `There is no encoding ${JSON.stringify(encoding)}: use one of ${Object.keys(RANKS).join(', ')}.`,
    );
  }
  try {
    const [lite, ranks] = await Promise.all([import('js-tiktoken/lite'), loadRanks()]);
    const bpe = await inSlices(lite.Tiktoken, ranks.default);
    return tokenizerOf(encoding, bpe, new RegExp(ranks.default.pat_str, 'gu'));
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
function tokenizerOf(encoding: TiktokenEncoding, bpe: Tiktoken, words: RegExp): Tokenizer {
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
  const countText = (text: string): number => {
    let tokens = 0;
    for (const piece of cutLongRuns(text))
      for (const [word] of piece.matchAll(words)) tokens += countWord(word);
    return tokens;
  };
  return {
    id: `tiktoken/${encoding}/1`,
    countText,
    countMessage: (message) => countMessageTokens(message, countText),
  };
}
