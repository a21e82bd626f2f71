import type { Embedder } from '../embedding/embedder.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { KeywordIndex } from '../search/keyword-index.ts';
import type { SearchHit } from '../search/search-hit.ts';
import { VectorIndex } from '../search/vector-index.ts';
import type { DocumentStore } from '../storage/document-store.ts';
import type { DocumentRecord } from '../storage/schema.ts';
import type { ChangeCursor } from '../storage/transcript-store.ts';
import type { MemoryRetriever, NewDocument, RetrievedDocument } from './retriever.ts';

export interface MemoryRetrieverOptions {
  /** Ranks by cosine; `false` ranks by keywords (BM25) instead. */
  embedder: Embedder | false;
  /** Keeps the documents; without it they live as long as the page. */
  database?: { readonly documents: DocumentStore };
  /** What `clear` removes is what this session has added. @default a new id */
  sessionId?: string;
  /** Documents that a search returns at most. @default 4 */
  topK?: number;
  /** Retrievers of one collection find each other's documents. @default 'user' */
  collection?: string;
}

/**
 * A retriever over texts of this browser, exact and with real deletion: what `VectorStoreRetrieverMemory` keeps its
 * exchanges in.
 *
 * @throws MnemoraError `invalid-option`
 */
export function memoryRetriever(options: MemoryRetrieverOptions): MemoryRetriever {
  const { topK = 4, sessionId = newId(), collection = 'user' } = options;
  if (!Number.isSafeInteger(topK) || topK < 1) {
    throw new MnemoraError('invalid-option', `topK must be a whole number from 1, not ${String(topK)}.`);
  }
  for (const [name, value] of Object.entries({ sessionId, collection })) {
    if (typeof value !== 'string' || value === '') {
      throw new MnemoraError('invalid-option', `${name} must be a string that is not empty.`);
    }
  }
  return new DocumentRetriever(options.embedder, options.database?.documents, {
    topK,
    sessionId,
    collection,
  });
}

class DocumentRetriever implements MemoryRetriever {
  readonly #embedder: Embedder | false;
  readonly #store: DocumentStore | undefined;
  readonly #settings: { topK: number; sessionId: string; collection: string };
  readonly #documents = new Map<string, DocumentRecord>();
  readonly #keywords = new KeywordIndex();
  #vectors: VectorIndex | undefined;
  #cursor: ChangeCursor | undefined;
  #syncing: Promise<void> = Promise.resolve();

  constructor(
    embedder: Embedder | false,
    store: DocumentStore | undefined,
    settings: { topK: number; sessionId: string; collection: string },
  ) {
    this.#embedder = embedder;
    this.#store = store;
    this.#settings = settings;
  }

  async search(
    query: string,
    options: { k?: number; signal?: AbortSignal } = {},
  ): Promise<RetrievedDocument[]> {
    const { k = this.#settings.topK, signal } = options;
    if (typeof query !== 'string') throw new MnemoraError('invalid-input', 'A query must be a string.');
    await this.#sync(signal);
    const hits = await this.#rank(query, k, signal);
    return hits.flatMap(({ id, score }) => {
      const found = this.#documents.get(id);
      if (!found) return [];
      const { text, metadata, createdAt } = found;
      return [
        {
          id,
          document: metadata ? { text, metadata: structuredClone(metadata) } : { text },
          score,
          createdAt,
        },
      ];
    });
  }

  async add(documents: readonly NewDocument[], options: { signal?: AbortSignal } = {}): Promise<string[]> {
    const { signal } = options;
    signal?.throwIfAborted();
    await this.#sync(signal);
    const records = documents.map((document) => this.#toRecord(document));
    const added = await this.#embed(
      records.filter((record) => !this.#documents.has(record.id)),
      signal,
    );
    if (added.length > 0) {
      await this.#store?.add(this.#settings.collection, added, signal);
      this.#put(added);
    }
    return records.map((record) => record.id);
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#store?.remove(this.#settings.collection, ids);
    for (const id of ids) this.#drop(id);
  }

  async clear(): Promise<void> {
    await this.#sync(undefined);
    const own = [...this.#documents.values()].filter(
      (record) => record.sessionId === this.#settings.sessionId,
    );
    await this.delete(own.map((record) => record.id));
  }

  async #rank(query: string, k: number, signal: AbortSignal | undefined): Promise<SearchHit[]> {
    if (!this.#embedder) return this.#keywords.search(query, k);
    if (this.#documents.size === 0) return [];
    const [vector] = await this.#embedder.embed([query], { kind: 'query', ...(signal ? { signal } : {}) });
    return vector ? (this.#vectors?.search(vector, k) ?? []) : [];
  }

  /** Replays what other tabs, and other retrievers of this collection, have written. */
  #sync(signal: AbortSignal | undefined): Promise<void> {
    const next = this.#syncing.then(() => this.#syncOnce(signal));
    this.#syncing = next.catch(() => undefined); // each caller hears of its own failure only
    return next;
  }

  async #syncOnce(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#store) return;
    const changes = await this.#store.readChanges(this.#settings.collection, this.#cursor, signal);
    // Documents of another embedder have no place among these vectors until they are embedded anew.
    const foreign = changes.documents.filter((record) => record.embedding?.embedder !== this.#embedderId);
    const embedded = await this.#embed(foreign, signal);
    if (changes.reset) for (const id of [...this.#documents.keys()]) this.#drop(id);
    for (const id of changes.removed) this.#drop(id);
    this.#put(changes.documents.filter((record) => !foreign.includes(record)));
    this.#put(embedded);
    this.#cursor = changes.cursor;
  }

  get #embedderId(): string | undefined {
    return this.#embedder ? this.#embedder.id : undefined;
  }

  async #embed(
    records: readonly DocumentRecord[],
    signal: AbortSignal | undefined,
  ): Promise<DocumentRecord[]> {
    const embedder = this.#embedder;
    if (!embedder || records.length === 0) return [...records];
    const texts = records.map((record) => record.text);
    const vectors = await embedder.embed(texts, { kind: 'document', ...(signal ? { signal } : {}) });
    return records.map((record, position) => {
      const vector = vectors[position];
      return vector ? { ...record, embedding: { embedder: embedder.id, vector } } : record;
    });
  }

  #toRecord(document: NewDocument): DocumentRecord {
    if (typeof document?.text !== 'string') {
      throw new MnemoraError('invalid-input', 'A document must have a text.');
    }
    const { sessionId, collection } = this.#settings;
    return {
      id: document.id ?? newId(),
      collection,
      sessionId,
      text: document.text.toWellFormed(),
      createdAt: document.createdAt ?? Date.now(),
      ...(document.metadata ? { metadata: structuredClone(document.metadata) } : {}),
    };
  }

  #put(records: readonly DocumentRecord[]): void {
    for (const record of records) {
      this.#documents.set(record.id, record);
      this.#keywords.add(record.id, record.text);
      const vector = record.embedding?.vector;
      if (!vector || !this.#embedder) continue;
      this.#vectors ??= new VectorIndex({ dimensions: vector.length });
      this.#vectors.add(record.id, vector);
    }
  }

  #drop(id: string): void {
    this.#documents.delete(id);
    this.#keywords.delete(id);
    this.#vectors?.delete(id);
  }
}
