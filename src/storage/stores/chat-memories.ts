import type { CountedMessage } from '../../model/message.ts';
import { checkWire, encodeContent, WIRE_FIELDS } from '../codec/backup-messages.ts';
import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { sameMessage } from '../../model/message.ts';
import { bySession } from '../erasure.ts';
import type { StoreRules } from './rules.ts';

export const chatMemories: StoreRules<'chatMemories'> = {
  /** The list of a chat memory belongs to the session with the same id, and loses its erased messages. */
  async erase(transaction, erasure) {
    const store = transaction.objectStore('chatMemories');
    const lists = await Promise.all(
      Array.from(bySession(erasure), async ([id, erased]) => {
        const list = await store.get(id);
        const messages = list?.messages.filter((message) => !erased.some((row) => sameMessage(row, message)));
        return list && messages && messages.length < list.messages.length ? [{ ...list, messages }] : [];
      }),
    );
    return { puts: lists.flat().map((row) => ({ store: 'chatMemories', row })) };
  },
  backup: {
    keyOf: ({ id }) => [id],
    read: checkChatMemory,
    write: ({ id, messages }, { holdsAllScopes }) =>
      holdsAllScopes
        ? { id, messages: messages.map((message) => ({ ...message, ...encodeContent(message) })) }
        : undefined,
  },
};

function checkChatMemory(row: unknown): BackupRows['chatMemories'] {
  const fields = new RowFields(row, ['id', 'messages']);
  const messages = fields.list('messages').map((message, index): CountedMessage => {
    const given = new RowFields(message, [...WIRE_FIELDS, 'tokens'], `message ${index}`);
    return { ...checkWire(given), ...given.optional('tokens', (name) => given.counts(name)) };
  });
  return { id: fields.id('id'), messages };
}
