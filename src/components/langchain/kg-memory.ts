import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { ParsedTriple } from '../../learning/parse-replies.ts';
import type { StoredGraph } from '../../learning/scope-graph.ts';
import { TurnLearner } from '../../learning/turn-learner.ts';
import { checkOptions, wholeNumber, anything } from '../../model/check-options.ts';
import type { Values } from './base-memory.ts';
import type { ChatHistoryOptions } from './history-memory.ts';
import { GraphReader } from './kg-reader.ts';
import { chooseDialogue, LearningMemory, LEARNING_CHECKS, type ExtractorOptions } from './learning-memory.ts';

export interface ConversationKGMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'kgExtraction'> {
  /** Number of whole turns that the model sees, to resolve pronouns such as "he"; 0 for none. @default 2 */
  k?: number;
  /** Graph that stores the facts. @default new KnowledgeGraph() */
  graph?: KnowledgeGraph | StoredGraph;
  /** Predicates with a single value per subject at a time. Only for the default graph. */
  singleValued?: readonly string[];
}

/**
 * A memory that stores the conversation as facts in a knowledge graph. It loads the facts about the entities of the input,
 * in a line for each entity: `On Sam: Sam is a friend. Sam lives in Paris.`
 *
 * A new fact ends a fact that it contradicts, which is kept as history: see `KnowledgeGraph`.
 *
 * With `returnMessages`, each line is a system message, as in LangChain, so pasted text can reach the model as an
 * instruction. `fence: true` quotes the lines as data.
 *
 * @example
 * const memory = new ConversationKGMemory({ llm });
 * await memory.saveContext({ input: 'sam is a friend' }, { output: 'okay' });
 * await memory.loadMemoryVariables({ input: 'who is sam' }); // { history: 'On sam: sam is a friend.' }
 */
export class ConversationKGMemory extends LearningMemory {
  readonly #reader: GraphReader;
  /** @internal */
  protected override readonly turnWork: TurnLearner;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationKGMemoryOptions) {
    checkOptions('ConversationKGMemory', options, {
      ...LEARNING_CHECKS,
      k: wholeNumber(0),
      // The reader checks these two options, which depend on each other.
      graph: anything,
      singleValued: anything,
    });
    super('ConversationKGMemory', options, PROMPT_NAMES, ['extract']);
    const { k = 2 } = options;
    const dialogue = chooseDialogue(options, this.work);
    this.#reader = new GraphReader({ ...options, ...this.work, dialogue, k });
    this.turnWork = new TurnLearner({ ...this.work, learns: 'facts', reader: this.#reader, k });
  }

  /** Graph that contains the facts, in memory or in a database. */
  get graph(): KnowledgeGraph | StoredGraph {
    return this.#reader.graph;
  }

  /**
   * Returns the facts that have an entity of the input as subject or object. If the model that finds entities fails, a
   * `learning-failed` warning is raised and the known names that occur in the input are used.
   *
   * @throws MnemoraError `invalid-input` if the user's message cannot be identified
   */
  override async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const lines = await this.#reader.linesAbout(this.inputText(inputs));
    return this.renderMemory('Known facts', lines, [], lines.join('\n'));
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
