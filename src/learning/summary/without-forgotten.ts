import type { StoredMessage } from '../../model/message.ts';
import { messageText } from '../../model/message.ts';
import { namesForgotten } from '../../storage/entity-tombstone.ts';
import { splitSentences } from '../near-copies.ts';

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
