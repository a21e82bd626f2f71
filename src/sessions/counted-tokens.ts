import type { StoredMessage } from '../model/message.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { ChatMessageHistory } from './chat-message-history.ts';

/** Token counts of stored messages. Stored counts are reused; new ones can be stored with the messages. */
export class CountedTokens {
  readonly #tokenizer: Tokenizer;
  readonly #counted = new Map<string, number>();

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  of(message: StoredMessage): number {
    const known = message.tokens?.[this.#tokenizer.id] ?? this.#counted.get(message.id);
    if (known !== undefined) return known;
    const count = this.#tokenizer.countMessage(message);
    this.#counted.set(message.id, count);
    return count;
  }

  /**
   * Stores the new counts, if the history stores counts.
   *
   * @param onFailure called if they could not be stored; nothing else is lost, as they can be counted again
   */
  async record(
    history: Pick<ChatMessageHistory, 'recordTokens'>,
    onFailure: (cause: unknown) => void = () => undefined,
  ): Promise<void> {
    if (this.#counted.size === 0) return;
    try {
      await history.recordTokens?.(this.#tokenizer.id, this.#counted);
    } catch (cause) {
      onFailure(cause);
    }
  }
}
