import { USER_NAME } from '../first-person.ts';
import { isKin, isPersonKin, singularOf } from './offline-lexicon.ts';
import { isIn } from './offline-lexicon.ts';
import { isNoName, nameAt } from './offline-names.ts';
import { fullName, NOBODY } from './offline-slots.ts';
import type { StatedFact } from './offline-statements.ts';
import { ownerAt, type Speaking } from './offline-owners.ts';
import { textOf, type Word } from './offline-words.ts';

/** Returns the relative, friend or pet named at an index: `my sister Emma`, `his wife, Ana,`, `my mum (Rosa`. */
export function kinAt(
  words: readonly Word[],
  speaking: Speaking,
  begin = 0,
): { readonly fact: StatedFact; readonly noun: string; readonly end: number } | undefined {
  const { referents, role } = speaking;
  const isBare =
    role === 'user' && isPersonKin(words[begin]?.lower ?? '') && words[begin]?.isCapital === false;
  const isOpen = begin === 0 || words[begin - 1]?.kind === 'mark';
  // Matches "son Skander studies" and "dad = Winston".
  const isAlone =
    isBare && (words[begin + 1]?.text === '=' || (isOpen && words[begin + 1]?.isCapital === true));
  const owner = isAlone ? { name: USER_NAME, end: begin } : ownerAt(words, speaking, begin);
  if (owner?.name === undefined) return undefined;
  let at = owner.end;
  while (
    at < owner.end + 3 &&
    isIn('kin-adjective', words[at]?.lower ?? '') &&
    words[at + 1]?.kind === 'word' &&
    !words[at + 1]?.isCapital
  )
    at += 1;
  const two = `${words[at]?.lower ?? ''} ${words[at + 1]?.lower ?? ''}`;
  if (/^(?:best|business|maid|guinea|au|step) (?:friend|partner|pig|pair|mom|dad)$/u.test(two)) at += 1;
  const kin = words[at];
  if (kin?.kind !== 'word' || !isKin(singularOf(kin.lower)) || kin.isCapital) return undefined;
  const isInLaw = words[at + 1]?.lower === 'in' && words[at + 2]?.lower === 'law';
  const nounEnd = isInLaw ? at + 3 : at + 1;
  const mark = words[nounEnd]?.kind === 'mark' ? words[nounEnd]?.text : undefined;
  const start = nounEnd + (mark === undefined ? 0 : 1);
  const from = /^(?:mr|mrs|ms|dr|prof|father|sister|don|sir)\.?$/u.test(words[start]?.lower ?? '')
    ? start + 1
    : start;
  const name = nameAt(words, from, () => false);
  const capital = words[from];
  const isPlain =
    capital?.isCapital === true && capital.kind === 'word' && fullName([capital], NOBODY) !== undefined;
  const isSmall =
    mark === undefined &&
    isPersonKin(kin.lower) &&
    capital !== undefined &&
    isSmallName(capital) &&
    isIn('finite', words[from + 1]?.lower ?? '');
  const end =
    name && name.kind !== 'date' && name.kind !== 'title' ? name.end : isPlain || isSmall ? from + 1 : from;
  if (end === from) return undefined;
  const next = words[end]?.text;
  const isAside =
    mark === undefined ||
    (mark === ',' && (next === ',' || next === undefined)) ||
    (mark === '(' && (next === ')' || next === ',')) ||
    mark === '=' ||
    mark === ':';
  if (!isAside) return undefined;
  const adjective = /^(?:late|ex|former|business|best)$/u.exec(words[at - 1]?.lower ?? '')?.[0];
  const bare = isInLaw
    ? `${kin.lower}-in-law`
    : /^(?:youngest|eldest|kid)$/u.test(kin.lower)
      ? 'child'
      : kin.lower;
  const noun = adjective === undefined || adjective === 'best' ? bare : `${adjective} ${bare}`;
  const object = referents.fullName(textOf(words.slice(start, end)));
  return {
    fact: { subject: owner.name, predicate: `has ${noun}`, object },
    noun,
    end: mark === '(' || mark === ',' ? end + 1 : end,
  };
}

/** Returns the relative named before the relation: `Martin (husband)`, `Taavi my brother`, `Davide, my husband,`. */
export function kinBehind(
  words: readonly Word[],
  speaking: Speaking,
  start: number,
): { readonly fact: StatedFact; readonly noun: string } | undefined {
  const name = nameAt(words, start, () => false);
  const isName = name !== undefined && name.kind !== 'date' && name.kind !== 'title' && name.kind !== 'place';
  const end = isName
    ? name.end
    : words[start]?.isCapital === true && fullName(words.slice(start, start + 1), NOBODY) !== undefined
      ? start + 1
      : start;
  if (end === start || speaking.role !== 'user' || words[start - 1]?.isCapital === true) return undefined;
  const mark = words[end]?.text;
  const behind = words.slice(end + (mark === '(' || mark === ',' ? 1 : 0));
  const isMine = behind[0]?.lower === 'my';
  const [kin, after] = isMine ? behind.slice(1) : behind;
  const isClosed =
    mark === '('
      ? after?.text === ')'
      : isMine &&
        (mark === ','
          ? after === undefined || after.text === ','
          : !/^(?:and|'s|,)$/u.test(after?.text ?? ''));
  if (!kin || !isKin(kin.lower) || !isClosed || (mark !== '(' && !isMine)) return undefined;
  const object = speaking.referents.fullName(textOf(words.slice(start, end)));
  return { fact: { subject: USER_NAME, predicate: `has ${kin.lower}`, object }, noun: kin.lower };
}

/** Whether a lower-case word can be a name where one is expected: `my husband declan works from home`. */
function isSmallName({ kind, lower, tags, isCapital }: Word): boolean {
  const isNoun =
    tags.has('Noun') &&
    !['Verb', 'Plural', 'Pronoun', 'Gerund', 'Adverb', 'Possessive', 'Actor', 'Value'].some((tag) =>
      tags.has(tag),
    );
  return (
    kind === 'word' &&
    !isCapital &&
    isNoun &&
    /^\p{L}{3,}$/u.test(lower) &&
    !isNoName(lower) &&
    !isKin(lower) &&
    !isIn('no-small-name', lower)
  );
}
