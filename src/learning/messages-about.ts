import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import { analyze } from '../search/analyze.ts';
import { askedOf, type AskedQuestion } from './asked-question.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { upheldFact } from './upheld-fact.ts';

/** Facts and notes that are considered: those that match the text best. */
const MOST_SENTENCES = 100;

/**
 * The messages from which something was learned about an entity that a text names and they do not: they say "he", "I" or
 * another name of it. With how well that fits, from above 0 to 1: as in a search by keywords, the words that a fact or
 * note shares with the text count beside the name, and a name of which much is known counts little.
 *
 * A message that names the entity as the text does is left to the search through its words: a second time for the name
 * would put those first that only address somebody. A fact that was taken back, or that gave way to another, counts for
 * no message, nor does what a person put in its place.
 *
 * @throws MnemoraError `invalid-input` where `knownAt` is no time
 */
export function messagesAbout(
  rows: KnowledgeRows,
  question: string | AskedQuestion,
  query: KnownAtQuery = {},
): ReadonlyMap<string, number> {
  const { knownAt = Number.POSITIVE_INFINITY } = query;
  const view = viewOf(rows.graph, query);
  const { factIndex } = rows;
  const asked = askedOf(rows, question);
  const named = new Map(asked.entities.map(({ key, terms }) => [key, terms]));
  if (named.size === 0) return new Map();
  const hits = factIndex.search(
    [...asked.words, ...analyze([...named.keys()].join(' '))],
    MOST_SENTENCES,
    ({ entities, saidAt }) => saidAt <= knownAt && entities.some((key) => named.has(key)),
  );
  // Where all that is known has the same words, sharing them tells nothing.
  const full = Math.max(hits[0]?.score ?? 0, factIndex.fullScore);
  const shares = new Map<string, number>();
  const outdated = new Set<string>();
  const found = hits.flatMap(({ id, score }) => {
    const known = factIndex.get(id);
    if (!known) return [];
    const { factId, sources } = known;
    if (factId === undefined || upheldFact(view, factId)) return [{ ...known, share: score / full }];
    for (const { messageId } of sources) outdated.add(messageId);
    return [];
  });
  for (const { factId, entities, sources, share } of found) {
    const wrong = factId === undefined ? outdated : correctedMessages(rows, factId);
    const names = entities.flatMap((key) => named.get(key) ?? []);
    for (const { messageId, quote } of sources) {
      if (wrong.has(messageId) || isNamedIn(quote, names)) continue;
      shares.set(messageId, Math.max(share, shares.get(messageId) ?? 0));
    }
  }
  return shares;
}

/** Whether words are there that all these entities are called by. */
function isNamedIn(quote: string | undefined, names: readonly ReadonlySet<string>[]): boolean {
  if (quote === undefined) return false;
  const terms = analyze(quote);
  return names.every((name) => terms.some((term) => name.has(term)));
}

/** The messages of the facts that a person put this one in the place of: it has taken them over. */
function correctedMessages(rows: KnowledgeRows, id: string): ReadonlySet<string> {
  const fact = rows.fact(id);
  if (fact?.source !== 'user') return new Set();
  return new Set(fact.supersedes.flatMap((other) => rows.fact(other)?.messageIds ?? []));
}
