import { contentStems } from '../../language/matters.ts';
import {
  readClaim,
  readParts,
  reportsChange,
  takesBack,
  type PartReading,
  type ClaimReading,
  type Said,
} from './claim-reading.ts';
import { AGE } from './ending-patterns.ts';

/** Number of letters by which words are found, because "limit" and "limiter" are one. */
const PREFIX = 4;
/** More keys of one clause are not kept: it is a list. */
const MAX_KEYS = 40;

/** Returns the keys by which a clause that ends this one finds it. */
export function mattersOf(claim: Said): string[] {
  const keys = new Set<string>();
  for (const part of readParts(claim)) for (const key of keysOfPart(part)) keys.add(key);
  return [...keys].slice(0, MAX_KEYS);
}

/**
 * Returns the keys of the clauses that this one may end. Each is one key or several joined by `+`, all of which such a
 * clause has. Empty if it can end nothing.
 *
 * @param previousId id of the user's message before, which "sorry, I meant Friday" corrects
 */
export function endsOf(claim: Said, previousId?: string): string[] {
  const read = readClaim(claim);
  if (!reportsChange(read)) return [];
  const keys = [...new Set(keysOfEnds(read))].slice(0, MAX_KEYS);
  const isCorrection =
    takesBack(read) || read.replacing.some((each) => each.isCorrection && each.values.length > 0);
  return isCorrection && previousId !== undefined ? [...keys, `message:${previousId}`] : keys;
}

function* keysOfPart(read: PartReading): Generator<string> {
  for (const stem of read.stems) yield word(stem);
  for (const [at, isAbout] of read.matters.entries()) if (isAbout) yield `matter:${at}`;
  if (read.isWish) for (const side of read.wishes) yield `wish:${side}`;
  for (const noun of read.attributes.held) yield `held:${noun}`;
  for (const role of read.people.roles) yield `role:${role}`;
  for (const name of read.people.names) yield word(name);
  for (const { sort, value, of } of read.values.values) {
    yield `sort:${sort}`;
    yield `value:${value}`;
    if (of !== '') yield word(of);
  }
  if (read.measures.some((values) => values.size > 0)) yield 'measure';
  if (AGE.test(read.folded)) yield 'age';
}

function* keysOfEnds(read: ClaimReading): Generator<string> {
  for (const [at, before] of read.changes.entries()) if (before !== undefined) yield `matter:${at}`;
  for (const { stems, people } of read.endings) {
    // Words that are joined elsewhere, or that only describe the thing, may be missing.
    for (const stem of stems) yield word(stem);
    for (const role of people.roles) yield `role:${role}`;
    for (const name of people.names) yield word(name);
  }
  for (const noun of read.attributes.replaced) yield `held:${noun}`;
  if (read.isWish) for (const side of read.wishes) yield `wish:${side}`;
  if (read.isLiked || read.isDisliked) yield all(read.tasted);
  if (read.isReplacement) {
    if (AGE.test(read.folded)) yield 'age';
    for (const stem of read.things) yield `${word(stem)}+measure`;
  }
  for (const { values, denied, replacedName, isChange, isCorrection, stems } of read.replacing) {
    if (replacedName !== undefined) for (const stem of contentStems(replacedName)) yield word(stem);
    for (const value of denied) yield `value:${value}`;
    if (!isChange && !isCorrection) continue;
    for (const { sort, of } of values) {
      if (of !== '') yield `${word(of)}+sort:${sort}`;
      for (const stem of stems) yield `${word(stem)}+sort:${sort}`;
    }
  }
}

function all(stems: Iterable<string>): string {
  return Array.from(stems, word).join('+');
}

function word(stem: string): string {
  return `word:${stem.slice(0, PREFIX)}`;
}
