import { yieldToEventLoop } from '../model/event-loop.ts';
import type { ChatMessage, CountedMessage } from '../model/message.ts';
import { SLICE_CHARACTERS } from './slices.ts';
import { countMessageTokens, wholeCount, type Tokenizer } from './tokenizer.ts';

/** Number of slices up to which a text is counted without a pause. */
const SLICES_AT_ONCE = 4;

/**
 * Returns a message with its tokens, unless it is so long that {@link countInSlices} has to count it. That is done when
 * they are first needed: if a turn waited for its slices before it is stored, a later one could overtake it. A message
 * that cannot be counted is stored, too: the error is thrown to the caller who needs its tokens.
 */
export function withTokens(message: ChatMessage, tokenizer: Tokenizer | undefined): CountedMessage {
  if (!tokenizer || isLong(tokenizer, message)) return message;
  try {
    return { ...message, tokens: { [tokenizer.id]: wholeCount(tokenizer, tokenizer.countMessage(message)) } };
  } catch {
    return message;
  }
}

/**
 * Returns what {@link Tokenizer.countMessage} returns as a whole number, and yields to the event loop between the slices of
 * a long text. A tokenizer that has no slices counts at once.
 *
 * @throws MnemoraError `invalid-option` if the tokenizer does not return a count
 */
export async function countInSlices(tokenizer: Tokenizer, message: ChatMessage): Promise<number> {
  if (!isLong(tokenizer, message)) return wholeCount(tokenizer, tokenizer.countMessage(message));
  const { texts, other } = textsOf(message);
  let tokens = other;
  for (const text of texts) {
    for (const slice of tokenizer.slices?.(text) ?? [text]) {
      tokens += tokenizer.countText(slice);
      await yieldToEventLoop();
    }
  }
  return wholeCount(tokenizer, tokens);
}

/** Returns whether a message is so long that {@link countInSlices} has to count it. */
function isLong(tokenizer: Tokenizer, message: ChatMessage): boolean {
  return (
    tokenizer.slices !== undefined &&
    textsOf(message).texts.some(({ length }) => length > SLICE_CHARACTERS * SLICES_AT_ONCE)
  );
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

/**
 * Returns a tokenizer that has counted a long text already, so that laying out a request does not count it again. Text
 * in front of it is counted separately, which may add a few tokens where the two meet.
 */
export async function countedAhead(tokenizer: Tokenizer, content: string): Promise<Tokenizer> {
  const message: ChatMessage = { role: 'user', content };
  if (!isLong(tokenizer, message)) return tokenizer;
  const tokens =
    (await countInSlices(tokenizer, message)) - tokenizer.countMessage({ ...message, content: '' });
  const inFront = (text: string): string => text.slice(0, -content.length);
  return {
    id: tokenizer.id,
    slices: (text) => tokenizer.slices?.(text) ?? [text],
    countText: (text) =>
      text.endsWith(content) ? tokens + tokenizer.countText(inFront(text)) : tokenizer.countText(text),
    countMessage: (other) =>
      other.role === 'user' && typeof other.content === 'string' && other.content.endsWith(content)
        ? tokens + tokenizer.countMessage({ ...other, content: inFront(other.content) })
        : tokenizer.countMessage(other),
  };
}
