import type { StoredMessage } from '../model/message.ts';
import { ConversationIndex } from '../search/conversation-index.ts';
import type { FusedHit } from '../search/fuse.ts';
import { VectorIndex } from '../search/vector-index.ts';
import type { ChangeCursor, ChangeSet, TranscriptStore } from '../storage/transcript-store.ts';
import { isSearchable, keywordKey, speakerName } from './message-key.ts';
import { CANDIDATES, rankMessages } from './rank-messages.ts';
import { timeFit, timesNamed } from './time-window.ts';

/** Where a searchable message stands. */
export interface IndexedMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly createdAt: number;
  /** Who said it, where that is known by name. */
  readonly speaker?: string;
}

/**
 * The keyword and vector indexes of one scope, as this tab knows them. `sync` replays what was written since, here
 * or in another tab; nothing is read twice.
 */
export class ScopeIndex {
  readonly #store: TranscriptStore;
  readonly #scope: string;
  readonly #embedderId: string | undefined;
  readonly #messages = new Map<string, IndexedMessage>();
  #keywords = new ConversationIndex();
  #vectors: VectorIndex | undefined;
  /** Names of all who ever spoke. */
  readonly #speakers = new Set<string>();
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

  /**
   * Fused ranking of what `filter` admits; by keywords alone without a query vector. Times that the query names are
   * understood from `now`, in milliseconds since 1970.
   */
  search(
    query: string,
    queryVector: Float32Array | undefined,
    filter: (message: IndexedMessage) => boolean,
    now: number,
  ): FusedHit[] {
    const admits = (id: string): boolean => {
      const message = this.#messages.get(id);
      return message !== undefined && filter(message);
    };
    const speakers = this.#speakersNamed(query);
    const times = timesNamed(query, now);
    return rankMessages({
      scores: this.#keywords.score(query, admits),
      similar: queryVector ? (this.#vectors?.search(queryVector, CANDIDATES, admits) ?? []) : [],
      neighbour: (id, side) => this.#keywords.neighbour(id, side),
      isBySpeaker: (id) => speakers.has(this.#messages.get(id)?.speaker ?? ''),
      fitsTime: (id) => timeFit(this.#messages.get(id)?.createdAt ?? 0, times),
    });
  }

  #speakersNamed(query: string): ReadonlySet<string> {
    const terms = this.#keywords.queryTerms(query);
    const isNamed = (speaker: string): boolean =>
      [...this.#keywords.queryTerms(speaker)].some((term) => terms.has(term));
    return new Set([...this.#speakers].filter(isNamed));
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
      this.#speakers.clear();
      this.#keywords = new ConversationIndex();
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
    const { id, sessionId, turnId, createdAt, seq } = message;
    const speaker = speakerName(message);
    if (speaker !== undefined) this.#speakers.add(speaker);
    this.#messages.set(id, {
      id,
      sessionId,
      turnId,
      createdAt,
      ...(speaker === undefined ? {} : { speaker }),
    });
    this.#keywords.add(id, keywordKey(message), { sessionId, order: seq });
  }

  #remove(id: string): void {
    this.#messages.delete(id);
    this.#keywords.delete(id);
    this.#vectors?.delete(id);
  }
}
