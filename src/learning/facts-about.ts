import type { FactView } from '../graph/fact-view.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import type { Triple } from '../graph/triple.ts';
import type { FactRow } from '../storage/schema.ts';
import { askedOf, type AskedQuestion } from './asked-question.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { take } from './take.ts';

/** A fact that fits a question. */
export interface RelevantFact {
  readonly fact: Triple;
  readonly score: number;
  /** What the score is the sum of: `entity` for being about one of the question, `words` that it shares with it. */
  readonly why: Readonly<Record<string, number>>;
}

export interface FactsAboutQuery extends KnownAtQuery {
  /** Facts returned at most. */
  readonly limit: number;
}

/**
 * The facts about the entities that a text names, found without any model: by known names and aliases. Facts of their
 * neighbors count where they share a word with the text. Best first; of equals the newer.
 *
 * Of an entity with thousands of facts only those are looked at that share a word with the text, and the newest.
 */
export function factsAbout(
  rows: KnowledgeRows,
  question: string | AskedQuestion,
  query: FactsAboutQuery,
): RelevantFact[] {
  const { limit, ...when } = query;
  const view = viewOf(rows.graph, when);
  const { content, entities } = askedOf(rows, question);
  const found = new Map<string, Candidate>();
  const add = (id: string, entity: number, words: number): void => {
    const row = found.has(id) ? undefined : rows.fact(id);
    if (row) found.set(id, { row, score: entity + words, why: { entity, words } });
  };
  for (const { key, terms } of entities) {
    const distanceOf = distanceFrom(key, view);
    for (const [id, words] of rows.sharing(content.filter((term) => !terms.has(term)))) {
      const distance = distanceOf(id);
      if (distance !== undefined) add(id, distance === 1 ? 1 : 0, words);
    }
    // Those that share no word rank by their age alone.
    for (const { id } of take(view.latest(key), limit)) add(id, 1, 0);
  }
  const ranked = [...found.values()].toSorted(
    (a, b) => b.score - a.score || b.row.validFrom - a.row.validFrom || a.row.seq - b.row.seq,
  );
  return take(holdingOf(ranked, view), limit);
}

interface Candidate extends Omit<RelevantFact, 'fact'> {
  readonly row: FactRow;
}

function* holdingOf(candidates: readonly Candidate[], view: FactView): Generator<RelevantFact, void> {
  for (const { row, ...rest } of candidates) {
    const fact = view.holds(row.id) ? view.triple(row.id) : undefined;
    if (fact) yield { fact, ...rest };
  }
}

/** Tells how far facts are from the entity at a node: 1 for its own, 2 for those of its neighbors, undefined for others. */
function distanceFrom(start: string, view: FactView): (id: string) => 1 | 2 | undefined {
  const areNeighbors = new Map<string, boolean>();
  const isNeighbor = (node: string): boolean => {
    const isNear = areNeighbors.get(node) ?? view.areLinked(start, node);
    areNeighbors.set(node, isNear);
    return isNear;
  };
  return (id) => {
    const ends = view.endsOf(id);
    if (ends.includes(start)) return 1;
    return ends.some(isNeighbor) ? 2 : undefined;
  };
}
