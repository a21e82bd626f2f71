import type { StoredMessage } from '../../model/message.ts';
import { messageText } from '../../model/message.ts';
import { namesForgotten } from '../../storage/entity-tombstone.ts';
import { splitSentences } from '../near-copies.ts';

/**
 * A message without the sentences that name somebody who was forgotten as told by it: what a summary is made of. The
 * same message where there are none.
 *
 * @param tombstones those of the message, and maybe of others
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
