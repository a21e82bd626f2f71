import type { Triple } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** A fact that fits a question. */
export interface RelevantFact {
  readonly fact: Triple;
  readonly score: number;
  /** What the score is the sum of: `entity` for being about one of the question, `words` that it shares with it. */
  readonly why: Readonly<Record<string, number>>;
}

export interface FactsAboutQuery {
  readonly knownAt?: number;
  readonly limit: number;
}

/**
 * The facts about the entities that a text names, found without any model: by known names and aliases. Facts of their
 * neighbours count where they share a word with the text. Best first; of equals the newer.
 */
export function factsAbout(rows: KnowledgeRows, text: string, query: FactsAboutQuery): RelevantFact[] {
  const { graph } = rows;
  const when = query.knownAt === undefined ? {} : { knownAt: query.knownAt };
  const asked = new Set(analyze(text).filter((term) => !ENGLISH_STOP_WORDS.has(term)));
  const found = new Map<string, RelevantFact>();
  for (const entity of rows.namesIn(text)) {
    const near = new Set(graph.entityTriples(entity, when).map((fact) => fact.id));
    for (const fact of graph.entityTriples(entity, { ...when, depth: 2 })) {
      const why = { entity: near.has(fact.id) ? 1 : 0, words: sharedTerms(fact, asked, entity) };
      const score = why.entity + why.words;
      if (score > 0 && !found.has(fact.id)) found.set(fact.id, { fact, score, why });
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.score - a.score || b.fact.validFrom - a.fact.validFrom)
    .slice(0, query.limit);
}

function sharedTerms(fact: Triple, asked: ReadonlySet<string>, entity: string): number {
  const own = new Set(analyze(entity));
  const terms = new Set(analyze(`${fact.subject} ${fact.predicate} ${fact.object}`));
  return [...terms].filter((term) => asked.has(term) && !own.has(term)).length;
}
