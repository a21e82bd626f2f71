import { invalidInput } from '../model/error.ts';
import { MAX_ID_LENGTH } from '../model/id.ts';
import type { CountedMessage } from '../model/message.ts';
import { parseCountedMessages } from './chat-message-history.ts';

/**
 * Stores the message lists of chat memories, by memory id: LangChain4j's `ChatMemoryStore`. A list contains only the
 * messages that were not evicted; the transcript of the conversation is kept elsewhere.
 *
 * Messages may carry token counts. A store that drops them works, but then each message is counted on every use.
 */
export interface ChatMemoryStore {
  /** Returns the list of a memory, oldest first; empty if there is none. */
  getMessages(id: string): Promise<CountedMessage[]>;
  /** Replaces the list of a memory. */
  updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void>;
  deleteMessages(id: string): Promise<void>;
  /**
   * Reads, changes and writes a list in one transaction, so that two tabs cannot undo each other's changes. `change`
   * is synchronous; if it returns undefined, nothing is written. Without this method, changes are serialized within
   * the page only.
   *
   * @param added the messages that the change adds, including those that it evicts at once. `change` fills it; read
   *   it after `change` has returned. A store with a transcript appends them to the session with the memory's id, so
   *   that evicted messages are not lost.
   */
  changeMessages?(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
    added?: readonly CountedMessage[],
  ): Promise<void>;
}

/**
 * A store in RAM that lives as long as the page. Messages are copied when they are stored and when they are returned.
 */
export class InMemoryChatMemoryStore implements ChatMemoryStore {
  readonly #lists = new Map<string, CountedMessage[]>();

  async getMessages(id: string): Promise<CountedMessage[]> {
    return structuredClone(this.#lists.get(parseMemoryId(id)) ?? []);
  }

  async updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void> {
    this.#lists.set(parseMemoryId(id), parseCountedMessages(messages));
  }

  async deleteMessages(id: string): Promise<void> {
    this.#lists.delete(parseMemoryId(id));
  }

  async changeMessages(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
  ): Promise<void> {
    const changed = change(structuredClone(this.#lists.get(parseMemoryId(id)) ?? []));
    if (changed) this.#lists.set(id, parseCountedMessages(changed));
  }
}

/** @throws MnemoraError `invalid-input` */
export function parseMemoryId(id: unknown): string {
  if (typeof id === 'string' && id.length <= MAX_ID_LENGTH) return id;
  throw invalidInput(`The id of a chat memory must be a string of at most ${MAX_ID_LENGTH} characters.`);
}
