import type { Embedder } from '../embedding/embedder.ts';
import { abortable } from '../model/abortable.ts';
import { transformersEmbedder } from '../embedding/transformers-embedder.ts';
import type { JobEvent } from '../jobs/job-handler.ts';
import { runnerFor, type JobRunner } from '../jobs/job-runner.ts';
import type { Extractor } from '../learning/extractor.ts';
import { llmExtractor } from '../learning/llm/llm-extractor.ts';
import { offlineExtractor } from '../learning/offline/offline-extractor.ts';
import { ScopeGraph } from '../learning/scope-graph.ts';
import { MnemoraError } from '../model/error.ts';
import type { Warning } from '../model/warning.ts';
import { embedTexts } from '../recall/embed-texts.ts';
import { EmbeddingBacklog } from '../recall/embedding-backlog.ts';
import { ScopeIndex } from '../recall/scope-index.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange } from '../search/vector-search.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';
import { approximateTokenizer } from '../tokens/approximate.ts';
import { lazyTokenizer } from '../tokens/lazy-tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { beginEnrichment, type Enrichment } from './enrichment.ts';
import { MemoryEvents, toMemoryJob } from './memory-events.ts';
import type { MemorySettings } from './options.ts';
import { openStores, type MemoryStores } from './stores.ts';

/** What all sessions of one memory share: the parts that were picked, and their lifetime. */
export class Engine {
  readonly settings: MemorySettings;
  readonly events: MemoryEvents;
  readonly index: ScopeIndex;
  readonly embedder: Embedder | undefined;
  readonly graph: ScopeGraph;
  readonly runner: JobRunner;
  /** Absent where the caller wants none. */
  readonly enrichment: Enrichment | undefined;
  readonly #stores: MemoryStores;
  readonly #backlog: EmbeddingBacklog | undefined;
  readonly #channel: TabChannel | undefined;
  readonly #closing = new AbortController();
  readonly #lazyTokenizer: () => Promise<Tokenizer>;
  #loadedTokenizer: Tokenizer | undefined;

  private constructor(settings: MemorySettings, events: MemoryEvents, stores: MemoryStores) {
    this.settings = settings;
    this.events = events;
    this.#stores = stores;
    const store = stores.transcript;
    this.#loadedTokenizer = settings.tokenizer;
    this.#lazyTokenizer = lazyTokenizer((warning) => events.warn(warning));
    const { embedder, assetsUrl, scope, name } = settings;
    if (embedder !== false) {
      this.embedder = embedder ?? transformersEmbedder(assetsUrl === undefined ? {} : { assetsUrl });
    }
    this.index = new ScopeIndex(store, scope, this.embedder, settings.analyzer);
    if (this.embedder) {
      this.#backlog = new EmbeddingBacklog({
        store,
        scope,
        index: this.index,
        embedder: this.embedder,
        lockName: `mnemora:embed:${name}:${scope}`,
        onProgress: (progress) => events.emit('progress', progress),
        onWarning: (warning) => events.warn(warning),
      });
    }
    const { clock, singleValued } = settings;
    this.graph = new ScopeGraph({
      store: stores.knowledge,
      scope,
      clock,
      ...(singleValued ? { singleValued } : {}),
    });
    this.runner = runnerFor(stores.jobs);
    this.runner.onEvent((event) => this.#onJob(event));
    const extractor = chooseExtractor(settings);
    this.enrichment = extractor && beginEnrichment(this, this.runner, extractor);
    if (settings.history === 'indexeddb') {
      this.#channel = openTabChannel(name, () => {
        events.emit('change', { source: 'remote' });
        // The tab that wrote may be gone before it has embedded anything.
        this.#backlog?.wake();
      });
    }
  }

  static async open(settings: MemorySettings): Promise<Engine> {
    const events = new MemoryEvents(settings.onWarning);
    const onWarning = (warning: Warning): void => events.warn(warning);
    const stores = await openStores(settings, onWarning);
    try {
      const engine = new Engine(settings, events, stores);
      engine.#backlog?.wake();
      return engine;
    } catch (error) {
      stores.close();
      throw error;
    }
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
    return this.#loadedTokenizer;
  }

  /** The real tokenizer, or an estimate until that can be loaded. */
  async tokenizer(): Promise<Tokenizer> {
    if (this.#loadedTokenizer) return this.#loadedTokenizer;
    const tokenizer = await this.#lazyTokenizer();
    if (tokenizer.id !== approximateTokenizer().id) this.#loadedTokenizer = tokenizer;
    return tokenizer;
  }

  /** Brings the indexes up to what is stored now. */
  async sync(signal: AbortSignal | undefined): Promise<void> {
    this.#closing.signal.throwIfAborted();
    await abortable(this.index.sync(signal), signal);
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

  /** The messages nearest to a query vector; none where they cannot be told, of which a warning is given. */
  async nearest(
    queryVector: Float32Array,
    range: MessageRange,
    signal: AbortSignal | undefined,
  ): Promise<SearchHit[]> {
    return (
      (await this.#byMeaning(signal, (either) =>
        abortable(this.index.nearest(queryVector, range), either),
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

  async settled(): Promise<void> {
    await Promise.all([this.#backlog?.settled(), this.runner.settled()]);
    await this.index.settled();
  }

  async close(): Promise<void> {
    this.#closing.abort(new MnemoraError('storage-closed', 'The memory was closed. Create it again.'));
    await Promise.all([this.#backlog?.close(), this.runner.close()]);
    await this.index.settled(); // the next opening is the faster for what is being saved
    this.index.close();
    if (this.settings.embedder === undefined) await this.embedder?.close(); // the caller closes what it brought
    this.#channel?.close();
    this.#stores.close();
  }

  #onJob({ type, job: record, cause }: JobEvent): void {
    const job = toMemoryJob(record);
    this.events.emit('job', { type, job });
    if (type !== 'failed' && type !== 'dead') return;
    const reason = job.error?.message ?? '';
    const message = `Background work (${job.kind}, session "${job.sessionId}") has failed ${job.attempts} times.`;
    if (type === 'failed') {
      this.events.warn({
        code: 'enrichment-failed',
        message: `${message} It is tried again. ${reason}`,
        cause,
      });
      return;
    }
    const given = `${message} It waits for retryJob(${job.id}). ${reason}`;
    this.events.warn({ code: 'job-dead', message: given, cause });
    this.events.emit('error', { error: new MnemoraError('enrichment-failed', given, { cause }), job });
  }
}

function chooseExtractor({ llm, extractor }: MemorySettings): Extractor | undefined {
  if (extractor !== undefined) return extractor || undefined;
  return llm ? llmExtractor(llm) : offlineExtractor();
}
