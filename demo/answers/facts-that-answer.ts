import type { MemoryFact } from '../../src/index.ts';
import { conceptsIn, withBroader } from './concepts.ts';
import { type AskedKind, type Question, tells } from './question.ts';

/**
 * The facts that answer a question, the newest first: those about whom it asks that speak of everything it speaks of.
 * None where no fact does.
 *
 * @param facts those that hold
 */
export function factsThatAnswer(question: Question, facts: readonly MemoryFact[]): MemoryFact[] {
  const newest = facts.toSorted((a, b) => b.recordedAt - a.recordedAt);
  if (question.asksForAll) return newest.filter(({ subject }) => isUser(subject)).slice(0, MOST_OF_ALL);
  if (question.meanings.size === 0) return [];
  const known = knownAs(facts);
  const fitting = newest.filter((fact) => isAsked(question, fact, known) && tellsKind(question.kind, fact));
  return fitting.slice(0, MOST);
}

/** Whether a question names somebody or something else than the user that facts are about. */
export function namesSomebodyKnown({ meanings }: Question, facts: readonly MemoryFact[]): boolean {
  return [...knownAs(facts).keys()].some((name) => {
    const words = [...conceptsIn(name)];
    return words.length > 0 && words.every((word) => meanings.has(word));
  });
}

/** Facts told for one question, and for one that asks for all. */
const MOST = 4;
const MOST_OF_ALL = 20;

/** Meanings by which others than the user are spoken of, by their names: "Hannah" is also "my sister". */
type KnownAs = ReadonlyMap<string, ReadonlySet<string>>;

function knownAs(facts: readonly MemoryFact[]): KnownAs {
  const known = new Map<string, Set<string>>();
  const add = (name: string, meanings: Iterable<string>): void => {
    known.set(name, new Set([...(known.get(name) ?? []), ...meanings]));
  };
  for (const { subject, predicate, object } of facts) {
    if (!isUser(subject)) add(keyOf(subject), wordsOf(subject));
    if (isUser(subject) && ROLE.test(predicate)) add(keyOf(object), wordsOf(`${predicate} ${object}`));
  }
  return known;
}

function isAsked({ kind, meanings, isAboutUser }: Question, fact: MemoryFact, known: KnownAs): boolean {
  const whose = isUser(fact.subject) ? new Set<string>() : (known.get(keyOf(fact.subject)) ?? new Set());
  const told = new Set([...wordsOf(`${fact.predicate} ${fact.object}`)]);
  const meant = meantBy(fact.predicate);
  const asked = [...meanings];
  const isTold = (meaning: string): boolean => whose.has(meaning) || told.has(meaning);
  if (!asked.every((meaning) => isTold(meaning) || meant.has(meaning))) return false;
  // "What is my name?" does not ask what "my cat" is called, though that is a name.
  if (ROLE.test(fact.predicate) && !asked.some(isTold)) return false;
  if (!isUser(fact.subject)) {
    return (
      asked.some((meaning) => whose.has(meaning)) ||
      (kind === 'who' && asked.every((meaning) => told.has(meaning)))
    );
  }
  // A question that is not about the user, such as "who lives in Rome?", has to name what the fact is about.
  return isAboutUser || asked.some((meaning) => wordsOf(fact.object).has(meaning));
}

function tellsKind(kind: AskedKind, { predicate, object }: MemoryFact): boolean {
  return (
    HAS_KIND[kind].test(predicate) || tells(kind, object) || (kind === 'where' && tells(kind, predicate))
  );
}

/** Relations whose object is what a question of a kind asks for, whatever its words. */
const HAS_KIND: Readonly<Record<AskedKind, RegExp>> = {
  when: /birthday/u,
  where: /address|hometown/u,
  number: /^has (?:age|weight|height|budget)/u,
  who: /^/u,
  whether: /^/u,
  what: /^/u,
};

function wordsOf(text: string): ReadonlySet<string> {
  return withBroader(conceptsIn(text));
}

function meantBy(predicate: string): ReadonlySet<string> {
  const words = RELATIONS.filter(([pattern]) => pattern.test(predicate)).map(([, asked]) => asked);
  return withBroader(conceptsIn(words.join(' ')));
}

/** "has | sister": what somebody or something is to the subject. */
const ROLE = /^has (?!an?\b|no\b)\S/u;

/** The words by which one asks for a relation, beside its own. */
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
  return name === 'user';
}

function keyOf(name: string): string {
  return name.toLowerCase();
}
