import { nameKey } from './entity-name.ts';

/** An entity by all its names. */
export interface NamedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Names the known entities that a text mentions, in the order of their first mention. */
export type NameFinder = (text: string) => string[];

/** One way to call one or several entities. */
interface NameForm {
  /** As it is looked for, in lower case. */
  readonly key: string;
  /** As it was written, where only that spelling counts. */
  readonly exact: string | undefined;
  /** Where its first word begins: `.NET` begins with a point. */
  readonly offset: number;
  readonly entities: Set<string>;
}

type FormsByFirstWord = ReadonlyMap<string, readonly NameForm[]>;

interface PreparedText {
  /** With case; of the same length as `lower`. */
  readonly shown: string;
  readonly lower: string;
}

const USER_KEY = 'user';
const USER_PRONOUNS: ReadonlySet<string> = new Set(['i', 'me', 'my', 'mine', 'myself']);

/** Words that need their case to be taken for a name, and that stand for no longer name. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'the and but for nor yet not you she her him his its our all any who how why are was has had may can will ' +
    'one two new old big red san los las saint north south east west great mount lake city street park bank ' +
    'mr. mrs. mrs ms. dr. prof prof. sir lady lord king queen uncle aunt day time'
  ).split(' '),
);
const MOST_WORDS_OF_A_PERSON = 4;

// In these scripts words stand together, or take endings without a mark.
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

/**
 * Which of the entities a text mentions, in the order of their first mention.
 *
 * Case, width and spacing do not matter; names of one or two letters, and those that are common words (`Will`), must
 * have their case. `Sam's` is Sam. The first or last word of a longer name stands for it (`Nolan`) where only one
 * entity has it and it is no name of another. Of overlapping names the longest counts: `New York Times` is not
 * `New York`. Where there is an entity called `user`, `I`, `me`, `my`, `mine` and `myself` are it.
 */
export function findNames(text: string, entities: readonly NamedEntity[]): string[] {
  return createNameFinder(entities)(text);
}

/** {@link findNames} for many texts: the names are indexed once. */
export function createNameFinder(entities: readonly NamedEntity[]): NameFinder {
  const forms = indexForms(entities);
  return (text) => {
    const prepared = prepare(text);
    const found = new Set<string>();
    let end = 0;
    for (const { 0: word, index } of prepared.lower.matchAll(TOKEN)) {
      // Forms of one word are sorted, the longest first.
      const form = forms
        .get(word)
        ?.find((candidate) => index - candidate.offset >= end && isAt(candidate, prepared, index));
      if (!form) continue;
      end = index - form.offset + form.key.length;
      for (const name of form.entities) found.add(name);
    }
    return [...found];
  };
}

function indexForms(entities: readonly NamedEntity[]): FormsByFirstWord {
  const forms = new Map<string, NameForm>();
  const short = new Map<string, { readonly shown: string; readonly entities: Set<string> }>();
  for (const { name, aliases } of entities) {
    for (const written of [name, ...aliases]) {
      const prepared = prepare(written);
      addForm(forms, prepared, name);
      for (const word of shortForms(prepared.shown)) {
        const lower = lowered(word);
        const known = short.get(lower);
        if (known) known.entities.add(name);
        else short.set(lower, { shown: word, entities: new Set([name]) });
      }
    }
    if (nameKey(name) === USER_KEY)
      for (const pronoun of USER_PRONOUNS) addForm(forms, prepare(pronoun), name);
  }
  for (const [lower, { shown, entities: owners }] of short) {
    const [owner, ...others] = owners;
    if (owner !== undefined && others.length === 0 && !forms.has(lower))
      addForm(forms, { shown, lower }, owner);
  }
  const byFirstWord = new Map<string, NameForm[]>();
  for (const form of forms.values()) {
    const [first] = FIRST_TOKEN.exec(form.key) ?? [];
    if (first === undefined) continue;
    const sameStart = byFirstWord.get(first);
    if (sameStart) sameStart.push(form);
    else byFirstWord.set(first, [form]);
  }
  for (const sameStart of byFirstWord.values()) sameStart.sort((a, b) => b.key.length - a.key.length);
  return byFirstWord;
}

function addForm(forms: Map<string, NameForm>, { shown, lower }: PreparedText, entity: string): void {
  const isExact = !USER_PRONOUNS.has(lower) && (isShort(lower) || COMMON_WORDS.has(lower));
  // Two names may differ in case alone where case counts: `US` and `us`. No name holds a line break.
  const key = isExact ? `\n${shown}` : lower;
  const known = forms.get(key);
  if (known) known.entities.add(entity);
  else {
    forms.set(key, {
      key: lower,
      exact: isExact ? shown : undefined,
      offset: Math.max(0, lower.search(FIRST_TOKEN)),
      entities: new Set([entity]),
    });
  }
}

/** The first and the last word of what looks like the name of a person. */
function shortForms(shown: string): string[] {
  const words = shown.split(' ');
  const isName =
    words.length > 1 &&
    words.length <= MOST_WORDS_OF_A_PERSON &&
    words.every((word) => !/^\P{Lu}*\p{Ll}/u.test(word));
  if (!isName) return [];
  return [words[0] ?? '', words.at(-1) ?? ''].filter(
    (word) => /\p{L}.*\p{L}/u.test(word) && !word.includes('.') && !COMMON_WORDS.has(word.toLowerCase()),
  );
}

/** Whether a name stands in the text with its first word at `index`, and is not a part of a longer word. */
function isAt({ key, exact, offset }: NameForm, { shown, lower }: PreparedText, index: number): boolean {
  const start = index - offset;
  const end = start + key.length;
  if (!lower.startsWith(key, start)) return false;
  if (exact !== undefined && !shown.startsWith(exact, start)) return false;
  const next = lower.slice(end, end + 3);
  const last = lastCharacter(key);
  if (!SPACED_WORD.test(last)) {
    const isOneSign = last === key && HAN.test(key);
    return !isOneSign || !(HAN.test(lastCharacter(lower.slice(0, start))) || HAN.test(firstCharacter(next)));
  }
  if (SPACED_WORD.test(next) || /^'t(?!\p{L})/u.test(next)) return false;
  if (last !== key) return true;
  if (/[\p{L}\p{N}][&'-]$/u.test(lower.slice(Math.max(0, start - 3), start))) return false;
  // `i.e.`, `X-ray`, `C++`, `AT&T` and `O'Brien` hold no I, X, C, T and O; `I'm` holds an I.
  return !/^(?:[+#&]|[.-]\p{L})/u.test(next) && (USER_PRONOUNS.has(key) || !/^'\p{L}/u.test(next));
}

function prepare(written: string): PreparedText {
  const shown = written
    .normalize('NFKC')
    .trim()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll('’', "'")
    // The only letter that grows in lower case.
    .replaceAll('İ', 'I');
  return { shown, lower: lowered(shown) };
}

function lowered(shown: string): string {
  return shown.toLowerCase().replaceAll('ς', 'σ');
}

/** Whether it is a name of one or two letters, in a script in which words are longer. */
function isShort(lower: string): boolean {
  return Array.from(lower).length <= 2 && SPACED_WORD.test(lower);
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 32);
}

function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? ' ';
}
