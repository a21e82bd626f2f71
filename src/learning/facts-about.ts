import type { FactView } from '../graph/fact-view.ts';
import type { Triple } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import { ENGLISH_STOP_WORDS } from '../language/words/stop-words.ts';
import type { ParsedQuery } from '../search/analyzer.ts';
import type { FactRow } from '../storage/schema.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** A known entity that a text mentions. */
export interface QueryEntity {
  readonly key: string;
  /** The index terms of the text that are part of a name of the entity. */
  readonly terms: ReadonlySet<string>;
}

/** A question, with the known entities that it mentions. */
export interface ResolvedQuery {
  readonly text: string;
  readonly words: readonly string[];
  /** The content words: those that are not stop words. */
  readonly content: readonly string[];
  /** The known entities that it mentions, in the order of their first mention. `I` and `my` mention the user. */
  readonly entities: readonly QueryEntity[];
}

/** Finds the entities of a question, once for all searches of the rows. */
export function resolveQuery(
  rows: KnowledgeRows,
  { text, words }: Pick<ParsedQuery, 'text' | 'words'>,
): ResolvedQuery {
  const said = new Set(words);
  const entities = rows.entitiesIn(text).map((key) => {
    const ofNames = analyze(rows.namesOf(key).join(' '));
    return { key, terms: new Set(ofNames.filter((term) => said.has(term))) };
  });
  return { text, words, content: words.filter((word) => !ENGLISH_STOP_WORDS.has(word)), entities };
}

/** A fact that is relevant to a question. */
export interface RelevantFact {
  readonly fact: Triple;
  readonly score: number;
  /** The parts of the score: `entity` for being about an entity of the question, `words` for shared words. */
  readonly why: Readonly<Record<string, number>>;
}

/**
 * Returns the facts about the entities that a text mentions, found by known names and aliases without a model. Facts
 * of their neighbors are included if they share a word with the text. Best first; among equals, newest first.
 *
 * Of an entity with thousands of facts, only the newest and those that share a word with the text are considered.
 */
export function factsAbout(
  rows: KnowledgeRows,
  { content, entities }: ResolvedQuery,
  limit: number,
  view: FactView = rows.view(),
): RelevantFact[] {
  const found = new Map<string, Candidate>();
  const add = (id: string, entity: number, words: number): void => {
    const row = found.has(id) ? undefined : rows.facts.get(id);
    if (row) found.set(id, { row, score: entity + words, why: { entity, words } });
  };
  for (const { key, terms } of entities) {
    const distanceOf = distanceFrom(key, view);
    for (const [id, words] of rows.sentenceIndex.sharing(content.filter((term) => !terms.has(term)))) {
      const distance = distanceOf(id);
      if (distance !== undefined) add(id, distance === 1 ? 1 : 0, words);
    }
    // Facts that share no word are ranked by age alone.
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

/** Returns the first items of an iterable without requesting any further ones. */
export function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  if (count === 0) return taken;
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

/**
 * Returns a function for the distance of a fact from the entity at a node: 1 for its own facts, 2 for those of its
 * neighbors, undefined for others.
 */
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
