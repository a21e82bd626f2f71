import { nameKey } from '../../graph/entity-name.ts';
import type { FactGraph } from '../../graph/fact-graph.ts';
import { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import { findNames } from '../../graph/name-index.ts';
import { sentenceOf } from '../../graph/triple.ts';
import { inThirdPerson, tripleInThirdPerson, USER_ALIASES, USER_NAME } from '../../learning/first-person.ts';
import type { ParsedTriple } from '../../learning/parse-replies.ts';
import type { StoredGraph } from '../../learning/scope-graph.ts';
import type { StoreLearned, TurnReader } from '../../learning/turn-learner.ts';
import { objectWith } from '../../model/check-options.ts';
import { invalidOption, MnemoraError } from '../../model/error.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import { recentTurns, type Passage } from '../../sessions/read-turns.ts';
import { namesForgotten } from '../../storage/entity-tombstone.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import { knownName } from './detected-names.ts';
import type { DialogueExtractor } from './dialogue-extractor.ts';
import { dialogueOf, type TurnWorkOptions } from './learning-memory.ts';

type GraphAccess = Pick<StoredGraph, 'read' | 'forgotten'> & {
  update(
    change: (draft: { readonly graph: FactGraph }) => void | Promise<void>,
    ticket?: JobTicket,
  ): Promise<void>;
};

export interface GraphReaderOptions extends Omit<TurnWorkOptions, 'component' | 'enrichment'> {
  /** @default new KnowledgeGraph() */
  readonly graph?: KnowledgeGraph | StoredGraph;
  readonly singleValued?: readonly string[];
  readonly dialogue: DialogueExtractor;
  readonly k: number;
}

/** Extracts facts from turns into a knowledge graph, and finds the facts about an input. */
export class GraphReader implements TurnReader {
  /** Graph in memory, or access to that of a database. */
  readonly graph: KnowledgeGraph | StoredGraph;
  readonly #options: GraphReaderOptions;
  readonly #access: GraphAccess;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: GraphReaderOptions) {
    this.#options = options;
    this.graph = chooseGraph(options);
    this.#access = this.graph instanceof KnowledgeGraph ? accessGraph(this.graph) : this.graph;
  }

  /** Returns the facts about the entities of an input, in a line for each entity. */
  async linesAbout(input: string): Promise<string[]> {
    let about: readonly string[] | string = input;
    try {
      // "What is my name" contains no known name, but is about the user.
      const user = findNames(input, [{ name: USER_NAME, aliases: USER_ALIASES }]);
      about = [...new Set([...(await this.entitiesOf(input)), ...user])];
    } catch (cause) {
      const message =
        'The model could not find the entities of the input; facts about entities whose names occur in it were loaded instead.';
      this.#options.onWarning({ code: 'learning-failed', message, cause });
    }
    return factLines(await this.#access.read(), about);
  }

  /** Returns the facts of a text, extracted with the recent turns as context. */
  async triplesOf(input: string, options: { signal?: AbortSignal }): Promise<ParsedTriple[]> {
    return this.#options.dialogue.extractTriples({ ...options, history: await this.#recent(), input });
  }

  /** Returns the entities of a text, extracted with the recent turns as context. The user is named `user`. */
  async entitiesOf(input: string, options: { signal?: AbortSignal } = {}): Promise<string[]> {
    const history = await this.#recent();
    const names = await this.#options.dialogue.findEntities({ ...options, history, input });
    const outcomes = names.map((name) => inThirdPerson(name, 'user'));
    return [...new Set(outcomes.flatMap((outcome) => ('name' in outcome ? [outcome.name] : [])))];
  }

  /** Reads the facts of some turns, and returns the function that adds them to the graph. */
  async read(passage: Passage, signal: AbortSignal | undefined): Promise<StoreLearned> {
    const { history, dialogue, onWarning } = this.#options;
    const triples = await dialogue.extractTriples(dialogueOf(passage, this.#options, signal));
    const { secretFinder } = await import('../../language/secrets.ts');
    const rows = passage.turns.flat();
    // A database rejects sources that it does not contain.
    const sources = this.graph instanceof KnowledgeGraph || history.background ? rows : [];
    const isSecret = secretFinder(passage.window.flat().map(messageText));
    const isKept = (said: ParsedTriple): boolean => !isSecret(sentenceOf(said));
    return async (ticket) => {
      let rejected = 0;
      await this.#access.update(async ({ graph }) => {
        // Read for each try: what is forgotten after it changes the graph, so that the change is refused.
        const forgotten = (await this.#access.forgotten?.(rows.map(({ id }) => id))) ?? [];
        const isForgotten = (said: ParsedTriple): boolean =>
          forgotten.length > 0 &&
          rows.some(({ id }) => namesForgotten(sentenceOf(said), id, forgotten)) &&
          // A later turn of the same job may say it again.
          !rows.some((row) => saysAll(row, said) && !namesForgotten(sentenceOf(said), row.id, forgotten));
        const left = triples.filter((said) => !isForgotten(said));
        rejected = left.filter((said) => !isKept(said) || !addStated(graph, said, rows, sources)).length;
      }, ticket);
      if (rejected === 0) return;
      const message = `${rejected} of the model's facts were invalid, about the assistant itself or contained a secret; the rest was stored.`;
      onWarning({ code: 'extraction-rejected', message });
    };
  }

  /** Deletes the facts that come from these messages alone. */
  async forget(messageIds: readonly string[]): Promise<void> {
    const isOfPage = this.graph instanceof KnowledgeGraph;
    if (isOfPage && this.#options.graph === undefined) this.graph.clear();
    // A database erases facts together with their source messages.
    else if (isOfPage || !this.#options.history.background) {
      await this.#access.update(({ graph }) => {
        for (const id of messageIds) graph.deleteSource(id);
      });
    }
  }

  async #recent(): Promise<StoredMessage[]> {
    const { history, k } = this.#options;
    return (await recentTurns(history, k)).flat();
  }
}

