import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { EntityStore } from '../../sessions/entity-store.ts';
import { recentTurns } from '../../sessions/read-turns.ts';
import { TurnLearner } from '../../learning/turn-learner.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { checkEntityOptions, historyKey, type ConversationEntityMemoryOptions } from './entity-options.ts';
import { EntityReader } from './entity-reader.ts';
import { chooseExtractor } from './extractor-options.ts';
import { checkSaveOptions, HistoryConnection } from './history-connection.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';

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
  readonly #reader: EntityReader;
  readonly #learner: TurnLearner;
  readonly #k: number;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationEntityMemoryOptions) {
    checkEntityOptions(options);
    const { k = 3, enrichment = 'inline', onWarning } = options;
    this.#k = k;
    this.#connection = new HistoryConnection({ ...options, memoryKey: historyKey(options) }, ['entities']);
    const extractor = chooseExtractor('ConversationEntityMemory', options, PROMPT_NAMES, EXTRACTOR_METHODS);
    this.#reader = new EntityReader({ ...options, connection: this.#connection, extractor, k });
    this.#learner = new TurnLearner({
      component: 'ConversationEntityMemory',
      learns: 'entities',
      history: this.#connection.history,
      enrichment,
      onWarning,
      reader: this.#reader,
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
    return this.#reader.store;
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
    const turns = await recentTurns(this.chatHistory, this.#k);
    return {
      entities: await this.#reader.entitiesOf(input, turns),
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
    checkSaveOptions(options);
    const input = this.#connection.inputText(inputs);
    await this.#learner.save(options, async (turn, jobs) => {
      await this.#connection.save(inputs, outputs, turn, { jobs });
      this.#reader.assignDetected(turn.turnId, input);
    });
  }

  /** Resolves when no turn is being read, and in the background none is queued. */
  settled(): Promise<void> {
    return this.#learner.settled();
  }

  /** Removes all messages of the history, and the entities that are known from them alone. */
  clear(): Promise<void> {
    return this.#learner.clear();
  }

  /** Ends this memory's work in the background, which goes on where another memory of the session is open. */
  close(): Promise<void> {
    return this.#learner.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const EXTRACTOR_METHODS = ['findEntities', 'updateEntity', 'updateEntities', 'extract'] as const;
const PROMPT_NAMES = ['entityExtraction', 'entitySummarization'] as const;
