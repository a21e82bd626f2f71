import type { Analyze } from '../../language/terms.ts';
import type { TimeWindow } from '../../language/times.ts';
import { MnemoraError } from '../../model/error.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { isSearchable, messageText, type StoredMessage } from '../../model/message.ts';
import { termOptions, parseQuery, type Analyzer, type ParsedQuery } from '../../search/analyzer.ts';
import type { ConversationIndex, MetadataFilter } from '../../search/conversation-index.ts';
import type { MessageMetadata } from '../../search/conversation-segment.ts';
import { packTraits } from '../../search/message-traits.ts';
import type { SearchHit } from '../../search/search-hit.ts';
import type { MessageRange } from '../../search/vector-search.ts';
import { ChangeFollower } from '../../storage/change-follower.ts';
import type { ChangeCursor } from '../../storage/change-log.ts';
import type { SearchRows, ChangeSet } from '../../storage/search-rows.ts';
import type { Transaction } from '../../storage/storage-engine.ts';
import type { WordPlaces } from '../gate/memory-evidence.ts';
import type { RankingInput } from '../rank/rank-messages.ts';
import { textForKeywords, speakerName } from './indexed-text.ts';
import { SavedIndex } from './saved-index.ts';
import { ScopeVectors, type VectorSource } from './scope-vectors.ts';
import { termsInSlices } from './terms-in-slices.ts';

/** Number of best keyword matches that the gate looks at. */
const WEIGHED_MESSAGES = 10;
/** Messages indexed without a pause: a few milliseconds. */
const MESSAGES_AT_ONCE = 200;
const DAY_MS = 86_400_000;
const HALF_AFTER_DAYS = 30;

/** A searchable message with its metadata. */
export interface IndexedMessage extends MessageMetadata {
  readonly id: string;
}

/** What the facts of a scope say about a query. `recall/` ranks by it and does not know its source. */
export interface QueryKnowledge {
  /** By message id: relevance of what was learned from the message to the query's entities, above 0 and up to 1. */
  readonly related: ReadonlyMap<string, number>;
  /** The times that the query names. */
  readonly times: readonly TimeWindow[];
  /** When the query was asked, in milliseconds since 1970. If undefined, recency does not count. */
  readonly now?: number;
}

/** Changes to apply, and the saved index that they continue, if it was just loaded. */
interface ReadChanges extends ChangeSet {
  readonly saved?: ConversationIndex;
}

/** The rows that the index of a scope reads and saves. */
export type IndexedRows = Pick<SearchRows, 'readChanges' | 'readVectors' | 'loadIndex' | 'saveIndex'>;

/**
 * The keyword and vector indexes of one scope in this tab. `sync` applies the changes written since, by this or another
 * tab; no row is read twice.
 */
export class ScopeIndex {
  readonly #store: IndexedRows;
  readonly #scope: string;
  readonly #embedder: VectorSource | undefined;
  readonly #vectors: ScopeVectors | undefined;
  readonly #saved: SavedIndex;
  /** Cuts messages and questions into terms. */
  readonly analyze: Analyze | undefined;
  #keywords: ConversationIndex;
  readonly follower: ChangeFollower<ReadChanges>;
  #isOpened = false;

  constructor(store: IndexedRows, scope: string, embedder: VectorSource | undefined, analyzer?: Analyzer) {
    this.#store = store;
    this.#scope = scope;
    this.#embedder = embedder;
    this.#vectors =
      embedder && new ScopeVectors({ store, scope, embedder, metadataOf: (id) => this.get(id) });
    this.#saved = new SavedIndex(store, scope, analyzer);
    this.analyze = termOptions(analyzer).analyze;
    this.#keywords = this.#saved.emptyIndex();
    this.follower = new ChangeFollower({
      read: (since, signal, within) => this.#read(since, signal, within),
      apply: (changes) => this.#apply(changes),
    });
  }

  /** Applies all stored changes to the indexes. */
  sync(signal?: AbortSignal): Promise<void> {
    return this.follower.sync(signal);
  }

  /** Resolves when no read or save is running. */
  async settled(): Promise<void> {
    await this.follower.inTurn(() => Promise.resolve());
    await this.#saved.settled();
  }

  get(id: string): IndexedMessage | undefined {
    const place = this.#keywords.metadataOf(id);
    return place && { id, ...place };
  }

