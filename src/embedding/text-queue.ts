/** A text that at least one caller waits for. */
interface Entry {
  readonly text: string;
  readonly vector: Promise<Float32Array>;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
  waiting: number;
  /** Whether it is a question, for which a user is waiting. */
  isUrgent: boolean;
}

/**
 * Queue of the texts to embed. A text that several callers request is queued once, and removed when the last of them has
 * given up. At most one batch is taken at a time.
 */
export class TextQueue {
  #urgent = new Map<string, Entry>();
  #patient = new Map<string, Entry>();
  #taken = new Map<string, Entry>();

  /** Number of texts that are neither embedded nor part of the current batch. */
  get length(): number {
    return this.#urgent.size + this.#patient.size;
  }

  /** Whether no caller waits any more for a text of the current batch. */
  get isBatchUnwanted(): boolean {
    return this.#taken.size > 0 && [...this.#taken.values()].every((entry) => entry.waiting === 0);
  }

  /** Whether an urgent text, in the current batch or queued, waits behind non-urgent texts of the batch. */
  get isBatchOvertaken(): boolean {
    const taken = [...this.#taken.values()];
    const isUrgent = this.#urgent.size > 0 || taken.some((entry) => entry.isUrgent);
    return isUrgent && taken.length > 1 && taken.some((entry) => !entry.isUrgent);
  }

  /**
   * Requests the vector of a text. Urgent texts are taken first: a user waits for the answer to a question, whereas
   * documents can wait.
   */
  add(text: string, urgent: boolean): Promise<Float32Array> {
    const known = this.#taken.get(text) ?? this.#urgent.get(text) ?? this.#patient.get(text);
    const entry = known ?? newEntry(text);
    entry.waiting += 1;
    entry.isUrgent ||= urgent;
    if (urgent && this.#patient.delete(text)) this.#urgent.set(text, entry);
    if (!known) (urgent ? this.#urgent : this.#patient).set(text, entry);
    return entry.vector;
  }

  /** Withdraws the request of one `add`, which returned the promise `vector`. */
  giveUp(text: string, vector: Promise<Float32Array>): void {
    const entry = this.#taken.get(text) ?? this.#urgent.get(text) ?? this.#patient.get(text);
    // A different promise: this request was settled, and the text has been requested again since.
    if (entry?.vector !== vector) return;
    entry.waiting -= 1;
    if (entry.waiting > 0) return;
    this.#urgent.delete(text);
    this.#patient.delete(text);
  }

  /** Returns the next batch: urgent texts if there are any, otherwise the others. */
  take(maxTexts: number): readonly string[] {
    const source = this.#urgent.size > 0 ? this.#urgent : this.#patient;
    this.#taken = new Map(take(source, maxTexts));
    for (const text of this.#taken.keys()) source.delete(text);
    return [...this.#taken.keys()];
  }

  /** Resolves the first texts of the batch with their vectors. The others are queued first, if still wanted. */
  settle(vectors: readonly Float32Array[]): void {
    const entries = [...this.#taken.values()];
    this.#taken = new Map();
    for (const [index, vector] of vectors.entries()) entries[index]?.resolve(vector);
    const rest = entries.slice(vectors.length).filter((entry) => entry.waiting > 0);
    const next = (isUrgent: boolean): [string, Entry][] =>
      rest.flatMap((entry) => (entry.isUrgent === isUrgent ? [[entry.text, entry]] : []));
    this.#urgent = new Map([...next(true), ...this.#urgent]);
    this.#patient = new Map([...next(false), ...this.#patient]);
  }

  /** Rejects all texts that callers wait for. */
  rejectAll(error: unknown): void {
    const maps = [this.#taken, this.#urgent, this.#patient];
    for (const entry of maps.flatMap((map) => [...map.values()])) entry.reject(error);
    for (const map of maps) map.clear();
  }
}

function* take(entries: ReadonlyMap<string, Entry>, count: number): Generator<[string, Entry]> {
  let taken = 0;
  for (const entry of entries) {
    if (taken >= count) return;
    taken += 1;
    yield entry;
  }
}

function newEntry(text: string): Entry {
  let settle: Pick<Entry, 'resolve' | 'reject'> | undefined;
  const vector = new Promise<Float32Array>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // The texts of callers that gave up can still fail; that is not an unhandled rejection.
  vector.catch(() => undefined);
  return {
    text,
    vector,
    resolve: (v) => settle?.resolve(v),
    reject: (e) => settle?.reject(e),
    waiting: 0,
    isUrgent: false,
  };
}
