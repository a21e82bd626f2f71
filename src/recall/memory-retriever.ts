import type { Embedder } from '../embedding/embedder.ts';
import {
  checkName,
  argument,
  checkList,
  checkObject,
  checkOptions,
  checkString,
  mustBe,
  orFalse,
  wholeNumber,
  type OptionChecks,
} from '../model/check-options.ts';
import { requireTime } from '../model/clock.ts';
import { MnemoraError, invalidInput } from '../model/error.ts';
import { newId, newOrderedId, requireId } from '../model/id.ts';
import { KeywordIndex } from '../search/keyword-index.ts';
import type { SearchHit } from '../search/search-hit.ts';
import { VectorIndex } from '../search/vector-index.ts';
import { engineOf, type MemoryDatabase } from '../sessions/memory-database.ts';
import { ChangeFollower } from '../storage/change-follower.ts';
import { Documents, type DocumentChanges } from '../storage/documents.ts';
import type { DocumentRecord } from '../storage/schema.ts';
import { embedTexts } from './index/embed-texts.ts';
import { termsInSlices } from './index/terms-in-slices.ts';

/** A text with its metadata, as a retriever stores it. */
export interface RetrieverDocument {
  text: string;
  metadata?: Readonly<Record<string, unknown>>;
}

/** A document to add. */
export interface NewDocument extends RetrieverDocument {
  /** Id of the document. If the id exists already, the new document is ignored. @default a new random id */
  id?: string;
  /** Milliseconds since 1970. @default now */
  createdAt?: number;
}

/** A document that was found. */
export interface RetrievedDocument {
  id: string;
  document: RetrieverDocument;
  /** Higher is more relevant; comparable within one search only. */
  score: number;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Stores texts and finds them again. `memoryRetriever` returns one; any object with these methods works as well. */
export interface MemoryRetriever {
  /** Returns at most `limit` documents, the most relevant first. @default the retriever's own limit */
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<RetrievedDocument[]>;
  /** Stores documents and returns their ids, in the order given. */
  add(documents: readonly NewDocument[], options?: { signal?: AbortSignal }): Promise<string[]>;
  /** Deletes documents. Unknown ids are ignored. */
  delete(ids: readonly string[]): Promise<void>;
  /**
   * Deletes the documents that this retriever's own session has added, including those from before a reload, and nothing
   * else. If the method is missing, a memory deletes the ids that `add` returned to it.
   */
  clear?(): Promise<void>;
}

export interface MemoryRetrieverOptions {
  /** Embedder whose vectors are ranked by cosine similarity; `false` ranks by keywords (BM25) instead. */
  embedder: Embedder | false;
  /** Database that stores the documents. Without one they are lost when the page is closed. */
  database?: MemoryDatabase;
  /** Session that added documents belong to: `clear` deletes the documents of this session. @default a new id */
  sessionId?: string;
  /** Maximum number of documents that a search returns. @default 4 */
  topK?: number;
  /** Name of the collection. Retrievers of the same collection find each other's documents. @default the scope */
  collection?: string;
  /**
   * Scope of the session: forgetting the session in this scope, or the scope itself, erases the documents that this
   * retriever adds, and a backup of this scope contains them.
   *
   * @default the name of the collection, or 'user' without one
   */
  scope?: string;
}

/**
 * Returns a retriever over texts stored in this browser. Search is exact (no approximate index), and deleted documents
 * are erased from the index. `VectorStoreRetrieverMemory` stores its exchanges in such a retriever.
 *
 * @throws MnemoraError `invalid-option` if an option is unknown or invalid
 */
export function memoryRetriever(options: MemoryRetrieverOptions): MemoryRetriever {
  checkOptions('memoryRetriever', options, CHECKS);
  CHECKS.embedder('embedder', options.embedder);
  const { embedder, database, topK = 4, sessionId = newId() } = options;
  const { scope = options.collection ?? 'user', collection = scope } = options;
  const store = database === undefined ? undefined : new Documents(engineOf(database));
  return new DocumentRetriever(embedder, store, { topK, sessionId, collection, scope });
}

const CHECKS: OptionChecks<MemoryRetrieverOptions> = {
  embedder: orFalse(
    mustBe('an embedder, such as transformersEmbedder(), or false for keyword search', isEmbedder),
  ),
  database: (_name, value) => engineOf(value as MemoryDatabase),
  sessionId: checkName,
  topK: wholeNumber(1),
  collection: checkName,
  scope: checkName,
};

function isEmbedder(value: unknown): boolean {
  return typeof (value as Partial<Embedder> | null | undefined)?.embed === 'function';
}

/** Settings of a retriever with their defaults. */
type Settings = Required<Pick<MemoryRetrieverOptions, 'topK' | 'sessionId' | 'collection' | 'scope'>>;

class DocumentRetriever implements MemoryRetriever {
  readonly #embedder: Embedder | false;
  readonly #store: Documents | undefined;
  readonly #settings: Settings;
  readonly #documents = new Map<string, DocumentRecord>();
  readonly #keywords = new KeywordIndex();
  #vectors: VectorIndex | undefined;
  readonly #follower: ChangeFollower<DocumentChanges> | undefined;

