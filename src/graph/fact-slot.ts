import type { EntityNames } from './entity-names.ts';
import { predicateForm } from './predicate.ts';
import type { SingleValuedProperty } from './single-valued.ts';
import type { NewTriple } from './triple.ts';

/** What a fact says. */
export type TripleWords = Pick<NewTriple, 'subject' | 'predicate' | 'object'>;

/** What a fact says, and until when. */
export type SaidFact = TripleWords & Pick<NewTriple, 'validTo'>;

/** Where a fact competes. */
export interface FactSlots {
  /** In each of these it holds only while it is the one that began last. */
  readonly own: readonly string[];
  /** In these it ends others, and nothing ends it. */
  readonly claimed: readonly string[];
}

/** The slots of a fact between two nodes: see `FactIndex`. */
export function slotsOf(
  { predicate, object: value, validTo }: SaidFact,
  subject: string,
  object: string,
  singleValued: SingleValuedProperty,
): FactSlots {
  const { key, isNegated, denies } = predicateForm(predicate);
  const property = singleValued(key, value);
  const meaning = meaningOf(key, property);
  const own = [
    slotKey(statement(isNegated), subject, meaning, object),
    slotKey('either', subject, meaning, object),
  ];
  const isOfSomeKind = /^(?:a|an) /u.test(value);
  if (property !== undefined && !isNegated) {
    own.push(slotKey('value', subject, property, isOfSomeKind ? 'of some kind' : 'named'));
  }
  // What was so for a time says nothing of now, and one used to have a dog and has another.
  const endsNothing = denies === undefined || validTo !== undefined || isOfSomeKind;
  if (endsNothing) return { own, claimed: [] };
  return {
    own,
    claimed: [slotKey('either', subject, meaningOf(denies, singleValued(denies, value)), object)],
  };
}

/** The slot of one statement, the same for all its wordings. */
export function statementOf(
  { subject, predicate, object }: TripleWords,
  names: EntityNames,
  singleValued: SingleValuedProperty,
): string {
  const { key, isNegated } = predicateForm(predicate);
  const meaning = meaningOf(key, singleValued(key, object));
  return slotKey(statement(isNegated), names.nodeOf(subject), meaning, names.nodeOf(object));
}

export function isStatementKey(key: string): boolean {
  return key.startsWith('["stated"') || key.startsWith('["denied"');
}

/** `works at` and `works for` mean the same, as wordings of one property. */
function meaningOf(predicateKey: string, property: string | undefined): string {
  return property === undefined ? `says ${predicateKey}` : `property ${property}`;
}

function statement(isNegated: boolean): 'stated' | 'denied' {
  return isNegated ? 'denied' : 'stated';
}

/** The slot of a statement and its negation (`either`), or of all values of a single-valued property (`value`). */
function slotKey(kind: 'stated' | 'denied' | 'either' | 'value', ...parts: readonly string[]): string {
  return JSON.stringify([kind, ...parts]);
}
