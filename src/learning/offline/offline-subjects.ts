import { USER_NAME } from '../first-person.ts';
import { isKin, isPersonKin, singularOf } from './offline-lexicon.ts';
import { isIn } from './offline-lexicon.ts';
import { isNoName, nameAt } from './offline-names.ts';
import { ownerAt, type Speaking } from './offline-owners.ts';
import { kinAt } from './offline-relatives.ts';
import type { Subject } from './offline-statements.ts';
import { textOf, type Word } from './offline-words.ts';

/** A subject, with the words after it. */
export interface FoundSubject extends Subject {
  readonly rest: readonly Word[];
}

/** Returns the subject at the beginning of a clause, or undefined if facts are not kept about it. */
export function subjectOf(words: readonly Word[], speaking: Speaking): FoundSubject | undefined {
  const [first] = words;
  if (first?.kind !== 'word' && first?.kind !== 'title') return undefined;
  const { role, referents } = speaking;
  if (first.kind === 'word') {
    const isSelf =
      role === 'user' ? /^(?:i|we)$/u.test(first.lower) : role === 'assistant' && first.lower === 'you';
    if (isSelf) return { names: [USER_NAME], isUser: true, isThird: false, rest: words.slice(1) };
    if (/^(?:i|we|you)$/u.test(first.lower)) return undefined;
    const verb = words.findIndex((word, index) => index > 2 && isFinite(word, words[index - 1]));
    const isUs = role === 'user' && first.lower === 'me' && words[1]?.lower === 'and' && verb > 0;
    if (isUs) return { names: [USER_NAME], isUser: true, isThird: false, rest: words.slice(verb) };
    if (/^(?:he|she|it|they)$/u.test(first.lower)) {
      const names = referents.resolve(first.lower);
      return names.length === 0 ? undefined : { names, isUser: false, isThird: true, rest: words.slice(1) };
    }
  }
  return ownedSubject(words, speaking) ?? namedSubject(words, speaking);
}

/** Reads `my sister Emma`, `my sister`, `dad`, `her favorite color`, `my brother's name`. */
function ownedSubject(words: readonly Word[], speaking: Speaking): FoundSubject | undefined {
  const { referents, role } = speaking;
  const first = words[0]?.lower ?? '';
  const isRole = /^new$/u.test(first) && isPersonKin(words[1]?.lower ?? '');
  const isProperty = isIn('bare-property', first) && /^(?:is|was)$/u.test(words[1]?.lower ?? '');
  const isBare =
    role === 'user' &&
    (isIn('bare-kin', first) || isRole || isProperty) &&
    words[1]?.kind === 'word' &&
    !/^(?:and|of)$/u.test(words[1].lower);
  const owner = isBare ? { name: USER_NAME, end: 0 } : ownerAt(words, speaking);
  if (owner?.name === undefined) return undefined;
  const named = kinAt(words, speaking);
  if (named) {
    const rest = words.slice(named.end);
    return {
      names: [named.fact.object],
      isUser: false,
      isThird: true,
      rest: rest[0]?.text === ',' ? rest.slice(1) : rest,
    };
  }
  const end = words.findIndex(
    (word, index) => index > owner.end && (word.kind === 'mark' || isFinite(word, words[index - 1])),
  );
  const nouns = words.slice(owner.end, end < 0 ? words.length : end);
  if (end < 0 || nouns.length === 0 || nouns.length > 5 || words[end]?.kind === 'mark') return undefined;
  const possessive = nouns.findIndex(({ kind }) => kind === 'possessive');
  if (possessive > 0) {
    const relative = nounOf(nouns.slice(0, possessive));
    const of = nounOf(nouns.slice(possessive + 1));
    const holder = referents.relative(owner.name, relative) ?? `${owner.name}'s ${relative}`;
    if (of !== 'name')
      return {
        names: [`${holder}'s ${of}`],
        property: { owner: holder, noun: of },
        isUser: false,
        isThird: true,
        rest: words.slice(end),
      };
    return {
      names: [`${owner.name}'s ${relative}`],
      kin: { owner: owner.name, noun: relative },
      isUser: false,
      isThird: true,
      rest: words.slice(end),
    };
  }
  const noun = nounOf(nouns);
  const known = referents.relative(owner.name, noun);
  const isSomebody = isKin(singularOf(nouns.at(-1)?.lower ?? ''));
  const names = [known ?? `${owner.name}'s ${noun}`];
  return {
    names,
    ...(isSomebody
      ? { kin: { owner: owner.name, noun: singularOf(noun) } }
      : { property: { owner: owner.name, noun } }),
    isUser: false,
    isThird: true,
    rest: words.slice(end),
  };
}

/** Reads `Emma`, `Sam and Deven`, `the Crown`. */
function namedSubject(words: readonly Word[], { referents, role }: Speaking): FoundSubject | undefined {
  const names: string[] = [];
  const knows = (lower: string): boolean => referents.knows(lower);
  let index = 0;
  for (;;) {
    const name = nameAt(words, index, knows);
    const word = words[index];
    const isUnknown =
      word?.kind === 'word' &&
      word.isCapital &&
      isFinite(words[index + 1], word) &&
      !isIn('no-subject', word.lower) &&
      !isNoName(word.lower) &&
      !(
        word.isFirst &&
        ['Gerund', 'Verb', 'Adjective', 'Adverb', 'Plural', 'Preposition', 'Conjunction'].some((tag) =>
          word.tags.has(tag),
        )
      );
    if (name && name.kind !== 'date') names.push(referents.fullName(name.text));
    else if (names.length > 0 && role === 'user' && word?.lower === 'i') names.push(USER_NAME);
    else if (isUnknown) names.push(word.text);
    else return undefined;
    index = name?.end ?? index + 1;
    if (!/^(?:and|,|&)$/u.test(words[index]?.lower ?? '')) break;
    index += 1;
  }
  const rest = words.slice(index);
  const isSingular = names.length > 1 || !isIn('base-verb', rest[0]?.lower ?? '');
  return isSingular && isFinite(rest[0], words[index - 1])
    ? { names, isUser: false, isThird: true, rest }
    : undefined;
}

function isFinite(word: Word | undefined, before: Word | undefined): boolean {
  if (word?.kind !== 'word' || word.isCapital) return false;
  if (isIn('finite', word.lower)) return true;
  const isVerb = word.tags.has('Verb') && !word.tags.has('Gerund') && !word.tags.has('Infinitive');
  return isVerb || (before?.isCapital === true && /[^s]s$/u.test(word.lower) && !word.tags.has('Plural'));
}

function nounOf(words: readonly Word[]): string {
  const plain = words.map((word) =>
    word.isCapital && !word.tags.has('ProperNoun') ? { ...word, text: word.lower } : word,
  );
  return textOf(plain.map((word) => (word.isCapital ? word : { ...word, text: word.lower }))).replace(
    /^(?:(?:own|current|new|older|younger|big|little|dear|poor) )+/u,
    '',
  );
}
