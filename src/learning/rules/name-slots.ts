import { hasTag, textOf, type Word } from '../../language/sentence-words.ts';
import { isTitle } from '../../language/words/abbreviations.ts';
import { isIn, isKin } from '../../language/words/lexicon.ts';
import { nameAt } from './names.ts';

/** The context in which a clause is read. */
export interface SlotContext {
  /** Whether a name (in lower case) occurred before. */
  isKnown(lower: string): boolean;
  /** Whether the message is typed in lower case, so that places and names may be too. */
  readonly isSmall: boolean;
}

/** Returns the object that the words name, or undefined if they are not of the kind. */
export type Kind = (words: readonly Word[], context: SlotContext) => string | undefined;

export const NOBODY: SlotContext = { isKnown: () => false, isSmall: false };

/** Returns the text if the words are of a kind. */
export function textIf(isOfKind: boolean, words: readonly Word[]): string | undefined {
  return isOfKind ? textOf(words) : undefined;
}

/** Returns the name if the words are exactly one name. */
export const fullName: Kind = (words, { isKnown }) => {
  const name = nameAt(words, 0, isKnown);
  if (name?.end === words.length && name.kind !== 'date') return name.text;
  const isName = words.length > 0 && words.length <= 3;
  return textIf(isName && words.every((word) => word.isCapital && !isIn('no-name', word.lower)), words);
};

/** A name, with or without an age. After "called" it can be in lower case. */
export const called: Kind = (words, context) => {
  const bare = /^\d{1,2}$/u.test(words.at(-1)?.text ?? '') ? words.slice(0, -1) : words;
  const [word] = bare;
  const isSmall =
    bare.length === 1 &&
    word?.kind === 'word' &&
    /^\p{L}{2,}$/u.test(word.text) &&
    !isKin(word.lower) &&
    !['no-name', 'no-phrase', '/baby'].some((list) => isIn(list, word.lower));
  return fullName(bare, context) ?? textIf(isSmall, bare);
};

/** A name that somebody gives for himself or herself: `Jack`, also `jack` if it is a first name. */
export const self: Kind = (words, context) => {
  const [first] = words;
  if (words.length > 3 || first?.kind !== 'word' || (first.isCapital && isIn('nation', first.lower)))
    return undefined;
  if (isTitle(first.lower) && first.isCapital && words.length > 1)
    return textIf(fullName(words.slice(1), context) !== undefined, words);
  const isFirstName = first.tags.has('FirstName') && !first.tags.has('Adjective');
  const isUnlike = words.length > 1 || hasTag(first, 'Verb', 'Adjective', 'Adverb', 'Plural');
  if (!isFirstName && (isUnlike || /^\p{Lu}{2,}$/u.test(first.text))) return undefined;
  if (words.length === 1 && isFirstName && !first.isCapital) return first.text;
  const isOther = words.some((word) => hasTag(word, 'Demonym', 'Place', 'Organization', 'WeekDay', 'Month'));
  return first.isCapital && !isOther ? fullName(words, context) : undefined;
};
