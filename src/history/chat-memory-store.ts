import type { CountedMessage } from '../model/message.ts';

/**
 * Where chat memories keep their lists, by memory id: LangChain4j's `ChatMemoryStore`. What a memory evicts leaves
 * its store too; the transcript is another thing and keeps everything.
 *
 * Messages may carry `tokens`, their counts by tokenizer id. A store that keeps the field saves counting again.
 */
export interface ChatMemoryStore {
  /** A fresh array; empty where the id is unknown. */
  getMessages(id: string): Promise<CountedMessage[]>;
  /** Replaces the list. */
  updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void>;
  deleteMessages(id: string): Promise<void>;
  /**
   * Reads, changes and writes in one transaction, so that two tabs cannot lose each other's messages. `change` gets
   * the list and returns the new one, or undefined to leave it. Used instead of the pair above where present.
   */
  changeMessages?(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
  ): Promise<void>;
}

/** Keeps the lists as long as the page lives. */
export class InMemoryChatMemoryStore implements ChatMemoryStore {
  readonly #lists = new Map<string, CountedMessage[]>();

  async getMessages(id: string): Promise<CountedMessage[]> {
    return structuredClone(this.#lists.get(id) ?? []);
  }

  async updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void> {
    this.#lists.set(id, structuredClone([...messages]));
  }

  async deleteMessages(id: string): Promise<void> {
    this.#lists.delete(id);
  }
}
