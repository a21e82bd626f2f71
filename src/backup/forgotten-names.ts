import { isEntityForgotten, namesForgotten } from '../storage/entity-tombstone.ts';
import type { ForgottenNames } from '../storage/forgetting/plan-without-names.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import { readKeyPages } from './read-in-pages.ts';

/**
 * Reads which names were forgotten in which messages, from the tombstones in the database and in a file. Texts
 * entered by hand here are not matched: they may have been entered after the name was forgotten.
 *
 * @param isNew whether the file has brought tombstones for a message
 */
export async function readForgottenNames(
  transaction: Transaction,
  ofFile: ReadonlyMap<string, readonly string[]>,
  isNew: (messageId: string) => boolean,
): Promise<ForgottenNames> {
  const byMessage = new Map<string, string[]>();
  const add = (messageId: string, key: string): void => {
    const known = byMessage.get(messageId);
    if (known) known.push(key);
    else byMessage.set(messageId, [key]);
  };
  for await (const keys of readKeyPages(transaction, 'tombstones')) {
    for (const key of keys) if (key.includes('/')) add(key.slice(0, key.indexOf('/')), key);
  }
  for (const [messageId, keys] of ofFile) for (const key of keys) add(messageId, key);
  byMessage.delete('');
  const bySession = new Map<string, string[]>();
  const messages = transaction.objectStore('messages').index('id');
  for (const id of byMessage.keys()) {
    const sessionId = (await messages.getKey(id))?.[0];
    if (sessionId !== undefined) bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), id]);
  }
  const inTextOf = (messageId: string, text: string): boolean =>
    namesForgotten(text, messageId, byMessage.get(messageId) ?? []);
  return {
    inTextOf,
    inTextOfSession: (sessionId, text) => (bySession.get(sessionId) ?? []).some((id) => inTextOf(id, text)),
    isInMessagesOf: (sessionId) => (bySession.get(sessionId) ?? []).some(isNew),
    isForgotten: (messageId, key) => isEntityForgotten(byMessage.get(messageId) ?? [], messageId, key),
  };
}
