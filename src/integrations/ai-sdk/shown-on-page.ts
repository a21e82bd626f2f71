import { setBounded } from './set-bounded.ts';

interface ShownMessage {
  readonly id: string;
}

/** Ids of the UI messages that this page has shown, by chat. */
const shown = new Map<string, Set<string>>();

/**
 * Records messages that this page shows: those that it has loaded, sent or received. Messages that another page has
 * added in the meantime must survive an edit or a regeneration here.
 */
export function noteShown(chatId: string, messages: readonly ShownMessage[]): void {
  const ids = shown.get(chatId) ?? new Set();
  for (const { id } of messages) ids.add(id);
  setBounded(shown, chatId, ids);
}

/** Returns whether this page has shown any of these messages. */
export function wasShown(chatId: string, messages: readonly ShownMessage[]): boolean {
  const ids = shown.get(chatId);
  return ids !== undefined && messages.some(({ id }) => ids.has(id));
}
