import type { EntityStore } from '../../sessions/entity-store.ts';
import { recentTurns } from '../../sessions/read-turns.ts';
import { TurnLearner } from '../../learning/turn-learner.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { checkEntityOptions, historyKey, type ConversationEntityMemoryOptions } from './entity-options.ts';
import { EntityReader } from './entity-reader.ts';
import { chooseExtractor } from './extractor-options.ts';
import { checkSaveOptions, HistoryConnection } from './history-connection.ts';
import { EnrichedMemory } from './enriched-memory.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';

/**
 * Keeps a summary of each person, place and thing that is talked of; loads those of the ones that the input is about,
 * as `entities`, a map from name to summary, beside the recent turns. What is not known yet has an empty summary.
 *
 * @example
 * const memory = new ConversationEntityMemory({ llm });
 * const { entities, history } = await memory.loadMemoryVariables({ input: 'Sam works at Acme' });
 */
export class ConversationEntityMemory extends EnrichedMemory {
  readonly #reader: EntityReader;
  /** @internal */
  protected override readonly enrichment: TurnLearner;
  readonly #k: number;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationEntityMemoryOptions) {
    checkEntityOptions(options);
    const { k = 3, enrichment = 'inline', onWarning } = options;
    super(new HistoryConnection({ ...options, memoryKey: historyKey(options) }, ['entities']));
    this.#k = k;
    const extractor = chooseExtractor('ConversationEntityMemory', options, PROMPT_NAMES, EXTRACTOR_METHODS);
    this.#reader = new EntityReader({ ...options, connection: this.connection, extractor, k });
    this.enrichment = new TurnLearner({
      component: 'ConversationEntityMemory',
      learns: 'entities',
      history: this.connection.history,
      enrichment,
      onWarning,
      reader: this.#reader,
    });
  }

  /** Where the summaries are. */
  get entityStore(): EntityStore {
    return this.#reader.store;
  }

  /**
   * The entities of the input with their summaries, and the recent turns. Where the model that finds entities fails,
   * it warns `enrichment-failed` and goes by the names that are known.
   *
   * @throws MnemoraError `invalid-input` where the user's words cannot be told
   */
  override async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const input = this.connection.inputText(inputs);
    const turns = await recentTurns(this.chatHistory, this.#k);
    return {
      entities: await this.#reader.entitiesOf(input, turns),
      ...this.connection.render(dropOrphanToolResults(turns.flat())),
    };
  }

  /**
   * Stores the turn, and brings the summaries of its entities up to date. A model that fails is warned of, as
   * `enrichment-failed`; the turn is stored all the same, and is read again with the next one.
   *
   * @throws MnemoraError `invalid-input` where input or output cannot be told
   */
  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    checkSaveOptions(options);
    const input = this.connection.inputText(inputs);
    await this.enrichment.save(options, async (turn, jobs) => {
      await this.connection.save(inputs, outputs, turn, { jobs });
      this.#reader.assignDetected(turn.turnId, input);
    });
  }
}

const EXTRACTOR_METHODS = ['findEntities', 'updateEntity', 'updateEntities', 'extract'] as const;
const PROMPT_NAMES = ['entityExtraction', 'entitySummarization'] as const;
