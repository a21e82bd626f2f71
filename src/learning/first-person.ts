import { nameKey } from '../graph/entity-name.ts';
import { withoutHidden } from '../language/quotable-text.ts';
import { regex } from '../language/words/lists.ts';
import { RESERVED_NAMES } from '../model/json.ts';
import type { ParsedTriple } from './parse-replies.ts';

/** Name of the user in facts. */
export const USER_NAME = 'user';

/** Other names of the user. */
export const USER_ALIASES: readonly string[] = ['I', 'me', 'my', 'myself', 'mine', 'the user'];

/** Maximum length of an entity name and of a predicate, in UTF-16 code units. */
export const MAX_NAME_CHARACTERS = 300;
export const MAX_NOTE_CHARACTERS = 1000;
const MAX_ALIASES = 20;

/** The speaker of a text. `other` is a text whose "I" is unknown. */
export type FirstPerson = 'user' | 'assistant' | 'other';

/** Why a name cannot be used. */
export type UnusableName = 'about-assistant' | 'unknown-speaker';

export type NameOutcome = { readonly name: string } | { readonly reason: UnusableName };

export type TripleOutcome = { readonly triple: ParsedTriple } | { readonly reason: UnusableName };

/**
 * Converts a name to the third person. The user's "I" and the assistant's "you" become `user`, and "my dog" becomes
 * `user's dog`. The assistant's "I" and the user's "you" mean the assistant, about whom nothing is remembered.
 */
export function inThirdPerson(name: string, speaker: FirstPerson): NameOutcome {
  const key = nameKey(name).replaceAll('’', "'");
  if (USER_KEYS.includes(key)) return { name: USER_NAME };
  if (ASSISTANT_KEYS.includes(key)) return { reason: 'about-assistant' };
  const bare = isAcronym(name) ? undefined : personOf(key, speaker);
  if (bare !== undefined) return bare === 'user' ? { name: USER_NAME } : { reason: bare };
  const [owner = '', ...rest] = name.trim().split(/\s+/u);
  const owned = POSSESSIVES.includes(owner.toLowerCase()) && personOf(owner.toLowerCase(), speaker);
  if (!owned || rest.length === 0) return { name };
  return owned === 'user' ? { name: `${USER_NAME}'s ${rest.join(' ')}` } : { reason: owned };
}

/** Converts a fact to the third person: its names as {@link inThirdPerson} does, and the verb to agree. */
export function tripleInThirdPerson(triple: ParsedTriple, speaker: FirstPerson): TripleOutcome {
  const subject = inThirdPerson(triple.subject, speaker);
  if ('reason' in subject) return subject;
  const object = inThirdPerson(triple.object, speaker);
  if ('reason' in object) return object;
  const predicate =
    subject.name === USER_NAME ? thirdPersonVerb(triple.predicate.trim()) : triple.predicate.trim();
  return { triple: { subject: subject.name, predicate, object: object.name } };
}

/** Whether a name is a pronoun that only the surrounding text can resolve. */
function isPronoun(name: string): boolean {
  return PRONOUNS.has(nameKey(name)) && !isAcronym(name);
}

/** US, IT and WHO are names. */
function isAcronym(name: string): boolean {
  return /^\p{Lu}{2,}$/u.test(name.trim());
}

function personOf(key: string, speaker: FirstPerson): 'user' | UnusableName | undefined {
  const isFirst = FIRST_PERSON.has(key);
  if (!isFirst && !SECOND_PERSON.has(key)) return undefined;
  if (speaker === 'other') return 'unknown-speaker';
  return isFirst === (speaker === 'user') ? 'user' : 'about-assistant';
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

const USER_KEYS = ['user', 'the user', 'this user'];
const ASSISTANT_KEYS = [
  'assistant',
  'the assistant',
  'ai assistant',
  'the ai assistant',
  'the ai',
  'ai model',
];
const FIRST_PERSON = wordSet("i me my myself mine we us our ours ourselves i'm i've");
const SECOND_PERSON = wordSet("you your yours yourself yourselves you're you've");
const POSSESSIVES = ['my', 'our', 'your'];
const PRONOUNS = wordSet(
  `he him his himself she her hers herself it its itself they them their theirs themselves this that these those who
  whom someone somebody something`,
);

/** Returns the usable aliases, or undefined if the value is not an array. */
export function checkAliases(given: unknown, name: string, speaker: FirstPerson): string[] | undefined {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return undefined;
  const aliases = new Map<string, string>();
  for (const alias of given.slice(0, MAX_ALIASES).map(cleanText)) {
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

/** Returns the text on one line without hidden characters, or undefined if the value is not a string. */
export function cleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Text beyond every limit does not need to be cleaned to be rejected.
  const text = value
    .slice(0, MAX_NOTE_CHARACTERS * 4)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return withoutHidden(text).trim();
}

/**
 * Converts the predicate of "I …", "you …" or "we …" to the third person: `am` becomes `is`, `live in` becomes `lives
 * in`. Handles English; words that may not be a verb in the first person stay as they are ("favorite color", "met",
 * "lives in").
 */
export function thirdPersonVerb(predicate: string): string {
  const words = predicate.split(' ');
  const at = words.findIndex((word) => !ADVERBS.has(word.toLowerCase()));
  const verb = words[at];
  if (verb === undefined) return predicate;
  const changed = conjugate(verb.replaceAll('’', "'"), words[at + 1]);
  return changed === undefined ? predicate : words.toSpliced(at, 1, changed).join(' ');
}

function conjugate(verb: string, next: string | undefined): string | undefined {
  const lower = verb.toLowerCase();
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  const isVerb = VERBS.has(lower) || (next !== undefined && PREPOSITIONS.has(next.toLowerCase()));
  if (!isVerb || !/^[a-z]+$/u.test(lower) || NO_PRESENT.test(lower) || PAST.test(lower)) return undefined;
  if (/[^aeiou]y$/u.test(lower)) return `${lower.slice(0, -1)}ies`;
  return /(?:ss|sh|ch|x|z|o)$/u.test(lower) ? `${lower}es` : `${lower}s`;
}

const THIRD_PERSON_FORMS = {
  is: "am are 'm 're",
  "isn't": "aren't",
  was: 'were',
  "wasn't": "weren't",
  has: "have 've",
  "hasn't": "haven't",
  does: 'do',
  "doesn't": "don't",
};
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries(THIRD_PERSON_FORMS).flatMap(([third, forms]) =>
    forms.split(' ').map((form) => [form, third] as const),
  ),
);
// Already third person, a participle, or past tense.
const NO_PRESENT = /(?:[^s]s|ing|[^e]ed)$/u;
const ADVERBS = wordSet(
  'also always already currently ever just mostly never not now often only rarely really recently regularly sometimes still usually',
);
const PREPOSITIONS = wordSet('about as at by for from in into near of on onto out to up with');
const VERBS = wordSet(
  `adore admire attend avoid become believe belong bike bring build buy call care carry collect come commute cook cost
  cycle dance direct dislike drink drive eat enjoy exercise feel find fly follow fear get give go grow hate hear help hike
  hold hope keep know lead lack learn leave like live look lose love make manage mean meet miss need often own paint pay
  plan play practice practise prefer raise read remember rent ride run say see sell send share sing ski sleep smoke speak
  spend start stay stop study suffer support swim take teach tell think train travel try understand use value visit
  walk want wash watch wear wish wonder work worry write`,
);
const PAST = regex('^(?:{past})$');