  /** Loads the stored vectors once, so that the first vector search does not have to wait for it. */
  loadVectors(): Promise<void> {
    // Serialized with syncs, so that no vector that is stored meanwhile is missed.
    return this.follower.inTurn(async () => {
      if (this.#vectors?.areLoaded !== false) return;
      if (!this.#isOpened) await this.follower.syncNow(); // vectors of unknown messages are skipped
      await this.#vectors.load();
    });
  }

  /** Returns the messages that have no vector yet, newest first. */
  async withoutVector(): Promise<IndexedMessage[]> {
    await this.loadVectors();
    const missing = this.#keywords.ids().filter((id) => this.#vectors?.has(id) !== true);
    return missing.flatMap((id) => this.get(id) ?? []).toSorted((a, b) => b.createdAt - a.createdAt);
  }

  /**
   * Returns the messages nearest to a query vector, best first: the `similar` of {@link rankingInput}.
   *
   * @throws MnemoraError `model-unavailable` if the query vector and the stored vectors differ in length
   */
  async nearest(queryVector: Float32Array, range: MessageRange, limit: number): Promise<SearchHit[]> {
    await this.loadVectors();
    const search = async (): Promise<SearchHit[]> =>
      (await this.#vectors?.search(queryVector, limit, range)) ?? [];
    return search().catch(async (error: unknown) => {
      if (!(error instanceof MnemoraError) || error.code !== 'worker-crashed') throw error;
      // The worker's vectors are stored and can be loaded again; the embedder starts a new worker.
      await this.loadVectors();
      return search();
    });
  }

  /**
   * Returns the input of the ranking: keyword scores, and the messages found by {@link nearest}, for those messages that
   * `filter` admits (all without a filter). `known` contains the times and facts for the query, by default none. The result must be used
   * before the next await, because it reads the live index.
   */
  rankingInput(
    query: string | ParsedQuery,
    similar: readonly SearchHit[],
    filter: MetadataFilter | undefined,
    known: QueryKnowledge = { related: new Map(), times: [] },
  ): RankingInput {
    const keywords = this.#keywords;
    const isAdmitted = (id: string): boolean => {
      const place = keywords.metadataOf(id);
      return place !== undefined && filter?.(place) !== false;
    };
    const createdAt = (id: string): number => keywords.metadataOf(id)?.createdAt ?? 0;
    const parsed = typeof query === 'string' ? parseQuery(query, this.analyze) : query;
    const terms = keywords.queryTerms(parsed.messageWords);
    const named = this.#speakers().filter((speaker) => speaker.terms.some((term) => terms.has(term)));
    const { times, now } = known;
    return {
      question: parsed.text,
      scores: keywords.score(parsed.messageWords, filter),
      similar: similar.filter(({ id }) => isAdmitted(id)), // some may have been deleted since
      meaningWeight: this.#embedder?.rankingWeight ?? 1,
      neighbor: (id, side) => keywords.neighbor(id, side),
      isAdmitted,
      traitsOf: (id) => keywords.traitsOf(id),
      speakerOf(id) {
        const speaker = keywords.metadataOf(id)?.speaker;
        if (named.length !== 1 || speaker === undefined) return undefined;
        return speaker === named[0]?.name ? 'named' : 'other';
      },
      speakerTerms: new Set(named.flatMap((speaker) => speaker.terms)),
      fitsTime: (id) => timeFit(createdAt(id), times),
      recencyOf: (id) => (times.length > 0 || now === undefined ? 0 : recency(createdAt(id), now)),
      related: new Map([...known.related].filter(([id]) => isAdmitted(id))),
    };
  }

  /**
   * Parses a text for {@link rankingInput}, with its rarest words alone: as many as stand in at most `places` messages
   * together, each counted for itself.
   */
  parseRarest(text: string, places: number): ParsedQuery {
    const parsed = parseQuery(text, this.analyze);
    let left = places;
    const rarest = Array.from(this.#keywords.queryTerms(parsed.messageWords), (term) => ({
      term,
      count: this.#keywords.messagesWith(term),
    }))
      .toSorted((a, b) => a.count - b.count)
      .filter(({ count }) => (left -= count) >= 0);
    return { ...parsed, messageWords: rarest.map(({ term }) => term) };
  }

  /** Returns the messages with a word, newest first; none if more than `most` have it. */
  messagesWith(word: string, most: number): IndexedMessage[] {
    const [term = ''] = this.#keywords.queryTerms(word);
    const ids = this.#keywords.messagesWith(term) > most ? [] : this.#keywords.idsWith(term);
    return ids
      .flatMap((id) => this.get(id) ?? [])
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** Returns where the terms of a question occur, for the gate. */
  wordPlaces(terms: ReadonlySet<string>): Pick<WordPlaces, 'rarity' | 'found'> {
    const keywords = this.#keywords;
    return {
      rarity: (term) => keywords.rarityOf(term),
      found: keywords.termsAround(keywords.best([...terms], WEIGHED_MESSAGES), terms),
    };
  }

  /**
   * Returns those of the terms that are part of a speaker's name, or short for one: "Mel" for Melanie.
   *
   * @param names those of the terms that are written as names
   */
  speakersAmong(terms: ReadonlySet<string>, names: readonly string[]): string[] {
    return this.#speakers().flatMap((speaker) => [
      ...speaker.terms.filter((term) => terms.has(term)),
      ...names.filter((name) => speaker.terms.some((term) => isShortFor(name, term))),
    ]);
  }

