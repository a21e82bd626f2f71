import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import type { EventStatement } from '../model/message.ts';
import { analyze } from '../search/analyze.ts';
import { resolveQuery } from './resolved-query.ts';
import { USER_NAME } from './first-person.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** Maximum number of facts and notes considered, best matches first. */
const MAX_SENTENCES = 100;

/** Words that describe the same event, by index term. */
const TOLD_AS: ReadonlyMap<string, string> = new Map(
  Object.entries({ birthday: 'born', wedding: 'married', anniversary: 'wedding married' }).map(
    ([word, others]) => [analyze(word).join(''), others],
  ),
);

/**
 * Returns the facts and notes about an event that a phrase names, such as "my birthday" or "Anna's wedding". They
 * contain all words of the phrase and are about the people that it names. Best matches first; retracted and
 * superseded facts are left out.
 *
 * @throws MnemoraError `invalid-input` if `knownAt` is not a valid time
 */
export function queryEvents(rows: KnowledgeRows, phrase: string, query: KnownAtQuery): EventStatement[] {
  const { knownAt = Number.POSITIVE_INFINITY } = query;
  const view = viewOf(rows.graph, query);
  const event = eventMeant(rows, phrase);
  if (!event) return [];
  const hits = rows.sentenceIndex.search(event.words, MAX_SENTENCES, ({ saidAt }) => saidAt <= knownAt);
  return hits.flatMap(({ id }) => {
    const known = rows.sentenceIndex.get(id);
    if (!known || !event.isIn(known.text)) return [];
    const { text: sentence, saidAt, factId, entities } = known;
    if (factId === undefined) return [{ sentence, saidAt }];
    const fact = view.unretracted(factId);
    if (!fact) return [];
    const isTheirs = entities.includes(USER_NAME) || OF_NAMED.test(phrase);
    return [{ sentence, saidAt, ...(isTheirs ? { validFrom: fact.validFrom } : {}) }];
  });
}

const FIRST_PERSON = /(?<![\p{L}\p{N}'’])(?:I|my|mine|me|we|our|us)(?![\p{L}\p{N}])/iu;
/** These refer to somebody mentioned earlier, which is unknown here. */
const OF_SOMEBODY = /^(?:his|her|its|their)\s/iu;
const OF_NAMED = /['’]s?\s/u;
const ARTICLE = /^(?:my|our|the|an?|this|that)\s/iu;

interface MeantEvent {
  /** Words to search for. */
  readonly words: readonly string[];
  isIn(text: string): boolean;
}

/** Returns undefined if the phrase names no event, or it is unclear whose event it is. */
function eventMeant(rows: KnowledgeRows, phrase: string): MeantEvent | undefined {
  const { entities: named, content: terms, words } = resolveQuery(rows, phrase);
  const whose = new Set(named.map(({ key }) => key));
  if (FIRST_PERSON.test(phrase)) whose.add(USER_NAME);
  const nameTerms = new Set(named.flatMap((entity) => [...entity.terms]));
  // "The wedding" and "Anna's wedding" are events even if there are entities with these names; "Anna" is not.
  const isEvent = ARTICLE.test(phrase) || OF_NAMED.test(phrase) || terms.some((term) => !nameTerms.has(term));
  if (terms.length === 0 || !isEvent || OF_SOMEBODY.test(phrase)) return undefined;
  const wordings = terms
    .filter((term) => !nameTerms.has(term))
    .map((term) => [term, ...analyze(TOLD_AS.get(term) ?? '')]);
  return {
    // An event without a name is more likely the user's than somebody else's.
    words: [...words, ...analyze([...wordings.flat(), ...whose, USER_NAME].join(' '))],
    isIn: (text) => {
      const said = new Set(analyze(text));
      const isAbout = (key: string): boolean =>
        analyze(key).every((term) => said.has(term)) || (key === USER_NAME && FIRST_PERSON.test(text));
      return wordings.every((wording) => wording.some((term) => said.has(term))) && [...whose].every(isAbout);
    },
  };
}
