import { MnemoraError } from '../model/error.ts';
import type { CountedMessage } from '../model/message.ts';
import { parseCountedMessages } from './counted-messages.ts';

/**
 * Where chat memories keep their lists, by memory id: LangChain4j's `ChatMemoryStore`. A list that is evicted from is
 * stored without what was evicted; the transcript of the conversation is kept elsewhere.
 *
 * Messages may carry token counts. A store that drops them works, but then each message is counted at every use.
 */
export interface ChatMemoryStore {
  /** The list of a memory, oldest first; empty where there is none. */
  getMessages(id: string): Promise<CountedMessage[]>;
  /** Replaces the list of a memory. */
  updateMessages(id: string, messages: readonly CountedMessage[]): Promise<void>;
  deleteMessages(id: string): Promise<void>;
  /**
   * Reads, changes and writes a list in one transaction, so that two tabs cannot undo each other's changes.
   * `change` is synchronous; where it returns undefined nothing is written. Without this method changes are serialized
   * within the page only.
   *
   * @param added the messages that the change adds, also those that it evicts at once: filled by `change`, to be read
   *   when that has returned. A store that keeps a transcript appends them to that of the session whose id is the
   *   memory's, so that what is evicted is not lost.
   */
  changeMessages?(
    id: string,
    change: (messages: readonly CountedMessage[]) => readonly CountedMessage[] | undefined,
    added?: readonly CountedMessage[],
  ): Promise<void>;
}

/** A store that lives as long as the page. It hands out copies, and keeps copies. */
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
  if (typeof id === 'string') return id;
  throw new MnemoraError('invalid-input', `The id of a chat memory must be a string; got ${String(id)}.`);
}
