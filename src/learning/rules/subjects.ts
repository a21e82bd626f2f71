import { hasTag, isOneOf, textOf, type Word } from '../../language/sentence-words.ts';
import { isTitle } from '../../language/words/abbreviations.ts';
import { isIn, isKin, isPersonKin, singularOf } from '../../language/words/lexicon.ts';
import { USER_NAME } from '../first-person.ts';
import { nameAt, type NameKind } from './names.ts';
import type { Referents } from './referents.ts';
import type { StatedFact, Subject } from './rule-statements.ts';
import { fullName, NOBODY } from './name-slots.ts';

/** The speaker, who determines whom `I` and `you` mean, and the people mentioned before. */
export interface Speaking {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly referents: Referents;
}

/** A subject, with the words after it. */
export interface FoundSubject extends Subject {
  readonly rest: readonly Word[];
}

/** Somebody's relative, friend or pet with a name, and the noun for the relation. */
interface NamedKin {
  readonly fact: StatedFact;
  readonly noun: string;
}

/** Returns the subject at the beginning of a clause, or undefined if facts are not kept about it. */
export function subjectOf(words: readonly Word[], speaking: Speaking): FoundSubject | undefined {
  const [first] = words;
  const { role, referents } = speaking;
  if (first?.kind !== 'word' && first?.kind !== 'title') return undefined;
  if (first.kind === 'word') {
    const isSelf = role === 'user' ? isOneOf(first, 'i we') : role === 'assistant' && first.lower === 'you';
    if (isSelf) return { names: [USER_NAME], isUser: true, rest: words.slice(1) };
    if (isOneOf(first, 'i we you')) return undefined;
    const verb = words.findIndex((word, index) => index > 2 && isFinite(word, words[index - 1]));
    if (role === 'user' && first.lower === 'me' && words[1]?.lower === 'and' && verb > 0)
      return { names: [USER_NAME], isUser: true, rest: words.slice(verb) };
    if (isOneOf(first, 'he she it they')) {
      const names = referents.resolve(first.lower);
      return names.length === 0 ? undefined : { names, rest: words.slice(1) };
    }
  }
  return ownedSubject(words, speaking) ?? namedSubject(words, speaking);
}

/** Reads `my sister Emma`, `my sister`, `dad`, `her favorite color`, `my brother's name`. */
function ownedSubject(words: readonly Word[], speaking: Speaking): FoundSubject | undefined {
  const { referents, role } = speaking;
  const [first, second] = words;
  const isRole = first?.lower === 'new' && isPersonKin(second?.lower ?? '');
  const isBareRole =
    isPersonKin(first?.lower ?? '') && second?.lower === 'is' && words[2]?.isCapital === true;
  const isProperty = isIn('bare-property', first?.lower) && isOneOf(second, 'is was');
  const isBare =
    role === 'user' &&
    (isIn('bare-kin', first?.lower) || isRole || isProperty || isBareRole) &&
    second?.kind === 'word' &&
    !isOneOf(second, 'and of');
  const owner = isBare ? { name: USER_NAME, end: 0 } : ownerAt(words, speaking);
  if (owner?.name === undefined) return undefined;
  const named = kinAt(words, speaking);
  if (named) {
    return { names: [named.fact.object], rest: withoutAge(words.slice(named.end)) };
  }
  const end = words.findIndex(
    (word, index) => index > owner.end && (word.kind === 'mark' || isFinite(word, words[index - 1])),
  );
  const nouns = words.slice(owner.end, end);
  if (end < 0 || nouns.length === 0 || nouns.length > 5 || words[end]?.kind === 'mark') return undefined;
  const rest = words.slice(end);
  const possessive = nouns.findIndex(({ kind }) => kind === 'possessive');
  const noun = nounOf(possessive > 0 ? nouns.slice(0, possessive) : nouns);
  const nameless = `${owner.name}'s ${noun}`;
  const holder = referents.relative(owner.name, noun) ?? nameless;
  if (possessive > 0) {
    const of = nounOf(nouns.slice(possessive + 1));
    return of === 'name'
      ? { names: [nameless], kin: { owner: owner.name, noun }, rest }
      : { names: [`${holder}'s ${of}`], property: { owner: holder, noun: of }, rest };
  }
  return isKin(singularOf(nouns.at(-1)?.lower ?? ''))
    ? { names: [holder], kin: { owner: owner.name, noun: singularOf(noun) }, rest }
    : { names: [holder], property: { owner: owner.name, noun }, rest };
}

