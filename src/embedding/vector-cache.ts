/** Keeps the vectors of the texts that were asked for last. Full, it drops the one not asked for longest. */
export class VectorCache {
  readonly #maxEntries: number;
  // A map lists its keys in the order of insertion: a key that is used again is put in again.
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
