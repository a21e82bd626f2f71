import { requireTime } from '../model/clock.ts';
import { invalidInput, type MnemoraError } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';
import { RESERVED_NAMES } from '../model/json.ts';
import { nameKey } from './entity-name.ts';
import type { AttributeMap, EntityRecord, TripleRecord, TripleSource, TripleWords } from './triple.ts';

/** A validated fact, without the fields that depend on the graph it is added to. */
export type CheckedTriple = Omit<TripleRecord, 'id' | 'seq' | 'retraction'>;

const NEW_TRIPLE_FIELDS =
  'id subject predicate object validFrom validTo recordedAt sources source attributes supersedes'.split(' ');
const RECORD_FIELDS = [...NEW_TRIPLE_FIELDS, 'seq', 'retraction'];

/** Limit of a name or predicate, in UTF-16 units: normalizing a long one would delay the page. */
const MAX_NAME_CHARACTERS = 8192;

/** @throws MnemoraError `invalid-input` */
export function checkNewTriple(given: unknown, now: number): CheckedTriple {
  const fields = checkObject(given, 'A fact', NEW_TRIPLE_FIELDS);
  return checkFields(fields, fields['recordedAt'] === undefined ? now : undefined);
}

/** @throws MnemoraError `invalid-input` */
export function checkTripleRecord(given: unknown): TripleRecord {
  const fields = checkObject(given, 'A stored fact', RECORD_FIELDS);
  const id = checkText(fields['id'], 'The id of a stored fact');
  const { seq } = fields;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0)
    throw invalid(`The seq of the stored fact "${id}" must be a whole number of at least 0`);
  const checked = checkFields(fields, undefined);
  if (fields['retraction'] === undefined) return { ...checked, id, seq };
  const what = `The retraction of "${id}"`;
  const times = checkObject(fields['retraction'], what, ['recordedAt', 'validTo']);
  const recordedAt = checkTime(times['recordedAt'], `recordedAt in ${what}`);
  const validTo = checkTime(times['validTo'], `validTo in ${what}`);
  return { ...checked, id, seq, retraction: { recordedAt, validTo } };
}

/** @throws MnemoraError `invalid-input` */
export function checkEntityRecord(given: unknown): EntityRecord {
  const names = ['name', 'aliases', 'attributes', 'isStandalone'];
  const { name, aliases, attributes, isStandalone } = checkObject(given, 'A stored entity', names);
  if (typeof isStandalone !== 'boolean')
    throw invalid('isStandalone of a stored entity must be true or false');
  return {
    name: checkName(name, 'The name of an entity'),
    aliases: checkList(aliases, 'aliases').map((alias) => checkName(alias, 'An alias')),
    attributes: checkAttributes(attributes),
    isStandalone,
  };
}

/** Returns the trimmed name. @throws MnemoraError `invalid-input` if it is not a string, is blank or is too long */
export function checkName(value: unknown, what: string): string {
  const given = checkText(value, what);
  if (given.length > MAX_NAME_CHARACTERS)
    throw invalid(`${what} must have at most ${MAX_NAME_CHARACTERS} characters`);
  const text = given.trim().toWellFormed();
  if (nameKey(text) === '') throw invalid(`${what} must not be blank`);
  return text;
}

/** @throws MnemoraError `invalid-input` */
export function checkWords(given: unknown): TripleWords {
  const { subject, predicate, object } = checkObject(given, 'A fact');
  return {
    subject: checkName(subject, 'The subject of a fact'),
    predicate: checkName(predicate, 'The predicate of a fact'),
    object: checkName(object, 'The object of a fact'),
  };
}

/** Returns a validated copy. @throws MnemoraError `invalid-input` */
export function checkAttributes(given: unknown): AttributeMap {
  if (given === undefined) return {};
  const entries = Object.entries(checkObject(given, 'attributes'));
  for (const [name, value] of entries) {
    if (name === '' || RESERVED_NAMES.has(name)) throw invalid(`An attribute cannot be named "${name}"`);
    const isValue = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
    if (!isValue)
      throw invalid(`The attribute "${name}" must be a string, a finite number, true, false or null`);
  }
  return Object.fromEntries(entries) as AttributeMap;
}

/** @throws MnemoraError `invalid-input` */
export function checkTime(value: unknown, what: string): number {
  return requireTime(value, what);
}

function checkFields(fields: Readonly<Record<string, unknown>>, now: number | undefined): CheckedTriple {
  const { validFrom, validTo, source = 'extracted', supersedes, sources, attributes } = fields;
  const recordedAt = now ?? checkTime(fields['recordedAt'], 'recordedAt of a fact');
  const from = validFrom === undefined ? recordedAt : checkTime(validFrom, 'validFrom of a fact');
  const to = validTo === undefined ? {} : { validTo: checkTime(validTo, 'validTo of a fact') };
  if (to.validTo !== undefined && to.validTo < from)
    throw invalid('validTo of a fact must not be before its validFrom');
  if (source !== 'user' && source !== 'extracted')
    throw invalid(`source of a fact must be 'user' or 'extracted'`);
  return {
    ...checkWords(fields),
    validFrom: from,
    ...to,
    recordedAt,
    supersedes: checkList(supersedes, 'supersedes').map((id) => checkText(id, 'An id in supersedes')),
    source,
    sources: checkList(sources, 'sources').map(checkSource),
    attributes: checkAttributes(attributes),
  };
}

function checkSource(given: unknown): TripleSource {
  const fields = checkObject(given, 'A source of a fact', ['messageId', 'quote', 'isContext']);
  const { messageId, quote, isContext } = fields;
  if (isContext !== undefined && isContext !== true)
    throw invalid('isContext of a source must be true or absent');
  return {
    messageId: checkText(messageId, 'messageId of a source'),
    ...(quote === undefined ? {} : { quote: checkText(quote, 'quote of a source') }),
    ...(isContext ? { isContext } : {}),
  };
}

/** @throws MnemoraError `invalid-input` */
export function checkText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`${what} must be a non-empty string`);
}

function checkList(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(`${what} must be a list`);
  return value;
}

function checkObject(
  value: unknown,
  what: string,
  names: readonly string[] = Object.keys(Object(value)),
): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalid(`${what} must be an object`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalid(`${what} has no field "${unknown}"`);
  return value;
}

function invalid(why: string): MnemoraError {
  return invalidInput(`${why}. Nothing was changed.`);
}
