import { inBackground } from '../model/event-loop.ts';
import type { StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import type { CountedTurn } from '../recall/context-layout.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** Limit of the counts that a tab keeps because they are not stored yet, or could not be. */
const KEPT_COUNTS = 4096;
/** Delay after which the counts of several questions are stored together. */
const STORE_AFTER_MS = 1000;

/** Stores counts by message id. It reports a failure itself, because messages can be counted again. */
export type StoreCounts = (tokenizerId: string, counts: ReadonlyMap<string, number>) => Promise<void>;

/** Counts each message once in a tab, and stores new counts in the background, so that no caller waits for a write. */
export class TokenCounts {
  readonly #store: StoreCounts;
  /** By tokenizer id and message id, oldest first. */
  readonly #known = new Map<string, number>();
  /** By tokenizer id, then message id. */
  readonly #unstored = new Map<string, Map<string, number>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(store: StoreCounts) {
    this.#store = store;
  }

  /** Returns the turns of some messages with their costs. System messages of old turns are not sent again. */
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
      for (const batch of batches) await this.#store(...batch);
    });
    return this.#storing;
  }

  #count(tokenizer: Tokenizer, message: StoredMessage): number {
    const key = JSON.stringify([tokenizer.id, message.id]);
    const known = message.tokens?.[tokenizer.id] ?? this.#known.get(key);
    if (known !== undefined) return known;
    const counted = tokenizer.countMessage(message);
    const [oldest] = this.#known.size < KEPT_COUNTS ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, counted);
    const unstored = this.#unstored.get(tokenizer.id) ?? new Map<string, number>();
    this.#unstored.set(tokenizer.id, unstored.set(message.id, counted));
    this.#timer ??= inBackground(setTimeout(() => void this.flush(), STORE_AFTER_MS));
    return counted;
  }
}
