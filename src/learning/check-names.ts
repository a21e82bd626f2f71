import { nameKey } from '../graph/entity-name.ts';
import { inThirdPerson, isPronoun, USER_NAME, type Speaker } from './first-person.ts';

/** Maximum length of an entity name and of a predicate, in UTF-16 code units. */
export const MAX_NAME_CHARACTERS = 300;
export const MAX_NOTE_CHARACTERS = 1000;
const MAX_ALIASES = 20;
/** Property names with a special meaning in JavaScript. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns the usable aliases, or undefined if the value is not an array. */
export function checkAliases(given: unknown, name: string, speaker: Speaker): string[] | undefined {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return undefined;
  const list: readonly unknown[] = given.slice(0, MAX_ALIASES);
  const aliases = new Map<string, string>();
  for (const item of list) {
    const alias = cleanText(item);
    if (!alias || alias.length > MAX_NAME_CHARACTERS || unusableName(alias)) continue;
    const person = inThirdPerson(alias, speaker);
    // An alias that means the user or the assistant would merge two persons into one.
    if (!('name' in person) || person.name !== alias || person.name === USER_NAME) continue;
    if (nameKey(alias) !== nameKey(name)) aliases.set(nameKey(alias), alias);
  }
  return [...aliases.values()];
}

/** Returns why a name is not usable, or undefined if it is. */
export function unusableName(name: string): 'reserved-name' | 'pronoun' | 'malformed' | undefined {
  if (RESERVED_NAMES.has(name.toLowerCase())) return 'reserved-name';
  if (isPronoun(name)) return 'pronoun';
  return /[\p{L}\p{N}\p{S}]/u.test(name) ? undefined : 'malformed';
}

/** Returns the text on one line, or undefined if the value is not a string. */
export function cleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Text beyond every limit does not need to be cleaned to be rejected.
  return value
    .slice(0, MAX_NOTE_CHARACTERS * 4)
    .toWellFormed()
    .trim()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
