import { invalidInput, type MnemoraError } from './error.ts';
import { isRecord } from './is-record.ts';

/** Any value that JSON can represent. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Deepest nesting of lists and objects. Limited because parsers, and everything else that walks a value, recurse. */
const MAX_DEPTH = 200;
/** Limit for all texts and field names of a value together, in UTF-16 units. */
const MAX_CHARACTERS = 16_000_000;
/** Field names with a special meaning in JavaScript. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Returns a deep copy of plain data. Lone surrogates become U+FFFD, and fields that are undefined are left out.
 *
 * @param what names the value in the error; the error message begins with it
 * @throws MnemoraError `invalid-input` for values that JSON cannot represent, nesting deeper than 200 levels,
 *   reserved field names and more than 16 million characters
 */
export function parseJson(value: unknown, what: string): JsonValue {
  const left = { characters: MAX_CHARACTERS };
  return copyOf(value, what, MAX_DEPTH, left);
}

/**
 * Returns a value as its JSON represents it: times are texts, and undefined fields and file objects are left out.
 *
 * @param what names the value in the error; the error message begins with it
 * @throws MnemoraError `invalid-input` if it contains itself or a BigInt
 */
export function asJson(value: unknown, what: string): JsonValue {
  const withoutFiles = (_name: string, inner: unknown): unknown =>
    inner instanceof Blob ? undefined : inner;
  try {
    return JSON.parse(JSON.stringify(value, withoutFiles)) as JsonValue;
  } catch (cause) {
    throw invalidInput(`${what} must be plain data (JSON). It was not stored.`, cause);
  }
}

/** Returns JSON with sorted keys, so that equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** @throws MnemoraError `invalid-input` for plain data nested deeper than 200 levels, which a database cannot store */
export function requireShallow(value: unknown, what: string, depth: number = MAX_DEPTH): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw invalid(what, `is nested deeper than ${MAX_DEPTH} levels`);
  for (const inner of Object.values(value)) requireShallow(inner, what, depth - 1);
}

function copyOf(value: unknown, what: string, depth: number, left: { characters: number }): JsonValue {
  if (depth === 0) throw invalid(what, `is nested deeper than ${MAX_DEPTH} levels`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw invalid(what, `contains ${String(value)}, which JSON cannot represent`);
  }
  if (typeof value === 'string') {
    left.characters -= value.length;
    if (left.characters < 0) throw invalid(what, `has more than ${MAX_CHARACTERS} characters`);
    return value.toWellFormed();
  }
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown) => copyOf(item, what, depth - 1, left));
  }
  if (typeof value !== 'object' || !isPlain(value)) {
    throw invalid(what, `contains ${Object.prototype.toString.call(value)}, which JSON cannot represent`);
  }
  const copy: Record<string, JsonValue> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (RESERVED_NAMES.has(name)) throw invalid(what, `has a field "${name}"`);
    left.characters -= name.length;
    copy[name.toWellFormed()] = copyOf(inner, what, depth - 1, left);
  }
  return copy;
}

function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function invalid(what: string, why: string): MnemoraError {
  return invalidInput(`${what} ${why}. Pass plain JSON data. Nothing was changed.`);
}
