import { dateAt } from './offline-dates.ts';
import { hasTag, textOf, type Word } from './offline-words.ts';

export type NameKind = 'person' | 'place' | 'organization' | 'title' | 'date' | 'name';

/** A name in a sentence. */
export interface FoundName {
  readonly text: string;
  readonly kind: NameKind;
  readonly gender?: 'male' | 'female';
  /** Word indices; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Returns the names in a sentence, in order. `isKnown` tests whether a name (in lower case) occurred before. */
export function findNames(words: readonly Word[], isKnown: (lower: string) => boolean): FoundName[] {
  const names: FoundName[] = [];
  const letters = words.filter(({ kind, text }) => kind === 'word' && /\p{L}{2}/u.test(text));
  // If everything is in capitals, they mean nothing.
  const isShouted = letters.length > 3 && letters.every((word) => word.text === word.text.toUpperCase());
  for (let index = 0; index < words.length;) {
    const name = nameAt(words, index, isKnown, isShouted);
    if (name) names.push(name);
    index = name?.end ?? index + 1;
  }
  return names;
}

/** Returns the name that begins at a word. */
export function nameAt(
  words: readonly Word[],
  start: number,
  isKnown: (lower: string) => boolean,
  isShouted = false,
): FoundName | undefined {
  const word = words[start];
  if (!word) return undefined;
  if (word.kind === 'title') {
    const parts = word.text.split(/\s+/u);
    const long = parts.filter((part) => part.length > 3);
    // Quoted speech contains words in lower case; most words of a title are capitalized.
    const capitals = long.filter((part) => /^\P{Ll}/u.test(part)).length;
    const isTitle = word.isCapital && parts.length <= 8 && (long.length === 0 || capitals * 2 > long.length);
    return isTitle ? { text: word.text, kind: 'title', start, end: start + 1 } : undefined;
  }
  if (word.kind !== 'word') return undefined;
  const date = dateAt(words, start);
  if (date?.isFull) return { text: textOf(words.slice(start, date.end)), kind: 'date', start, end: date.end };
  const end = Math.max(
    knownAt(words, start, isKnown),
    isShouted ? start : capitalsFrom(words, start),
    lowerNameAt(words, start),
  );
  return end === start ? undefined : makeName(words, start, end);
}

const LONGEST_KNOWN = 4;

function knownAt(words: readonly Word[], start: number, isKnown: (lower: string) => boolean): number {
  for (let end = Math.min(words.length, start + LONGEST_KNOWN); end > start; end--) {
    const part = words.slice(start, end);
    if (part.some((word) => word.kind !== 'word')) continue;
    const text = textOf(part).toLowerCase();
    if (text.length > 1 && !NO_NAMES.has(text) && isKnown(text)) return end;
  }
  return start;
}

/** Returns the index after a run of capitalized words. */
function capitalsFrom(words: readonly Word[], start: number): number {
  const first = words[start];
  if (!first || !isNameWord(first)) return start;
  const second = words[start + 1];
  if (first.isFirst && !hasTag(first, 'ProperNoun', 'Person', 'Place', 'Organization', 'FirstName')) {
    const isFollowed =
      isSuffixComma(words, start + 1) ||
      second?.kind === 'possessive' ||
      (second && isNameWord(second) && !hasTag(first, 'Verb', 'Adjective'));
    if (!isFollowed || NO_INITIALS.has(first.lower)) return start;
  }
  let end = start + 1;
  for (let index = end; index < words.length && index < start + MAX_NAME_WORDS; index++) {
    const word = words[index];
    if (!word || (word.kind !== 'word' && !isSuffixComma(words, index))) break;
    const isNumbered = index === end && /^(?:\d{1,2}|I{2,3}|IV|VI{0,3}|IX)$/u.test(word.text);
    if (isNameWord(word) || (isNumbered && !dateAt(words, index))) end = index + 1;
    else if (word.kind === 'word' && !CONNECTORS.has(word.lower)) break;
    else if (word.lower === 'the' && words[index - 1]?.lower !== 'of') break;
  }
  // A courtesy title alone is not a name: "Dr."
  return end === start + 1 && /^(?:dr|mr|mrs|ms|prof|st)\.?$/u.test(first.lower) ? start : end;
}

const MAX_NAME_WORDS = 8;
const CONNECTORS = new Set(
  'of the de van von der den di da du la le las los el al bin ibn del y &'.split(' '),
);

/** Whether a comma is that of `Acme, Inc.` */
function isSuffixComma(words: readonly Word[], index: number): boolean {
  return words[index]?.text === ',' && /^(?:inc|ltd|llc|jr|sr)\b/u.test(words[index + 1]?.lower ?? '');
}

function isNameWord(word: Word): boolean {
  if (word.kind !== 'word' || !word.isCapital || NO_NAMES.has(word.lower)) return false;
  return !hasTag(word, 'Pronoun', 'WeekDay');
}

/**
 * Returns the index after a name typed in lower case: first names, cities and countries that are not also other
 * words.
 */
function lowerNameAt(words: readonly Word[], start: number): number {
  const word = words[start];
  if (!word || word.kind !== 'word' || word.isCapital || NO_NAMES.has(word.lower)) return start;
  const isName = hasTag(word, 'FirstName', 'City', 'Country', 'Region');
  if (!isName || ALSO_WORDS.has(word.lower)) return start;
  const next = words[start + 1];
  const isLonger = next?.kind === 'word' && !next.isCapital && hasTag(next, 'LastName', 'City');
  return isLonger ? start + 2 : start + 1;
}

function makeName(words: readonly Word[], start: number, end: number): FoundName {
  const part = words.slice(start, end);
  const has = (...tags: string[]): boolean => part.some((word) => hasTag(word, ...tags));
  const found = { text: textOf(part), kind: 'name', start, end } as const;
  if (
    ORGANIZATION_END.test(part.at(-1)?.lower ?? '') ||
    /university|institute|college|bank|ministry/iu.test(found.text)
  )
    return { ...found, kind: 'organization' };
  if (!has('Person', 'FirstName')) {
    if (has('Place')) return { ...found, kind: 'place' };
    return has('Organization') ? { ...found, kind: 'organization' } : found;
  }
  const first = part[0]?.lower ?? '';
  const person = { ...found, kind: 'person' } as const;
  if (EITHER_GENDER.has(first)) return person;
  if (has('MaleName') || /^mr\.?$/u.test(first)) return { ...person, gender: 'male' };
  return has('FemaleName') || /^mr?s\.?$/u.test(first) ? { ...person, gender: 'female' } : person;
}

const ORGANIZATION_END = /^(?:inc|ltd|corp|corporation|llc|gmbh|ag|company|foundation|organization)\.?$/u;

/** Whether a word (in lower case) is never a name, however it is written. */
export function isNoName(lower: string): boolean {
  return NO_NAMES.has(lower);
}

const NO_NAMES = new Set(
  `i i'm a an the and but or so if when where while who what which why how whose whom is am are was were do does did
  have has had can could will would should may might must shall not no yes yeah yep nope ok okay well hi hello hey
  thanks thank please sure sorry great good nice cool wow oh ah also then now here there this that these those it he
  she they we you me my mine your his her hers its our their him them us everyone someone anyone nobody nothing
  everything today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march
  april june july august september october november december ceo cto cfo coo vp fyi btw lol asap omg idk imo tldr ps tv pc ai human user
  assistant mom mum dad mother father in on at of for from with by to as about after before since until during
  actually currently recently maybe perhaps remember note call let just only very really both all some any each every
  other another birthday christmas easter english mr mrs ms`.split(/\s+/u),
);
/** Not part of a name at the beginning of a sentence. */
const NO_INITIALS = new Set(
  'first second third last next new old best big little good great red blue black white'.split(' '),
);
const ALSO_WORDS = new Set(
  `will mark may rose hope jack bill art frank grace joy faith summer june april august dawn drew grant chase ray rich
  rob sue pat nick jean penny iris lily ruby amber ginger heather ivy olive violet daisy basil dale dean earl gene
  glen guy hunter jade jay jewel josh lance miles mason max melody mercy misty norm paris patience pearl pierce robin
  rusty sandy scarlet sky skip star sterling stone storm tucker turkey van victor wade ward chuck china chip charity
  eve gay happy major mo reading split nice bath cork mobile orange buffalo phoenix lead tan tag an man`.split(
    /\s+/u,
  ),
);
const EITHER_GENDER = new Set(
  `sam alex chris jordan taylor morgan casey jamie robin kim lee pat terry jean andrea nikita sasha ashley avery
  charlie riley max mei`.split(/\s+/u),
);
