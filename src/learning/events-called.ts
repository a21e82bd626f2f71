import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import type { EventStatement } from '../model/event-statement.ts';
import { analyze } from '../search/analyze.ts';
import { askedOf } from './asked-question.ts';
import { USER_NAME } from './first-person.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { upheldFact } from './upheld-fact.ts';

/** Facts and notes that are considered: those that match the phrase best. */
const MOST_SENTENCES = 100;

/** What else the same event is told by, by its term. */
const TOLD_AS: ReadonlyMap<string, string> = new Map(
  Object.entries({ birthday: 'born', wedding: 'married', anniversary: 'wedding married' }).map(
    ([word, others]) => [analyze(word).join(''), others],
  ),
);

/**
 * The facts and notes about an event that a phrase names, such as "my birthday" or "Anna's wedding": those with all its
 * words, about those whom it names. Best first; what was taken back, or gave way to another, is left out.
 *
 * @throws MnemoraError `invalid-input` where `knownAt` is no time
 */
export function eventsCalled(rows: KnowledgeRows, phrase: string, query: KnownAtQuery): EventStatement[] {
  const { knownAt = Number.POSITIVE_INFINITY } = query;
  const view = viewOf(rows.graph, query);
  const event = eventMeant(rows, phrase);
  if (!event) return [];
  const hits = rows.factIndex.search(event.words, MOST_SENTENCES, ({ saidAt }) => saidAt <= knownAt);
  return hits.flatMap(({ id }) => {
    const known = rows.factIndex.get(id);
    if (!known || !event.isIn(known.text)) return [];
    const { text: sentence, saidAt, factId, entities } = known;
    if (factId === undefined) return [{ sentence, saidAt }];
    const fact = upheldFact(view, factId);
    if (!fact) return [];
    const isTheirs = entities.includes(USER_NAME) || OF_NAMED.test(phrase);
    return [{ sentence, saidAt, ...(isTheirs ? { validFrom: fact.validFrom } : {}) }];
  });
}

const FIRST_PERSON = /(?<![\p{L}\p{N}'’])(?:I|my|mine|me|we|our|us)(?![\p{L}\p{N}])/iu;
/** Whose it is would have to be told from what was said before. */
const OF_SOMEBODY = /^(?:his|her|its|their)\s/iu;
const OF_NAMED = /['’]s?\s/u;
const ARTICLE = /^(?:my|our|the|an?|this|that)\s/iu;

interface MeantEvent {
  /** To search for. */
  readonly words: readonly string[];
  isIn(text: string): boolean;
}

/** Undefined where a phrase names no event, or nobody can tell whose. */
function eventMeant(rows: KnowledgeRows, phrase: string): MeantEvent | undefined {
  const { entities: named, content: terms, words } = askedOf(rows, phrase);
  const whose = new Set(named.map(({ key }) => key));
  if (FIRST_PERSON.test(phrase)) whose.add(USER_NAME);
  const nameTerms = new Set(named.flatMap((entity) => [...entity.terms]));
  // "The wedding" and "Anna's wedding" are events, though there may be entities of these names; "Anna" is not one.
  const isEvent = ARTICLE.test(phrase) || OF_NAMED.test(phrase) || terms.some((term) => !nameTerms.has(term));
  if (terms.length === 0 || !isEvent || OF_SOMEBODY.test(phrase)) return undefined;
  const wordings = terms
    .filter((term) => !nameTerms.has(term))
    .map((term) => [term, ...analyze(TOLD_AS.get(term) ?? '')]);
  return {
    // An event that nobody is named for is rather one of the user than of somebody else.
    words: [...words, ...analyze([...wordings.flat(), ...whose, USER_NAME].join(' '))],
    isIn: (text) => {
      const said = new Set(analyze(text));
      const isAbout = (key: string): boolean =>
        analyze(key).every((term) => said.has(term)) || (key === USER_NAME && FIRST_PERSON.test(text));
      return wordings.every((wording) => wording.some((term) => said.has(term))) && [...whose].every(isAbout);
    },
  };
}
