import type { Tiktoken, TiktokenBPE } from 'js-tiktoken/lite';
import { MnemoraError } from '../model/error.ts';
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
    return tokenizerOf(encoding, new lite.Tiktoken(ranks.default));
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

function tokenizerOf(encoding: TiktokenEncoding, bpe: Tiktoken): Tokenizer {
  const countText = (text: string): number =>
    // Two empty lists: no special token is meant as one, and none is forbidden as text.
    cutLongRuns(text).reduce((sum, piece) => sum + bpe.encode(piece, [], []).length, 0);
  return {
    id: `tiktoken/${encoding}/1`,
    countText,
    countMessage: (message) => countMessageTokens(message, countText),
  };
}
