import { analyze } from '../search/analyze.ts';
import { parseQuery, type ParsedQuery } from '../search/parsed-query.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** A known entity that a text names. */
export interface AskedEntity {
  readonly key: string;
  /** What the text calls it: those of its words, as they are searched, that are in any name of the entity. */
  readonly terms: ReadonlySet<string>;
}

/** What a question asks of what is known. */
export interface AskedQuestion {
  readonly text: string;
  readonly words: readonly string[];
  /** Its words that mean something. */
  readonly content: readonly string[];
  /** The known entities that it names, in the order of their first mention. `I` and `my` name the user. */
  readonly entities: readonly AskedEntity[];
}

/** Looks up, once for all that is asked of the rows, what a question names. */
export function askedOf(
  rows: KnowledgeRows,
  question: string | Pick<ParsedQuery, 'text' | 'words'> | AskedQuestion,
): AskedQuestion {
  if (typeof question === 'string') return askedOf(rows, parseQuery(question));
  if ('entities' in question) return question;
  const { text, words } = question;
  const said = new Set(words);
  const entities = rows.entitiesIn(text).map((key) => {
    const ofNames = analyze(rows.namesOf(key).join(' '));
    return { key, terms: new Set(ofNames.filter((term) => said.has(term))) };
  });
  return { text, words, content: words.filter((word) => !ENGLISH_STOP_WORDS.has(word)), entities };
}
