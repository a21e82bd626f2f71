/** A text that somebody waits for. */
interface Entry {
  readonly text: string;
  readonly vector: Promise<Float32Array>;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
  waiting: number;
  /** Somebody waits for the answer to a question. */
  isUrgent: boolean;
}

/**
 * The texts that are still to be embedded. A text that several callers ask for is in it once, and leaves it
 * when the last of them has given up. At most one batch is taken at a time.
 */
export class TextQueue {
  #urgent = new Map<string, Entry>();
  #patient = new Map<string, Entry>();
  #taken = new Map<string, Entry>();

  /** Texts that are neither embedded nor in the batch under way. */
  get length(): number {
    return this.#urgent.size + this.#patient.size;
  }

  /** Whether nobody waits any more for any text of the batch under way. */
  get isBatchUnwanted(): boolean {
    return this.#taken.size > 0 && [...this.#taken.values()].every((entry) => entry.waiting === 0);
  }

  /** Whether something urgent, in the batch under way or behind it, waits for texts of the batch that can wait. */
  get isBatchOvertaken(): boolean {
    const taken = [...this.#taken.values()];
    const isUrgent = this.#urgent.size > 0 || taken.some((entry) => entry.isUrgent);
    return isUrgent && taken.length > 1 && taken.some((entry) => !entry.isUrgent);
  }

  /**
   * Asks for a text. Urgent texts are taken first: somebody waits for the answer to a question, while
   * a thousand documents can wait.
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

  /** Withdraws what one `add` asked for and answered with `vector`. */
  giveUp(text: string, vector: Promise<Float32Array>): void {
    const entry = this.#taken.get(text) ?? this.#urgent.get(text) ?? this.#patient.get(text);
    // Another promise: this one was settled, and somebody else has asked for the text since.
    if (entry?.vector !== vector) return;
    entry.waiting -= 1;
    if (entry.waiting > 0) return;
    this.#urgent.delete(text);
    this.#patient.delete(text);
  }

  /** Takes the next batch: of urgent texts if there are any, else of the others. */
  take(maxTexts: number): readonly string[] {
    const source = this.#urgent.size > 0 ? this.#urgent : this.#patient;
    this.#taken = new Map(take(source, maxTexts));
    for (const text of this.#taken.keys()) source.delete(text);
    return [...this.#taken.keys()];
  }

  /** Hands out the vectors of the first texts of the batch. The rest is next again if anybody waits for it. */
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

  /** Fails everything that anybody waits for. */
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
  // Callers that gave up no longer listen; their texts may still fail.
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
