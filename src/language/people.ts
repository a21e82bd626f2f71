import { fold } from './fold.ts';
import { contentStems } from './matters.ts';
import { wordsOf } from './words/life-words.ts';
import { regex } from './words/lists.ts';

/** Whom a statement, or a part of it, is about. Names are in lower case and without diacritics. */
export interface People {
  /** Whether the user is the subject: "I", "we", or a clause that begins with its verb. */
  readonly isUser: boolean;
  /** Relatives, other roles and pets, such as "sister". */
  readonly roles: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Whether it has "he", "she" or "they". */
  readonly isReferred: boolean;
  /** Name that begins it as the subject, as in "Boris lives in Vienna". */
  readonly subject?: string;
}

/** Finds the people in a statement without a speaker's label: see {@link withoutLabel}. */
export function peopleIn(text: string): People {
  // "My sister's car" is about the sister, "my sister's husband" is not.
  const folded = fold(text).replaceAll(POSSESSOR, '$1').replaceAll(DONE_TO_ME, 'i ');
  // "Her daughter" is not "my daughter".
  const theirs = new Set(Array.from(folded.matchAll(THEIRS), ([, role = '']) => role));
  const roles = [...wordsOf(folded, 'kin'), ...wordsOf(folded, 'others'), ...wordsOf(folded, 'pet')];
  // "I'm a teacher" is about the user.
  const own = new Set(Array.from(folded.matchAll(OWN_ROLE), ([, role = '']) => role.split(' ')).flat());
  const [, subject] = NAMED_SUBJECT.exec(text) ?? [];
  return {
    ...(subject === undefined ? {} : { subject: fold(subject) }),
    isUser: USER.test(withoutOwner(folded, roles)) || SUBJECT_DROPPED.test(folded),
    roles: new Set(
      roles
        .filter((role) => !own.has(role))
        .map((role) => (theirs.has(role) ? `their ${roleOf(role)}` : roleOf(role))),
    ),
    names: subject === undefined ? namesIn(text) : new Set([...namesIn(text), fold(subject)]),
    isReferred: REFERRED.test(folded),
  };
}

/** Returns a statement without "my" in front of roles in scripts without spaces, where it looks like "I": "我妹妹". */
function withoutOwner(folded: string, roles: readonly string[]): string {
  const unspaced = roles.filter((role) => UNSPACED.test(role));
  return unspaced.length === 0
    ? folded
    : folded.replaceAll(new RegExp(String.raw`[我私僕俺]们?[的の家]?(?=${unspaced.join('|')})`, 'gu'), '');
}

/** Returns the capitalized words that do not begin the text, as they are compared. */
export function namesIn(text: string): Set<string> {
  return new Set(
    (text.match(INNER_CAPITAL) ?? []).map((name) => fold(name)).filter((name) => !DATE.test(name)),
  );
}

/** Removes the name of a speaker from the beginning of a statement: "Ola: I sing". */
export function withoutLabel(text: string): string {
  return text.replace(LABEL, '');
}

/** Whether two statements can have the same subject. */
export function isSameSubject(later: People, earlier: People): boolean {
  if (later.subject !== undefined) return earlier.names.has(later.subject);
  if (later.roles.size > 0) return [...later.roles].some((role) => earlier.roles.has(role));
  if (later.isUser) return earlier.isUser || isAboutNobodyElse(earlier);
  if (later.isReferred) return !earlier.isUser && !isAboutNobodyElse(earlier);
  return earlier.isUser || isAboutNobodyElse(earlier);
}

/** Maximum number of characters in front of a word in which its subject is searched for. */
const CLAUSE_CHARACTERS = 200;

/** Returns the words of the clause in front of a position. */
export function clauseBefore(text: string, index: number): string {
  const near = text.slice(Math.max(0, index - CLAUSE_CHARACTERS), index);
  return near.slice(near.search(/[^,;:.!?]*$/u));
}

/**
 * Whether the words in front of a change are about somebody or something that another statement does not name: "my
 * crewmate", "the office". The user, relatives and "he" are compared by {@link isSameSubject}.
 */
