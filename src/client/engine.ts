import type { Embedder } from '../embedding/embedder.ts';
import { abortable } from '../model/abortable.ts';
import { transformersEmbedder } from '../embedding/transformers-embedder.ts';
import { openDatabase } from '../history/open-database.ts';
import { MnemoraError } from '../model/error.ts';
import type { Warning } from '../model/warning.ts';
import { embedTexts } from '../recall/embed-texts.ts';
import { EmbeddingBacklog } from '../recall/embedding-backlog.ts';
import { ScopeIndex } from '../recall/scope-index.ts';
import { InMemoryTranscript } from '../storage/in-memory-transcript.ts';
import type { TranscriptStore } from '../storage/transcript-store.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';
import { approximateTokenizer } from '../tokens/approximate.ts';
import { tiktokenTokenizer } from '../tokens/tiktoken.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { MemoryEvents } from './memory-events.ts';
import type { MemorySettings } from './options.ts';

/** What all sessions of one memory share: the parts that were picked, and their lifetime. */
export class Engine {
  readonly settings: MemorySettings;
  readonly events: MemoryEvents;
  readonly index: ScopeIndex;
  readonly embedder: Embedder | undefined;
  readonly #store: TranscriptStore;
  readonly #backlog: EmbeddingBacklog | undefined;
  readonly #channel: TabChannel | undefined;
  readonly #closing = new AbortController();
  #tokenizer: Promise<Tokenizer> | undefined;
  #loadedTokenizer: Tokenizer | undefined;

  private constructor(settings: MemorySettings, events: MemoryEvents, store: TranscriptStore) {
    this.settings = settings;
    this.events = events;
    this.#store = store;
    this.#loadedTokenizer = settings.tokenizer;
    const { embedder, assetsUrl, scope, name } = settings;
    if (embedder !== false) {
      this.embedder = embedder ?? transformersEmbedder(assetsUrl === undefined ? {} : { assetsUrl });
    }
    this.index = new ScopeIndex(store, scope, this.embedder?.id);
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
    const store =
      settings.history === 'memory'
        ? new InMemoryTranscript()
        : (await openDatabase({ name: settings.name, clock: settings.clock, onWarning })).transcript;
    try {
      const engine = new Engine(settings, events, store);
      engine.#backlog?.wake();
      return engine;
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** @throws MnemoraError `storage-closed` */
  get store(): TranscriptStore {
    this.#closing.signal.throwIfAborted();
    return this.#store;
  }

  /** To be called after each write: tells this tab's listeners and the other tabs, and has new texts embedded. */
  written(): void {
    this.events.emit('change', { source: 'local' });
    this.#channel?.announce();
    this.#backlog?.wake();
  }

  /** The tokenizer, if it is loaded: what is only nice to have counted does not wait for it. */
  get loadedTokenizer(): Tokenizer | undefined {
    return this.#loadedTokenizer;
  }

  async tokenizer(): Promise<Tokenizer> {
    if (this.#loadedTokenizer) return this.#loadedTokenizer;
    this.#tokenizer ??= tiktokenTokenizer().catch((cause: unknown) => {
      this.events.warn({
        code: 'tokenizer-unavailable',
        message: 'The tokenizer could not be loaded; token counts are estimates that run high.',
        cause,
      });
      return approximateTokenizer();
    });
    this.#loadedTokenizer = await this.#tokenizer;
    return this.#loadedTokenizer;
  }

  /** Brings the indexes up to what is stored now. */
  async sync(signal: AbortSignal | undefined): Promise<void> {
    this.#closing.signal.throwIfAborted();
    await abortable(this.index.sync(signal), signal);
  }

  /** The vector of a question; undefined while the model is still loading, and without one. */
  async embedQuery(query: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    if (!this.embedder || !this.#backlog?.ready) return undefined;
    try {
      const { signal: closing } = this.#closing;
      const either = signal ? AbortSignal.any([signal, closing]) : closing;
      const [vector] = await embedTexts(this.embedder, [query], 'query', either);
      return vector;
    } catch (cause) {
      signal?.throwIfAborted();
      this.#closing.signal.throwIfAborted();
      this.events.warn({
        code: 'model-unavailable',
        message: 'The question could not be embedded; keyword search answered alone.',
        cause,
      });
      return undefined;
    }
  }

  /** The vector, unless those stored are of another length: an embedder has changed and kept its id. */
  comparable(vector: Float32Array): Float32Array | undefined {
    if (this.index.accepts(vector)) return vector;
    this.events.warn({
      code: 'model-unavailable',
      message: `The embedder "${this.embedder?.id}" gives ${vector.length} numbers a text, but what is stored under its id has another number of them; keyword search answered alone. Give another model another embedder id.`,
    });
    return undefined;
  }

  async settled(): Promise<void> {
    await this.#backlog?.settled();
  }

  async close(): Promise<void> {
    this.#closing.abort(new MnemoraError('storage-closed', 'The memory was closed. Create it again.'));
    await this.#backlog?.close();
    if (this.settings.embedder === undefined) await this.embedder?.close(); // the caller closes what it brought
    this.#channel?.close();
    this.#store.close();
  }
}
