import { invalidOption, type MnemoraError } from '../model/error.ts';
import { predicateForm } from './predicate.ts';
import { isProposal, type NewTriple, type TripleWords } from './triple.ts';

/** Subject, predicate and object of a fact, when it ends, and whether it is only proposed. */
export type SaidFact = TripleWords & Pick<NewTriple, 'validTo' | 'attributes'>;

/** The slots in which a fact competes. */
export interface FactSlots {
  /**
   * Slots in which the fact holds only while it is the one that began last. The first is that of its statement, which
   * is equal for all wordings of it, and all names of its entities.
   */
  readonly own: readonly [statement: string, ...others: string[]];
  /** Slots in which the fact ends others and is never ended itself. */
  readonly claimed: readonly string[];
}

/** Shared, because most facts claim no slots. */
const NO_SLOTS: readonly string[] = [];

/** Returns the slots of a fact between two nodes: see `FactIndex`. */
export function slotsOf(
  said: SaidFact,
  subject: string,
  object: string,
  singleValued: SingleValuedProperty,
): FactSlots {
  const { predicate, object: value, validTo } = said;
  const { key, isNegated, denies } = predicateForm(predicate);
  const property = singleValued(key, value);
  const claim = (kind: 'stated' | 'denied' | 'either', predicateKey: string): string =>
    slotKey(kind, subject, meaningOf(predicateKey, singleValued(predicateKey, value)), object);
  const statement = claim(isNegated ? 'denied' : 'stated', key);
  if (isProposal(said)) return { own: [`proposed\n${statement}`], claimed: NO_SLOTS };
  const own: [string, ...string[]] = [statement, claim('either', key)];
  const isOfSomeKind = /^(?:a|an) /u.test(value);
  if (property !== undefined && !isNegated) {
    own.push(slotKey('value', subject, property, isOfSomeKind ? 'of some kind' : 'named'));
  }
  // A fact about a limited time says nothing about now, and "used to have a dog" does not end "has a dog": it may be
  // another one.
  const endsNothing = denies === undefined || validTo !== undefined || isOfSomeKind;
  return { own, claimed: endsNothing ? NO_SLOTS : [claim('either', denies)] };
}

export function isStatementKey(key: string): boolean {
  return key.startsWith('stated\n') || key.startsWith('denied\n');
}

/** Predicates of the same property, such as `works at` and `works for`, get the same key. */
function meaningOf(predicateKey: string, property: string | undefined): string {
  return property === undefined ? `says ${predicateKey}` : `property ${property}`;
}

/**
 * Returns the key of the slot for a statement and its negation (`either`), or for all values of a single-valued
 * property (`value`). No part contains a line break.
 */
function slotKey(kind: 'stated' | 'denied' | 'either' | 'value', ...parts: readonly string[]): string {
  return [kind, ...parts].join('\n');
}

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
  'lives in | resides in | is living in',
  'is based in',
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
export function singleValuedProperties(
  list: readonly string[] = SINGLE_VALUED_PREDICATES,
): SingleValuedProperty {
  if (!Array.isArray(list)) throw invalid('must be a list of predicates');
  const exact = new Map<string, string>();
  const open: { start: string; end: string; entry: number }[] = [];
  for (const [entry, wordings] of list.entries()) {
    if (typeof wordings !== 'string') throw invalid('must contain only strings');
    for (const wording of wordings.split('|')) {
      const { key } = predicateForm(wording);
      const [start = '', end, ...more] = key.split('*');
      if (key === '' || more.length > 0 || key === '*') {
        throw invalid(`contains "${wordings}"; each of its wordings must be a predicate with at most one *`);
      }
      if (end === undefined) exact.set(key, `${entry}`);
      else open.push({ start, end, entry });
    }
  }
  return (predicateKey, object) => {
    const key = predicateKey === 'be' && AGE.test(object) ? 'be aged' : predicateKey;
    const known = exact.get(key);
    if (known !== undefined) return known;
    const found = open.find(
      ({ start, end }) =>
        key.length > start.length + end.length && key.startsWith(start) && key.endsWith(end),
    );
    if (!found) return undefined;
    const name = key.slice(found.start.length, key.length - found.end.length);
    return /[^s]s$/u.test(name) ? undefined : `${found.entry}:${name}`;
  };
}

function invalid(why: string): MnemoraError {
  return invalidOption(`singleValued ${why}.`);
}
