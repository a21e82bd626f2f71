import type { FactView } from '../graph/fact-view.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import type { Triple } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import type { EventStatement } from '../model/message.ts';
import { parseQuery } from '../search/analyzer.ts';
import { resolveQuery, type ResolvedQuery } from './facts-about.ts';
import { USER_NAME } from './first-person.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import type { KnownSentence } from './sentence-index.ts';

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
  asked: ResolvedQuery,
  query: KnownAtQuery = {},
): ReadonlyMap<string, number> {
  const view = rows.view(query);
  const named = new Map(asked.entities.map(({ key, terms }) => [key, terms]));
  if (named.size === 0) return new Map();
  const words = [...asked.words, ...analyze([...named.keys()].join(' '))];
  const found = searchSentences(rows, words, view, query, named);
  // If everything known consists of the same words, sharing them is no evidence.
  const full = Math.max(found[0]?.score ?? 0, rows.sentenceIndex.fullScore);
  const shares = new Map<string, number>();
  const outdated = new Set(
    found.flatMap(({ isOutdated, sources }) => (isOutdated ? sources.map(({ messageId }) => messageId) : [])),
  );
  for (const { factId, entities, sources, score } of found.filter(({ isOutdated }) => !isOutdated)) {
    const wrong = factId === undefined ? outdated : correctedMessages(rows, factId);
    const names = entities.flatMap((key) => named.get(key) ?? []);
    for (const { messageId, quote } of sources) {
      if (wrong.has(messageId) || isNamedIn(quote, names)) continue;
      shares.set(messageId, Math.max(score / full, shares.get(messageId) ?? 0));
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

/** Words that describe the same event, by index term. */
const SAME_EVENT: ReadonlyMap<string, string> = new Map(
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
  const view = rows.view(query);
  const event = eventMeant(rows, phrase);
  if (!event) return [];
  return searchSentences(rows, event.words, view, query).flatMap(
    ({ text: sentence, saidAt, fact, entities, isOutdated }) => {
      if (isOutdated || !event.isIn(sentence)) return [];
      const isTheirs = entities.includes(USER_NAME) || OF_NAMED.test(phrase);
      return [{ sentence, saidAt, ...(fact && isTheirs ? { validFrom: fact.validFrom } : {}) }];
    },
  );
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
  const { entities: named, content: terms, words } = resolveQuery(rows, parseQuery(phrase));
  const whose = new Set(named.map(({ key }) => key));
  if (FIRST_PERSON.test(phrase)) whose.add(USER_NAME);
  const nameTerms = new Set(named.flatMap((entity) => [...entity.terms]));
  // "The wedding" and "Anna's wedding" are events even if there are entities with these names; "Anna" is not.
  const isEvent = ARTICLE.test(phrase) || OF_NAMED.test(phrase) || terms.some((term) => !nameTerms.has(term));
  if (terms.length === 0 || !isEvent || OF_SOMEBODY.test(phrase)) return undefined;
  const wordings = terms
    .filter((term) => !nameTerms.has(term))
    .map((term) => [term, ...analyze(SAME_EVENT.get(term) ?? '')]);
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

interface FoundSentence extends KnownSentence {
  readonly score: number;
  /** Absent for a note. */
  readonly fact: Triple | undefined;
  /** Whether it is a fact that was retracted or superseded. */
  readonly isOutdated: boolean;
}

/**
 * Returns the best matches for a list of words among the facts and notes known at a time, best first.
 *
 * @param about keys of entities. @default all sentences are searched
 */
function searchSentences(
  { sentenceIndex }: KnowledgeRows,
  words: readonly string[],
  view: FactView,
  { knownAt = Number.POSITIVE_INFINITY }: KnownAtQuery,
  about?: ReadonlyMap<string, unknown>,
): FoundSentence[] {
  const isFound = ({ saidAt, entities }: KnownSentence): boolean =>
    saidAt <= knownAt && (!about || entities.some((key) => about.has(key)));
  return sentenceIndex.search(words, MAX_SENTENCES, isFound, about?.keys()).flatMap(({ id, score }) => {
    const known = sentenceIndex.get(id);
    if (!known) return [];
    const fact = known.factId === undefined ? undefined : view.unretracted(known.factId);
    return [{ ...known, score, fact, isOutdated: known.factId !== undefined && !fact }];
  });
}
