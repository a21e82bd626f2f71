import type { Embedder } from '../embedding/embedder.ts';
import { abortable } from '../model/abortable.ts';
import { transformersEmbedder } from '../embedding/transformers-embedder.ts';
import type { JobEvent } from '../jobs/job-handler.ts';
import { runnerFor, type JobRunner } from '../jobs/job-runner.ts';
import type { Extractor } from '../learning/extractor.ts';
import { offlineExtractor } from '../learning/offline/offline-extractor.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { ScopeGraph } from '../learning/scope-graph.ts';
import { MnemoraError } from '../model/error.ts';
import { inBackground } from '../model/in-background.ts';
import type { Warning } from '../model/warning.ts';
import { embedTexts } from '../recall/embed-texts.ts';
import { EmbeddingBacklog } from '../recall/embedding-backlog.ts';
import { ScopeIndex } from '../recall/scope-index.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange } from '../search/vector-search.ts';
import { catchUp } from '../storage/change-follower.ts';
import { KNOWLEDGE_STORES } from '../storage/knowledge-store.ts';
import type { FailureKind, StoreName } from '../storage/schema.ts';
import { INDEX_STORES } from '../storage/search-rows.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';
import { lazyTokenizer, type LazyTokenizer } from '../tokens/lazy-tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { endAbandonedTurns } from './abandoned-turns.ts';
import { beginEnrichment, type Enrichment } from './enrichment.ts';
import { MemoryEvents, toMemoryJob } from './memory-events.ts';
import type { MemorySettings } from './options.ts';
import { openStores, type MemoryStores } from './stores.ts';
import { TokenCounts } from './token-counts.ts';

/** What index and graph are read from. */
const CAUGHT_UP_STORES: readonly StoreName[] = [...new Set([...INDEX_STORES, ...KNOWLEDGE_STORES])];
/** What a page asks for when it has just been opened goes first. */
const END_TURNS_AFTER_MS = 2_000;

/** What all sessions of one memory share: the parts that were picked, and their lifetime. */
export class Engine {
  readonly settings: MemorySettings;
  readonly events: MemoryEvents;
  readonly index: ScopeIndex;
  readonly embedder: Embedder | undefined;
  readonly graph: ScopeGraph;
  readonly runner: JobRunner;
  /** Names the database; in RAM, this memory alone. */
  readonly storeName: string;
  readonly tokenCounts: TokenCounts;
  /** Absent where the caller wants none. */
  readonly enrichment: Enrichment | undefined;
  readonly #stores: MemoryStores;
  readonly #backlog: EmbeddingBacklog | undefined;
  readonly #channel: TabChannel | undefined;
  readonly #closing = new AbortController();
  readonly #endingTurns: ReturnType<typeof setTimeout>;
  #turnsEnded: Promise<void> | undefined;
  /** Kinds of failure that a warning was given of, by job. */
  readonly #warnedOf = new Map<number, Set<FailureKind | undefined>>();
  readonly #tokenizer: LazyTokenizer;

