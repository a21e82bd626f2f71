import type { StoredMessage } from '../model/message.ts';
import { fuseScores, type FusedHit } from '../search/fuse.ts';
import { KeywordIndex } from '../search/keyword-index.ts';
import { VectorIndex } from '../search/vector-index.ts';
import type { ChangeCursor, ChangeSet, TranscriptStore } from '../storage/transcript-store.ts';
import { isSearchable, keywordKey } from './message-key.ts';

/** Where a searchable message stands. */
export interface IndexedMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly createdAt: number;
}

/** How many of each list are fused: enough that a message strong in one list meets its score in the other. */
const CANDIDATES = 200;
/** Cosine below which a message that shares no word with the query is left out: what unrelated texts reach. */
const MIN_COSINE = 0.2;
/** Cosines count this much beside keyword scores divided by their largest; flat between 1 and 2 as measured. */
const VECTOR_WEIGHT = 1.5;

/**
 * The keyword and vector indexes of one scope, as this tab knows them. `sync` replays what was written since, here
 * or in another tab; nothing is read twice.
 */
export class ScopeIndex {
  readonly #store: TranscriptStore;
  readonly #scope: string;
  readonly #embedderId: string | undefined;
  readonly #messages = new Map<string, IndexedMessage>();
  #keywords = new KeywordIndex();
  #vectors: VectorIndex | undefined;
  #cursor: ChangeCursor | undefined;
  #syncing: Promise<void> = Promise.resolve();

  constructor(store: TranscriptStore, scope: string, embedderId: string | undefined) {
    this.#store = store;
    this.#scope = scope;
    this.#embedderId = embedderId;
  }

  /** Brings the indexes up to what is stored now. */
  sync(signal?: AbortSignal): Promise<void> {
    const next = this.#syncing.then(() => this.#syncOnce(signal));
    this.#syncing = next.catch(() => undefined); // each caller hears of its own failure only
    return next;
  }

  /** Whether a query vector can be compared with the vectors that are there. */
  accepts(queryVector: Float32Array): boolean {
    return this.#vectors === undefined || this.#vectors.dimensions === queryVector.length;
  }

  get(id: string): IndexedMessage | undefined {
    return this.#messages.get(id);
  }

  /** Messages that have no vector yet, newest first. */
  withoutVector(limit: number): IndexedMessage[] {
    const missing = [...this.#messages.values()].filter((message) => !this.#vectors?.has(message.id));
    return missing.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, limit);
  }

  /** Fused ranking of what `filter` admits; by keywords alone without a query vector. */
  search(
    query: string,
    queryVector: Float32Array | undefined,
    filter: (message: IndexedMessage) => boolean,
  ): FusedHit[] {
    const admits = (id: string): boolean => {
      const message = this.#messages.get(id);
      return message !== undefined && filter(message);
    };
    const similar = queryVector ? (this.#vectors?.search(queryVector, CANDIDATES, admits) ?? []) : [];
    const hits = fuseScores([
      { name: 'keyword', weight: 1, results: this.#keywords.search(query, CANDIDATES, admits) },
      { name: 'vector', weight: VECTOR_WEIGHT, results: similar, normalize: 'none' },
    ]);
    const enough = VECTOR_WEIGHT * MIN_COSINE;
    return hits.filter((hit) => (hit.parts['keyword'] ?? 0) > 0 || (hit.parts['vector'] ?? 0) >= enough);
  }

  async #syncOnce(signal: AbortSignal | undefined): Promise<void> {
    const changes = await this.#store.readChanges(this.#scope, this.#embedderId, this.#cursor, signal);
    this.#cursor = undefined; // should applying fail halfway, the next sync starts from nothing
    this.#apply(changes);
    this.#cursor = changes.cursor;
  }

  #apply(changes: ChangeSet): void {
    if (changes.reset) {
      this.#messages.clear();
      this.#keywords = new KeywordIndex();
      this.#vectors = undefined;
    }
    for (const id of changes.removed) this.#remove(id);
    for (const message of changes.messages) this.#put(message);
    for (const { id, vector } of changes.vectors) {
      if (!this.#messages.has(id)) continue;
      this.#vectors ??= new VectorIndex({ dimensions: vector.length });
      this.#vectors.add(id, vector);
    }
  }

  #put(message: StoredMessage): void {
    if (!isSearchable(message)) return;
    const { id, sessionId, turnId, createdAt } = message;
    this.#messages.set(id, { id, sessionId, turnId, createdAt });
    this.#keywords.add(id, keywordKey(message));
  }

  #remove(id: string): void {
    this.#messages.delete(id);
    this.#keywords.delete(id);
    this.#vectors?.delete(id);
  }
}
