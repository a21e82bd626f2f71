import type { EntityNames } from './entity-name.ts';
import { predicateForm } from './predicate.ts';
import type { SingleValuedProperty } from './single-valued.ts';
import type { NewTriple } from './triple.ts';

/** Subject, predicate and object of a fact. */
export type TripleWords = Pick<NewTriple, 'subject' | 'predicate' | 'object'>;

/** Subject, predicate and object of a fact, and when it ends. */
export type SaidFact = TripleWords & Pick<NewTriple, 'validTo'>;

/** The slots in which a fact competes. */
export interface FactSlots {
  /** In these slots the fact holds only while it is the one that began last. */
  readonly own: readonly string[];
  /** In these slots the fact ends others and is never ended itself. */
  readonly claimed: readonly string[];
}

/** Returns the slots of a fact between two nodes: see `FactIndex`. */
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
  // A fact about a limited time says nothing about now, and "used to have a dog" does not end "has a dog": it may be
  // another one.
  const endsNothing = denies === undefined || validTo !== undefined || isOfSomeKind;
  if (endsNothing) return { own, claimed: [] };
  return {
    own,
    claimed: [slotKey('either', subject, meaningOf(denies, singleValued(denies, value)), object)],
  };
}

/** Returns the slot key of one statement. All wordings of it get the same key. */
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

/** Predicates of the same property, such as `works at` and `works for`, get the same key. */
function meaningOf(predicateKey: string, property: string | undefined): string {
  return property === undefined ? `says ${predicateKey}` : `property ${property}`;
}

function statement(isNegated: boolean): 'stated' | 'denied' {
  return isNegated ? 'denied' : 'stated';
}

/**
 * Returns the key of the slot for a statement and its negation (`either`), or for all values of a single-valued
 * property (`value`).
 */
function slotKey(kind: 'stated' | 'denied' | 'either' | 'value', ...parts: readonly string[]): string {
  return JSON.stringify([kind, ...parts]);
}
