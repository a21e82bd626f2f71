import { nameKey } from '../../graph/entity-name.ts';
import { findNames } from '../../graph/find-names.ts';
import type { FactGraph } from '../../graph/fact-graph.ts';
import { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { Extractor } from '../../learning/extractor.ts';
import { inThirdPerson, tripleInThirdPerson, USER_ALIASES, USER_NAME } from '../../learning/first-person.ts';
import type { ParsedTriple } from '../../learning/parse-triples.ts';
import type { ReadOptions, TurnReader } from '../../learning/turn-learner.ts';
import { checkMethods } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import { findPassage, recentTurns } from '../../sessions/read-turns.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import { factLines } from './fact-lines.ts';
import type { HistoryConnection } from './history-connection.ts';

/** A knowledge graph that is kept somewhere: that of a database, for one. */
export interface GraphAccess {
  /** The graph as it stands. To be read, not to be written to. */
  read(signal?: AbortSignal): Promise<FactGraph>;
  /**
   * Changes the graph and stores the change, all or nothing. `change` may be called again. Returns false, and changes
   * nothing, where a message that a new fact names is not there any more.
   */
  update(change: (draft: { readonly graph: FactGraph }) => void, ticket?: JobTicket): Promise<boolean>;
}

export interface GraphReaderOptions {
  /** @default new KnowledgeGraph() */
  readonly graph?: KnowledgeGraph | GraphAccess;
  readonly singleValued?: readonly string[];
  readonly connection: HistoryConnection;
  readonly extractor: Extractor;
  readonly k: number;
  readonly onWarning?: WarningListener;
}

/** Reads facts out of turns into a knowledge graph, and finds those that an input is about. */
export class GraphReader implements TurnReader {
  /** The graph, or that of a database. */
  readonly graph: KnowledgeGraph | GraphAccess;
  readonly #options: GraphReaderOptions;
  readonly #access: GraphAccess;
  /** Counts how often it was cancelled: what is being read then is not kept. */
  #generation = 0;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: GraphReaderOptions) {
    this.#options = options;
    this.graph = chooseGraph(options);
    this.#access = this.graph instanceof KnowledgeGraph ? accessGraph(this.graph) : this.graph;
  }

  /** The facts about the entities of an input, a line for each entity. */
  async linesAbout(input: string): Promise<string[]> {
    let names: readonly string[] | undefined;
    try {
      // Who asks "what is my name" is not named by a list of names.
      const user = findNames(input, [{ name: USER_NAME, aliases: USER_ALIASES }]);
      names = [...new Set([...(await this.entitiesOf(input)), ...user])];
    } catch (cause) {
      const message =
        'The entities of the input could not be found; facts about those that it names were loaded.';
      this.#options.onWarning?.({ code: 'enrichment-failed', message, cause });
    }
    return factLines(await this.#access.read(), names ?? input);
  }

  /** Asks the extractor for the facts of a text, in the light of the recent turns. */
  async triplesOf(input: string, options: { signal?: AbortSignal }): Promise<ParsedTriple[]> {
    return this.#options.extractor.extractTriples({ ...options, history: await this.#recent(), input });
  }

  /** Asks the extractor for the entities of a text, in the light of the recent turns. The user is called `user`. */
  async entitiesOf(input: string, options: { signal?: AbortSignal } = {}): Promise<string[]> {
    const dialogue = { ...options, history: await this.#recent(), input };
    const names = await this.#options.extractor.findEntities(dialogue);
    const outcomes = names.map((name) => inThirdPerson(name, 'user'));
    return [...new Set(outcomes.flatMap((outcome) => ('name' in outcome ? [outcome.name] : [])))];
  }

  /** Adds the facts of some turns to the graph. */
  async read({ turnIds, ticket, signal }: ReadOptions): Promise<void> {
    const { connection, extractor, k, onWarning } = this.#options;
    const { history } = connection;
    const generation = this.#generation;
    const { turns, window } = await findPassage(history, turnIds, k);
    // What was forgotten meanwhile is not read any more.
    if (turns.length === 0) return;
    const rows = turns.flat();
    const shown = k === 0 ? [] : window.slice(-Math.max(k, turns.length));
    const users = rows.filter((row) => row.role === 'user');
    const triples = await extractor.extractTriples({
      history: connection.toText(shown.flat()),
      input: users.map(messageText).join('\n'),
      ...(signal ? { signal } : {}),
    });
    // Nobody waits for an answer that comes after the abort: the turn is read again with the next one.
    signal?.throwIfAborted();
    if (generation !== this.#generation) return;
    let rejected = 0;
    // A database refuses messages that it does not hold.
    const sources = this.graph instanceof KnowledgeGraph || history.background ? rows : [];
    const isStored = await this.#access.update(({ graph }) => {
      rejected = addStatedTriples(graph, triples, rows, sources);
    }, ticket);
    if (!isStored) {
      const why = 'a message that they came from is not in the database of the graph, or was forgotten';
      throw new MnemoraError('not-found', `The facts were not stored: ${why}.`);
    }
    if (rejected === 0) return;
    const message = `${rejected} of the model's facts were none, or about the assistant itself; the rest was stored.`;
    onWarning?.({ code: 'extraction-rejected', message });
  }

  /** To be called when the messages were removed: what is being read is not kept. */
  cancel(): void {
    this.#generation += 1;
  }

  /** Removes the facts that come from these messages alone. */
  async forget(messageIds: readonly string[]): Promise<void> {
    const isOfPage = this.graph instanceof KnowledgeGraph;
    if (isOfPage && this.#options.graph === undefined) this.graph.clear();
    // A database erases with the messages what came from them.
    else if (isOfPage || !this.#options.connection.history.background) {
      await this.#access.update(({ graph }) => {
        for (const id of messageIds) graph.deleteSource(id);
      });
    }
  }

  async #recent(): Promise<string> {
    const { connection, k } = this.#options;
    return connection.toText((await recentTurns(connection.history, k)).flat());
  }
}

