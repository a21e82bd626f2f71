import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { ParsedTriple } from '../../learning/parse-replies.ts';
import { TurnLearner } from '../../learning/turn-learner.ts';
import { chooseExtractor } from './extractor-options.ts';
import { checkSaveOptions, HistoryConnection } from './history-connection.ts';
import { EnrichedMemory } from './enriched-memory.ts';
import { checkGraphOptions, type ConversationKGMemoryOptions } from './kg-options.ts';
import { GraphReader, type GraphAccess } from './kg-reader.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';

/**
 * A memory that stores the conversation as facts in a knowledge graph. It loads the facts about the entities of the input,
 * in a line for each entity: `On Sam: Sam is a friend. Sam lives in Paris.`
 *
 * A new fact ends a fact that it contradicts, which is kept as history: see `KnowledgeGraph`.
 *
 * @example
 * const memory = new ConversationKGMemory({ llm });
 * await memory.saveContext({ input: 'sam is a friend' }, { output: 'okay' });
 * await memory.loadMemoryVariables({ input: 'who is sam' }); // { history: 'On sam: sam is a friend.' }
 */
export class ConversationKGMemory extends EnrichedMemory {
  readonly #reader: GraphReader;
  /** @internal */
  protected override readonly enrichment: TurnLearner;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationKGMemoryOptions) {
    checkGraphOptions(options);
    const { k = 2, enrichment = 'inline', onWarning } = options;
    super(new HistoryConnection(options));
    const extractor = chooseExtractor('ConversationKGMemory', options, PROMPT_NAMES, EXTRACTOR_METHODS);
    this.#reader = new GraphReader({ ...options, connection: this.connection, extractor, k });
    this.enrichment = new TurnLearner({
      component: 'ConversationKGMemory',
      learns: 'facts',
      history: this.connection.history,
      enrichment,
      onWarning,
      reader: this.#reader,
    });
  }

  /** Graph that contains the facts, in memory or in a database. */
  get graph(): KnowledgeGraph | GraphAccess {
    return this.#reader.graph;
  }

  /**
   * Returns the facts that have an entity of the input as subject or object. If the model that finds entities fails, it
   * warns with `enrichment-failed` and uses the known names that occur in the input.
   *
   * @throws MnemoraError `invalid-input` if the user's message cannot be identified
   */
  override async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const lines = await this.#reader.linesAbout(this.connection.inputText(inputs));
    return this.connection.renderLines(lines);
  }

  /**
   * Stores the turn and adds the facts of the input to the graph. If the model fails, it warns with `enrichment-failed`;
   * the turn is stored anyway and is processed again with the next one.
   *
   * @throws MnemoraError `invalid-input` if input or output cannot be identified
   */
  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    checkSaveOptions(options);
    await this.enrichment.save(options, (turn, jobs) =>
      this.connection.save(inputs, outputs, turn, { jobs }),
    );
  }

  /** Returns the facts of a text, extracted with the recent turns as context. Adds nothing to the graph. */
  getKnowledgeTriplets(text: string, options: { signal?: AbortSignal } = {}): Promise<ParsedTriple[]> {
    return this.#reader.triplesOf(text, options);
  }

  /** Returns the entities of a text, extracted with the recent turns as context. The user is named `user`. */
  getCurrentEntities(text: string, options: { signal?: AbortSignal } = {}): Promise<string[]> {
    return this.#reader.entitiesOf(text, options);
  }
}

const PROMPT_NAMES = ['entityExtraction', 'kgExtraction'] as const;
const EXTRACTOR_METHODS = ['findEntities', 'extractTriples'] as const;
