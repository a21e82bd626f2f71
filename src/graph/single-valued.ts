import { MnemoraError } from '../model/error.ts';
import { predicateForm } from './predicate.ts';

/**
 * Predicates that have one value per subject at a time, so that a new fact ends the one before. Default of the option
 * `singleValued` of `KnowledgeGraph`. Wordings of one property are joined by ` | `. `*` stands for words that
 * distinguish properties (`has favorite color` and `has favorite film` are two), except plurals, which have many
 * values (`has favorite colors`). Case, articles and grammatical person do not matter.
 *
 * Properties that can have several values are left out on purpose: likes, friends, languages, pets, nicknames, second
 * jobs. A value that only names a kind (`a small flat`) does not compete with a proper name (`Lyon`), because one can
 * live in both. `is 7 years old` counts as an age.
 *
 * @example
 * new KnowledgeGraph({ singleValued: [...SINGLE_VALUED_PREDICATES, 'drives'] });
 */
export const SINGLE_VALUED_PREDICATES: readonly string[] = [
  'lives in | resides in | is living in | is based in',
  'lives at | resides at | is living at',
  'works at | works for | is working at | is working for | is employed by | is employed at',
  'is named | has name | name is',
  'has favorite * | favorite * is | favorite *',
  'has age | age is | is aged',
  'was born on | has birthday | birthday is | birthday is on | has date of birth',
  'is married to | has wife | wife is | has husband | husband is | has spouse | spouse is',
  'is engaged to',
  'has job title | job title is',
  'has address | address is',
  'has height | height is',
  'has weight | weight is | weighs',
  'has capital | capital is',
  'has deadline | deadline is | is due | is due on | is due by | has due date | due date is',
  'has status | status is',
  'costs | has price | price is',
];

/** Returns the single-valued property that a normalized predicate sets, or undefined if it can have many values. */
export type SingleValuedProperty = (predicateKey: string, object: string) => string | undefined;

const AGE = /^\d{1,3}[ -]years?[ -]old$/iu;

/** @throws MnemoraError `invalid-option` if it is not an array, or a wording is empty or has several `*` */
export function singleValuedProperties(list: readonly string[]): SingleValuedProperty {
  if (!Array.isArray(list)) throw invalid('must be a list of predicates');
  const exact = new Map<string, string>();
  const open: { start: string; end: string; entry: string }[] = [];
  for (const [index, entry] of list.entries()) {
    if (typeof entry !== 'string') throw invalid('must contain only strings');
    for (const wording of entry.split('|')) {
      const { key } = predicateForm(wording);
      const [start, end, ...more] = key.split('*');
      if (key === '' || start === undefined || more.length > 0 || key === '*') {
        throw invalid(`contains "${entry}"; each of its wordings must be a predicate with at most one *`);
      }
      if (end === undefined) exact.set(key, `${index}`);
      else open.push({ start, end, entry: `${index}` });
    }
  }
  return (predicateKey, object) => {
    const key = predicateKey === 'be' && AGE.test(object) ? 'be aged' : predicateKey;
    const known = exact.get(key);
    if (known !== undefined) return known;
    for (const { start, end, entry } of open) {
      const isLongEnough = key.length > start.length + end.length;
      if (!isLongEnough || !key.startsWith(start) || !key.endsWith(end)) continue;
      const name = key.slice(start.length, key.length - end.length);
      return /[^s]s$/u.test(name) ? undefined : `${entry}:${name}`;
    }
    return undefined;
  };
}

function invalid(why: string): MnemoraError {
  return new MnemoraError('invalid-option', `singleValued of a KnowledgeGraph ${why}.`);
}
