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
 * A memory with a summary of each person, place and thing in the conversation. It loads the recent turns and `entities`, a
 * map from name to summary of the entities that the input is about. Unknown entities have an empty summary.
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

  /** Store of the summaries. */
  get entityStore(): EntityStore {
    return this.#reader.store;
  }

  /**
   * Returns the entities of the input with their summaries, and the recent turns. If the model that finds entities fails,
   * it warns with `enrichment-failed` and uses the known names that occur in the input.
   *
   * @throws MnemoraError `invalid-input` if the user's message cannot be identified
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
   * Stores the turn and updates the summaries of its entities. If the model fails, it warns with `enrichment-failed`; the
   * turn is stored anyway and is processed again with the next one.
   *
   * @throws MnemoraError `invalid-input` if input or output cannot be identified
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
