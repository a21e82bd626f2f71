import type { Embedder } from '../embedding/embedder.ts';
import { transformersEmbedder } from '../embedding/transformers-embedder.ts';
import type { HandleOptions, JobEvent, JobHandler } from '../jobs/job-handler.ts';
import { runnerFor, type JobRunner } from '../jobs/job-runner.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import type { LearningParts } from '../learning/learning-parts.ts';
import { ScopeGraph } from '../learning/scope-graph.ts';
import { abortable, withTimeLimit } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import { inBackground } from '../model/event-loop.ts';
import { embedTexts } from '../recall/index/embed-texts.ts';
import { EmbeddingBacklog } from '../recall/index/embedding-backlog.ts';
import { ScopeIndex } from '../recall/index/scope-index.ts';
import type { RecallParts } from '../recall/recall-parts.ts';
import { TokenCounts } from '../recall/token-counts.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange } from '../search/vector-search.ts';
import type { MemoryStores } from '../sessions/memory-stores.ts';
import { catchUp } from '../storage/change-follower.ts';
import type { NewJob } from '../storage/jobs/job-plan.ts';
import { KNOWLEDGE_STORES } from '../storage/knowledge-store.ts';
import type { FailureKind, JobRecord, StoreName } from '../storage/schema.ts';
import { INDEX_STORES } from '../storage/search-rows.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { endAbandonedTurns } from '../storage/transcript/append-turn.ts';
import { presentIds } from '../tabs/presence.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';
import { lazyTokenizer, type LazyTokenizer } from '../tokens/lazy-tokenizer.ts';
import { toMemoryJob, type MemoryEvents } from './memory-events.ts';
import type { MemorySettings } from './options.ts';

/** Stores from which index and graph are read. */
const CAUGHT_UP_STORES: readonly StoreName[] = [...new Set([...INDEX_STORES, ...KNOWLEDGE_STORES])];
/** Delay after opening, so that the page's first requests take precedence. */
const END_TURNS_AFTER_MS = 2_000;

/**
 * Time after which a question is answered by keyword search alone. It is far longer than a model needs for the question
 * and the one text that may be embedded before it.
 */
const MEANING_TIMEOUT_MS = 10_000;

/** Background work on each turn: entities and facts are learned, and what leaves the window is summarized. */
export interface BackgroundLearning {
  /** Jobs to store with each turn. */
  readonly jobs: readonly NewJob[];
  /** Queues messages whose derived data was made by an older version. Call it once after opening. */
  renew(): Promise<void>;
}

/** The parts of a memory that all its sessions share, and their lifetime. */
export class MemoryParts implements RecallParts, LearningParts {
  /** Name of the database; unique to this memory if it is in RAM. */
  readonly name: string;
  readonly settings: MemorySettings;
  readonly events: MemoryEvents;
  readonly index: ScopeIndex;
  readonly graph: ScopeGraph;
  readonly runner: JobRunner;
  readonly tokenizer: LazyTokenizer;
  readonly tokenCounts: TokenCounts;
  /** Undefined if the memory does not learn. */
  learning: BackgroundLearning | undefined;
  readonly #stores: MemoryStores;
  readonly #embedder: Embedder | undefined;
  readonly #backlog: EmbeddingBacklog | undefined;
  /** End what this memory does of the background work of its database. */
  readonly #workEnds: (() => unknown)[] = [];
  readonly #channel: TabChannel;
  readonly #closing = new AbortController();
  readonly #endingTurns: ReturnType<typeof setTimeout>;
  #turnsEnded: Promise<void> | undefined;
  /** Kinds of failure that a warning was already raised for, by job id. */
  readonly #warnedOf = new Map<number, Set<FailureKind | undefined>>();

