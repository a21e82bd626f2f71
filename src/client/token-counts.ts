import { splitTurns } from '../model/turn.ts';
import type { StoredMessage } from '../model/message.ts';
import type { CountedTurn } from '../recall/context-layout.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** What a tab remembers of counts that are not stored yet, or could not be. */
const KEPT_COUNTS = 4096;
/** Counts of several questions are stored together. */
const STORE_AFTER_MS = 1000;

/** How counts are stored. It tells of a failure itself: they can be made again. */
export type StoreCounts = (tokenizerId: string, counts: ReadonlyMap<string, number>) => Promise<void>;

/**
 * Counts messages, each once in a tab, and stores in the background what was not stored: nobody who asks waits for a
 * write.
 */
export class TokenCounts {
  readonly #store: StoreCounts;
  /** By tokenizer id and message id, the oldest first. */
  readonly #known = new Map<string, number>();
  /** By tokenizer id, then message id. */
  readonly #unstored = new Map<string, Map<string, number>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(store: StoreCounts) {
    this.#store = store;
  }

  /** The turns of some messages, with what they cost; system messages of old turns are not sent again. */
  countTurns(tokenizer: Tokenizer, messages: readonly StoredMessage[]): CountedTurn[] {
    const said = messages.filter((message) => message.role !== 'system');
    return splitTurns(said).map((turn) => ({
      turn: turn[0]?.turn ?? 0,
      tokens: turn.reduce((sum, message) => sum + this.#count(tokenizer, message), 0),
      messages: turn,
    }));
  }

  /** Stores what is not stored yet. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batches = [...this.#unstored];
    this.#unstored.clear();
    this.#storing = this.#storing.then(async () => {
      for (const [tokenizerId, counts] of batches) await this.#store(tokenizerId, counts);
    });
    return this.#storing;
  }

  #count(tokenizer: Tokenizer, message: StoredMessage): number {
    const stored = message.tokens?.[tokenizer.id];
    if (stored !== undefined) return stored;
    const key = JSON.stringify([tokenizer.id, message.id]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const counted = tokenizer.countMessage(message);
    const [oldest] = this.#known.size < KEPT_COUNTS ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, counted);
    this.#storeLater(tokenizer.id, message.id, counted);
    return counted;
  }

  #storeLater(tokenizerId: string, messageId: string, count: number): void {
    const counts = this.#unstored.get(tokenizerId) ?? new Map<string, number>();
    this.#unstored.set(tokenizerId, counts.set(messageId, count));
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.flush(), STORE_AFTER_MS);
    // Outside of a browser a timer is an object that would keep the process from ending.
    if (typeof this.#timer === 'object' && 'unref' in this.#timer) (this.#timer as { unref(): void }).unref();
  }
}
