import type { Tiktoken, TiktokenBPE } from 'js-tiktoken/lite';
import { MnemoraError } from '../model/error.ts';
import { yieldToEventLoop } from '../model/yield-to-event-loop.ts';
import { cutLongRuns } from './long-runs.ts';
import { countMessageTokens } from './message-tokens.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Vocabularies of OpenAI's models: `o200k_base` since GPT-4o, `cl100k_base` before. */
export type TiktokenEncoding = 'o200k_base' | 'cl100k_base';

/**
 * Counts as OpenAI's models do. The vocabulary (1 to 2 MB of script) is loaded at the first call and shared by all
 * later ones; a load that failed is tried again by the next call.
 *
 * Exact but for strings of more than 1,000 characters without a break, and of more than 128 emoji: those are counted
 * in pieces, because the time for one piece grows with the square of its length. Text that looks like a special token is counted as plain text.
 *
 * @throws MnemoraError `tokenizer-unavailable` where the vocabulary cannot be loaded; `invalid-option` on an unknown
 *   encoding.
 * @example
 * const tokenizer = await tiktokenTokenizer();
 * tokenizer.countText('hello world'); // 2
 */
export function tiktokenTokenizer(encoding: TiktokenEncoding = 'o200k_base'): Promise<Tokenizer> {
  const running = loads.get(encoding);
  if (running) return running;
  const load = loadTokenizer(encoding);
  loads.set(encoding, load);
  // The caller gets the rejection from the promise itself; this only makes room for another try.
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

// Written out, because bundlers find a dynamic import by its literal name only.
const RANKS: Readonly<Record<TiktokenEncoding, () => Promise<{ default: TiktokenBPE }>>> = {
  o200k_base: () => import('js-tiktoken/ranks/o200k_base'),
  cl100k_base: () => import('js-tiktoken/ranks/cl100k_base'),
};

/** Tokens that are taken up in one go: some milliseconds. */
const TOKENS_AT_ONCE = 2000;

/**
 * What `new Tiktoken(ranks)` makes, for encoding, without keeping the page from answering for half a second: the library
 * takes up all of a vocabulary's tokens in one go.
 */
async function inSlices(make: typeof Tiktoken, ranks: TiktokenBPE): Promise<Tiktoken> {
  const bpe = new make({ ...ranks, bpe_ranks: '' });
  const rankOf: unknown = Reflect.get(bpe, 'rankMap');
  if (!(rankOf instanceof Map)) return new make(ranks); // another version of the library, which keeps them otherwise
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

/** As the library names a token: its bytes in decimal, with commas between. */
function bytesOf(base64: string): string {
  const units = atob(base64);
  let bytes = String(units.charCodeAt(0));
  for (let at = 1; at < units.length; at++) bytes += `,${units.charCodeAt(at)}`;
  return bytes;
}

/** Limits of the cache of words, in words and in characters of each: the same ones come again and again. */
const KNOWN_WORDS = 16_384;
const MAX_WORD_CHARACTERS = 32;

/** @param words what the encoding splits a text by, before it looks at anything else: no token reaches across */
function tokenizerOf(encoding: TiktokenEncoding, bpe: Tiktoken, words: RegExp): Tokenizer {
  const known = new Map<string, number>();
  const countWord = (word: string): number => {
    const before = known.get(word);
    if (before !== undefined) return before;
    // Two empty lists: no special token is meant as one, and none is forbidden as text.
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
