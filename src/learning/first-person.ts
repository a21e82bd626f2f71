import { nameKey } from '../graph/entity-name.ts';
import type { ParsedTriple } from './parse-replies.ts';
import { thirdPersonVerb } from './third-person-verb.ts';

/** Name of the user in facts. */
export const USER_NAME = 'user';

/** Other names of the user. */
export const USER_ALIASES: readonly string[] = ['I', 'me', 'my', 'myself', 'mine', 'the user'];

/** The speaker of a text. `other` is a text whose "I" is unknown. */
export type Speaker = 'user' | 'assistant' | 'other';

/** Why a name cannot be used. */
export type UnusableName = 'about-assistant' | 'unknown-speaker';

export type NameOutcome = { readonly name: string } | { readonly reason: UnusableName };

export type TripleOutcome = { readonly triple: ParsedTriple } | { readonly reason: UnusableName };

/**
 * Converts a name to the third person. The user's "I" and the assistant's "you" become `user`, and "my dog" becomes
 * `user's dog`. The assistant's "I" and the user's "you" mean the assistant, about whom nothing is remembered.
 */
export function inThirdPerson(name: string, speaker: Speaker): NameOutcome {
  const key = nameKey(name).replaceAll('’', "'");
  if (USER_KEYS.has(key)) return { name: USER_NAME };
  if (ASSISTANT_KEYS.has(key)) return { reason: 'about-assistant' };
  const bare = isAcronym(name) ? undefined : personOf(key, speaker);
  if (bare !== undefined) return bare === 'user' ? { name: USER_NAME } : { reason: bare };
  const [owner = '', ...rest] = name.trim().split(/\s+/u);
  const owned = POSSESSIVES.has(owner.toLowerCase()) && personOf(owner.toLowerCase(), speaker);
  if (!owned || rest.length === 0) return { name };
  return owned === 'user' ? { name: `${USER_NAME}'s ${rest.join(' ')}` } : { reason: owned };
}

/** Converts a fact to the third person: its names as {@link inThirdPerson} does, and the verb to agree. */
export function tripleInThirdPerson(triple: ParsedTriple, speaker: Speaker): TripleOutcome {
  const subject = inThirdPerson(triple.subject, speaker);
  if ('reason' in subject) return subject;
  const object = inThirdPerson(triple.object, speaker);
  if ('reason' in object) return object;
  const predicate =
    subject.name === USER_NAME ? thirdPersonVerb(triple.predicate.trim()) : triple.predicate.trim();
  return { triple: { subject: subject.name, predicate, object: object.name } };
}

/** Whether a name is a pronoun that only the surrounding text can resolve. */
export function isPronoun(name: string): boolean {
  return PRONOUNS.has(nameKey(name)) && !isAcronym(name);
}

/** US, IT and WHO are names. */
function isAcronym(name: string): boolean {
  return /^\p{Lu}{2,}$/u.test(name.trim());
}

function personOf(key: string, speaker: Speaker): 'user' | UnusableName | undefined {
  const isFirst = FIRST_PERSON.has(key);
  if (!isFirst && !SECOND_PERSON.has(key)) return undefined;
  if (speaker === 'other') return 'unknown-speaker';
  return isFirst === (speaker === 'user') ? 'user' : 'about-assistant';
}

const USER_KEYS: ReadonlySet<string> = new Set(['user', 'the user', 'this user']);
const ASSISTANT_KEYS: ReadonlySet<string> = new Set([
  'assistant',
  'the assistant',
  'ai assistant',
  'the ai assistant',
  'the ai',
  'ai model',
]);
const FIRST_PERSON: ReadonlySet<string> = new Set(
  "i me my myself mine we us our ours ourselves i'm i've".split(' '),
);
const SECOND_PERSON: ReadonlySet<string> = new Set(
  "you your yours yourself yourselves you're you've".split(' '),
);
const POSSESSIVES: ReadonlySet<string> = new Set(['my', 'our', 'your']);
const PRONOUNS: ReadonlySet<string> = new Set(
  `he him his himself she her hers herself it its itself they them their theirs themselves this that these those who
  whom someone somebody something`.split(/\s+/u),
);
