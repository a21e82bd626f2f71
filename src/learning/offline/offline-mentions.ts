import { USER_NAME } from '../first-person.ts';
import { genderOf, isPersonKin } from './offline-lexicon.ts';
import { isIn } from './offline-lexicon.ts';
import type { FoundName } from './offline-names.ts';
import type { Referents } from './offline-referents.ts';
import type { StatedFact } from './offline-statements.ts';
import type { Word } from './offline-words.ts';

/** Returns the earlier names that the pronouns of a sentence refer to. */
export function resolvePronouns(referents: Referents, words: readonly Word[]): string[] {
  const pronouns = new Set(
    words.map(({ lower }) => lower).filter((lower) => /^(?:he|him|his|she|her)$/u.test(lower)),
  );
  const names = [...pronouns].flatMap((pronoun) => referents.resolve(pronoun));
  return [...new Set(names)].filter((name) => !name.startsWith(USER_NAME));
}

/** Notes people without a name, such as `a road engineer` or `my boss`, whom a later "he" may mean. */
export function noteNameless(referents: Referents, words: readonly Word[]): void {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (
      word.kind !== 'word' ||
      next?.isCapital === true ||
      !(isIn('job', word.lower) || isPersonKin(word.lower))
    )
      continue;
    const start = words
      .slice(Math.max(0, index - 3), index)
      .findLast(({ lower }) => /^(?:a|an|the|my|our|this|some|new|another)$/u.test(lower))?.lower;
    if (
      start === undefined ||
      words.slice(index + 1, index + 3).some(({ kind, isCapital }) => kind === 'word' && isCapital)
    )
      continue;
    const isMine = /^(?:my|our)$/u.test(start) && isPersonKin(word.lower);
    if (isMine && referents.relative(USER_NAME, word.lower) === undefined) {
      const gender = genderOf(word.lower);
      referents.note(
        { text: `${USER_NAME}'s ${word.lower}`, kind: 'person', ...(gender ? { gender } : {}) },
        false,
      );
    } else if (!isMine) referents.noteNameless(word.lower);
  }
}

/** Notes the names in a sentence and its facts, so that a later "she" can be resolved. */
export function noteMentions(
  referents: Referents,
  names: readonly FoundName[],
  facts: readonly StatedFact[],
): void {
  for (const name of names) {
    const isSubject = facts.some(({ subject }) => subject.toLowerCase() === name.text.toLowerCase());
    referents.note(name, isSubject || (facts.length === 0 && name === names[0] && name.start === 0));
  }
  for (const { subject, predicate, object } of facts) {
    const isNamed =
      subject === USER_NAME ||
      subject.includes("'s ") ||
      names.some(({ text }) => text.toLowerCase() === subject.toLowerCase());
    if (!isNamed) referents.note({ text: subject, kind: 'name' }, true);
    const noun = /^has (?:\p{L}+ )?([\p{L}-]+)$/u.exec(predicate)?.[1];
    if (predicate === 'is a') referents.specify(subject, 'person');
    if (/^is (?:married|engaged) to$/u.test(predicate) && subject !== USER_NAME)
      referents.noteGroup([subject, object]);
    if (noun === undefined || !/^\p{Lu}/u.test(object)) continue;
    referents.relate(subject, noun, object);
    referents.replace(`${subject}'s ${noun}`, object);
    if (isPersonKin(noun)) referents.specify(object, 'person', genderOf(noun));
    else referents.note({ text: object, kind: 'name' }, true);
  }
  if (facts.length > 0) return;
  const titles = names.filter(({ kind }) => kind === 'title');
  if (titles.length > 1) referents.noteGroup(titles.map(({ text }) => text));
}
