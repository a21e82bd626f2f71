import { analyze } from '../search/analyze.ts';
import { parseQuery, type ParsedQuery } from '../search/analyzer.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
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

/** Parses a question and finds its entities, once for all searches of the rows. */
export function resolveQuery(
  rows: KnowledgeRows,
  question: string | Pick<ParsedQuery, 'text' | 'words'> | ResolvedQuery,
): ResolvedQuery {
  if (typeof question === 'string') return resolveQuery(rows, parseQuery(question));
  if ('entities' in question) return question;
  const { text, words } = question;
  const said = new Set(words);
  const entities = rows.entitiesIn(text).map((key) => {
    const ofNames = analyze(rows.namesOf(key).join(' '));
    return { key, terms: new Set(ofNames.filter((term) => said.has(term))) };
  });
  return { text, words, content: words.filter((word) => !ENGLISH_STOP_WORDS.has(word)), entities };
}
