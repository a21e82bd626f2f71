import { yieldToEventLoop } from '../model/event-loop.ts';
import type { ChatMessage } from '../model/message.ts';
import { countMessageTokens, type Tokenizer } from './tokenizer.ts';

/** Maximum characters of a slice: it is counted in a few milliseconds, whatever it contains. */
export const SLICE_CHARACTERS = 4096;

/** Slices counted without a pause. */
const SLICES_AT_ONCE = 4;

/**
 * Matches up to the last place where every vocabulary begins a new word: between a letter and a single space or
 * punctuation mark with a letter after it. No apostrophe, which may continue a word.
 */
const UP_TO_A_WORD = /^[^]*\p{L}(?=[^\r\n\p{L}\p{N}\p{M}'’]\p{L})/u;

/**
 * Splits a text into slices of up to {@link SLICE_CHARACTERS}, where a new word begins if there is such a place. The
 * slices joined are the text, a slice of a slice is the slice itself, and no surrogate pair is split.
 */
export function* slicesOf(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (text.length - start > SLICE_CHARACTERS) {
    const most = text.slice(start, start + SLICE_CHARACTERS);
    const cut = UP_TO_A_WORD.exec(most)?.[0] ?? (most.isWellFormed() ? most : most.slice(0, -1));
    yield cut;
    start += cut.length;
  }
  if (start < text.length) yield text.slice(start);
}

/** Returns whether a message is so long that {@link countInSlices} has to count it. */
export function isLong(tokenizer: Tokenizer, message: ChatMessage): boolean {
  if (!tokenizer.slices) return false;
  return textsOf(message).texts.some(({ length }) => length > SLICE_CHARACTERS * SLICES_AT_ONCE);
}

/** Returns the tokens of a message; undefined if it is so long that {@link countInSlices} has to count it. */
export function countAtOnce(tokenizer: Tokenizer, message: ChatMessage): number | undefined {
  return isLong(tokenizer, message) ? undefined : tokenizer.countMessage(message);
}

/**
 * Returns what {@link Tokenizer.countMessage} returns, and yields to the event loop between the slices of a long text. A
 * tokenizer that has no slices counts at once.
 */
export async function countInSlices(tokenizer: Tokenizer, message: ChatMessage): Promise<number> {
  const atOnce = countAtOnce(tokenizer, message);
  if (atOnce !== undefined) return atOnce;
  const { texts, other } = textsOf(message);
  let tokens = other;
  let counted = 0;
  for (const text of texts) {
    for (const slice of tokenizer.slices?.(text) ?? [text]) {
      tokens += tokenizer.countText(slice);
      counted += 1;
      if (counted % SLICES_AT_ONCE === 0) await yieldToEventLoop();
    }
  }
  return tokens;
}

/** Returns the texts of a message whose tokens are counted, and the tokens of everything else. */
function textsOf(message: ChatMessage): { texts: string[]; other: number } {
  const texts: string[] = [];
  const other = countMessageTokens(message, (text) => {
    texts.push(text);
    return 0;
  });
  return { texts, other };
}
