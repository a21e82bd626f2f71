import { sha256 } from '../model/sha256.ts';

/**
 * Cache of vectors by text, which evicts the least recently used one. Its keys are digests, so that it keeps no
 * text. It is cleared when a text is forgotten.
 */
export class VectorCache {
  readonly #maxEntries: number;
  // A map iterates in insertion order, so a key that is used is inserted again.
  readonly #vectors = new Map<string, Float32Array>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(text: string): Float32Array | undefined {
    const key = sha256(text);
    const vector = this.#vectors.get(key);
    if (vector) this.#insert(key, vector);
    return vector;
  }

  put(text: string, vector: Float32Array): void {
    this.#insert(sha256(text), vector);
  }

  /** The keys, least recently used first. */
  keys(): string[] {
    return [...this.#vectors.keys()];
  }

  #insert(key: string, vector: Float32Array): void {
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    const [oldest] = this.#vectors.keys();
    if (this.#vectors.size > this.#maxEntries && oldest !== undefined) this.#vectors.delete(oldest);
  }

  clear(): void {
    this.#vectors.clear();
  }
}
