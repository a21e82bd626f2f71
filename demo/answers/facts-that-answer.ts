import type { MemoryFact } from '../../src/index.ts';
import { USER } from '../memory/fact-sentence.ts';
import { conceptsIn, withBroader } from './concepts.ts';
import { type QuestionKind, type Question, containsKind } from './question.ts';

/**
 * The facts that answer a question, newest first. A fact answers if it is about the person or thing that the question
 * asks about and covers all of the question's concepts.
 *
 * @param facts the current facts
 */
export function factsThatAnswer(question: Question, facts: readonly MemoryFact[]): MemoryFact[] {
  const newest = facts.toSorted((a, b) => b.recordedAt - a.recordedAt);
  if (question.asksForAll) return newest.filter(({ subject }) => isUser(subject)).slice(0, MAX_FACTS_OF_ALL);
  if (question.concepts.size === 0) return [];
  const known = knownAs(facts);
  const fitting = newest.filter((fact) => isAsked(question, fact, known) && answersKind(question.kind, fact));
  return fitting.slice(0, MAX_FACTS);
}

/** Whether a question names a person or thing, other than the user, that facts are about. */
export function namesSomebodyKnown({ concepts }: Question, facts: readonly MemoryFact[]): boolean {
  return [...knownAs(facts).keys()].some((name) => {
    const words = [...conceptsIn(name)];
    return words.length > 0 && words.every((word) => concepts.has(word));
  });
}

/** Limits for one question, and for a question that asks for everything known. */
const MAX_FACTS = 4;
const MAX_FACTS_OF_ALL = 20;

/** Concepts that refer to a person or thing, by its name: "Hannah" is also "my sister". */
type KnownAs = ReadonlyMap<string, ReadonlySet<string>>;

function knownAs(facts: readonly MemoryFact[]): KnownAs {
  const known = new Map<string, Set<string>>();
  const add = (name: string, concepts: Iterable<string>): void => {
    known.set(name, new Set([...(known.get(name) ?? []), ...concepts]));
  };
  for (const { subject, predicate, object } of facts) {
    if (!isUser(subject)) add(keyOf(subject), broadConceptsIn(subject));
    if (isUser(subject) && ROLE.test(predicate))
      add(keyOf(object), broadConceptsIn(`${predicate} ${object}`));
  }
  return known;
}

function isAsked({ kind, concepts, isAboutUser }: Question, fact: MemoryFact, known: KnownAs): boolean {
  const whose = isUser(fact.subject) ? new Set<string>() : (known.get(keyOf(fact.subject)) ?? new Set());
  const stated = new Set([...broadConceptsIn(`${fact.predicate} ${fact.object}`)]);
  const related = conceptsOfRelation(fact.predicate);
  const asked = [...concepts];
  const isStated = (concept: string): boolean => whose.has(concept) || stated.has(concept);
  if (!asked.every((concept) => isStated(concept) || related.has(concept))) return false;
  // That somebody drives says nothing of whether they have a car.
  if (kind === 'whether' && !asked.some(isStated)) return false;
  // "What is my name?" does not ask for the name of "my cat".
  if (ROLE.test(fact.predicate) && !asked.some(isStated)) return false;
  if (!isUser(fact.subject)) {
    return (
      asked.some((concept) => whose.has(concept)) ||
      (kind === 'who' && asked.every((concept) => stated.has(concept)))
    );
  }
  // A question that is not about the user, such as "who lives in Rome?", must name the object of the fact.
  return isAboutUser || asked.some((concept) => broadConceptsIn(fact.object).has(concept));
}

function answersKind(kind: QuestionKind, { predicate, object }: MemoryFact): boolean {
  return (
    HAS_KIND[kind].test(predicate) ||
    containsKind(kind, object) ||
    (kind === 'where' && containsKind(kind, predicate))
  );
}

/** Relations whose object always answers a question of this kind. */
const HAS_KIND: Readonly<Record<QuestionKind, RegExp>> = {
  when: /birthday/u,
  where: /address|hometown/u,
  number: /^has (?:age|weight|height|budget)/u,
  who: /^/u,
  whether: /^/u,
  what: /^/u,
};

function broadConceptsIn(text: string): ReadonlySet<string> {
  return withBroader(conceptsIn(text));
}

function conceptsOfRelation(predicate: string): ReadonlySet<string> {
  const words = RELATIONS.filter(([pattern]) => pattern.test(predicate)).map(([, asked]) => asked);
  return withBroader(conceptsIn(words.join(' ')));
}

/** A relation between people or to a thing: "has sister", "has dog". */
const ROLE = /^has (?!an?\b|no\b)\S/u;

/** Words that ask for a relation, besides the words of the relation itself. */
const RELATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:lives|is based)\b/u, 'live'],
  [/^(?:is moving|moved) to\b/u, 'move live'],
  [
    /^(?:works|is an?\b|is training|is retired|volunteers|runs|owns|has (?:job|occupation|profession))/u,
    'work',
  ],
  [/^is (?:named|called|known as)\b/u, 'name'],
  [ROLE, 'name'],
  [/^has age\b/u, 'age'],
  [/\b(?:allergic|intolerant|sensitive) to\b/u, 'allergic eat avoid'],
  [/\b(?:eats?|avoids?|digest|tolerate)\b|^(?:keeps|is (?:vegan|vegetarian))\b/u, 'eat avoid'],
  [/^(?:drinks|does not drink|cannot drink)\b/u, 'drink'],
  [/^is (?:married|engaged) to\b/u, 'wife husband partner marry'],
  [/^is dating\b/u, 'girlfriend boyfriend partner'],
  [/^(?:likes|loves|enjoys|prefers|adores|is (?:interested|fond))\b/u, 'like prefer'],
  [/^(?:dislikes|hates|detests|despises|does not like|cannot (?:stand|bear))\b/u, 'hate'],
  [/^(?:speaks|is fluent)\b/u, 'speak'],
  [/^(?:studies|studied)\b/u, 'study school'],
  [/^(?:is from|was born in|grew up)\b/u, 'origin'],
  [/^was born on\b|birthday/u, 'birthday born'],
  [/^(?:takes|is on)\b/u, 'medicine medication'],
  [/^(?:has|suffers|was diagnosed)\b/u, 'condition'],
  [/^(?:plays|does|goes)\b/u, 'sport'],
  [/^(?:drives|rides)\b/u, 'car'],
];

function isUser(name: string): boolean {
  return name === USER;
}

function keyOf(name: string): string {
  return name.toLowerCase();
}
