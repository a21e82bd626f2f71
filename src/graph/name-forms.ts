import { TITLES } from '../language/words/abbreviations.ts';
import { nameKey, type NamedEntity } from './entity-name.ts';

/** A text or a name, normalized for name matching. */
export interface PreparedText {
  /** With its original case; has the same length as `lower`. */
  readonly shown: string;
  readonly lower: string;
}

/** One form under which an entity is found. */
export interface NameForm {
  /** The form to match, in lower case. */
  readonly lower: string;
  /** The form as it was written. */
  readonly shown: string;
  /** Whether the form is only the first or last word of a name. */
  readonly isShort: boolean;
}

const USER_KEY = 'user';
const USER_PRONOUNS: ReadonlySet<string> = new Set(['i', 'me', 'my', 'mine', 'myself']);

/** Words that match as a name only in the same case, and that cannot stand for a longer name. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'the and but for nor yet not you she her him his its our all any who how why are was has had may can will ' +
    'one two new old big red san los las saint north south east west great mount lake city street park bank ' +
    'lady lord king queen uncle aunt day time'
  )
    .split(' ')
    .concat(
      TITLES,
      TITLES.map((title) => `${title}.`),
    ),
);
const MAX_PERSON_NAME_WORDS = 4;

// In these scripts words are not separated by spaces, or take endings that are not marked.
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const WORD_PART = '[\\p{L}\\p{M}\\p{N}]';
const TOKEN = new RegExp(
  `(?=${WORD_PART})[${UNSPACED}]|(?:(?![${UNSPACED}])${WORD_PART})+|\\p{Extended_Pictographic}`,
  'gu',
);
const FIRST_TOKEN = new RegExp(TOKEN.source, 'u');
const SPACED_WORD = new RegExp(`^(?![${UNSPACED}])${WORD_PART}`, 'u');
const HAN = /\p{Script=Han}/u;

const PLAIN_NAME = /^[A-Za-z\d]+(?: [A-Za-z\d]+)*$/;

/**
 * Returns a superset of the words, in lower case, with which the forms of an entity begin, or undefined if only
 * {@link formsOf} can determine them. Takes a tenth of the time of computing the forms.
 */
export function beginningsOf({ name, aliases }: NamedEntity): readonly string[] | undefined {
  const words: string[] = [];
  for (const each of aliases.length > 0 ? [name, ...aliases] : [name]) {
    if (!PLAIN_NAME.test(each)) return undefined;
    const lower = each.toLowerCase();
    if (lower === USER_KEY) return undefined;
    const end = lower.indexOf(' ');
    // The last word can stand for the whole name.
    if (end < 0) words.push(lower);
    else words.push(lower.slice(0, end), lower.slice(lower.lastIndexOf(' ') + 1));
  }
  return words;
}

/** Returns all forms under which an entity is found. */
export function formsOf({ name, aliases }: NamedEntity): NameForm[] {
  const forms = [name, ...aliases]
    .map(prepare)
    .flatMap(({ shown, lower }) => [
      { shown, lower, isShort: false },
      ...shortForms(shown).map((word) => ({ shown: word, lower: lowered(word), isShort: true })),
    ]);
  const pronouns = nameKey(name) === USER_KEY ? [...USER_PRONOUNS].map(prepare) : [];
  return [...forms, ...pronouns.map((pronoun) => ({ ...pronoun, isShort: false }))];
}

/** Whether a name matches only in the case in which it was written: `US`, `Will`. */
export function isCaseSensitive(lower: string): boolean {
  return !USER_PRONOUNS.has(lower) && (isBrief(lower) || COMMON_WORDS.has(lower));
}

/** Returns a key for a name. Where case matters, two names can differ in case alone: `US` and `us`. */
export function spelling(lower: string, shown: string): string {
  // No name contains a line break.
  return isCaseSensitive(lower) ? `\n${shown}` : lower;
}

/** Returns the first word of a name in lower case and its offset, or undefined if there is none. */
export function firstWordOf(lower: string): { readonly word: string; readonly offset: number } | undefined {
  const match = FIRST_TOKEN.exec(lower);
  return match ? { word: match[0], offset: match.index } : undefined;
}

/** Returns the words of a text in lower case, with their offsets. */
export function wordsOf(lower: string): Iterable<{ readonly 0: string; readonly index: number }> {
  return lower.matchAll(TOKEN);
}

/** Whether the name found in a text at `start` is not part of a longer word. Both are in lower case. */
export function isWhole(key: string, lower: string, start: number): boolean {
  const end = start + key.length;
  const next = lower.slice(end, end + 3);
  const last = lastCharacter(key);
  if (!SPACED_WORD.test(last)) {
    const isOneSign = last === key && HAN.test(key);
    return !isOneSign || !(HAN.test(lastCharacter(lower.slice(0, start))) || HAN.test(firstCharacter(next)));
  }
  if (SPACED_WORD.test(next) || /^'t(?!\p{L})/u.test(next)) return false;
  if (last !== key) return true;
  if (/[\p{L}\p{N}][&'-]$/u.test(lower.slice(Math.max(0, start - 3), start))) return false;
  // `i.e.`, `X-ray`, `C++`, `AT&T` and `O'Brien` do not contain I, X, C, T and O as words; `I'm` contains I.
  return !/^(?:[+#&]|[.-]\p{L})/u.test(next) && (USER_PRONOUNS.has(key) || !/^'\p{L}/u.test(next));
}

/** Whether `start` is not in the middle of a word. */
export function isWordStart(lower: string, start: number): boolean {
  if (!SPACED_WORD.test(firstCharacter(lower.slice(start, start + 2)))) return true;
  const before = lower.slice(Math.max(0, start - 2), start);
  return !(before !== '' && SPACED_WORD.test(lastCharacter(before))) && !/\p{M}$/u.test(before);
}

/** Returns the first and last word of a name that looks like a person's. */
function shortForms(shown: string): string[] {
  const words = shown.split(' ');
  const isName =
    words.length > 1 &&
    words.length <= MAX_PERSON_NAME_WORDS &&
    words.every((word) => !/^\P{Lu}*\p{Ll}/u.test(word));
  if (!isName) return [];
  return [words[0] ?? '', words.at(-1) ?? ''].filter(
    (word) => /\p{L}\P{L}*\p{L}/u.test(word) && !word.includes('.') && !COMMON_WORDS.has(word.toLowerCase()),
  );
}

export function prepare(written: string): PreparedText {
  const shown = written
    .normalize('NFKC')
    .trim()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll('’', "'")
    // The only letter that becomes longer in lower case.
    .replaceAll('İ', 'I');
  return { shown, lower: lowered(shown) };
}

function lowered(shown: string): string {
  return shown.toLowerCase().replaceAll('ς', 'σ');
}

/** Whether a name has one or two letters, in a script whose words are longer. */
function isBrief(lower: string): boolean {
  return Array.from(lower).length <= 2 && SPACED_WORD.test(lower);
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 32);
}

function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? ' ';
}
