import { dateAt, latestBefore } from './offline-dates.ts';
import { nameAt } from './offline-names.ts';
import { textOf, type Word } from './offline-words.ts';

/** What is said of a subject behind its verb. */
export interface ObjectPhrases {
  /** Without article and adjuncts; several where it is a list. */
  readonly texts: readonly string[];
  /** The words of each. */
  readonly words: readonly (readonly Word[])[];
  /** Since when it holds, where that is said. */
  readonly since?: number;
  /** The day or year of an event. */
  readonly on?: number;
  /** Whether it is said for how long, or since when. */
  readonly isLasting: boolean;
  /** Words behind `at`, `for` or `in` that were left out, by preposition. */
  readonly places: ReadonlyMap<string, string>;
}

/** Longer ones are no names of things but stories. */
const MAX_PHRASE_WORDS = 7;

/** Reads what stands behind a verb: `tea and coffee`, `a dog`, `Paris since 2019`. */
export function objectPhrases(words: readonly Word[], now: number): ObjectPhrases {
  const times = timesOf(words, now);
  const cut = words.slice(0, endOfPhrase(words));
  const parts = splitList(cut).map(trimPhrase);
  const sound = parts.filter((part) => part.length > 0 && part.length <= MAX_PHRASE_WORDS);
  return {
    texts: sound.map(textOf),
    words: sound,
    ...times,
    places: placesBehind(words.slice(cut.length)),
  };
}

/** Cuts a list at commas and `and`; the comma of `Paris, France` and of `Acme, Inc.` stays within the first. */
export function splitList(words: readonly Word[]): (readonly Word[])[] {
  const parts: Word[][] = [[]];
  for (const [index, word] of words.entries()) {
    const isBreak =
      (word.kind === 'mark' && word.text === ',') || (word.kind === 'word' && LIST_WORDS.has(word.lower));
    if (!isBreak) parts.at(-1)?.push(word);
    else if (/^(?:inc|ltd|llc|jr|sr)\b/u.test(words[index + 1]?.lower ?? '')) continue;
    else parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function timesOf(words: readonly Word[], now: number): Pick<ObjectPhrases, 'since' | 'on' | 'isLasting'> {
  for (const [index, word] of words.entries()) {
    if (word.lower === 'since') {
      const time = dateAt(words, index + 1)?.time ?? latestBefore(words, index + 1, now);
      return { isLasting: true, ...(time === undefined ? {} : { since: time }) };
    }
    const next = words[index + 1];
    if (word.lower === 'for' && next && isAmount(next)) return { isLasting: true };
    if (word.lower === 'in' || word.lower === 'on') {
      const time = dateAt(words, index + 1)?.time;
      if (time !== undefined) return { isLasting: false, on: time };
    }
  }
  return { isLasting: false };
}

function isAmount(word: Word): boolean {
  return (
    /^\d/u.test(word.text) ||
    word.tags.has('Value') ||
    /^(?:years|months|ages|decades|many|several)$/u.test(word.lower)
  );
}

function endOfPhrase(words: readonly Word[]): number {
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word || word.kind === 'title') continue;
    if (word.kind === 'mark' && word.text !== ',')
      return /^[$€£#%&+/@]$/u.test(word.text) ? words.length : index;
    if (word.kind === 'word' && index === 0 && ADJUNCT_ADVERBS.has(word.lower)) return 0;
    if (index === 0 || word.kind !== 'word') continue;
    if (STOPS.has(word.lower) || ADJUNCT_ADVERBS.has(word.lower) || word.tags.has('Gerund')) return index;
    if (word.lower === 'a' && /^(?:lot|bit)$/u.test(words[index + 1]?.lower ?? '')) return index;
    // "Rome last week" is Rome.
    if (/^(?:last|next|this|all)$/u.test(word.lower) && TIMES.has(words[index + 1]?.lower ?? ''))
      return index;
    if (word.lower === 'to' && !(words[index + 1]?.isCapital ?? false)) return index;
    const name = nameAt(words, index, () => false);
    if (name) index = name.end - 1;
  }
  return words.length;
}

function trimPhrase(part: readonly Word[]): readonly Word[] {
  // "blue, not red"
  if (part[0]?.lower === 'not') return [];
  let start = 0;
  while (start < part.length - 1 && LEADS.has(part[start]?.lower ?? '') && !part[start]?.isCapital) start++;
  const rest = part.slice(start);
  return rest.length === 1 && rest[0]?.kind !== 'title' && EMPTY.has(rest[0]?.lower ?? '') ? [] : rest;
}

function placesBehind(words: readonly Word[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    if (!/^(?:at|for|in|by|from)$/u.test(word.lower)) continue;
    const name = nameAt(words, index + 1, () => false);
    if (name && name.kind !== 'date' && !places.has(word.lower)) places.set(word.lower, name.text);
  }
  return places;
}

const LIST_WORDS = new Set(['and', 'or', 'nor', 'plus', '&']);
const LEADS = new Set('a an the some any both either such really very quite so also'.split(' '));
const EMPTY = new Set(
  `it that this them one some any none there here so too something anything nothing everything someone everyone a an
  the him her me you us they he she i we mine yours things stuff lot bit not to other others etc`.split(
    /\s+/u,
  ),
);
const STOPS = new Set(
  `since for because with without while when where which who whom whose that if but so as at in on by from near like
  than until till during after before about via despite instead per between under over through near around although
  though whereas due then thanks every each`.split(/\s+/u),
);
const TIMES = new Set(
  `week month year weekend night day morning evening afternoon time spring summer autumn fall winter monday tuesday
  wednesday thursday friday saturday sunday january february march april may june july august september october
  november december`.split(/\s+/u),
);
const ADJUNCT_ADVERBS = new Set(
  `now too also currently anymore today yesterday tomorrow tonight again really though right still already together
  much well lately recently once twice sometimes often usually these nowadays once ago here daily very`.split(
    /\s+/u,
  ),
);
