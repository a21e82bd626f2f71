import { MAX_ID_LENGTH } from '../model/id.ts';
import { nameKey } from './entity-name.ts';
import {
  isCaseSensitive,
  isWhole,
  isWordStart,
  prepare,
  spelling,
  wordsOf,
  type PreparedText,
} from './name-forms.ts';
import { unveiled } from './unveiled.ts';

/** Returns whether a text contains one of the names. */
export type NameMatcher = (text: string) => boolean;

/**
 * Returns a test for whether a text contains any of these names as whole words, compared as in `findNames`: case,
 * width and spacing do not matter, except for names of one or two letters and common words. Nor do accents, hidden
 * characters and encodings: see {@link unveiled}. A longer name that contains one of them counts as well.
 */
export function nameMatcher(names: readonly string[]): NameMatcher {
  const wanted = formsOfAll(names);
  return (text) => readings(text).some((prepared) => wanted.some((name) => occursIn(name, prepared)));
}

/** Minimum number of letters of a name that is also searched for within longer words. */
const NEAR_LETTERS = 4;

/**
 * Returns a test for whether a text contains any of these names, of four letters or more, also as a part of a longer
 * word: with an ending, a number or a word glued to it, or with its words joined by marks (`anna_smith`).
 */
export function nearMatcher(names: readonly string[]): NameMatcher {
  const wanted = formsOfAll(names)
    .filter(({ lower }) => Array.from(lower).length >= NEAR_LETTERS)
    .map(({ lower, shown }) => {
      const isSpelled = isCaseSensitive(lower);
      return { pattern: joined(isSpelled ? shown : lower), isSpelled };
    });
  return (text) =>
    readings(text).some(({ lower, shown }) =>
      wanted.some(({ pattern, isSpelled }) => pattern.test(isSpelled ? shown : lower)),
    );
}

/** Returns a pattern for a name with any few marks between its words. */
function joined(name: string): RegExp {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return new RegExp(words.map((word) => escaped(word)).join(String.raw`[^\p{L}\p{N}]{0,3}`), 'u');
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
}

function formsOfAll(names: readonly string[]): PreparedText[] {
  return names.flatMap(readings).filter(({ lower }) => lower !== '');
}

/** Returns a text as it is written and, where that differs, as it is read. */
function readings(text: string): PreparedText[] {
  const read = unveiled(text);
  return read === text ? [prepare(text)] : [prepare(text), prepare(read)];
}

function occursIn({ lower: key, shown: written }: PreparedText, { lower, shown }: PreparedText): boolean {
  const isSpelled = isCaseSensitive(key);
  for (let at = lower.indexOf(key); at >= 0; at = lower.indexOf(key, at + 1)) {
    if (isSpelled && shown.slice(at, at + key.length) !== written) continue;
    if (isWordStart(lower, at) && isWhole(key, lower, at)) return true;
  }
  return false;
}

/** Maximum length, in words, of a name that is searched for by its hash. */
const NAME_WORDS = 8;

/**
 * Returns the keys for a name that {@link possibleNames} returns for any text containing it. Of a longer text, these
 * are the keys of its first words.
 */
export function nameKeysOf(name: string): string[] {
  const keys = readings(name)
    .map(beginningOf)
    .map(({ lower, shown }) => spelling(lower, shown));
  return [...new Set([...(name.length <= MAX_ID_LENGTH ? [nameKey(name)] : []), ...keys])];
}

/** Returns at most as many words as a name that is searched for by its hash may have. */
function beginningOf(text: PreparedText): PreparedText {
  const last = Array.from(wordsOf(text.lower)).slice(0, NAME_WORDS + 1);
  const [eighth, ninth] = last.slice(NAME_WORDS - 1);
  if (!eighth || !ninth) return text;
  const end = eighth.index + eighth[0].length;
  return { lower: text.lower.slice(0, end), shown: text.shown.slice(0, end) };
}

/** Returns the keys of everything in a text that could be a name, for callers that know only hashes of name keys. */
export function possibleNames(text: string): ReadonlySet<string> {
  return new Set(readings(text).flatMap((reading) => [...namesIn(reading)]));
}

function namesIn({ lower, shown }: PreparedText): ReadonlySet<string> {
  const words = Array.from(wordsOf(lower), ({ 0: word, index }) => {
    const end = index + word.length;
    return {
      // Punctuation can be part of a name: `.NET`, `C++`.
      starts: upTo(MARKS_BEFORE.exec(lower.slice(Math.max(0, index - MAX_MARKS), index))).map(
        (n) => index - n,
      ),
      ends: upTo(MARKS_AFTER.exec(lower.slice(end, end + MAX_MARKS))).map((n) => end + n),
    };
  });
  const keys = new Set<string>();
  for (const [at, { starts }] of words.entries()) {
    for (const { ends } of words.slice(at, at + NAME_WORDS)) {
      for (const start of starts) {
        for (const end of ends) {
          const key = lower.slice(start, end);
          const written = shown.slice(start, end);
          keys.add(spelling(key, written));
          // A common word in lower case is not a name: `will`.
          if (written !== key) keys.add(key);
        }
      }
    }
  }
  return keys;
}

/** Returns the numbers from 0 to the length of a match: any part of the marks can belong to the name. */
function upTo(marks: RegExpExecArray | null): number[] {
  return Array.from({ length: (marks?.[0].length ?? 0) + 1 }, (_none, count) => count);
}

const MAX_MARKS = 3;
const MARKS_BEFORE = /[^\s\p{L}\p{M}\p{N}]+$/u;
const MARKS_AFTER = /^[^\s\p{L}\p{M}\p{N}]+/u;
