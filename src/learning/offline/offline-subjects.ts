import { nameAt } from './offline-names.ts';
import { USER_NAME } from '../first-person.ts';
import type { Referents } from './offline-referents.ts';
import { isMainVerb } from './offline-verbs.ts';
import { textOf, type Word } from './offline-words.ts';

/** What a clause speaks of. */
export interface Subject {
  /** Several of a list. */
  readonly names: readonly string[];
  /** `my dog`: the dog of `user`. */
  readonly property?: { readonly owner: string; readonly noun: string };
  /** Index behind it. */
  readonly end: number;
}

/** Who speaks: it decides whom `I` and `you` mean. */
export type SpeakerRole = 'user' | 'assistant' | 'tool';

const NOBODY: Subject = { names: [], end: 0 };

/** The subject at the beginning of a clause; without names where it is nobody of whom facts are kept. */
export function subjectOf(words: readonly Word[], role: SpeakerRole, referents: Referents): Subject {
  const first = words[0];
  if (!first) return NOBODY;
  const owner = ownerAt(words, role, referents);
  if (owner) return propertyOf(words, owner, referents);
  const person = personOf(first, role, referents);
  if (person && first.kind === 'word') return { names: person, end: 1 };
  const listed = listedNames(words, role, referents);
  if (listed) return listed;
  return nounSubject(words, referents);
}

/** Whom a possessive at a word means: `my`, `her`, `Sam's`. */
export function ownerAt(
  words: readonly Word[],
  role: SpeakerRole,
  referents: Referents,
  start = 0,
): { readonly name: string | undefined; readonly end: number } | undefined {
  const word = words[start];
  if (word?.kind !== 'word') return undefined;
  if (POSSESSIVES.has(word.lower)) {
    const [name, ...others] = personsOfPossessive(word.lower, role, referents);
    return { name: others.length > 0 ? undefined : name, end: start + 1 };
  }
  const name = nameAt(words, start, (lower) => referents.knows(lower));
  const end = name?.end ?? start + 1;
  if (words[end]?.kind !== 'possessive' || name?.kind === 'date') return undefined;
  return {
    name: name ? referents.fullName(name.text) : word.isCapital ? word.text : undefined,
    end: end + 1,
  };
}

function personsOfPossessive(lower: string, role: SpeakerRole, referents: Referents): readonly string[] {
  if (lower === 'my' || lower === 'our') return role === 'user' ? [USER_NAME] : [];
  if (lower === 'your') return role === 'assistant' ? [USER_NAME] : [];
  return referents.resolve(lower);
}

function personOf(word: Word, role: SpeakerRole, referents: Referents): readonly string[] | undefined {
  switch (word.lower) {
    case 'i':
    case 'we':
      return role === 'user' ? [USER_NAME] : [];
    case 'you':
      return role === 'assistant' ? [USER_NAME] : [];
    case 'he':
    case 'she':
    case 'it':
    case 'they':
      return referents.resolve(word.lower);
    default:
      return undefined;
  }
}

/** `my dog`, `her favorite color`, `my sister Emma`. */
function propertyOf(
  words: readonly Word[],
  owner: { readonly name: string | undefined; readonly end: number },
  referents: Referents,
): Subject {
  const aside = namedAside(words, owner, referents);
  if (aside) return aside;
  const end = verbIndex(words, owner.end);
  if (owner.name === undefined || end === undefined || end === owner.end || end > owner.end + 5)
    return NOBODY;
  const nounWords = words.slice(owner.end, end);
  const at = nounWords.findIndex((word, index) => index > 0 && word.isCapital);
  if (at > 0) {
    const name = nameAt(nounWords, at, () => false);
    if (name) return { names: [referents.fullName(name.text)], end };
  }
  // "my brother's name", "my dog's favorite toy"
  const possessive = nounWords.findIndex(({ kind }) => kind === 'possessive');
  if (possessive > 0 && possessive < nounWords.length - 1) {
    const relative = textOf(nounWords.slice(0, possessive));
    const of = textOf(nounWords.slice(possessive + 1).map(normalSpelling));
    const holder = referents.relative(owner.name, relative) ?? `${owner.name}'s ${relative}`;
    const property = of === 'name' ? { owner: owner.name, noun: relative } : { owner: holder, noun: of };
    return { names: [`${holder}'s ${of}`], property, end };
  }
  // "my friend from Rome", "my dog's name"
  if (nounWords.some((word) => word.kind !== 'word' || PREPOSITIONS.has(word.lower))) return NOBODY;
  const noun = textOf(nounWords.map(normalSpelling)).replace(/^(?:(?:own|current|new) )+/u, '');
  const known = referents.relative(owner.name, noun);
  return { names: [known ?? `${owner.name}'s ${noun}`], property: { owner: owner.name, noun }, end };
}

