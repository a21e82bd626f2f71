import type { Tokenizer } from '../../tokens/tokenizer.ts';

/** Returns a token limit for a running summary, with the function that cuts longer ones. */
export function summaryLimit(
  maxTokens: number,
  tokenizer: () => Promise<Tokenizer>,
): { readonly maxTokens: number; readonly shorten: (text: string) => Promise<string> } {
  return {
    maxTokens,
    shorten: async (text) => {
      const counter = await tokenizer();
      return shortenSummary(text, maxTokens, (part) => counter.countText(part));
    },
  };
}

/**
 * Returns the longest beginning of a text within a number of tokens. It ends at the end of a sentence or else of a
 * word, if there is one in its second half, and never splits a character.
 */
export function shortenSummary(text: string, maxTokens: number, countText: (text: string) => number): string {
  // No prose has this many characters per token, so the rest does not need to be counted.
  const candidate = text.slice(0, maxTokens * MAX_CHARACTERS_PER_TOKEN);
  const fits = (part: string): boolean => countText(part) <= maxTokens;
  if (candidate === text && fits(text)) return text;
  const characters = Array.from(candidate.toWellFormed());
  let size = longestFitting(characters.length, (length) => fits(characters.slice(0, length).join('')));
  for (; size > 0; size -= 1) {
    const part = endNeatly(characters.slice(0, size).join(''), characters[size]);
    // Fewer characters can be more tokens: the beginning of a word can be a different token than the word.
    if (fits(part)) return part;
  }
  return '';
}

const MAX_CHARACTERS_PER_TOKEN = 32;

const SENTENCE_END = /[.!?…]["'”’)\]]*(?=\s|$)|[。！？]/gu;
const WORD_END = /(?<=\S)(?=\s)/gu;

function endNeatly(text: string, next: string | undefined): string {
  const sentence = lastEnd(text, SENTENCE_END);
  if (sentence > text.length / 2) return text.slice(0, sentence);
  if (next !== undefined && /\s/u.test(next)) return text.trimEnd();
  const word = lastEnd(text, WORD_END);
  return word > text.length / 2 ? text.slice(0, word) : text.trimEnd();
}

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

function longestFitting(most: number, fits: (length: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
