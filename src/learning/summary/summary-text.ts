import { endsSentence, sentencesIn, splitSentences } from '../../language/sentences.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import { namesForgotten } from '../../storage/entity-tombstone.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';

/**
 * Returns a message without the sentences that name an entity forgotten from it, for use in summaries. Returns the
 * same object if there are none.
 *
 * @param tombstones may include those of other messages
 */
export function withoutForgotten(message: StoredMessage, tombstones: readonly string[]): StoredMessage {
  const own = tombstones.filter((tombstone) => tombstone.startsWith(`${message.id}/`));
  if (own.length === 0) return message;
  const isForgotten = (text: string): boolean => namesForgotten(text, message.id, own);
  const content = splitSentences(messageText(message))
    .filter((sentence) => !isForgotten(sentence))
    .join('');
  if (message.role !== 'assistant') return { ...message, content };
  const { tool_calls: calls, ...rest } = message;
  const kept = calls?.filter((call) => !isForgotten(call.function.arguments));
  return { ...rest, content, ...(kept ? { tool_calls: kept } : {}) };
}

/** Splits a text into pieces of limited length, at line or word ends if possible. */
export function cutIntoPieces(text: string, characters: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > characters) {
    const piece = rest.slice(0, characters);
    const lineEnd = piece.lastIndexOf('\n') + 1;
    const wordEnd = piece.lastIndexOf(' ') + 1;
    const half = characters / 2;
    const hard = /[\ud800-\udbff]$/.test(piece) ? characters - 1 : characters;
    const end = lineEnd > half ? lineEnd : wordEnd > half ? wordEnd : hard;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

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

function endNeatly(text: string, next: string | undefined): string {
  const last = sentencesIn(text).findLast(({ start, end }) => endsSentence(text.slice(start, end)));
  const sentence = text.slice(0, last?.end ?? 0).trimEnd();
  if (sentence.length > text.length / 2) return sentence;
  if (next !== undefined && /\s/u.test(next)) return text.trimEnd();
  const word = /^.*\S(?=\s)/su.exec(text)?.[0] ?? '';
  return word.length > text.length / 2 ? word : text.trimEnd();
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