/** `my mother, Rosa, …` */
function namedAside(
  words: readonly Word[],
  owner: { readonly name: string | undefined; readonly end: number },
  referents: Referents,
): Subject | undefined {
  if (owner.name === undefined || words[owner.end + 1]?.text !== ',') return undefined;
  const name = nameAt(words, owner.end + 2, () => false);
  if (!name || name.kind === 'date' || words[name.end]?.text !== ',') return undefined;
  return { names: [referents.fullName(name.text)], end: name.end + 1 };
}

function normalSpelling(word: Word): Word {
  return word.isCapital ? word : { ...word, text: word.lower };
}

function listedNames(words: readonly Word[], role: SpeakerRole, referents: Referents): Subject | undefined {
  const names: string[] = [];
  let index = 0;
  for (;;) {
    const name = nameAt(words, index, (lower) => referents.knows(lower));
    const word = words[index];
    const person = word?.kind === 'word' ? personOf(word, role, referents) : undefined;
    const isUnknown =
      word?.isCapital && word.kind === 'word' && isMainVerb(words[index + 1]) && !word.tags.has('Pronoun');
    if (name && name.kind !== 'date') names.push(referents.fullName(name.text));
    else if (names.length > 0 && person) names.push(...person);
    else if (isUnknown && !NO_SUBJECTS.has(word.lower)) names.push(word.text);
    else break;
    index = name?.end ?? index + 1;
    const next = words[index];
    if (next?.text !== ',' && next?.lower !== 'and') break;
    while (words[index]?.text === ',' || words[index]?.lower === 'and') index++;
  }
  const verb = words[index];
  if (names.length === 0 || (verb && !isVerbOrAdverb(words, index))) return undefined;
  return { names, end: index };
}

/** `coffee is …`, `the deadline is …`, `the weather in Paris is …` */
function nounSubject(words: readonly Word[], referents: Referents): Subject {
  const start = words[0]?.lower === 'the' ? 1 : 0;
  const end = verbIndex(words, start);
  if (end === undefined || end === start || end > start + 5) return NOBODY;
  const part = words.slice(start, end);
  const isPlain = part.every(
    (word) => word.kind === 'word' && !NO_SUBJECTS.has(word.lower) && !POSSESSIVES.has(word.lower),
  );
  const isShort = start === 0 ? part.length === 1 && !isMainVerb(part[0]) : true;
  if (!isPlain || !isShort || /^\d/u.test(part[0]?.text ?? '')) return NOBODY;
  return { names: [referents.fullName(textOf(part))], end };
}

/** Where the verb begins that belongs to a subject. */
function verbIndex(words: readonly Word[], start: number): number | undefined {
  for (let index = start; index < words.length && index < start + 7; index++) {
    const word = words[index];
    if (word?.kind === 'mark') return undefined;
    if (index > start && isVerbOrAdverb(words, index) && isFinite(word, words[index + 1])) return index;
  }
  return undefined;
}

function isFinite(word: Word | undefined, next: Word | undefined): boolean {
  if (!word || word.isCapital) return false;
  // "her hiking boots", "my work address": a noun before its noun.
  const isNoun = word.tags.has('Noun') && next !== undefined && isMainVerb(next);
  return !isNoun;
}

function isVerbOrAdverb(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (isMainVerb(word)) return true;
  const isBetween =
    word?.kind === 'word' && (word.tags.has('Adverb') || word.lower === 'both' || word.lower === 'never');
  return isBetween && isMainVerb(words[index + 1]);
}

const POSSESSIVES = new Set(['my', 'our', 'your', 'his', 'her', 'its', 'their']);
const PREPOSITIONS = new Set(['of', 'in', 'from', 'at', 'with', 'for', 'to', 'and', 'or', 'on']);
const NO_SUBJECTS = new Set(
  `i you he she it we they this that these those there here what who which where when why how nobody everyone everybody
  someone somebody nothing everything something anything one some any all many most few people thing things question
  answer idea problem point way lot time reason rest best last first next same other another both none each user to a
  an not no so if then and or but please let`.split(/\s+/u),
);