  private constructor(
    settings: MemorySettings,
    events: MemoryEvents,
    stores: MemoryStores,
    extractor: Extractor | undefined,
  ) {
    this.settings = settings;
    this.events = events;
    this.#stores = stores;
    this.storeName = stores.jobs.name;
    const store = stores.transcript;
    const { embedder, assetsUrl, scope, tokenizer } = settings;
    const onWarning = (warning: Warning): void => events.warn(warning);
    this.#tokenizer = lazyTokenizer({ tokenizer, onWarning });
    if (embedder !== false) {
      this.embedder = embedder ?? transformersEmbedder(assetsUrl === undefined ? {} : { assetsUrl });
    }
    this.index = new ScopeIndex(stores.search, scope, this.embedder, settings.analyzer);
    if (this.embedder) {
      this.#backlog = new EmbeddingBacklog({
        transcript: store,
        rows: stores.search,
        scope,
        index: this.index,
        embedder: this.embedder,
        lockName: `mnemora:embed:${this.storeName}:${scope}`,
        onProgress: (progress) => events.emit('progress', progress),
        onWarning,
      });
    }
    const { clock, singleValued } = settings;
    this.graph = new ScopeGraph({
      store: stores.knowledge,
      scope,
      clock,
      ...(singleValued ? { singleValued } : {}),
    });
    this.tokenCounts = new TokenCounts((tokenizerId, counts) =>
      store.recordTokens(tokenizerId, counts).catch((cause: unknown) => {
        events.warn({ code: 'save-failed', message: 'Token counts could not be kept.', cause });
      }),
    );
    this.runner = runnerFor(stores.jobs);
    this.runner.onEvent((event) => this.#onJob(event));
    this.enrichment = extractor && beginEnrichment(this, this.runner, extractor);
    this.#endingTurns = inBackground(setTimeout(() => void this.#endTurnsOfOpening(), END_TURNS_AFTER_MS));
    if (stores.engine.presence) {
      this.#channel = openTabChannel(this.storeName, () => {
        events.emit('change', { source: 'remote' });
        // The tab that wrote may be gone before it has embedded anything.
        this.#backlog?.wake();
      });
    }
  }

  static async open(settings: MemorySettings): Promise<Engine> {
    const events = new MemoryEvents(settings.onWarning);
    const onWarning = (warning: Warning): void => events.warn(warning);
    const extractor = await chooseExtractor(settings);
    const stores = await openStores(settings, onWarning);
    try {
      const engine = new Engine(settings, events, stores, extractor);
      engine.#backlog?.wake();
      engine.#loadGraph();
      return engine;
    } catch (error) {
      stores.close();
      throw error;
    }
  }

  /** Reads what is known while the user is still typing; whoever asks meanwhile waits for what is left of it. */
  #loadGraph(): void {
    this.graph.rows(this.#closing.signal).catch(() => undefined); // the next who asks is told what is wrong
  }

  /** @throws MnemoraError `storage-closed` */
  get stores(): MemoryStores {
    this.#closing.signal.throwIfAborted();
    return this.#stores;
  }

  /** To be called after each write: tells this tab's listeners and the other tabs, and has the background go to work. */
  written(): void {
    this.enriched();
    this.#backlog?.wake();
    this.runner.wake();
  }

  /** To be called after a write of what was derived only, which gives the background nothing to do. */
  enriched(): void {
    this.events.emit('change', { source: 'local' });
    this.#channel?.announce();
  }

  /** The tokenizer, if it is loaded: what is only nice to have counted does not wait for it. */
  get loadedTokenizer(): Tokenizer | undefined {
    return this.#tokenizer.loaded;
  }

  /** The tokenizer; the approximate one while the real one cannot be loaded. */
  tokenizer(): Promise<Tokenizer> {
    return this.#tokenizer.get();
  }

  /** Brings index and graph up to one state, and gives what `look` finds in that. */
  catchUp<T>(look: (rows: KnowledgeRows) => T, signal: AbortSignal | undefined): Promise<T> {
    const { engine } = this.stores;
    const followers = [this.index.follower, this.graph.follower];
    const lookNow = (): T => look(this.graph.rowsRead);
    return abortable(catchUp(engine, CAUGHT_UP_STORES, followers, lookNow, signal), signal);
  }

  /** The vector of a question; undefined while the model is still loading, and without one. */
  async embedQuery(query: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    const { embedder } = this;
    if (!embedder || !this.#backlog?.ready) return undefined;
    return this.#byMeaning(
      signal,
      async (either) => (await embedTexts(embedder, [query], 'query', either))[0],
    );
  }

  /** The `limit` messages nearest to a query vector; none, and a warning, where they cannot be told. */
  async nearest(
    queryVector: Float32Array,
    range: MessageRange,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<SearchHit[]> {
    return (
      (await this.#byMeaning(signal, (either) =>
        abortable(this.index.nearest(queryVector, range, limit), either),
      )) ?? []
    );
  }

  /** What the embedder is needed for when somebody asks: without it, keywords answer alone. */
  async #byMeaning<T>(
    signal: AbortSignal | undefined,
    ask: (either: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const { signal: closing } = this.#closing;
    try {
      return await ask(signal ? AbortSignal.any([signal, closing]) : closing);
    } catch (cause) {
      signal?.throwIfAborted();
      closing.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.events.warn({
        code: 'model-unavailable',
        message: `The question could not be searched for by its meaning; keyword search answered alone. ${reason}`,
        cause,
      });
      return undefined;
    }
  }

  /** Ends the turns of tabs that are gone once more, where that was done before. */
  endAbandonedTurnsAgain(): void {
    if (this.#turnsEnded) this.#turnsEnded = this.#turnsEnded.then(() => this.#endAbandonedTurns());
  }

  /** What this opening does about the turns of tabs that are gone. */
  #endTurnsOfOpening(): Promise<void> {
    this.#turnsEnded ??= this.#endAbandonedTurns().then(() => this.#renewDerived());
    return this.#turnsEnded;
  }

  async #renewDerived(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    try {
      await this.enrichment?.renew();
    } catch {
      // what is there stays as it is until the next opening
    }
  }

  async #endAbandonedTurns(): Promise<void> {
    const { signal } = this.#closing;
    if (!this.#stores.engine.presence || signal.aborted) return;
    try {
      const ended = await endAbandonedTurns(this.#stores.engine, this.settings);
      if (ended > 0 && !signal.aborted) this.enriched();
    } catch {
      // the turns stay as they are until the next opening
    }
  }

  async settled(): Promise<void> {
    await this.#endTurnsOfOpening();
    await Promise.all([this.#backlog?.settled(), this.runner.settled(), this.tokenCounts.flush()]);
    await Promise.all([this.index.settled(), this.graph.settled()]);
  }

  async close(): Promise<void> {
    clearTimeout(this.#endingTurns);
    this.#closing.abort(new MnemoraError('storage-closed', 'The memory was closed. Create it again.'));
    await Promise.all([this.#backlog?.close(), this.runner.close(), this.tokenCounts.flush()]);
    // The next opening is the faster for what is being saved.
    await Promise.all([this.index.settled(), this.graph.settled()]);
    this.index.close();
    if (this.settings.embedder === undefined) await this.embedder?.close(); // the caller closes what it brought
    this.#channel?.close();
    this.#stores.close();
  }

  #onJob({ type, job: record, cause }: JobEvent): void {
    const job = toMemoryJob(record);
    this.events.emit('job', { type, job });
    if (type === 'done') this.#warnedOf.delete(job.id);
    if (type !== 'failed' && type !== 'paused' && type !== 'dead') return;
    const what = `Background work (${job.kind}, session "${job.sessionId}")`;
    const reason = job.error?.message ?? '';
    if (type === 'dead') {
      const message = `${what} was given up after ${job.attempts} attempts. It waits for retryJob(${job.id}). ${reason}`;
      this.events.warn({ code: 'job-dead', message, cause });
      this.events.emit('error', { error: new MnemoraError('enrichment-failed', message, { cause }), job });
      return;
    }
    // Work that fails for hours is told of once for each kind of failure; the event `job` has each attempt.
    const kinds = this.#warnedOf.get(job.id) ?? new Set();
    if (kinds.has(job.error?.kind)) return;
    this.#warnedOf.set(job.id, kinds.add(job.error?.kind));
    this.events.warn(
      type === 'failed'
        ? { code: 'enrichment-failed', message: `${what} has failed. It is tried again. ${reason}`, cause }
        : {
            code: 'job-paused',
            message: `${what} is paused, because the model refused it. Check the key, the address and the name of the model; another model or opening the page again goes on. ${reason}`,
            cause,
          },
    );
  }
}

async function chooseExtractor({ llm, extractor }: MemorySettings): Promise<Extractor | undefined> {
  if (extractor !== undefined) return extractor || undefined;
  if (!llm) return offlineExtractor();
  const { llmExtractor } = await import('../learning/llm/llm-extractor.ts');
  return llmExtractor(llm);
}
