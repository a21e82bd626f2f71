/** Cache of vectors by text, which evicts the least recently used one. */
export class VectorCache {
  readonly #maxEntries: number;
  // A map iterates in insertion order, so a key that is used is inserted again.
  readonly #vectors = new Map<string, Float32Array>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#vectors.size;
  }

  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text);
    if (vector) {
      this.#vectors.delete(text);
      this.#vectors.set(text, vector);
    }
    return vector;
  }

  put(text: string, vector: Float32Array): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    const [oldest] = this.#vectors.keys();
    if (this.#vectors.size > this.#maxEntries && oldest !== undefined) this.#vectors.delete(oldest);
  }

  clear(): void {
    this.#vectors.clear();
  }
}
