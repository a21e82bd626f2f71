import { TurnLearner } from '../../learning/turn-learner.ts';
import { checkName, checkOptions, objectWith, oneOf, wholeNumber } from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import type { EntityStore } from '../../sessions/entity-store.ts';
import { recentTurns } from '../../sessions/read-turns.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';
import { fencedText } from './fenced-memory.ts';
import { EntityReader } from './entity-reader.ts';
import { checkSaveOptions, type ChatHistoryOptions } from './history-memory.ts';
import { chooseDialogue, LearningMemory, LEARNING_CHECKS, type ExtractorOptions } from './learning-memory.ts';

export interface ConversationEntityMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'entitySummarization'> {
  /** Number of whole turns to load, and to show to the model with a new one; 0 for none. @default 3 */
  k?: number;
  /** Store of the summaries. @default new InMemoryEntityStore() */
  entityStore?: EntityStore;
  /** Name of the variable that contains the recent turns. @default `memoryKey`, or 'history' */
  chatHistoryKey?: string;
  /**
   * Whether a turn takes one model call for all entities (`batched`) or one for each (`each`). An `extractor` is always
   * called once.
   * @default 'batched'
   */
  updateCalls?: 'batched' | 'each';
  /**
   * How the entities of an input are found. `model`: by a model call for each load. `known-names`: by known names and
   * aliases in the input, without a call; the call that updates summaries after a save then finds new ones.
   * @default 'model'
   */
  detectOnLoad?: 'model' | 'known-names';
}

/**
 * A memory with a summary of each person, place and thing in the conversation. It loads the recent turns and `entities`, a
 * map from name to summary of the entities that the input is about. Unknown entities have an empty summary.
 *
 * The summaries are plain text, as in LangChain. `fence: true` quotes each of them as data, after a sentence that says
 * so.
 *
 * @example
 * const memory = new ConversationEntityMemory({ llm });
 * const { entities, history } = await memory.loadMemoryVariables({ input: 'Sam works at Acme' });
 */
export class ConversationEntityMemory extends LearningMemory {
  readonly #reader: EntityReader;
  /** @internal */
  protected override readonly turnWork: TurnLearner;
  readonly #k: number;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationEntityMemoryOptions) {
    checkOptions('ConversationEntityMemory', options, {
      ...LEARNING_CHECKS,
      k: wholeNumber(0),
      entityStore: objectWith('get', 'set', 'has', 'delete', 'clear'),
      chatHistoryKey: checkName,
      updateCalls: oneOf('batched', 'each'),
      detectOnLoad: oneOf('model', 'known-names'),
    });
    const withKey = { ...options, memoryKey: historyKey(options) };
    super('ConversationEntityMemory', withKey, PROMPT_NAMES, ['extract'], ['entities']);
    this.#k = options.k ?? 3;
    const dialogue = chooseDialogue(options, this.work);
    this.#reader = new EntityReader({ ...options, ...this.work, dialogue, k: this.#k });
    this.turnWork = new TurnLearner({ ...this.work, learns: 'entities', reader: this.#reader, k: this.#k });
  }

  /** Store of the summaries. */
  get entityStore(): EntityStore {
    return this.#reader.store;
  }

  /**
   * Returns the entities of the input with their summaries, and the recent turns. If the model that finds entities
   * fails, a `learning-failed` warning is raised and the known names that occur in the input are used.
   *
   * @throws MnemoraError `invalid-input` if the user's message cannot be identified
   */
  override async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const input = this.inputText(inputs);
    const turns = await recentTurns(this.chatHistory, this.#k);
    const entities = await this.#reader.entitiesOf(input, turns);
    return {
      entities: this.isFenced ? await fencedEntities(entities) : entities,
      ...this.render(turns.flat()),
    };
  }

  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    checkSaveOptions(options);
    const input = this.inputText(inputs);
    await this.turnWork.save(options, async (turn, jobs) => {
      await this.store(inputs, outputs, turn, jobs);
      this.#reader.detected.assign(turn.turnId, input);
    });
  }
}

async function fencedEntities(entities: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const fenced = Object.entries(entities).map(
    async ([name, summary]) => [name, await fencedText('Known', [summary])] as const,
  );
  return Object.fromEntries(await Promise.all(fenced));
}

const PROMPT_NAMES = ['entityExtraction', 'entitySummarization'] as const;

/**
 * Returns the name of the variable with the recent turns. It has two options: LangChain's `chatHistoryKey`, and the
 * `memoryKey` of all memories.
 *
 * @throws MnemoraError `invalid-option` if both are given, or the name is reserved
 */
function historyKey({ chatHistoryKey, memoryKey }: ConversationEntityMemoryOptions): string {
  const key = chatHistoryKey ?? memoryKey ?? 'history';
  if (memoryKey !== undefined && memoryKey !== key) {
    throw invalidOption(
      'Pass either chatHistoryKey or memoryKey, but not both: they name the same variable.',
    );
  }
  if (key !== 'entities') return key;
  throw invalidOption(
    'The recent turns cannot use the key "entities", which is reserved for the map of entities.',
  );
}
