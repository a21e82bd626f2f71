import { analyze } from '../search/analyze.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** A known entity that a text names. */
export interface AskedEntity {
  readonly key: string;
  /** What the text calls it: those of its words, as they are searched, that are in any name of the entity. */
  readonly terms: ReadonlySet<string>;
}

/** The known entities that a text names, in the order of their first mention. `I` and `my` name the user. */
export function entitiesAsked(rows: KnowledgeRows, text: string): AskedEntity[] {
  const said = new Set(analyze(text));
  return rows.entitiesIn(text).map((key) => {
    const ofNames = analyze(rows.namesOf(key).join(' '));
    return { key, terms: new Set(ofNames.filter((term) => said.has(term))) };
  });
}
