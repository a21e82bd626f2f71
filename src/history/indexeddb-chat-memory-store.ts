import type { CountedMessage } from '../model/message.ts';
import type { Connection } from '../storage/connection.ts';
import type { ChatMemoryStore } from './chat-memory-store.ts';

/** The lists of chat memories in IndexedDB. */
export class IndexedDbChatMemoryStore implements ChatMemoryStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  getMessages(id: string): Promise<CountedMessage[]> {
    return this.#connection.read(['chatMemories'], async (transaction) => {
      const record = await transaction.objectStore('chatMemories').get(id);
      return record?.messages ?? [];
    });
  }

  updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void> {
    return this.#connection.write(['chatMemories'], 'strict', async (transaction) => {
      await transaction.objectStore('chatMemories').put({ id, messages: [...messages] });
    });
  }

  deleteMessages(id: string): Promise<void> {
    return this.#connection.write(['chatMemories'], 'strict', (transaction) =>
      transaction.objectStore('chatMemories').delete(id),
    );
  }

  changeMessages(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
  ): Promise<void> {
    return this.#connection.write(['chatMemories'], 'strict', async (transaction) => {
      const store = transaction.objectStore('chatMemories');
      const changed = change((await store.get(id))?.messages ?? []);
      if (changed) await store.put({ id, messages: [...changed] });
    });
  }
}