  constructor(embedder: Embedder | false, store: Documents | undefined, settings: Settings) {
    this.#embedder = embedder;
    this.#store = store;
    this.#settings = settings;
    this.#follower =
      store &&
      new ChangeFollower({
        read: (since, signal) => store.readChanges(settings.collection, since, signal),
        apply: (changes, signal) => this.#apply(store, changes, signal),
      });
  }

  async search(
    query: string,
    options: { limit?: number; signal?: AbortSignal } = {},
  ): Promise<RetrievedDocument[]> {
    const { limit = this.#settings.topK, signal } = options;
    signal?.throwIfAborted();
    argument(checkString)('A query', query);
    argument(wholeNumber(0))('limit', limit);
    await this.#follower?.sync(signal);
    const hits = await this.#rank(query, limit, signal);
    return hits.flatMap(({ id, score }) => {
      const found = this.#documents.get(id);
      if (!found) return [];
      const { text, metadata, createdAt } = found;
      const document = metadata ? { text, metadata: structuredClone(metadata) } : { text };
      return [{ id, document, score, createdAt }];
    });
  }

  async add(documents: readonly NewDocument[], options: { signal?: AbortSignal } = {}): Promise<string[]> {
    const { signal } = options;
    signal?.throwIfAborted();
    argument(checkList)('Documents to add', documents);
    const records = documents.map((document: NewDocument) => toRecord(document, this.#settings));
    await this.#follower?.sync(signal);
    const since = this.#follower?.cursor; // documents forgotten after this point are not stored
    // The first of several documents with the same id wins, as it does when they are added one after the other.
    const firsts = new Map(records.toReversed().map((record) => [record.id, record]));
    const added = await this.#embed(
      [...firsts.values()].toReversed().filter((record) => !this.#documents.has(record.id)),
      this.#vectors?.dimensions,
      signal,
    );
    if (added.length > 0) {
      await this.#store?.add(this.#settings.collection, added, since, signal);
      if (this.#store) await this.#follower?.sync(signal);
      else {
        const terms = await this.#termsOf(added);
        this.#put(
          added.filter((record) => !this.#documents.has(record.id)),
          terms,
        );
      }
    }
    return records.map((record) => record.id);
  }

  async delete(ids: readonly string[]): Promise<void> {
    argument(checkList)('Ids to delete', ids);
    await this.#remove(ids.map(String));
  }

  async clear(): Promise<void> {
    await this.#follower?.sync();
    const { sessionId, scope } = this.#settings;
    // Each scope has its own sessions.
    const own = [...this.#documents.values()].filter(
      (record) => record.sessionId === sessionId && record.scope === scope,
    );
    await this.#remove(own.map((record) => record.id));
  }

  async #remove(keys: readonly string[]): Promise<void> {
    await this.#store?.remove(this.#settings.collection, keys);
    for (const key of keys) this.#drop(key);
  }

  async #rank(query: string, k: number, signal: AbortSignal | undefined): Promise<SearchHit[]> {
    if (!this.#embedder) return this.#keywords.search(query, k);
    if (this.#documents.size === 0) return [];
    const [vector] = await embedTexts(this.#embedder, [query], 'query', signal, this.#vectors?.dimensions);
    return vector ? (this.#vectors?.search(vector, k) ?? []) : [];
  }

  /** Applies the changes made by other tabs and by other retrievers of this collection. */
  async #apply(store: Documents, changes: DocumentChanges, signal: AbortSignal | undefined): Promise<void> {
    // Vectors of different embedders cannot be compared: other documents are missing until they are embedded again.
    const embedderId = this.#embedder ? this.#embedder.id : undefined;
    const isOwn = ({ embedding }: DocumentRecord): boolean => embedding?.embedder === embedderId;
    const own = changes.documents.filter(isOwn);
    const foreign = changes.documents.filter((record) => !isOwn(record));
    const dimensions = this.#vectors?.dimensions ?? own[0]?.embedding?.vector.length;
    const embedded = await this.#embed(foreign, dimensions, signal);
    if (this.#embedder && embedded.length > 0) {
      await store.replaceEmbeddings(this.#settings.collection, embedded);
    }
    const terms = await this.#termsOf([...own, ...embedded]);
    if (changes.reset) for (const id of [...this.#documents.keys()]) this.#drop(id);
    for (const id of changes.removed) this.#drop(id);
    this.#put([...own, ...embedded], terms);
  }

  async #embed(
    records: readonly DocumentRecord[],
    dimensions: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<DocumentRecord[]> {
    const embedder = this.#embedder;
    if (!embedder || records.length === 0) return [...records];
    const texts = records.map((record) => record.text);
    const vectors = await embedTexts(embedder, texts, 'document', signal, dimensions);
    return records.map((record, position) => {
      const vector = vectors[position];
      return vector ? { ...record, embedding: { embedder: embedder.id, vector } } : record;
    });
  }

  /** Analyzes texts for the keyword index, by document id. */
  async #termsOf(records: readonly DocumentRecord[]): Promise<ReadonlyMap<string, string | string[]>> {
    const terms = new Map<string, string | string[]>();
    for (const { id, text } of this.#embedder ? [] : records) terms.set(id, await termsInSlices(text));
    return terms;
  }

  /** @param terms those of {@link #termsOf}; documents are put without a pause, so that no document is added twice */
  #put(records: readonly DocumentRecord[], terms: ReadonlyMap<string, string | string[]>): void {
    for (const record of records) {
      this.#documents.set(record.id, record);
      const vector = record.embedding?.vector;
      if (!this.#embedder) this.#keywords.add(record.id, terms.get(record.id) ?? record.text);
      else if (vector) {
        this.#vectors ??= new VectorIndex({ dimensions: vector.length });
        this.#vectors.add(record.id, vector);
      }
    }
  }

  #drop(id: string): void {
    this.#documents.delete(id);
    this.#keywords.delete(id);
    this.#vectors?.delete(id);
  }
}

/** Returns a checked copy of a document, as it is stored. @throws MnemoraError `invalid-input` if it is invalid */
function toRecord(document: NewDocument, { collection, scope, sessionId }: Settings): DocumentRecord {
  if (typeof document?.text !== 'string') throw invalidInput('A document must have a text.');
  const { id = newOrderedId(), text, createdAt = Date.now(), metadata } = document;
  requireId(id, 'The id of a document');
  requireTime(createdAt, 'The time of a document');
  return {
    id,
    collection,
    scope,
    sessionId,
    text: text.toWellFormed(),
    createdAt,
    ...(metadata ? { metadata: cloneMetadata(metadata) } : {}),
  };
}

function cloneMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  argument(checkObject)('The metadata of a document', metadata);
  try {
    return structuredClone(metadata);
  } catch (cause) {
    throw new MnemoraError('invalid-input', 'The metadata of a document must be plain data.', { cause });
  }
}
