import type { Memory } from '../../../index.ts';
import { perMemory } from '../per-memory.ts';

/** Far more chats and turns than a page has open at the same time. */
const MAX_ENTRIES = 100;

/** Ids of UI messages by chat. */
class MessageIds {
  readonly #byChat = new Map<string, Set<string>>();

  add(chatId: string, messages: readonly { readonly id: string }[]): void {
    const ids = this.#byChat.get(chatId) ?? new Set();
    for (const { id } of messages) ids.add(id);
    setBounded(this.#byChat, chatId, ids);
  }

  hasAny(chatId: string, messages: readonly { readonly id: string }[]): boolean {
    const ids = this.#byChat.get(chatId);
    return ids !== undefined && messages.some(({ id }) => ids.has(id));
  }
}

/**
 * Messages that this page shows: those that it has loaded, sent or received. What another page has added to the chat in
 * the meantime must outlive an edit or a regeneration here.
 */
export const shownOnPage: MessageIds = new MessageIds();

/** Returns the messages that were in a memory. If they are not in it later, they were forgotten. */
export const onceStoredIn: (memory: Memory) => MessageIds = perMemory(() => new MessageIds());

/** Sets an entry of a map, and removes the oldest one if the map has become too large. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
}
