import { nameKey } from '../../graph/entity-name.ts';
import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import { tripleInThirdPerson, USER_ALIASES, USER_NAME } from '../../learning/first-person.ts';
import type { ParsedTriple } from '../../learning/parse-triples.ts';
import { MnemoraError } from '../../model/error.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';

/**
 * Adds facts that a model found in a turn, each with the messages that it came from. "I" is the user. What is no fact,
 * or one about the assistant, is left out; the number of those is returned.
 *
 * @param sources those of the rows that facts may name as sources
 */
export function addStatedTriples(
  graph: KnowledgeGraph,
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
function nameUser(graph: KnowledgeGraph): void {
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
  graph: KnowledgeGraph,
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