function chooseGraph({ graph, singleValued }: GraphReaderOptions): KnowledgeGraph | StoredGraph {
  if (graph === undefined) return new KnowledgeGraph(singleValued === undefined ? {} : { singleValued });
  if (singleValued !== undefined)
    throw invalidOption('Pass singleValued to the graph itself, not to the memory.');
  return graph instanceof KnowledgeGraph ? graph : objectWith<StoredGraph>('read', 'update')('graph', graph);
}

/** Returns access to a graph in memory. */
/** Whether a message contains both ends of a fact. */
function saysAll(row: StoredMessage, { subject, object }: ParsedTriple): boolean {
  const text = messageText(row).toLowerCase();
  return [subject, object].every((name) => text.includes(name.toLowerCase()));
}

function accessGraph(graph: KnowledgeGraph): GraphAccess {
  return {
    read: async () => graph,
    update: async (change) => {
      await change({ graph });
    },
  };
}

/** Adds all names that texts use for the user as aliases of the user. */
function nameUser(graph: FactGraph): void {
  const known = new Set(graph.entity(USER_NAME)?.aliases.map(nameKey));
  const isNamed = (alias: string): boolean => {
    const entity = graph.entity(alias);
    // A name that another entity already has is not an alias of the user.
    return known.has(nameKey(alias)) || (entity !== undefined && nameKey(entity.name) !== nameKey(alias));
  };
  const aliases = USER_ALIASES.filter((alias) => !isNamed(alias));
  if (aliases.length > 0) graph.addEntity(USER_NAME, { aliases });
}

/**
 * Adds a fact that a model found in a turn, with its source messages. "I" is the user. Returns false for an invalid fact
 * or one about the assistant, which is skipped.
 *
 * @param sources rows that the fact may name as sources
 */
function addStated(
  graph: FactGraph,
  said: ParsedTriple,
  rows: readonly StoredMessage[],
  sources: readonly StoredMessage[],
): boolean {
  const outcome = tripleInThirdPerson(said, 'user');
  if ('reason' in outcome) return false;
  const { triple } = outcome;
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
 * Returns the source messages of a fact: those that contain its object, otherwise those that contain its subject. If none
 * does, because pronouns stand for both, it is the user's message.
 */
function citedMessages({ subject, object }: ParsedTriple, rows: readonly StoredMessage[]): StoredMessage[] {
  for (const name of [object, subject]) {
    const holding = rows.filter((row) => nameKey(messageText(row)).includes(nameKey(name)));
    if (holding.length > 0) return holding;
  }
  const users = rows.filter((row) => row.role === 'user');
  return users.length > 0 ? users : [...rows];
}

/**
 * Returns a line for each known entity with its current facts: `On Sam: Sam is a friend. Sam lives in Paris.` The entities
 * are given by name, or by a text that mentions them.
 */
function factLines(graph: FactGraph, about: readonly string[] | string): string[] {
  const known = graph.entities();
  const names =
    typeof about === 'string'
      ? findNames(about, known)
      : about.map((name) => graph.entity(name)?.name ?? knownName(name, known));
  return [...new Set(names)].flatMap((name) => {
    const facts = name === undefined ? [] : graph.entityFacts(name).map((fact) => fact.replace(/\.$/u, ''));
    return facts.length === 0 ? [] : [`On ${name}: ${facts.join('. ')}.`];
  });
}
