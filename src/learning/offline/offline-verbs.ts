import type { Word } from './offline-words.ts';

/** What stands between a subject and what is said of it. */
export interface VerbGroup {
  readonly isNegated: boolean;
  /** `would`, `might`, `will`, …: not so, or not yet. */
  readonly isUnsure: boolean;
  /** `can`. */
  readonly isAble: boolean;
  /** `I have lived`, `she has directed`. */
  readonly isPerfect: boolean;
  /** The word that means something, in lower case; `be` for am, is, are, was and were. */
  readonly main: string;
  /** `being`: I am working. `done`: it was directed. */
  readonly form: 'be' | 'base' | 'third' | 'past' | 'being' | 'done';
  /** `was`, `were` before it. */
  readonly isPast: boolean;
  /** Index behind it. */
  readonly end: number;
}

/** The verb group that begins at a word; undefined where there is none. */
export function verbGroupAt(words: readonly Word[], start: number): VerbGroup | undefined {
  const seen = { isNegated: false, isUnsure: false, isAble: false, isPerfect: false, isPast: false };
  let be = false;
  let index = start;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word?.kind !== 'word') break;
    const { lower } = word;
    if (
      /^(?:get|got|getting)$/u.test(lower) &&
      /^(?:married|engaged|divorced)$/u.test(words[index + 1]?.lower ?? '')
    )
      be = true;
    else if (lower === 'not' || lower === 'never') seen.isNegated = true;
    else if (lower === 'no' && words[index + 1]?.lower === 'longer') {
      seen.isNegated = true;
      index++;
    } else if (BE.has(lower)) {
      be = true;
      seen.isPast ||= lower === 'was' || lower === 'were';
    } else if (UNSURE.has(lower) && !be) seen.isUnsure = true;
    else if (lower === 'can' && !be) seen.isAble = true;
    else if (HAVE.has(lower) && !be && isPerfectHave(words, index)) seen.isPerfect = true;
    else if (DO.has(lower) && !be && words.slice(index + 1).some(isMainVerb)) {
      seen.isPast ||= lower === 'did';
    } else if (!be && /^(?:used|got)$/u.test(lower) && words[index + 1]?.lower === 'to') {
      return undefined;
    } else if (!ADVERBS.has(lower) && !(word.tags.has('Adverb') && !be && isMainVerb(words[index + 1])))
      break;
  }
  if (index === start && !isMainVerb(words[index])) return undefined;
  const word = words[index];
  if (be) {
    const lower = word?.kind === 'word' ? word.lower : '';
    if (isParticiple(word)) return { ...seen, main: lower, form: 'done', end: index + 1 };
    const isDoing = /.{2}ing$/u.test(lower) && !NO_VERB_IN_ING.has(lower) && !word?.isCapital;
    if (isDoing) return { ...seen, main: lower, form: 'being', end: index + 1 };
    return { ...seen, main: 'be', form: 'be', end: index };
  }
  if (seen.isPerfect && word?.lower === 'got')
    return { ...seen, isPerfect: false, main: 'have', form: 'base', end: index + 1 };
  if (!isMainVerb(word) && !(word?.kind === 'word' && index > start)) return undefined;
  return { ...seen, main: word?.lower ?? '', form: seen.isPast ? 'base' : formOf(word), end: index + 1 };
}

/** The third person of a verb: `live` → `lives`. Pasts stay. */
export function thirdPerson(verb: string): string {
  const irregular = THIRD_PERSONS.get(verb);
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]y$/u.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z|o)$/u.test(verb) ? `${verb}es` : `${verb}s`;
}

/** `lives` → `live`. */
export function baseForm(verb: string): string {
  const irregular = BASES.get(verb);
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]ies$/u.test(verb) && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz|o)es$/u.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/u.test(verb) ? verb.slice(0, -1) : verb;
}