/** Reads `Emma`, `Sam and Deven`, `the Crown`. */
function namedSubject(words: readonly Word[], { referents, role }: Speaking): FoundSubject | undefined {
  const names: string[] = [];
  let index = 0;
  for (;;) {
    const name = nameAt(words, index, (lower) => referents.knows(lower));
    const word = words[index];
    const isUnknown =
      word?.kind === 'word' &&
      word.isCapital &&
      isFinite(words[index + 1], word) &&
      !['no-subject', 'no-name'].some((list) => isIn(list, word.lower)) &&
      !(
        word.isFirst &&
        hasTag(word, 'Gerund', 'Verb', 'Adjective', 'Adverb', 'Plural', 'Preposition', 'Conjunction')
      );
    if (name && name.kind !== 'date') names.push(referents.fullName(name.text));
    else if (names.length > 0 && role === 'user' && word?.lower === 'i') names.push(USER_NAME);
    else if (isUnknown) names.push(word.text);
    else return undefined;
    index = name?.end ?? index + 1;
    if (!isOneOf(words[index], 'and , &')) break;
    index += 1;
  }
  const rest = withoutAge(words.slice(index));
  const isSingular = names.length > 1 || !isIn('base-verb', rest[0]?.lower);
  return isSingular && isFinite(rest[0], words[index - 1]) ? { names, rest } : undefined;
}

/** Removes `, 9,` after a name, and a comma that ends an aside. */
function withoutAge(words: readonly Word[]): readonly Word[] {
  const rest = words[0]?.text === ',' ? words.slice(1) : words;
  return /^\d{1,2}$/u.test(rest[0]?.text ?? '') && rest[1]?.text === ',' ? rest.slice(2) : rest;
}

function isFinite(word: Word | undefined, before: Word | undefined): boolean {
  if (word?.kind !== 'word' || word.isCapital) return false;
  if (isIn('finite', word.lower)) return true;
  const isVerb = word.tags.has('Verb') && !hasTag(word, 'Gerund', 'Infinitive');
  return isVerb || (before?.isCapital === true && /[^s]s$/u.test(word.lower) && !word.tags.has('Plural'));
}

function nounOf(words: readonly Word[]): string {
  const plain = words.map((word) =>
    word.isCapital && word.tags.has('ProperNoun') ? word : { ...word, text: word.lower },
  );
  return textOf(plain).replace(/^(?:(?:own|current|new|older|younger|big|little|dear|poor) )+/u, '');
}

/** Returns whom a possessive at a word means: `my`, `her`, `Sam's`. */
export function ownerAt(
  words: readonly Word[],
  { role, referents }: Speaking,
  start = 0,
): { readonly name: string | undefined; readonly end: number } | undefined {
  const word = words[start];
  if (word?.kind !== 'word') return undefined;
  if (isOneOf(word, 'my our your')) {
    const speaker = word.lower === 'your' ? 'assistant' : 'user';
    return { name: speaker === role ? USER_NAME : undefined, end: start + 1 };
  }
  if (isOneOf(word, 'his her their its'))
    return { name: onlyOne(referents.resolve(word.lower)), end: start + 1 };
  const name = nameAt(words, start, (lower) => referents.knows(lower));
  const end = name?.end ?? start + 1;
  if (words[end]?.kind !== 'possessive' || name?.kind === 'date') return undefined;
  const unknown = word.isCapital ? word.text : undefined;
  return { name: name ? referents.fullName(name.text) : unknown, end: end + 1 };
}

export function onlyOne([name, ...others]: readonly string[]): string | undefined {
  return others.length > 0 ? undefined : name;
}

