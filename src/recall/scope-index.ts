import type { Embedder } from '../embedding/embedder.ts';
import { MnemoraError } from '../model/error.ts';
import type { StoredMessage } from '../model/message.ts';
import { ConversationIndex } from '../search/conversation-index.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange } from '../search/vector-search.ts';
import type { ChangeCursor, ChangeSet, TranscriptStore } from '../storage/transcript-store.ts';
import { isSearchable, keywordKey, speakerName } from './message-key.ts';
import { NOTHING_KNOWN, type QueryKnowledge } from './query-knowledge.ts';
import { CANDIDATES, rankMessages } from './rank-messages.ts';
import { readMessages, SNAPSHOT_VERSION, toColumns, type ScopeSnapshot } from './scope-snapshot.ts';
import { ScopeVectors } from './scope-vectors.ts';
import { timeFit, timesNamed } from './time-window.ts';

/** A cold open that reads fewer messages anew is fast enough. */
const LEAST_UNSAVED = 512;

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
  readonly #vectors: ScopeVectors | undefined;
  readonly #messages = new Map<string, IndexedMessage>();
  #keywords = new ConversationIndex();
  /** Of each name: how many messages came with it. */
  readonly #speakers = new Map<string, number>();
  #cursor: ChangeCursor | undefined;
  #isOpened = false;
  /** Messages that came since the last snapshot. */
  #unsaved = 0;
  #syncing: Promise<void> = Promise.resolve();

  constructor(
    store: TranscriptStore,
    scope: string,
    embedder: Pick<Embedder, 'id' | 'openVectors'> | undefined,
  ) {
    this.#store = store;
    this.#scope = scope;
    this.#embedderId = embedder?.id;
    const placeOf = (id: string): IndexedMessage | undefined => this.#messages.get(id);
    this.#vectors = embedder && new ScopeVectors({ store, scope, embedder, placeOf });
  }

  /** Brings the indexes up to what is stored now. */
  sync(signal?: AbortSignal): Promise<void> {
    const next = this.#syncing.then(() => this.#syncOnce(signal));
    // Each caller hears of its own failure only, and nobody of a snapshot that could not be saved: the next one will.
    this.#syncing = next.then(() => this.#saveIfWorthIt()).catch(() => undefined);
    return next;
  }

  /** Resolves when nothing is being read or saved. */
  async settled(): Promise<void> {
    await this.#syncing;
  }

  get(id: string): IndexedMessage | undefined {
    return this.#messages.get(id);
  }

  /** Reads the vectors stored, unless that was done: the first search by meaning need not wait for it then. */
  loadVectors(): Promise<void> {
    // In turn with the syncs, so that no vector that is stored meanwhile is missed.
    const loaded = this.#syncing.then(async () => {
      if (this.#vectors?.areLoaded !== false) return;
      if (!this.#isOpened) await this.#syncOnce(undefined); // vectors of unknown messages are left out
      await this.#vectors.load();
    });
    this.#syncing = loaded.catch(() => undefined);
    return loaded;
  }

  /** Messages that have no vector yet, newest first. */
  async withoutVector(): Promise<IndexedMessage[]> {
    await this.loadVectors();
    const missing = [...this.#messages.values()].filter((message) => this.#vectors?.has(message.id) !== true);
    return missing.toSorted((a, b) => b.createdAt - a.createdAt);
  }

  /**
   * The messages nearest to a query vector, best first: the `similar` of {@link search}.
   *
   * @throws MnemoraError `model-unavailable` where the query vector cannot be compared with those stored
   */
  async nearest(queryVector: Float32Array, range: MessageRange): Promise<SearchHit[]> {
    await this.loadVectors();
    try {
      return (await this.#vectors?.search(queryVector, CANDIDATES, range)) ?? [];
    } catch (error) {
      if (!(error instanceof MnemoraError) || error.code !== 'worker-crashed') throw error;
    }
    // What the worker held is stored; the embedder starts another one.
    await this.loadVectors();
    return (await this.#vectors?.search(queryVector, CANDIDATES, range)) ?? [];
  }

  /**
   * Fused ranking of what `filter` admits, by keywords and by what was found {@link nearest}. Times that the query
   * names are understood from `now`, in milliseconds since 1970; `known` tells what facts say of it.
   */
  search(
    query: string,
    similar: readonly SearchHit[],
    filter: (message: IndexedMessage) => boolean,
    now: number,
    known: QueryKnowledge = NOTHING_KNOWN,
  ): FusedHit[] {
    const admits = (id: string): boolean => {
      const message = this.#messages.get(id);
      return message !== undefined && filter(message);
    };
    const speakers = this.#speakersNamed(query);
    const times = timesNamed(query, now, known.dateOf);
    return rankMessages({
      scores: this.#keywords.score(query, admits),
      similar: similar.filter(({ id }) => admits(id)), // some may have been forgotten since they were found
      neighbour: (id, side) => this.#keywords.neighbour(id, side),
      isBySpeaker: (id) => speakers.has(this.#messages.get(id)?.speaker ?? ''),
      fitsTime: (id) => timeFit(this.#messages.get(id)?.createdAt ?? 0, times),
      related: new Map([...known.related].filter(([id]) => admits(id))),
    });
  }

  /** Frees what is held outside of this page's memory. */
  close(): void {
    this.#vectors?.unload();
  }

  #speakersNamed(query: string): ReadonlySet<string> {
    const terms = this.#keywords.queryTerms(query);
    const isNamed = (speaker: string): boolean =>
      [...this.#keywords.queryTerms(speaker)].some((term) => terms.has(term));
    return new Set([...this.#speakers.keys()].filter(isNamed));
  }

  /**
   * What is indexed now, vectors apart, for a later {@link restore}: typed arrays throughout. Undefined before the
   * first sync.
   */
  toSnapshot(): ScopeSnapshot | undefined {
    if (!this.#cursor) return undefined;
    const conversations = this.#keywords.toSnapshot();
    const messages = this.#keywords.ids().flatMap((id) => this.#messages.get(id) ?? []);
    return { version: SNAPSHOT_VERSION, cursor: this.#cursor, conversations, messages: toColumns(messages) };
  }

  /**
   * Takes over a snapshot; the next sync reads only what came after. To be called before the first one.
   *
   * @throws MnemoraError `invalid-input` where the snapshot cannot be used; nothing is changed then, and a sync reads
   *   everything
   */
  restore(snapshot: ScopeSnapshot): void {
    const messages = readMessages(snapshot);
    this.#keywords = ConversationIndex.fromSnapshot(snapshot.conversations);
    for (const message of messages) this.#place(message);
    this.#cursor = snapshot.cursor;
  }

  async #syncOnce(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#isOpened) await this.#open();
    const embedderId = this.#vectors?.areLoaded ? this.#embedderId : undefined;
    const changes = await this.#store.readChanges(this.#scope, embedderId, this.#cursor, signal);
    this.#cursor = undefined; // should applying fail halfway, the next sync starts from nothing
    this.#apply(changes);
    this.#cursor = changes.cursor;
  }

  /** Takes over the snapshot that was saved last, if it can be used. */
  async #open(): Promise<void> {
    this.#isOpened = true;
    const saved = await this.#store.loadIndex(this.#scope);
    if (!saved) return;
    try {
      this.restore(saved as ScopeSnapshot);
    } catch (error) {
      // Of another version, or damaged: the messages themselves tell the same.
      if (!(error instanceof MnemoraError) || error.code !== 'invalid-input') throw error;
    }
  }

  async #saveIfWorthIt(): Promise<void> {
    if (this.#unsaved < Math.max(LEAST_UNSAVED, this.#messages.size / 10)) return;
    const snapshot = this.toSnapshot();
    if (!snapshot) return;
    this.#unsaved = 0;
    await this.#store.saveIndex(this.#scope, snapshot, snapshot.cursor);
  }

  #apply(changes: ChangeSet): void {
    this.#unsaved += changes.messages.length;
    if (changes.reset) {
      this.#messages.clear();
      this.#speakers.clear();
      this.#keywords = new ConversationIndex();
      this.#vectors?.unload();
    }
    for (const id of changes.removed) this.#remove(id);
    for (const message of changes.messages) this.#put(message);
    if (!this.#vectors?.areLoaded) return;
    this.#vectors.delete(changes.removed);
    this.#vectors.add(changes.vectors);
  }

  #put(message: StoredMessage): void {
    if (!isSearchable(message)) return;
    const { id, sessionId, turnId, createdAt, seq } = message;
    const speaker = speakerName(message);
    this.#place({ id, sessionId, turnId, createdAt, ...(speaker === undefined ? {} : { speaker }) });
    this.#keywords.add(id, keywordKey(message), { sessionId, order: seq });
  }

  #place(message: IndexedMessage): void {
    this.#forgetSpeaker(message.id);
    this.#messages.set(message.id, message);
    const { speaker } = message;
    if (speaker !== undefined) this.#speakers.set(speaker, (this.#speakers.get(speaker) ?? 0) + 1);
  }

  #forgetSpeaker(id: string): void {
    const speaker = this.#messages.get(id)?.speaker;
    if (speaker === undefined) return;
    const left = (this.#speakers.get(speaker) ?? 0) - 1;
    if (left > 0) this.#speakers.set(speaker, left);
    else this.#speakers.delete(speaker);
  }

  #remove(id: string): void {
    this.#forgetSpeaker(id);
    this.#messages.delete(id);
    this.#keywords.delete(id);
  }
}
