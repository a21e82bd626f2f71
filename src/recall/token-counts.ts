import { inBackground } from '../model/event-loop.ts';
import type { StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import { APPROXIMATE_ID } from '../tokens/approximate.ts';
import { countInSlices } from '../tokens/count-in-slices.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { CountedTurn } from './layout/context-layout.ts';

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
  #isClosed = false;

  constructor(store: StoreCounts) {
    this.#store = store;
  }

  /**
   * Groups messages into turns with the cost of each turn and message. System messages of old turns are not sent again.
   */
  async countTurns(tokenizer: Tokenizer, messages: readonly StoredMessage[]): Promise<CountedTurn[]> {
    const said = messages.filter((message) => message.role !== 'system');
    const counted: CountedTurn[] = [];
    for (const turn of splitTurns(said)) {
      let sum = 0;
      const costed: StoredMessage[] = [];
      for (const message of turn) {
        const tokens = this.#find(tokenizer, message) ?? (await this.#count(tokenizer, message));
        costed.push({ ...message, tokens: { ...message.tokens, [tokenizer.id]: tokens } });
        sum += tokens;
      }
      counted.push({ turn: turn[0]?.turn ?? 0, tokens: sum, messages: costed });
    }
    return counted;
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

  /** Ends storing. Call it after the last {@link flush}. Questions that are under way are still counted. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #find(tokenizer: Tokenizer, message: StoredMessage): number | undefined {
    return message.tokens?.[tokenizer.id] ?? this.#known.get(keyOf(tokenizer, message));
  }

  async #count(tokenizer: Tokenizer, message: StoredMessage): Promise<number> {
    const counted = await countInSlices(tokenizer, message);
    const [oldest] = this.#known.size < KEPT_COUNTS ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(keyOf(tokenizer, message), counted);
    // Estimates are not stored: they only serve until the vocabulary is there.
    if (tokenizer.id === APPROXIMATE_ID || this.#isClosed) return counted;
    const unstored = this.#unstored.get(tokenizer.id) ?? new Map<string, number>();
    this.#unstored.set(tokenizer.id, unstored.set(message.id, counted));
    this.#timer ??= inBackground(setTimeout(() => void this.flush(), STORE_AFTER_MS));
    return counted;
  }
}

function keyOf(tokenizer: Tokenizer, message: StoredMessage): string {
  return JSON.stringify([tokenizer.id, message.id]);
}
