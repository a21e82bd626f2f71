import { deferred, type Deferred } from '../model/abortable.ts';

/** A text that at least one caller waits for. */
interface Entry {
  readonly result: Deferred<Float32Array>;
  waiting: number;
  /** Whether it is a question, for which a user is waiting. */
  isUrgent: boolean;
}

/**
 * Queue of the texts to embed. A text that several callers request is queued once, and removed when the last of them
 * gives up. At most one batch is taken at a time.
 */
export class TextQueue {
  /** By text, in the order in which they were queued or became urgent. */
  #queued = new Map<string, Entry>();
  #batch = new Map<string, Entry>();

  /** Number of texts that are neither embedded nor part of the current batch. */
  get length(): number {
    return this.#queued.size;
  }

  /** Whether no caller waits any more for a text of the current batch. */
  get isBatchUnwanted(): boolean {
    const batch = [...this.#batch.values()];
    return batch.length > 0 && batch.every((entry) => entry.waiting === 0);
  }

  /** Whether an urgent text, in the current batch or queued, waits behind non-urgent texts of the batch. */
  get isBatchOvertaken(): boolean {
    const batch = [...this.#batch.values()];
    const isUrgent = [...batch, ...this.#queued.values()].some((entry) => entry.isUrgent);
    return isUrgent && batch.length > 1 && batch.some((entry) => !entry.isUrgent);
  }

  /**
   * Requests the vector of a text. Urgent texts are taken first: a user waits for the answer to a question, whereas
   * documents can wait.
   */
  add(text: string, isUrgent: boolean): Promise<Float32Array> {
    const known = this.#find(text);
    const entry = known ?? { result: deferred(), waiting: 0, isUrgent };
    const becomesUrgent = isUrgent && !entry.isUrgent;
    entry.waiting += 1;
    entry.isUrgent ||= isUrgent;
    if (!known || (becomesUrgent && this.#queued.delete(text))) this.#queued.set(text, entry);
    return entry.result.promise;
  }

  /** Withdraws the request of one `add`, which returned the promise `vector`. */
  giveUp(text: string, vector: Promise<Float32Array>): void {
    const entry = this.#find(text);
    // A different promise: this request was settled, and the text has been requested again since.
    if (entry?.result.promise !== vector) return;
    entry.waiting -= 1;
    if (entry.waiting <= 0) this.#queued.delete(text);
  }

  /** Returns the next batch: urgent texts if there are any, otherwise the others. */
  take(maxTexts: number): readonly string[] {
    const queued = [...this.#queued];
    const urgent = queued.filter(([, entry]) => entry.isUrgent);
    this.#batch = new Map((urgent.length > 0 ? urgent : queued).slice(0, maxTexts));
    const texts = [...this.#batch.keys()];
    for (const text of texts) this.#queued.delete(text);
    return texts;
  }

  /**
   * Settles the first texts of the batch, each with its vector or the error that it has caused. The others are queued
   * first, if still wanted.
   */
  settle(results: readonly (Float32Array | Error)[]): void {
    const batch = [...this.#batch];
    this.#batch = new Map();
    for (const [index, result] of results.entries()) {
      const waiting = batch[index]?.[1].result;
      if (result instanceof Error) waiting?.reject(result);
      else waiting?.resolve(result);
    }
    const wanted = batch.slice(results.length).filter(([, entry]) => entry.waiting > 0);
    this.#queued = new Map([...wanted, ...this.#queued]);
  }

  /** Rejects all texts that callers wait for. */
  rejectAll(error: unknown): void {
    for (const { result } of [...this.#batch.values(), ...this.#queued.values()]) result.reject(error);
    this.#batch.clear();
    this.#queued.clear();
  }

  #find(text: string): Entry | undefined {
    return this.#batch.get(text) ?? this.#queued.get(text);
  }
}
