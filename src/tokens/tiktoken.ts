import type { TiktokenBPE } from 'js-tiktoken/lite';
import { invalidOption, MnemoraError } from '../model/error.ts';
import { memoizeAsync } from '../model/loading.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { countBytePairs, type TokenRanks } from './byte-pairs.ts';
import { slicesOf } from './slices.ts';
import { tokenizerOf, type Tokenizer } from './tokenizer.ts';

/** Vocabularies of OpenAI's models: `o200k_base` since GPT-4o, `cl100k_base` before. */
export type TiktokenEncoding = 'o200k_base' | 'cl100k_base';

/**
 * Returns a tokenizer that counts exactly as OpenAI's models do. The vocabulary (1.1 or 2.3 MB of script) is loaded by the
 * first call and shared by all later ones; after a failed load the next call tries again.
 *
 * Counts are exact, except that a run of 4,096 characters without the end of a word is split, which changes the count
 * by at most three tokens for each split. Text that looks like a special token is counted as plain text.
 *
 * @throws MnemoraError `tokenizer-unavailable` if the vocabulary cannot be loaded; `invalid-option` for an unknown
 *   encoding
 * @example
 * const tokenizer = await tiktokenTokenizer();
 * tokenizer.countText('hello world'); // 2
 */
export function tiktokenTokenizer(encoding: TiktokenEncoding = 'o200k_base'): Promise<Tokenizer> {
  const load = Object.hasOwn(LOADS, encoding) ? LOADS[encoding] : undefined;
  if (load) return load();
  const known = Object.keys(LOADS).join(', ');
  return Promise.reject(
    invalidOption(`There is no encoding ${JSON.stringify(encoding)}: use one of ${known}.`),
  );
}

// Literal names, because bundlers cannot resolve a computed dynamic import.
const LOADS: Readonly<Record<TiktokenEncoding, () => Promise<Tokenizer>>> = {
  o200k_base: memoizeAsync(() => loadTokenizer('o200k_base', () => import('js-tiktoken/ranks/o200k_base'))),
  cl100k_base: memoizeAsync(() =>
    loadTokenizer('cl100k_base', () => import('js-tiktoken/ranks/cl100k_base')),
  ),
};

async function loadTokenizer(
  encoding: TiktokenEncoding,
  loadRanks: () => Promise<{ default: TiktokenBPE }>,
): Promise<Tokenizer> {
  try {
    const { bpe_ranks: list, pat_str: words } = (await loadRanks()).default;
    const countText = textCounter(await readRanks(list), new RegExp(words, 'gu'));
    return { ...tokenizerOf(`tiktoken/${encoding}/2`, countText), slices: slicesOf };
  } catch (cause) {
    throw new MnemoraError(
      'tokenizer-unavailable',
      `The vocabulary ${encoding} could not be loaded. Check that the page's scripts can be reached, or count with approximateTokenizer().`,
      { cause },
    );
  }
}

/** Tokens added without a pause: a few milliseconds. */
const TOKENS_AT_ONCE = 2000;

/** Returns the ranks of a vocabulary, read in slices because there are up to 200,000 tokens. */
async function readRanks(list: string): Promise<TokenRanks> {
  const ranks = new Map<string, number>();
  for (const line of list.split('\n')) {
    const [, first = '', ...tokens] = line.split(' ');
    for (const [position, token] of tokens.entries()) {
      // Chromium keeps what `atob` returns outside of the heap of JavaScript, and visits all such strings in one task of
      // a garbage collection. The joined string is a copy within the heap.
      ranks.set(atob(token).split('').join(''), Number(first) + position);
      if (ranks.size % TOKENS_AT_ONCE === 0) await yieldToEventLoop();
    }
  }
  return ranks;
}

/** Limits of the per-word token-count cache: number of words, and characters of a word. */
const KNOWN_WORDS = 16_384;
const MAX_WORD_CHARACTERS = 32;

/** @param words the pattern by which the encoding splits a text into words; no token crosses a word boundary */
function textCounter(ranks: TokenRanks, words: RegExp): Tokenizer['countText'] {
  const known = new Map<string, number>();
  const encoder = new TextEncoder();
  const countWord = (word: string): number => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const tokens = countBytePairs(String.fromCharCode(...encoder.encode(word)), ranks);
    if (known.size === KNOWN_WORDS) known.clear();
    if (word.length <= MAX_WORD_CHARACTERS) known.set(word, tokens);
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const slice of slicesOf(text)) for (const [word] of slice.matchAll(words)) tokens += countWord(word);
    return tokens;
  };
}
