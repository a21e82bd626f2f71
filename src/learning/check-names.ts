import { nameKey } from '../graph/entity-name.ts';
import { inThirdPerson, isPronoun, USER_NAME, type Speaker } from './first-person.ts';

/** Longest name of an entity, and longest predicate, in UTF-16 units. */
export const MAX_NAME_CHARACTERS = 300;
export const MAX_NOTE_CHARACTERS = 1000;
const MAX_ALIASES = 20;
/** Names that mean something else to JavaScript. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Aliases that tell somebody apart; undefined where they are no list. */
export function checkAliases(given: unknown, name: string, speaker: Speaker): string[] | undefined {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return undefined;
  const list: readonly unknown[] = given.slice(0, MAX_ALIASES);
  const aliases = new Map<string, string>();
  for (const item of list) {
    const alias = cleanText(item);
    if (!alias || alias.length > MAX_NAME_CHARACTERS || unusableName(alias)) continue;
    const person = inThirdPerson(alias, speaker);
    // An alias that is said of the user or the assistant would make two persons one.
    if (!('name' in person) || person.name !== alias || person.name === USER_NAME) continue;
    if (nameKey(alias) !== nameKey(name)) aliases.set(nameKey(alias), alias);
  }
  return [...aliases.values()];
}

/** Why a name cannot be one; undefined where it can. */
export function unusableName(name: string): 'reserved-name' | 'pronoun' | 'malformed' | undefined {
  if (RESERVED_NAMES.has(name.toLowerCase())) return 'reserved-name';
  if (isPronoun(name)) return 'pronoun';
  return /[\p{L}\p{N}\p{S}]/u.test(name) ? undefined : 'malformed';
}

/** On one line; undefined where it is no text, and empty where the text is. */
export function cleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // What is longer than anything that is let through need not be cleaned to be refused.
  return value
    .slice(0, MAX_NOTE_CHARACTERS * 4)
    .toWellFormed()
    .trim()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
