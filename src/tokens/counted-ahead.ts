import type { ChatMessage } from '../model/message.ts';
import { countInSlices, isLong } from './count-in-slices.ts';
import type { Tokenizer } from './tokenizer.ts';

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
