import type { Memory } from '../../../index.ts';
import { prefixOf } from '../../record-key.ts';

/** The namespace of the records that name deleted chats. */
const NAMESPACE = 'ai-sdk/deleted-chats';

/** Records that a chat was deleted, for other tabs that still show it. The record holds the id of the chat alone. */
export async function noteDeleted(memory: Memory, chatId: string): Promise<void> {
  await memory.records(NAMESPACE).put(prefixOf(chatId), true);
}

/** Removes the record of a deletion: a chat with this id begins. */
export async function noteCreated(memory: Memory, chatId: string): Promise<void> {
  await memory.records(NAMESPACE).delete(prefixOf(chatId));
}

/** Returns whether a chat was deleted, and has no turn but this one. */
export async function isDeleted(
  memory: Memory,
  chatId: string,
  turnId: string,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await memory.records(NAMESPACE).get(prefixOf(chatId), { signal })) === undefined) return false;
  const stored = await memory.history({ sessionId: chatId, signal });
  return stored.every((message) => message.turnId === turnId);
}
