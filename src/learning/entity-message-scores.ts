import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import { analyze } from '../search/analyze.ts';
import { resolveQuery, type ResolvedQuery } from './resolved-query.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** Maximum number of facts and notes considered, best matches first. */
const MAX_SENTENCES = 100;

/**
 * Returns the messages from which something was learned about an entity that a text names, but which call it "he",
 * "I" or another name, with a score above 0 and up to 1. As in keyword search, words shared between the text and a
 * fact or note count besides the name, and a name that occurs in many facts counts little.
 *
 * A message that uses the same name is left to keyword search: counting the name twice would favor messages that only
 * address somebody. Retracted and superseded facts do not boost their messages, nor do corrections by the user.
 *
 * @throws MnemoraError `invalid-input` if `knownAt` is not a valid time
 */
export function entityMessageScores(
  rows: KnowledgeRows,
  question: string | ResolvedQuery,
  query: KnownAtQuery = {},
): ReadonlyMap<string, number> {
  const { knownAt = Number.POSITIVE_INFINITY } = query;
  const view = viewOf(rows.graph, query);
  const { sentenceIndex } = rows;
  const asked = resolveQuery(rows, question);
  const named = new Map(asked.entities.map(({ key, terms }) => [key, terms]));
  if (named.size === 0) return new Map();
  const hits = sentenceIndex.search(
    [...asked.words, ...analyze([...named.keys()].join(' '))],
    MAX_SENTENCES,
    ({ entities, saidAt }) => saidAt <= knownAt && entities.some((key) => named.has(key)),
  );
  // If everything known consists of the same words, sharing them is no evidence.
  const full = Math.max(hits[0]?.score ?? 0, sentenceIndex.fullScore);
  const shares = new Map<string, number>();
  const outdated = new Set<string>();
  const found = hits.flatMap(({ id, score }) => {
    const known = sentenceIndex.get(id);
    if (!known) return [];
    const { factId, sources } = known;
    if (factId === undefined || view.unretracted(factId)) return [{ ...known, share: score / full }];
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

/** Whether the quote contains a word of the name of each of these entities. */
function isNamedIn(quote: string | undefined, names: readonly ReadonlySet<string>[]): boolean {
  if (quote === undefined) return false;
  const terms = analyze(quote);
  return names.every((name) => terms.some((term) => name.has(term)));
}

/** Returns the messages of the facts that the user replaced with this one; it has inherited them as sources. */
function correctedMessages(rows: KnowledgeRows, id: string): ReadonlySet<string> {
  const fact = rows.facts.get(id);
  if (fact?.source !== 'user') return new Set();
  return new Set(fact.supersedes.flatMap((other) => rows.facts.get(other)?.messageIds ?? []));
}