function chooseGraph({ graph, singleValued }: GraphReaderOptions): KnowledgeGraph | GraphAccess {
  if (graph === undefined) return new KnowledgeGraph(singleValued === undefined ? {} : { singleValued });
  if (singleValued !== undefined) {
    throw new MnemoraError('invalid-option', 'Give singleValued to the graph itself.');
  }
  return graph instanceof KnowledgeGraph ? graph : checkMethods('graph', graph, ['read', 'update']);
}

/** A graph of this page as one that is kept somewhere. */
function accessGraph(graph: KnowledgeGraph): GraphAccess {
  return {
    read: async () => graph,
    update: async (change) => {
      change({ graph });
      return true;
    },
  };
}

/**
 * Adds facts that a model found in a turn, each with the messages that it came from. "I" is the user. What is no fact,
 * or one about the assistant, is left out; the number of those is returned.
 *
 * @param sources those of the rows that facts may name as sources
 */
function addStatedTriples(
  graph: FactGraph,
  triples: readonly ParsedTriple[],
  rows: readonly StoredMessage[],
  sources: readonly StoredMessage[],
): number {
  let rejected = 0;
  for (const said of triples) {
    const outcome = tripleInThirdPerson(said, 'user');
    if ('reason' in outcome || !addTriple(graph, outcome.triple, rows, sources)) rejected += 1;
  }
  return rejected;
}

/** Gives the user all the names by which texts call the user. */
function nameUser(graph: FactGraph): void {
  const known = new Set(graph.entity(USER_NAME)?.aliases.map(nameKey));
  const isNamed = (alias: string): boolean => {
    const entity = graph.entity(alias);
    // Somebody else may be called so: then that name stays theirs.
    return known.has(nameKey(alias)) || (entity !== undefined && nameKey(entity.name) !== nameKey(alias));
  };
  const aliases = USER_ALIASES.filter((alias) => !isNamed(alias));
  if (aliases.length > 0) graph.addEntity(USER_NAME, { aliases });
}

function addTriple(
  graph: FactGraph,
  triple: ParsedTriple,
  rows: readonly StoredMessage[],
  sources: readonly StoredMessage[],
): boolean {
  const cited = citedMessages(triple, rows);
  const statedBy = cited.some((row) => row.role === 'user') || cited.length === 0 ? 'user' : 'assistant';
  try {
    graph.addTriple({
      ...triple,
      sources: cited.filter((row) => sources.includes(row)).map((row) => ({ messageId: row.id })),
      attributes: { statedBy },
    });
  } catch (error) {
    if (error instanceof MnemoraError && error.code === 'invalid-input') return false;
    throw error;
  }
  if ([triple.subject, triple.object].some((name) => nameKey(name) === USER_NAME)) nameUser(graph);
  return true;
}

/**
 * The messages that a fact came from: those that hold its object, or else its subject; the user's where none does, for
 * a pronoun may stand for either.
 */
function citedMessages({ subject, object }: ParsedTriple, rows: readonly StoredMessage[]): StoredMessage[] {
  for (const name of [object, subject]) {
    const holding = rows.filter((row) => nameKey(messageText(row)).includes(nameKey(name)));
    if (holding.length > 0) return holding;
  }
  const users = rows.filter((row) => row.role === 'user');
  return users.length > 0 ? users : [...rows];
}
