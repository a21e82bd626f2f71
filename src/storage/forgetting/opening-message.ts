import { messageText } from '../../model/message.ts';
import { TITLE_SOURCE_CHARACTERS } from '../transcript/append-plan.ts';
import { namesForgotten } from '../entity-tombstone.ts';
import { tombstonesOf } from '../tombstones-of.ts';
import { startingWith } from '../key-range.ts';
import type { MessageRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

/**
 * Returns the first user message that can give a session its title: it is not being erased, and names no entity that
 * was forgotten in it.
 */
export async function openingMessage(
  transaction: Transaction,
  sessionId: string,
  isErased: (messageId: string) => boolean = () => false,
): Promise<MessageRecord | undefined> {
  let cursor = await transaction.objectStore('messages').openCursor(startingWith(sessionId));
  for (; cursor; cursor = await cursor.advance(1)) {
    const message = cursor.value;
    if (message.role !== 'user' || isErased(message.id)) continue;
    const beginning = messageText(message).slice(0, TITLE_SOURCE_CHARACTERS);
    if (!namesForgotten(beginning, message.id, await tombstonesOf(transaction, [message.id]))) return message;
  }
  return undefined;
}
