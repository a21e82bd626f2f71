import { predicateForm } from '../../graph/predicate.ts';
import { singleValuedProperties } from '../../graph/fact-slot.ts';
import { isLimitedInTime } from '../../language/limited-times.ts';
import type { KnownFact } from '../extractor.ts';
import { USER_NAME } from '../first-person.ts';
import type { StatedFact } from './rule-statements.ts';

const propertyOf = singleValuedProperties();

/** Returns those facts of a sentence that hold now, in words that leave the known facts that hold beside them. */
export function presentFacts(
  facts: readonly StatedFact[],
  sentence: string,
  known: readonly KnownFact[],
): StatedFact[] {
  const present = distinct(facts).filter((fact) => !isPast(fact, sentence, known));
  return present.map((fact) => beside(fact, sentence, known));
}

/** Returns a fact in the words that leave the known fact of the same property, where a sentence says that both hold. */
function beside(fact: StatedFact, sentence: string, known: readonly KnownFact[]): StatedFact {
  if (!known.some((other) => isRival(fact, other))) return fact;
  const { predicate, validFrom, ...rest } = fact;
  if (predicate === 'is named' && ADDRESS.test(sentence)) return { ...fact, predicate: 'goes by' };
  const isAdded = ADDED.test(sentence) || isLimitedInTime(sentence);
  if (/^(?:lives|works) /u.test(predicate) && isAdded && !MOVED.test(sentence))
    return { ...fact, predicate: `also ${predicate}` };
  // "I have lived in Bergen since May" is said to hold now, whatever was known to have begun later.
  const isStill = validFrom !== undefined && /\bsince\b/iu.test(sentence);
  return isStill ? { predicate, ...rest } : fact;
}

function isRival(fact: StatedFact, other: StatedFact): boolean {
  const [mine, known] = [fact, other].map(({ predicate, object }) => {
    const { key, isNegated } = predicateForm(predicate);
    return isNegated ? undefined : propertyOf(key, object);
  });
  const isOther = fact.object.toLowerCase() !== other.object.toLowerCase();
  return mine !== undefined && mine === known && fact.subject === other.subject && isOther;
}

/** Whether a sentence says of a fact that it is not so any more: "I moved to Bergen at 18", "my wife Maud passed away". */
function isPast(fact: StatedFact, sentence: string, known: readonly KnownFact[]): boolean {
  const { predicate, object } = fact;
  if (predicate === 'left') return isLimitedInTime(sentence);
  const at = sentence.indexOf(object);
  if (at < 0) return false;
  const before = sentence.slice(0, at);
  const behind = sentence.slice(at + object.length);
  if (predicate === 'lives in') {
    const isLongAgo = LONG_AGO.test(behind) && known.some((other) => isRival(fact, other));
    return MOVED.test(before) && (isLongAgo || IN_YOUTH.test(behind));
  }
  if (LODGING.test(predicate) && MOVED_OUT.test(behind)) return true;
  return predicate.startsWith('has ') && (GONE.test(behind) || (PUT.test(before) && DOWN.test(behind)));
}

/** Returns the known facts that cannot hold beside those of a sentence: who is married is not single. */
export function oppositesOf(facts: readonly StatedFact[], known: readonly KnownFact[]): KnownFact[] {
  return known.filter((old) =>
    facts.some(({ subject, predicate, object, validTo }) => {
      if (subject !== old.subject || subject !== USER_NAME || validTo !== undefined) return false;
      const isSame = object.toLowerCase() === old.object.toLowerCase();
      return OPPOSITES.some(
        ([stated, ended, isOfSame]) =>
          stated.test(predicate) && ended.test(`${old.predicate} ${old.object}`) && (isSame || !isOfSame),
      );
    }),
  );
}

const LIKES = /^(?:likes|loves|enjoys|adores) /u;
const DISLIKES = /^(?:does not (?:like|love|enjoy)|hates|dislikes|despises|detests|cannot (?:stand|bear)) /u;

/** The predicate of a new fact, what it ends, and whether only if the objects are the same. */
const OPPOSITES: readonly (readonly [stated: RegExp, ended: RegExp, isOfSame: boolean])[] = [
  [/^(?:does not (?:like|love|enjoy)|hates|dislikes|despises|detests|cannot (?:stand|bear))$/u, LIKES, true],
  [/^(?:likes|loves|enjoys|adores)$/u, DISLIKES, true],
  [/^is (?:married|engaged) to$/u, /^has marital status single$/u, false],
  [/^works (?:at|as)$/u, /^is unemployed$/u, false],
];

const ADDRESS = /\b(?:call me|go by)\b/iu;
const ADDED =
  /\b(?:also (?:liv|work)\p{L}*|(?:as well|too)(?=[ .!]*$)|second job|on the side|part[- ]time|sometimes|(?:in|every|each|during|over) (?:the )?(?:summers?|winters?|spring|autumn|fall|holidays)|on (?:the )?(?:weekends?|\p{L}+days))\b/iu;
const MOVED = /\b(?:moved|relocated)\b/iu;
const IN_YOUTH =
  /^(?: (?:for|with) [\p{L} ]{1,30})?,? (?:when (?:i|we|he|she|they) (?:was|were)\b|at (?:the age of )?\d{1,2}\b(?!:| ?[ap]m)|as an? (?:child|kid|baby|teen|teenager|student)\b)/iu;
const LONG_AGO = /^(?: (?:for|with) [\p{L} ]{1,30}?)?,? (?:\d+|\p{L}+) (?:years|decades) ago\b/iu;
const LODGING = /^has (?:\p{L}+mate|lodger|tenant)$/u;
const MOVED_OUT = /^,? (?:has |have |just |recently )*moved out\b/iu;
const GONE =
  /^,? (?:has |have |had |just |recently |sadly )*(?:died|passed away|passed on|is dead|was put down|was put to sleep|ran away)\b/iu;
const PUT = /\bput (?:my|our)\b[^,.;]*$/iu;
const DOWN = /^ (?:down|to sleep)\b/iu;

function distinct(facts: readonly StatedFact[]): StatedFact[] {
  const seen = new Set<string>();
  return facts.filter(({ subject, predicate, object }) => {
    const key = JSON.stringify([subject, predicate, object]).toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
