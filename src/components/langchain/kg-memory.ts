import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { findNames } from '../../graph/find-names.ts';
import { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { Extractor } from '../../learning/extractor.ts';
import { inThirdPerson, USER_ALIASES, USER_NAME } from '../../learning/first-person.ts';
import type { ParsedTriple } from '../../learning/parse-triples.ts';
import { checkMethods, checkOptions, wholeNumber } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { messagesToXml } from '../../model/message-text.ts';
import { messageText, type ChatMessage, type StoredMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { factLines } from './fact-lines.ts';
import { chooseExtractor, EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';
import { accessGraph, type GraphAccess } from './graph-access.ts';
import { HistoryConnection } from './history-connection.ts';
import { LearnedTurns, type ReadOptions } from './learned-turns.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';
import { findPassage, recentTurns } from '../../sessions/read-turns.ts';
import { addStatedTriples } from './stated-triples.ts';

export interface ConversationKGMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'kgExtraction'> {
  /** How many whole turns the model is shown, so that it can tell who "he" is; 0 is none. @default 2 */
  k?: number;
  /** Where the facts are kept. @default new KnowledgeGraph() */
  graph?: KnowledgeGraph | GraphAccess;
  /** Predicates of which a subject has one value at a time, for the graph that is made where none is given. */
  singleValued?: readonly string[];
}

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
export class ConversationKGMemory implements Memory {
  readonly #connection: HistoryConnection;
  readonly #extractor: Extractor;
  readonly #graph: GraphAccess;
  /** Where the graph is one of this page. */
  readonly #pageGraph: KnowledgeGraph | undefined;
  readonly #hasOwnGraph: boolean;
  readonly #k: number;
  readonly #form: 'messages' | 'text' | 'xml';
  readonly #turns: LearnedTurns;
  readonly #onWarning: WarningListener | undefined;
  /** Counts how often it was cleared: what is being read then is not kept. */
  #generation = 0;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationKGMemoryOptions) {
    checkOptions('ConversationKGMemory', options, {
      ...CHAT_HISTORY_CHECKS,
      ...EXTRACTOR_CHECKS,
      k: wholeNumber(0),
      graph: () => undefined,
      singleValued: () => undefined,
    });
    this.#connection = new HistoryConnection(options);
    this.#extractor = chooseExtractor('ConversationKGMemory', options, PROMPT_NAMES, EXTRACTOR_METHODS);
    this.#k = options.k ?? 2;
    const graph = chooseGraph(options);
    this.#hasOwnGraph = options.graph === undefined;
    this.#pageGraph = graph instanceof KnowledgeGraph ? graph : undefined;
    this.#graph = graph instanceof KnowledgeGraph ? accessGraph(graph) : graph;
    this.#form = options.returnMessages ? 'messages' : (options.format ?? 'text');
    this.#onWarning = options.onWarning;
    this.#turns = new LearnedTurns({
      component: 'ConversationKGMemory',
      learns: 'facts',
      connection: this.#connection,
      enrichment: options.enrichment,
      onWarning: options.onWarning,
      read: (turns) => this.#read(turns),
    });
  }

  get memoryKeys(): readonly string[] {
    return this.#connection.memoryKeys;
  }

  /** Where the messages are. */
  get chatHistory(): ChatMessageHistory {
    return this.#connection.history;
  }

  /** Where the facts are: the graph, or that of a database. */
  get graph(): KnowledgeGraph | GraphAccess {
    return this.#pageGraph ?? this.#graph;
  }

  checkInputs(inputs: Values): void {
    this.#connection.checkInputs(inputs);
  }

  /**
   * The facts about the entities of the input, those included of which they are the object. Where the model that finds
   * entities fails, it warns `enrichment-failed` and goes by the names that are known.
   *
   * @throws MnemoraError `invalid-input` where the user's words cannot be told
   */
  async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const input = this.#connection.inputText(inputs);
    let names: readonly string[] | undefined;
    try {
      // Who asks "what is my name" is not named by a list of names.
      const user = findNames(input, [{ name: USER_NAME, aliases: USER_ALIASES }]);
      names = [...new Set([...(await this.getCurrentEntities(input)), ...user])];
    } catch (cause) {
      const message =
        'The entities of the input could not be found; facts about those that it names were loaded.';
      this.#onWarning?.({ code: 'enrichment-failed', message, cause });
    }
    return this.#render(factLines(await this.#graph.read(), names ?? input));
  }

  /**
   * Stores the turn, and adds the facts of the input to the graph. A model that fails is warned of, as
   * `enrichment-failed`; the turn is stored all the same, and is read again with the next one.
   *
   * @throws MnemoraError `invalid-input` where input or output cannot be told
   */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    await this.#turns.save(inputs, outputs, options);
  }

  /** Resolves when no turn is being read, and in the background none is queued. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  /** Asks the extractor for the facts of a text, in the light of the recent turns. Adds nothing to the graph. */
  async getKnowledgeTriplets(text: string, options: { signal?: AbortSignal } = {}): Promise<ParsedTriple[]> {
    const turns = await recentTurns(this.#connection.history, this.#k);
    return this.#extractor.extractTriples({ ...options, history: this.#toText(turns), input: text });
  }

  /** Asks the extractor for the entities of a text, in the light of the recent turns. The user is called `user`. */
  async getCurrentEntities(text: string, options: { signal?: AbortSignal } = {}): Promise<string[]> {
    const turns = await recentTurns(this.#connection.history, this.#k);
    const dialogue = { ...options, history: this.#toText(turns), input: text };
    const names = await this.#extractor.findEntities(dialogue);
    const outcomes = names.map((name) => inThirdPerson(name, 'user'));
    return [...new Set(outcomes.flatMap((outcome) => ('name' in outcome ? [outcome.name] : [])))];
  }

  /** Removes all messages of the history, and the facts that come from them alone. */
  async clear(): Promise<void> {
    const { history } = this.#connection;
    const ids = (await history.list()).map((message) => message.id);
    await history.clear();
    this.#generation += 1;
    await this.#turns.clear();
    if (this.#hasOwnGraph) this.#pageGraph?.clear();
    // A database erases with the messages what came from them.
    else if (this.#pageGraph || !history.background) {
      await this.#graph.update(({ graph }) => {
        for (const id of ids) graph.deleteSource(id);
      });
    }
  }

  async #read({ turnIds, ticket, signal }: ReadOptions): Promise<void> {
    const { history } = this.#connection;
    const generation = this.#generation;
    const { turns, window } = await findPassage(history, turnIds, this.#k);
    // What was forgotten meanwhile is not read any more.
    if (turns.length === 0) return;
    const rows = turns.flat();
    const shown = this.#k === 0 ? [] : window.slice(-Math.max(this.#k, turns.length));
    const users = rows.filter((row) => row.role === 'user');
    const triples = await this.#extractor.extractTriples({
      history: this.#toText(shown),
      input: users.map(messageText).join('\n'),
      ...(signal ? { signal } : {}),
    });
    // Nobody waits for an answer that comes after the abort: the turn is read again with the next one.
    signal?.throwIfAborted();
    if (generation !== this.#generation) return;
    let rejected = 0;
    // A database refuses messages that it does not hold.
    const sources = this.#pageGraph || history.background ? rows : [];
    const isStored = await this.#graph.update(({ graph }) => {
      rejected = addStatedTriples(graph, triples, rows, sources);
    }, ticket);
    if (!isStored) {
      const why = 'a message that they came from is not in the database of the graph, or was forgotten';
      throw new MnemoraError('not-found', `The facts were not stored: ${why}.`);
    }
    if (rejected === 0) return;
    const message = `${rejected} of the model's facts were none, or about the assistant itself; the rest was stored.`;
    this.#onWarning?.({ code: 'extraction-rejected', message });
  }

  #toText(turns: readonly StoredMessage[][]): string {
    return this.#connection.toText(turns.flat());
  }

  #render(lines: readonly string[]): Record<string, unknown> {
    const [key = 'history'] = this.memoryKeys;
    const messages = lines.map((content): ChatMessage => ({ role: 'system', content }));
    if (this.#form === 'messages') return { [key]: messages };
    return { [key]: this.#form === 'xml' ? messagesToXml(messages) : lines.join('\n') };
  }
}

const PROMPT_NAMES = ['entityExtraction', 'kgExtraction'] as const;
const EXTRACTOR_METHODS = ['findEntities', 'extractTriples'] as const;

function chooseGraph({ graph, singleValued }: ConversationKGMemoryOptions): KnowledgeGraph | GraphAccess {
  if (graph === undefined) return new KnowledgeGraph(singleValued === undefined ? {} : { singleValued });
  if (singleValued !== undefined) {
    throw new MnemoraError('invalid-option', 'Give singleValued to the graph itself.');
  }
  return graph instanceof KnowledgeGraph ? graph : checkMethods('graph', graph, ['read', 'update']);
}
