import type { CountedMessage } from '../model/message.ts';
import { appendTurn } from '../storage/transcript/append-turn.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { parseMemoryId, type ChatMemoryStore } from './chat-memory-store.ts';
import { parseCountedMessages } from './counted-messages.ts';

/** Stores the lists of chat memories in a database. */
export class IndexedDbChatMemoryStore implements ChatMemoryStore {
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  async getMessages(id: string): Promise<CountedMessage[]> {
    const key = parseMemoryId(id);
    return this.#engine.read(['chatMemories'], async (transaction) => {
      const record = await transaction.objectStore('chatMemories').get(key);
      return record?.messages ?? [];
    });
  }

  async updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void> {
    const record = { id: parseMemoryId(id), messages: parseCountedMessages(messages) };
    await this.#engine.write(['chatMemories'], 'strict', (transaction) =>
      transaction.objectStore('chatMemories').put(record),
    );
  }

  async deleteMessages(id: string): Promise<void> {
    const key = parseMemoryId(id);
    await this.#engine.write(['chatMemories'], 'strict', (transaction) =>
      transaction.objectStore('chatMemories').delete(key),
    );
  }

  async changeMessages(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
    added: readonly CountedMessage[] = [],
  ): Promise<void> {
    const key = parseMemoryId(id);
    await this.#engine.write(
      ['chatMemories', 'sessions', 'messages', 'changes'],
      'strict',
      async (transaction) => {
        const store = transaction.objectStore('chatMemories');
        const changed = change((await store.get(key))?.messages ?? []);
        if (changed) await store.put({ id: key, messages: parseCountedMessages(changed) });
        if (added.length === 0) return;
        // Evicted messages stay in the transcript of the session with the memory's id.
        const now = Date.now();
        const messages = parseCountedMessages(added);
        await appendTurn(transaction, { sessionId: key, messages, state: 'complete', createdAt: now }, now);
      },
    );
  }
}