/** Returns the relative, friend or pet named at an index: `my sister Emma`, `his wife, Ana,`, `my mum (Rosa`. */
export function kinAt(
  words: readonly Word[],
  speaking: Speaking,
  begin = 0,
): (NamedKin & { readonly end: number; readonly others: readonly StatedFact[] }) | undefined {
  const [first, second] = words.slice(begin);
  const isUsers = speaking.role === 'user' && first?.isCapital === false;
  const isBare =
    (isUsers && isPersonKin(first.lower)) ||
    (speaking.role === 'user' && begin === 0 && isOneOf(first, CAPITAL_KIN));
  const isOpen = begin === 0 || words[begin - 1]?.kind === 'mark';
  // Matches "son Skander studies" and "dad = Winston".
  const isMarked = /^[:(]$/u.test(second?.text ?? '') && (isOpen || words[begin - 1]?.lower === 'new');
  // Matches "Cats: Miso and Bean".
  const isRow =
    begin === 0 &&
    second?.text === ':' &&
    isOneOf(first, 'cats dogs kids children sons daughters siblings pets');
  const isAlone =
    isRow ||
    (isUsers && second?.text === '=' && isKin(first.lower)) ||
    (isBare && (second?.text === '=' || isMarked || (isOpen && second?.isCapital === true)));
  const owner = isAlone ? { name: USER_NAME, end: begin } : ownerAt(words, speaking, begin);
  if (owner?.name === undefined) return undefined;
  const isAdjective = (word: Word | undefined, next: Word | undefined): boolean =>
    isIn('kin-adjective', word?.lower) && next?.kind === 'word' && !next.isCapital;
  let at = owner.end;
  while (at < owner.end + 3 && isAdjective(words[at], words[at + 1])) at += 1;
  const kind = kindAt(words, at);
  if (kind !== undefined) at += 1;
  if (isOneOf(words[at], PAIRED) && isOneOf(words[at + 1], 'friend partner pig pair mom dad mate')) at += 1;
  const kin = words[at];
  if (kin?.kind !== 'word' || !isKin(singularOf(kin.lower)) || (kin.isCapital && !isRow)) return undefined;
  const isInLaw = words[at + 1]?.lower === 'in' && words[at + 2]?.lower === 'law';
  const nounEnd = isInLaw ? at + 3 : at + 1;
  const mark = words[nounEnd]?.kind === 'mark' ? words[nounEnd]?.text : undefined;
  const start = nounEnd + (mark === undefined ? 0 : 1);
  const hasTitle = isTitle(words[start]?.lower ?? '') || isOneOf(words[start], 'father sister don');
  const from = hasTitle ? start + 1 : start;
  const name = words[from];
  const isSmall =
    mark === undefined &&
    isPersonKin(kin.lower) &&
    name !== undefined &&
    isSmallName(name) &&
    isIn('finite', words[from + 1]?.lower);
  const named = Math.max(endOfName(words, from, 'date', 'title'), isSmall ? from + 1 : from);
  // "Ida 5" is Ida, who is five.
  const end = named > from + 1 && /^\d+$/u.test(words[named - 1]?.text ?? '') ? named - 1 : named;
  const next = words[named]?.text;
  const isAside =
    mark === undefined ||
    /^[=:]$/u.test(mark) ||
    (mark === ',' && (next === ',' || next === undefined)) ||
    (mark === '(' && (next === ')' || next === ','));
  if (end === from || name?.kind === 'title' || !isAside) return undefined;
  const adjective = /^(?:late|ex|former|business)$/u.exec(words[at - 1]?.lower ?? '')?.[0];
  const bare = isPersonKin(kin.lower) && kin.lower !== 'kid' ? kin.lower : singularOf(kin.lower);
  const relation = isInLaw ? `${kin.lower}-in-law` : bare;
  const holder = owner.name;
  const noun = [adjective, kind?.tags.has('Noun') ? kind.lower : undefined, relation]
    .filter((part) => part !== undefined)
    .join(' ');
  return {
    fact: kinFact(owner.name, noun, words.slice(start, end), speaking),
    noun,
    end: mark === '(' || mark === ',' ? end + 1 : end,
    others:
      singularOf(kin.lower) === kin.lower
        ? []
        : namesAfter(words, end).map((each) => kinFact(holder, noun, each, speaking)),
  };
}

/** Relations that are no form of address: "Flatmate Ana says". */
const CAPITAL_KIN =
  'flatmate roommate housemate colleague coworker husband wife girlfriend boyfriend boss landlord lodger';

/** First words of relations of two words: `business partner`. */
const PAIRED = 'best business maid guinea au step room house flat';

/** Returns the one word that says which brother or friend, as in `my little brother Tom` and `my gym buddy Ana`. */
function kindAt(words: readonly Word[], at: number): Word | undefined {
  const [kind, kin, name] = words.slice(at, at + 3);
  const isKind =
    kind?.kind === 'word' &&
    !kind.isCapital &&
    hasTag(kind, 'Noun', 'Adjective', 'Gerund') &&
    !hasTag(kind, 'Pronoun', 'Possessive', 'Plural') &&
    !isOneOf(kind, PAIRED) &&
    !['no-phrase', 'preposition', 'person', 'pet', 'no-kin'].some((list) => isIn(list, kind.lower));
  const isNamed = kin?.kind === 'word' && isKin(kin.lower) && name?.kind === 'word' && name.isCapital;
  return isKind && isNamed ? kind : undefined;
}

/** Returns the other names of a list such as `Tom and Ben` or `Ida 5, Jonas 8`. */
function namesAfter(words: readonly Word[], start: number): (readonly Word[])[] {
  const at = /^\d{1,2}$/u.test(words[start]?.text ?? '') ? start + 1 : start;
  const from = words[at]?.text === ',' && words[at + 1]?.lower === 'and' ? at + 2 : at + 1;
  const end = isOneOf(words[from - 1], ', and &') ? endOfName(words, from, 'date', 'title', 'place') : from;
  if (end === from || words[end]?.kind === 'possessive') return [];
  const isNumbered = end > from + 1 && /^\d+$/u.test(words[end - 1]?.text ?? '');
  const stop = isNumbered ? end - 1 : end;
  return [words.slice(from, stop), ...namesAfter(words, stop)];
}

/** Returns the relative named before the relation: `Martin (husband)`, `Taavi my brother`, `Davide, my husband,`. */
export function kinBehind(words: readonly Word[], speaking: Speaking, start: number): NamedKin | undefined {
  const end = endOfName(words, start, 'date', 'title', 'place');
  if (end === start || speaking.role !== 'user' || words[start - 1]?.isCapital === true) return undefined;
  const mark = words[end]?.text;
  const behind = words.slice(end + (mark === '(' || mark === ',' ? 1 : 0));
  const isMine = behind[0]?.lower === 'my';
  const [kin, after] = isMine ? behind.slice(1) : behind;
  const isClosed = mark === ',' ? (after?.text ?? ',') === ',' : !/^(?:and|'s|,)$/u.test(after?.text ?? '');
  if (!kin || !isKin(kin.lower) || !(mark === '(' ? after?.text === ')' : isMine && isClosed))
    return undefined;
  return { fact: kinFact(USER_NAME, kin.lower, words.slice(start, end), speaking), noun: kin.lower };
}

function kinFact(subject: string, noun: string, name: readonly Word[], { referents }: Speaking): StatedFact {
  return { subject, predicate: `has ${noun}`, object: referents.fullName(textOf(name)) };
}

/** Returns the index after a name that is not of these kinds, or after a capitalized word that can be a name. */
function endOfName(words: readonly Word[], start: number, ...not: readonly NameKind[]): number {
  const name = nameAt(words, start, () => false);
  if (name && !not.includes(name.kind)) return name.end;
  const first = words.slice(start, start + 1);
  return first[0]?.isCapital === true && fullName(first, NOBODY) !== undefined ? start + 1 : start;
}

/** Whether a lower-case word can be a name where one is expected: `my husband declan works from home`. */
function isSmallName(word: Word): boolean {
  return (
    word.kind === 'word' &&
    !word.isCapital &&
    word.tags.has('Noun') &&
    !hasTag(word, 'Verb', 'Plural', 'Pronoun', 'Gerund', 'Adverb', 'Possessive', 'Actor', 'Value') &&
    /^\p{L}{3,}$/u.test(word.lower) &&
    !isKin(word.lower) &&
    !['no-name', 'no-small-name'].some((list) => isIn(list, word.lower))
  );
}
