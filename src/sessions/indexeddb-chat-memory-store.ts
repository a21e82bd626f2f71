import type { CountedMessage } from '../model/message.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { parseMemoryId, type ChatMemoryStore } from './chat-memory-store.ts';
import { parseCountedMessages } from './transcript-history.ts';

/** The lists of chat memories in IndexedDB. */
export class IndexedDbChatMemoryStore implements ChatMemoryStore {
  readonly #connection: StorageEngine;

  constructor(connection: StorageEngine) {
    this.#connection = connection;
  }

  async getMessages(id: string): Promise<CountedMessage[]> {
    const key = parseMemoryId(id);
    return this.#connection.read(['chatMemories'], async (transaction) => {
      const record = await transaction.objectStore('chatMemories').get(key);
      return record?.messages ?? [];
    });
  }

  async updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void> {
    const record = { id: parseMemoryId(id), messages: parseCountedMessages(messages) };
    await this.#connection.write(['chatMemories'], 'strict', (transaction) =>
      transaction.objectStore('chatMemories').put(record),
    );
  }

  async deleteMessages(id: string): Promise<void> {
    const key = parseMemoryId(id);
    await this.#connection.write(['chatMemories'], 'strict', (transaction) =>
      transaction.objectStore('chatMemories').delete(key),
    );
  }

  async changeMessages(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
  ): Promise<void> {
    const key = parseMemoryId(id);
    await this.#connection.write(['chatMemories'], 'strict', async (transaction) => {
      const store = transaction.objectStore('chatMemories');
      const changed = change((await store.get(key))?.messages ?? []);
      if (changed) await store.put({ id: key, messages: parseCountedMessages(changed) });
    });
  }
}