  /** Frees the vectors that a worker holds. The index cannot be used for vector search afterwards. */
  close(): void {
    this.#vectors?.close();
  }

  #speakers(): { readonly name: string; readonly terms: readonly string[] }[] {
    const keywords = this.#keywords;
    return keywords.speakers.map((name) => ({ name, terms: [...keywords.queryTerms(name)] }));
  }

  async #read(
    since: ChangeCursor | undefined,
    signal: AbortSignal | undefined,
    within: Transaction | undefined,
  ): Promise<ReadChanges> {
    const loaded = this.#isOpened ? undefined : await this.#saved.load(signal, within);
    if (loaded) return { ...loaded.changes, saved: loaded.index };
    const embedderId = this.#vectors?.areLoaded ? this.#embedder?.id : undefined;
    return this.#store.readChanges(this.#scope, embedderId, since, signal, within);
  }

  async #apply(changes: ReadChanges): Promise<void> {
    this.#isOpened = true; // not when they are read: an abort in between must not lose the saved index
    // On a reset, searches use the complete old index until the new one is complete.
    const keywords = changes.reset ? this.#saved.emptyIndex() : (changes.saved ?? this.#keywords);
    for (const id of changes.removed) keywords.delete(id);
    for (const [count, message] of changes.messages.entries()) {
      if (count > 0 && count % MESSAGES_AT_ONCE === 0) await yieldToEventLoop();
      await put(message, keywords, this.analyze);
    }
    this.#keywords = keywords;
    if (changes.reset) this.#vectors?.unload();
    this.#saved.follow(changes);
    this.#saved.saveIfWorthIt(keywords);
    if (!this.#vectors?.areLoaded) return;
    this.#vectors.delete(changes.removed);
    this.#vectors.add(changes.vectors);
  }
}

async function put(
  message: StoredMessage,
  keywords: ConversationIndex,
  analyzeText: Analyze | undefined,
): Promise<void> {
  if (!isSearchable(message)) return;
  const { id, sessionId, turnId, createdAt, seq } = message;
  const speaker = speakerName(message);
  const place = { sessionId, order: seq, turnId, createdAt, ...(speaker === undefined ? {} : { speaker }) };
  const text = textForKeywords(message);
  const terms = await termsInSlices(text, analyzeText);
  keywords.add(id, terms, place, packTraits(messageText(message)));
}

/** Returns the recency of a time: 1 today, ½ after 30 days. */
function recency(time: number, now: number): number {
  // In whole days, so that the same question gives the same ranking throughout a day.
  const days = Math.floor(now / DAY_MS) - Math.floor(time / DAY_MS);
  return 1 / (1 + Math.max(0, days) / HALF_AFTER_DAYS);
}

/**
 * Returns how well a time fits the nearest window: 1 inside, falling to 0 over half the window's length (at least a day)
 * outside of it, because people talk about an event a little later, too. 0 without windows.
 */
export function timeFit(time: number, windows: readonly TimeWindow[]): number {
  return windows.reduce((best, { from, to }) => {
    const distance = Math.max(0, from - time, time - to);
    return Math.max(best, 1 - distance / Math.max(DAY_MS, (to - from) / 2));
  }, 0);
}

/** Minimum number of letters of a short name, and of those that it leaves out. */
const [SHORT_NAME, LEFT_OUT] = [3, 2];

function isShortFor(name: string, term: string): boolean {
  return name.length >= SHORT_NAME && term.length >= name.length + LEFT_OUT && term.startsWith(name);
}
