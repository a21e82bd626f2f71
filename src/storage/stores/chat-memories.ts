import { sameMessage } from '../../model/message.ts';
import { bySession } from '../erasure.ts';
import type { StoreDefinition } from '../store-definition.ts';

export const chatMemories: StoreDefinition<'chatMemories'> = {
  keyPath: 'id',
  /** The list of a chat memory is what is left of the session of its id. */
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
};
