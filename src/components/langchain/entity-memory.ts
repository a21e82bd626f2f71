import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { InMemoryEntityStore, type EntityStore } from '../../sessions/entity-store.ts';
import { findNames } from '../../graph/find-names.ts';
import { USER_NAME } from '../../learning/first-person.ts';
import { checkName, checkOptions, objectWith, wholeNumber, oneOf } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { StoredMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import type { WarningListener } from '../../model/warning.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { DetectedNames } from './detected-names.ts';
import { EntityReader } from './entity-reader.ts';
import { chooseExtractor, EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';
import { HistoryConnection } from './history-connection.ts';
import { LearnedTurns } from './learned-turns.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';
import { recentTurns } from '../../sessions/read-turns.ts';

export interface ConversationEntityMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'entitySummarization'> {
  /** How many whole turns to load, and to show the model beside a new one; 0 is none. @default 3 */
  k?: number;
  /** Where the summaries are kept. @default new InMemoryEntityStore() */
  entityStore?: EntityStore;
  /** The name that `loadMemoryVariables` returns the recent turns under. @default `memoryKey`, 'history' */
  chatHistoryKey?: string;
  /** One model call for all entities of a turn, or one for each of them. @default 'batched' */
  updateCalls?: 'batched' | 'each';
  /**
   * What finds the entities of an input. `model`: a call on each load. `known-names`: no call; those whose names or
   * aliases occur in it. New ones are then found when the turn is saved, by the call that updates the known ones.
   * @default 'model'
   */
  detectOnLoad?: 'model' | 'known-names';
}

/**
 * Keeps a summary of each person, place and thing that is talked of; loads those of the ones that the input is about,
 * as `entities`, a map from name to summary, beside the recent turns. What is not known yet has an empty summary.
 *
 * @example
 * const memory = new ConversationEntityMemory({ llm });
 * const { entities, history } = await memory.loadMemoryVariables({ input: 'Sam works at Acme' });
 */
export class ConversationEntityMemory implements Memory {
  readonly #connection: HistoryConnection;
  readonly #store: EntityStore;
  readonly #hasOwnStore: boolean;
  readonly #k: number;
  readonly #detectOnLoad: 'model' | 'known-names';
  readonly #reader: EntityReader;
  readonly #detected = new DetectedNames();
  readonly #turns: LearnedTurns;
  readonly #onWarning: WarningListener | undefined;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationEntityMemoryOptions) {
    checkOptions('ConversationEntityMemory', options, {
      ...CHAT_HISTORY_CHECKS,
      ...EXTRACTOR_CHECKS,
      k: wholeNumber(0),
      entityStore: objectWith('get', 'set', 'has', 'delete', 'clear'),
      chatHistoryKey: checkName,
      updateCalls: oneOf('batched', 'each'),
      detectOnLoad: oneOf('model', 'known-names'),
    });
    const { updateCalls = 'batched', detectOnLoad = 'model', onWarning } = options;
    this.#detectOnLoad = detectOnLoad;
    this.#connection = new HistoryConnection({ ...options, memoryKey: historyKey(options) }, ['entities']);
    this.#store = options.entityStore ?? new InMemoryEntityStore();
    this.#hasOwnStore = options.entityStore === undefined;
    this.#k = options.k ?? 3;
    this.#onWarning = onWarning;
    this.#reader = new EntityReader({
      connection: this.#connection,
      extractor: chooseExtractor('ConversationEntityMemory', options, PROMPT_NAMES, EXTRACTOR_METHODS),
      store: this.#store,
      k: this.#k,
      mode: detectOnLoad === 'known-names' && updateCalls === 'batched' ? 'whole' : updateCalls,
    });
    this.#turns = new LearnedTurns({
      component: 'ConversationEntityMemory',
      learns: 'entities',
      connection: this.#connection,
      enrichment: options.enrichment,
      onWarning,
      read: async (turns) => {
        await this.#reader.read({ ...turns, detectedOf: (turnId) => this.#detected.ofTurn(turnId) });
        this.#detected.forgetTurns(turns.turnIds);
      },
    });
  }

  get memoryKeys(): readonly string[] {
    return this.#connection.memoryKeys;
  }

  /** Where the messages are. */
  get chatHistory(): ChatMessageHistory {
    return this.#connection.history;
  }

  /** Where the summaries are. */
  get entityStore(): EntityStore {
    return this.#store;
  }

  checkInputs(inputs: Values): void {
    this.#connection.checkInputs(inputs);
  }

  /**
   * The entities of the input with their summaries, and the recent turns. Where the model that finds entities fails,
   * it warns `enrichment-failed` and goes by the names that are known.
   *
   * @throws MnemoraError `invalid-input` where the user's words cannot be told
   */
  async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const input = this.#connection.inputText(inputs);
    const turns = await recentTurns(this.#connection.history, this.#k);
    const names = await this.#namesIn(input, turns);
    const summaries = await Promise.all(
      names.map(async (name) => [name, await this.#store.get(name, '')] as const),
    );
    return {
      entities: Object.fromEntries(summaries),
      ...this.#connection.render(dropOrphanToolResults(turns.flat())),
    };
  }

  /**
   * Stores the turn, and brings the summaries of its entities up to date. A model that fails is warned of, as
   * `enrichment-failed`; the turn is stored all the same, and is read again with the next one.
   *
   * @throws MnemoraError `invalid-input` where input or output cannot be told
   */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    const input = this.#connection.inputText(inputs);
    await this.#turns.save(inputs, outputs, options, (turnId) => this.#detected.assign(turnId, input));
  }

  /** Resolves when no turn is being read, and in the background none is queued. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  /** Removes all messages of the history, and the entities that are known from them alone. */
  async clear(): Promise<void> {
    const { history } = this.#connection;
    const ids = (await history.list()).map((message) => message.id);
    await history.clear();
    this.#reader.cancel();
    this.#detected.clear();
    await this.#turns.clear();
    const store = this.#store;
    const isErased = store.deleteSources || (store.followsMessages && history.background);
    if (this.#hasOwnStore) await this.#store.clear();
    else await this.#store.deleteSources?.(ids);
    await this.#reader.forgetWritten(this.#hasOwnStore || isErased ? 'keep' : 'delete');
  }

  /** The entities of an input that is about to be answered. */
  async #namesIn(input: string, turns: readonly StoredMessage[][]): Promise<string[]> {
    if (this.#detectOnLoad === 'known-names') return findNames(input, await this.#reader.known());
    try {
      const names = await this.#reader.detect(input, turns);
      this.#detected.add(input, names);
      // Who asks "what is my name" is not named by a list of names.
      const user = (await this.#reader.known()).filter(({ name }) => name === USER_NAME);
      return [...new Set([...names, ...findNames(input, user)])];
    } catch (cause) {
      const message =
        'The entities of the input could not be found; those whose names occur in it were loaded.';
      this.#onWarning?.({ code: 'enrichment-failed', message, cause });
      return findNames(input, await this.#reader.known());
    }
  }
}

const EXTRACTOR_METHODS = ['findEntities', 'updateEntity', 'updateEntities', 'extract'] as const;
const PROMPT_NAMES = ['entityExtraction', 'entitySummarization'] as const;

/** The variable of the recent turns has two names: that of the seeds, and that of all memories. */
function historyKey({ chatHistoryKey, memoryKey }: ConversationEntityMemoryOptions): string {
  const key = chatHistoryKey ?? memoryKey ?? 'history';
  if (memoryKey !== undefined && memoryKey !== key) {
    throw new MnemoraError(
      'invalid-option',
      'Give chatHistoryKey or memoryKey, not both: they name one variable.',
    );
  }
  if (key !== 'entities') return key;
  throw new MnemoraError('invalid-option', 'The recent turns cannot be called "entities": that is the map.');
}
