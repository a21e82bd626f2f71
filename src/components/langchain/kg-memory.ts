import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { ParsedTriple } from '../../learning/parse-triples.ts';
import { TurnLearner } from '../../learning/turn-learner.ts';
import { chooseExtractor } from './extractor-options.ts';
import { checkSaveOptions, HistoryConnection } from './history-connection.ts';
import { EnrichedMemory } from './enriched-memory.ts';
import { checkGraphOptions, type ConversationKGMemoryOptions } from './kg-options.ts';
import { GraphReader, type GraphAccess } from './kg-reader.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';

/**
 * Keeps what was said as facts in a knowledge graph; loads those about the entities of the input, a line for each
 * entity: `On Sam: Sam is a friend. Sam lives in Paris.`
 *
 * A new fact ends the one that it contradicts, which stays as history: see `KnowledgeGraph`.
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

  /** Where the facts are: the graph, or that of a database. */
  get graph(): KnowledgeGraph | GraphAccess {
    return this.#reader.graph;
  }

  /**
   * The facts about the entities of the input, those included of which they are the object. Where the model that finds
   * entities fails, it warns `enrichment-failed` and goes by the names that are known.
   *
   * @throws MnemoraError `invalid-input` where the user's words cannot be told
   */
  override async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const lines = await this.#reader.linesAbout(this.connection.inputText(inputs));
    return this.connection.renderLines(lines);
  }

  /**
   * Stores the turn, and adds the facts of the input to the graph. A model that fails is warned of, as
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
    await this.enrichment.save(options, (turn, jobs) =>
      this.connection.save(inputs, outputs, turn, { jobs }),
    );
  }

  /** Asks the extractor for the facts of a text, in the light of the recent turns. Adds nothing to the graph. */
  getKnowledgeTriplets(text: string, options: { signal?: AbortSignal } = {}): Promise<ParsedTriple[]> {
    return this.#reader.triplesOf(text, options);
  }

  /** Asks the extractor for the entities of a text, in the light of the recent turns. The user is called `user`. */
  getCurrentEntities(text: string, options: { signal?: AbortSignal } = {}): Promise<string[]> {
    return this.#reader.entitiesOf(text, options);
  }
}

const PROMPT_NAMES = ['entityExtraction', 'kgExtraction'] as const;
const EXTRACTOR_METHODS = ['findEntities', 'extractTriples'] as const;
