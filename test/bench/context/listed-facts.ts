import type { ListedFact, NaturalChat, Trap, WordGroups } from './natural-chats.ts';

/** A fact that a memory holds. */
export interface StatedFact {
  id: string;
  subject: string;
  predicate: string;
  object: string;
  hasEnded: boolean;
}

/** What a fact of a memory is, held against what should be known. */
export type Verdict =
  | { kind: 'right'; listed: ListedFact; isStale: boolean }
  | { kind: 'trap' }
  | { kind: 'wrong' };

const NEGATIVE =
  /\b(not|never|no longer|doesn't|don't|hates?|dislikes?|avoids?|refuses?|cannot|can't|stopped|quit|allergic|intolerant)\b/;
/** Of these, "hates coriander" and "does not like coriander" are one. */
const OUTRIGHT_NEGATION = /\b(not|never|no longer|doesn't|don't)\b/;
const NEGATIVE_STEMS = ['allerg', 'intoleran', 'avoid', 'hate', 'dislike', 'quit', 'stop'];
const WORD = /[\p{L}\p{N}'’-]+/gu;

/** A fact that fits a listed one is right, also where it fits a trap too. */
export function judgeFact(fact: StatedFact, { facts, traps }: NaturalChat): Verdict {
  const isNegative = NEGATIVE.test(normalize(fact.predicate));
  const length = wordsOf(fact.object).length;
  const listed = facts.find(
    (each) => fits(fact, each) && length <= (each.maxWords ?? 99) && hasPolarityOf(fact, each),
  );
  if (listed) return { kind: 'right', listed, isStale: !listed.holds && !fact.hasEnded };
  const isTrap = traps.some((trap) => fits(fact, trap) && (trap.negated ?? false) === isNegative);
  return { kind: isTrap ? 'trap' : 'wrong' };
}

/** Whether any word of each group stands in the text. */
export function holdsGroups(text: string, groups: WordGroups): boolean {
  const normalized = normalize(text);
  return groups.every((group) => group.some((word) => normalized.includes(normalize(word))));
}

export function normalize(text: string): string {
  return text.toLowerCase().normalize('NFKC');
}

export function wordsOf(text: string): string[] {
  return normalize(text).match(WORD) ?? [];
}

function fits(
  { subject, predicate, object }: StatedFact,
  { about, relation, object: groups }: Trap,
): boolean {
  const names = Array.isArray(about) ? about : [about];
  return (
    names.some((name) => isNamed(normalize(subject), normalize(name))) &&
    relation.some((stem) => normalize(predicate).includes(normalize(stem))) &&
    holdsGroups(object, groups)
  );
}

/** The user goes by that name alone; others may have more words around theirs. */
function isNamed(subject: string, name: string): boolean {
  if (subject === name) return true;
  if (name === 'user') return false;
  // What is neither letter nor digit may be written in another way, as apostrophes are.
  const pattern = name.replace(/[^\p{L}\p{N} ]/gu, '.');
  return new RegExp(`(^|[^\\p{L}])${pattern}($|[^\\p{L}])`, 'u').test(subject);
}

/** A listed relation may be a negative word itself; then the plain negation of its opposite will do as well. */
function hasPolarityOf({ predicate }: StatedFact, { negated = false, relation }: ListedFact): boolean {
  const said = normalize(predicate);
  const isNegative = negated || relation.some(isNegativeStem);
  return NEGATIVE.test(said) === isNegative || OUTRIGHT_NEGATION.test(said) === negated;
}

function isNegativeStem(stem: string): boolean {
  return NEGATIVE.test(stem) || NEGATIVE_STEMS.some((negative) => normalize(stem).startsWith(negative));
}