export function isOfAnother(before: string, stems: ReadonlySet<string>): boolean {
  const { isUser, isReferred, roles } = peopleIn(before);
  if (isUser || isReferred || roles.size > 0) return false;
  const folded = fold(before).replace(OPENERS, '');
  if (/^\p{L}+ing\b/u.test(folded)) return false; // "sleeping in", said of the user
  const named = contentStems(folded);
  return named.size > 0 && ![...named].some((stem) => stems.has(stem));
}

/** Returns the stems of those who something belongs to: "ben" in "Ben's rent". */
export function possessorsIn(folded: string): Set<string> {
  return contentStems(Array.from(folded.matchAll(POSSESSIVE), ([, owner = '']) => owner).join(' '));
}

/** Whether both name somebody or something, and nothing is named by both. */
export function haveOtherNames(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && ![...one].some((name) => other.has(name));
}

function isAboutNobodyElse({ roles, isReferred, subject }: People): boolean {
  return roles.size === 0 && !isReferred && subject === undefined;
}

/** Maps short and plural forms to one form. */
function roleOf(word: string): string {
  const singular = word.replace(/'s$/u, '').replace(/(?<!s)s$/u, '');
  return SHORT_ROLES[singular] ?? singular;
}

const SHORT_ROLES: Readonly<Record<string, string>> = {
  ...{ mum: 'mother', mom: 'mother', mama: 'mother', dad: 'father', daddy: 'father', papa: 'father' },
  ...{ sis: 'sister', bro: 'brother', hubby: 'husband', gf: 'girlfriend', bf: 'boyfriend' },
  ...{ gran: 'grandmother', nan: 'grandmother', nana: 'grandmother', granny: 'grandmother' },
  ...{ grandma: 'grandmother', grandad: 'grandfather', granddad: 'grandfather', grandpa: 'grandfather' },
  ...{ puppy: 'dog', pup: 'dog', kitten: 'cat', kitty: 'cat' },
};

const NAMED_SUBJECT =
  /^(?!(?:I|We|He|She|They|It|You|This|That|There|Who|What|My|Our|The)\b)(\p{Lu}[\p{Ll}'’-]+) (?:(?:just|also|now|still|never|always) )?(?:lives?|lived|works?|worked|moved|loves?|hates?|likes?|plays?|studies|quit|left|got|has|had|wants?|drives?|speaks?|(?:is|was) (?:an?|the|my|our|allergic|married|engaged|single|vegan|vegetarian))\b/u;
const POSSESSOR = regex(String.raw`\b\p{L}+'s (?=(?:new |old |ex-?)?(?:{kin})\b)()`, 'gu');
const THEIRS = /\b(?:his|her|their) (?:(?:new|old|little|big|older|younger|elder|late) )?(\p{L}+)/gu;
/** "They made me manager" is about the user. */
const DONE_TO_ME = /\bthey (?=\p{L}+ (?:me|us)\b)/gu;
const OWN_ROLE = /\b(?:i'?m|i am|i work as|i was) (?:an? |the )?(\p{L}+(?: \p{L}+)?)/gu;
const USER =
  /(?<![\p{L}'])(?:i|im|i'm|i've|ive|i'd|i'll|we|we're|we've|ich|wir|yo|je|eu)(?![\p{L}'])|(?<!\p{L})j'|我|私|僕|俺/u;
const UNSPACED = /\p{Script=Han}/u;
const OPENERS =
  /^(?:(?:ok|so|and|also|but|well|yeah|then|news|update|just|actually|finally)(?:[^\p{L}']+|$))*/u;
const POSSESSIVE = /(\p{L}+)'s (?=\p{L})/gu;
const SUBJECT_DROPPED = new RegExp(
  String.raw`${OPENERS.source}(?:moved|quit|broke|split|left|got|started|resigned|retired|dropped|stopped|sold|gave|cancel+ed|no longer|not)\b`,
  'u',
);
const REFERRED = /\b(?:he|he's|she|she's|they|they're|his|her|their)\b|他|她|彼/u;
const INNER_CAPITAL = /(?<=[\p{L}\p{N},;(:]['’]?\s+)(?!I\b|I['’])\p{Lu}[\p{L}\p{N}]+/gu;
const DATE = regex(String.raw`^(?:(?:{weekday})s?|{month})$`, 'u');
const LABEL = /^\p{Lu}[\p{L}.]*(?: \p{Lu}[\p{L}.]*)?:\s+/u;
