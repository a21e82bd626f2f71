import type { Memory } from '../../../index.ts';
import { setBounded } from '../set-bounded.ts';

interface ShownMessage {
  readonly id: string;
}

/** Ids of UI messages by chat. */
type IdsByChat = Map<string, Set<string>>;

const shown: IdsByChat = new Map();
const stored = new WeakMap<Memory, IdsByChat>();

/**
 * Records messages that this page shows: those that it has loaded, sent or received. What another page has added to the
 * chat in the meantime must outlive an edit or a regeneration here.
 */
export function noteShown(chatId: string, messages: readonly ShownMessage[]): void {
  note(shown, chatId, messages);
}

/** Returns whether this page has shown any of these messages. */
export function wasShown(chatId: string, messages: readonly ShownMessage[]): boolean {
  return isNoted(shown, chatId, messages);
}

/** Records messages that are in this memory. If they are not in it later, they were forgotten. */
export function noteStored(memory: Memory, chatId: string, messages: readonly ShownMessage[]): void {
  const chats: IdsByChat = stored.get(memory) ?? new Map();
  stored.set(memory, chats);
  note(chats, chatId, messages);
}

/** Returns whether any of these messages was in this memory. */
export function wasStored(memory: Memory, chatId: string, messages: readonly ShownMessage[]): boolean {
  return isNoted(stored.get(memory), chatId, messages);
}

function note(chats: IdsByChat, chatId: string, messages: readonly ShownMessage[]): void {
  const ids = chats.get(chatId) ?? new Set();
  for (const { id } of messages) ids.add(id);
  setBounded(chats, chatId, ids);
}

function isNoted(chats: IdsByChat | undefined, chatId: string, messages: readonly ShownMessage[]): boolean {
  const ids = chats?.get(chatId);
  return ids !== undefined && messages.some(({ id }) => ids.has(id));
}