  constructor(settings: MemorySettings, events: MemoryEvents, stores: MemoryStores) {
    this.name = stores.engine.name;
    this.settings = settings;
    this.events = events;
    this.#stores = stores;
    const { transcript, search: rows, knowledge: store, jobs } = stores;
    const { embedder, assetsUrl, scope, tokenizer, clock, singleValued } = settings;
    this.tokenizer = lazyTokenizer({ tokenizer, onWarning: events.warn });
    const fromAssets = assetsUrl === undefined ? {} : { assetsUrl };
    this.#embedder = embedder === false ? undefined : (embedder ?? transformersEmbedder(fromAssets));
    this.index = new ScopeIndex(rows, scope, this.#embedder, settings.analyzer);
    this.#backlog =
      this.#embedder &&
      new EmbeddingBacklog({
        transcript,
        rows,
        scope,
        index: this.index,
        embedder: this.#embedder,
        lockName: `mnemora:embed:${this.name}:${scope}`,
        onProgress: (progress) => events.emit('progress', progress),
        onWarning: events.warn,
      });
    this.graph = new ScopeGraph({ store, scope, clock, ...(singleValued ? { singleValued } : {}) });
    this.tokenCounts = new TokenCounts((tokenizerId, counts) =>
      transcript.recordTokens(tokenizerId, counts).catch((cause: unknown) => {
        events.warn({ code: 'save-failed', message: 'Token counts could not be stored.', cause });
      }),
    );
    this.runner = runnerFor(jobs);
    const stopListening = this.runner.onEvent((event) => {
      if (event.job.scope === scope) this.#onJob(event);
    });
    this.#workEnds.push(stopListening);
    this.#endingTurns = inBackground(setTimeout(() => void this.#endTurnsOfOpening(), END_TURNS_AFTER_MS));
    // A database in RAM, too, has records and can have other memories.
    this.#channel = openTabChannel(this.name, () => {
      events.emit('change', { source: 'remote' });
      // The tab that wrote may be closed before it has embedded anything.
      this.#backlog?.wake();
    });
  }

  /** Does the jobs of a queue until the memory is closed. */
  handleJobs(queue: string, handler: JobHandler, pauses: HandleOptions): void {
    this.#workEnds.push(this.runner.handle(queue, handler, pauses));
  }

  /**
   * Starts embedding, and reads the graph and the vocabulary for counting tokens while the user is still typing. Call it
   * once after opening.
   */
  begin(): void {
    this.tokenizer.atOnce();
    this.#backlog?.wake();
    this.#readGraph();
  }

  /** Reads everything again in the background after an import, and saves what makes the next opening fast. */
  readAgain(): void {
    this.#readGraph();
    this.index.sync(this.#closing.signal).catch(() => undefined); // the next caller gets the error
  }

  #readGraph(): void {
    this.graph.rows(this.#closing.signal).catch(() => undefined); // the next caller gets the error
  }

  get isLearning(): boolean {
    return this.learning !== undefined;
  }

  /** Aborts when the memory is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** @throws MnemoraError `storage-closed` */
  get stores(): MemoryStores {
    this.#closing.signal.throwIfAborted();
    return this.#stores;
  }

  /** Call it after each write: it notifies this tab's listeners and the other tabs, and wakes up background work. */
  written(): void {
    this.announceChange();
    this.#backlog?.wake();
    this.runner.wake();
  }

  /** Call it after a write of derived data only, which causes no background work. */
  announceChange(): void {
    this.events.emit('change', { source: 'local' });
    this.#channel.announce();
  }

  /** Brings index and graph up to the same state, and returns what `look` reads from it. */
  catchUp<T>(look: (rows: KnowledgeRows) => T, signal: AbortSignal | undefined): Promise<T> {
    const { engine } = this.stores;
    const followers = [this.index.follower, this.graph.follower];
    const lookNow = (): T => look(this.graph.rowsRead);
    return abortable(catchUp(engine, CAUGHT_UP_STORES, followers, lookNow, signal), signal);
  }

  /** Returns the vector of a question; undefined while the model is loading or failing, and without a model. */
  async embedQuery(query: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    const embedder = this.#embedder;
    if (!embedder || !this.#backlog?.ready) return undefined;
    const vectors = await this.#byMeaning(signal, (either) => embedTexts(embedder, [query], 'query', either));
    return vectors?.[0];
  }

  /**
   * Returns the `limit` messages nearest to a query vector; none, with a warning, if the embedder fails or takes too
   * long.
   */
  async nearest(
    queryVector: Float32Array,
    range: MessageRange,
    limit: number,
    signal?: AbortSignal,
  ): Promise<SearchHit[]> {
    const hits = await this.#byMeaning(signal, () => this.index.nearest(queryVector, range, limit));
    if (hits) this.#backlog?.worked();
    return hits ?? [];
  }

  /** Asks the embedder. If it fails or takes too long, raises a warning, and keyword search answers alone. */
  async #byMeaning<T>(
    signal: AbortSignal | undefined,
    ask: (either: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const { signal: closing } = this.#closing;
    try {
      const either = signal ? AbortSignal.any([signal, closing]) : closing;
      return await withTimeLimit(MEANING_TIMEOUT_MS, either, tooSlow, ask);
    } catch (cause) {
      signal?.throwIfAborted();
      closing.throwIfAborted();
      this.#backlog?.failed();
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `Semantic search failed for this question; only keyword search was used. ${reason}`;
      this.events.warn({ code: 'model-unavailable', message, cause });
      return undefined;
    }
  }

  /** Ends the turns of closed tabs again, if this was done before. */
  endAbandonedTurnsAgain(): void {
    this.#turnsEnded = this.#turnsEnded?.then(() => this.#endAbandonedTurns());
  }

  #endTurnsOfOpening(): Promise<void> {
    this.#turnsEnded ??= this.#endAbandonedTurns().then(async () => {
      // If it fails now, the next opening repeats it.
      if (!this.#closing.signal.aborted) await this.learning?.renew().catch(() => undefined);
    });
    return this.#turnsEnded;
  }

  async #endAbandonedTurns(): Promise<void> {
    const { engine } = this.#stores;
    if (this.#closing.signal.aborted || !engine.presence) return;
    const ended = await endTurnsOfClosedTabs(engine, this.settings).catch(() => 0);
    if (ended > 0 && !this.#closing.signal.aborted) this.announceChange();
  }

  /** Resolves when no background work is left that could be done now. Returns the jobs that are left. */
  async settled(): Promise<JobRecord[]> {
    await this.#endTurnsOfOpening();
    const [left] = await Promise.all([
      this.runner.settled(),
      this.#backlog?.settled(),
      this.tokenCounts.flush(),
    ]);
    await Promise.all([this.index.settled(), this.graph.pack()]);
    const stalled = this.runner.stalled(left).filter((job) => job.scope === this.settings.scope);
    if (stalled.length > 0) {
      const message = `${stalled.length} background jobs are no longer waited for, because they have stored nothing for minutes. They continue if they can; memory.work.list() lists them.`;
      this.events.warn({ code: 'work-stalled', message });
    }
    return left;
  }

  async close(): Promise<void> {
    clearTimeout(this.#endingTurns);
    this.#closing.abort(new MnemoraError('storage-closed', 'The memory is closed. Call createMemory again.'));
    await Promise.all([this.#backlog?.close(), this.#endWork(), this.tokenCounts.flush()]);
    // Waits for the save that makes the next opening faster.
    await Promise.all([this.index.settled(), this.graph.settled()]);
    this.index.close();
    if (this.settings.embedder === undefined) await this.#embedder?.close(); // the caller closes its own
    this.#channel.close();
    this.#stores.close();
  }

  /** Ends the work of this memory alone: others may use the same database. */
  async #endWork(): Promise<void> {
    await Promise.all(this.#workEnds.splice(0).map((end) => end()));
  }

  #onJob({ type, job: record, cause }: JobEvent): void {
    const job = toMemoryJob(record, type === 'started' || type === 'done');
    const { id, error } = job;
    this.events.emit('job', { type, job });
    // The list of jobs has changed. That one has started is worth no further reads of all that listens.
    if (type !== 'started') this.announceChange();
    if (type === 'done') this.#warnedOf.delete(id);
    if (type !== 'failed' && type !== 'paused' && type !== 'dead') return;
    // Work that fails for hours causes one warning for each kind of failure; the event `job` reports each attempt.
    const kinds = this.#warnedOf.get(id) ?? new Set();
    if (type !== 'dead' && kinds.has(error?.kind)) return;
    if (type !== 'dead') this.#warnedOf.set(id, kinds.add(error?.kind));
    const { code, outcome } = (
      {
        failed: { code: 'learning-failed', outcome: 'failed. It will be retried.' },
        paused: {
          code: 'job-paused',
          outcome:
            'is paused because the model refused it. Check the API key, the URL and the model name. The work continues with another model or when the page is reopened.',
        },
        dead: {
          code: 'job-dead',
          outcome: `was given up after ${job.attempts} attempts. Call memory.work.retry(${id}) to try again.`,
        },
      } as const
    )[type];
    const message = `Background work (${job.kind}, session "${job.sessionId}") ${outcome} ${error?.message ?? ''}`;
    this.events.warn({ code, message, cause });
    if (type !== 'dead') return;
    this.events.emit('error', { error: new MnemoraError('learning-failed', message, { cause }), job });
  }
}

function tooSlow(): MnemoraError {
  const seconds = MEANING_TIMEOUT_MS / 1000;
  return new MnemoraError('model-unavailable', `The embedder did not answer within ${seconds} s.`);
}

const DAY_MS = 86_400_000;

/**
 * Marks as `failed` the pending turns of a scope whose tab is closed, because nobody will end them. Without Web Locks
 * this cannot be known, and turns older than a day are marked. Returns the number of turns.
 */
async function endTurnsOfClosedTabs(
  engine: StorageEngine,
  { scope, clock }: MemorySettings,
): Promise<number> {
  const seen = new Set<string | undefined>();
  await endAbandonedTurns(engine, scope, ({ openedBy }) => {
    seen.add(openedBy);
    return false;
  });
  if (seen.size === 0) return 0;
  // After the turns were read: a tab announces itself before it writes one, so that no open tab is missed here.
  const present = await presentIds(engine.name);
  const yesterday = clock() - DAY_MS;
  return endAbandonedTurns(engine, scope, ({ openedBy, createdAt }) => {
    if (!present) return createdAt < yesterday;
    return seen.has(openedBy) && (openedBy === undefined || !present.has(openedBy));
  });
}