/** The past of a verb: `direct` → `directed`; the few irregular ones that questions are made of. */
export function pastForm(verb: string): string {
  const irregular = PASTS.get(verb);
  if (irregular !== undefined) return irregular;
  if (verb.endsWith('ed')) return verb;
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/u.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

function isParticiple(word: Word | undefined): boolean {
  if (word?.kind !== 'word' || word.isCapital || STATES_IN_ED.has(word.lower)) return false;
  return (/.{2}ed$/u.test(word.lower) && word.lower !== 'need') || PARTICIPLES.has(word.lower);
}

/** Whether a word can be the verb of a subject that stands before it. */
export function isMainVerb(word: Word | undefined): boolean {
  if (word?.kind !== 'word' || word.isCapital) return false;
  const { lower, tags } = word;
  if (BE.has(lower) || HAVE.has(lower) || DO.has(lower) || UNSURE.has(lower) || lower === 'can') return true;
  if (KNOWN_VERBS.has(baseForm(lower)) || PAST_TO_BASE.has(lower)) return true;
  if (tags.has('Gerund') || tags.has('Noun') || tags.has('Value')) return false;
  return tags.has('Verb') || isParticiple(word);
}

function isPerfectHave(words: readonly Word[], index: number): boolean {
  const next = words
    .slice(index + 1)
    .find((word) => !ADVERBS.has(word.lower) && word.lower !== 'not' && word.lower !== 'never');
  return next !== undefined && (isParticiple(next) || next.lower === 'been' || next.lower === 'got');
}

function formOf(word: Word | undefined): VerbGroup['form'] {
  if (!word) return 'base';
  if (PAST_TO_BASE.has(word.lower) || isParticiple(word)) return 'past';
  if (KNOWN_VERBS.has(word.lower) || word.tags.has('Infinitive')) return 'base';
  return /[^s]s$/u.test(word.lower) || word.lower === 'has'
    ? 'third'
    : word.tags.has('PastTense')
      ? 'past'
      : 'base';
}

const BE = new Set(['am', 'is', 'are', 'was', 'were', 'been', 'being', 'be']);
const HAVE = new Set(['have', 'has', 'had']);
const DO = new Set(['do', 'does', 'did']);
const UNSURE = new Set(['would', 'could', 'might', 'may', 'should', 'must', 'will', 'shall', 'ought']);
const ADVERBS = new Set(
  `also really just now currently still already always usually often actually recently finally both all only
  absolutely definitely truly simply originally once ever even mostly mainly totally completely very so too`.split(
    /\s+/u,
  ),
);
const NO_VERB_IN_ING = new Set([
  'king',
  'ring',
  'spring',
  'thing',
  'nothing',
  'something',
  'everything',
  'interesting',
  'amazing',
  'boring',
  'exciting',
]);
/** Ends like a verb that was done to somebody, and says how somebody is. */
const STATES_IN_ED = new Set(
  `married allergic engaged divorced retired interested based located situated addicted colored red scared excited
  tired bored worried pleased gifted talented named bald naked wicked sacred used related united tied left-handed
  right-handed three-legged called nicknamed experienced educated unemployed self-employed`.split(/\s+/u),
);
const PARTICIPLES = new Set(
  `born written made built found founded sung drawn taught won seen done gone taken given bought sold sent led
  read spoken chosen eaten been worn held met run kept lost`.split(/\s+/u),
);
const THIRD_PERSONS: ReadonlyMap<string, string> = new Map([
  ['have', 'has'],
  ['be', 'is'],
]);
const BASES: ReadonlyMap<string, string> = new Map([
  ['has', 'have'],
  ['is', 'be'],
  ['does', 'do'],
  ['goes', 'go'],
]);
const PASTS: ReadonlyMap<string, string> = new Map([
  ['write', 'wrote'],
  ['written', 'wrote'],
  ['make', 'made'],
  ['build', 'built'],
  ['find', 'found'],
  ['sing', 'sang'],
  ['sung', 'sang'],
  ['draw', 'drew'],
  ['drawn', 'drew'],
  ['win', 'won'],
  ['read', 'read'],
  ['buy', 'bought'],
  ['run', 'ran'],
  ['lead', 'led'],
  ['produce', 'produced'],
  ['star', 'starred'],
  ['seen', 'saw'],
  ['see', 'saw'],
  ['visit', 'visited'],
  ['made', 'made'],
  ['built', 'built'],
  ['won', 'won'],
  ['founded', 'founded'],
]);
const PAST_TO_BASE = new Set(
  `wrote made built found sang drew won bought sold ran led met lost became got went came began grew knew left moved
  taught spoke ate drank chose gave took told saw kept had read wore held spent drove broke fell felt`.split(
    /\s+/u,
  ),
);
/** Verbs of plain facts, which the tagger takes for nouns now and then. */
const KNOWN_VERBS = new Set(
  `live reside work like love hate enjoy prefer dislike adore own have speak play drive use study teach know direct
  write compose found create invent design run lead manage visit eat drink cook collect practice practise read follow
  support train own rent wear ride sing dance paint swim hike climb weigh cost belong contain start finish join attend
  move travel commute marry grow keep raise build develop sell buy make act star wake sleep smoke fear avoid`.split(
    /\s+/u,
  ),
);
