import { hasTag, isOneOf, textOf, type Word } from '../../language/sentence-words.ts';
import { isTitle } from '../../language/words/abbreviations.ts';
import { isIn, isKin, singularOf } from '../../language/words/lexicon.ts';
import { dateAt, nameAt } from './names.ts';
import { EVENTS } from './shapes.ts';
import { called, fullName, NOBODY, self, textIf, type Kind, type SlotContext } from './name-slots.ts';
import { PATTERNS } from './slot-patterns.ts';

/** Returns the objects that the words of a slot name, or undefined if they are not of its kind. */
export function readSlot(slot: string, words: readonly Word[], context: SlotContext): string[] | undefined {
  if (words.length === 0) return undefined;
  const list = LISTS[slot];
  if (list) return list(words, context);
  const pattern = PATTERNS[slot];
  const read = KINDS[slot] ?? (pattern ? matching(pattern) : headed(slot));
  const found = read(words, context);
  return found === undefined ? undefined : [found];
}

type List = (...read: Parameters<Kind>) => string[] | undefined;

function matching(pattern: RegExp): Kind {
  return (words) => {
    const bare = withoutArticle(words);
    return textIf(pattern.test(textOf(bare)), bare);
  };
}

/** Matches a phrase whose last word is in a list, after an article, a number or adjectives. */
function headed(list: string): Kind {
  return (words) => {
    const bare = withoutArticle(words);
    const head = bare.at(-1);
    // "A class Dog" is not a dog.
    const isCalled = list === 'having' && head?.isCapital === true && head.lower !== 'tesla';
    return textIf(!isCalled && isIn(`/${list}`, head?.lower) && bare.length <= 5 && isPhrase(bare), bare);
  };
}

/** Returns all parts of a list if each is of a kind. */
function each(kind: Kind): List {
  return (words, context) => {
    const found = listParts(words)?.map((part) => kind(part, context));
    return found?.every((part) => part !== undefined) ? found : undefined;
  };
}

const anything: Kind = (words) => {
  const bare = withoutArticle(words);
  const head = bare.at(-1)?.lower ?? '';
  const isEmpty =
    head.length < 2 ||
    (isIn('empty', head) && (bare.length < 2 || isOneOf(bare[0], ORDINALS))) ||
    /^(?:option|version) /u.test(textOf(bare));
  const isQuoted = bare.some(({ kind, isCapital }) => kind === 'title' && !isCapital);
  return textIf(bare.length <= 5 && !isEmpty && !isQuoted && isPhrase(bare), bare);
};

/** Returns the parts of `A`, `A and B` or `A, B and C`. Commas alone do not make a list. */
export function listParts(words: readonly Word[]): (readonly Word[])[] | undefined {
  const parts: Word[][] = [[]];
  let isJoined = false;
  let commas = 0;
  for (const [index, word] of words.entries()) {
    const isComma = word.text === ',' && !/^(?:inc|ltd|llc|jr|sr)\b/u.test(words[index + 1]?.lower ?? '');
    const isJoin = word.kind !== 'title' && isOneOf(word, 'and or nor & + n');
    if (!isComma && !isJoin) parts.at(-1)?.push(word);
    else if (parts.at(-1)?.length !== 0) parts.push([]);
    isJoined ||= isJoin;
    if (isComma) commas += 1;
  }
  const isList = parts.every((part) => part.length > 0) && (commas === 0 || isJoined);
  return isList ? parts : undefined;
}

/** Whether words can be a noun phrase: without a finite verb, pronoun, question word or negation. */
export function isPhrase(words: readonly Word[]): boolean {
  const isGerund = /.{2}ing$/u.test(words[0]?.lower ?? '');
  return words.every(({ kind, text, lower, tags, isCapital }, index) => {
    if (kind === 'mark') return /^[&$€£%#/-]$/u.test(text);
    if (kind !== 'word' || isCapital) return true;
    if (isIn('no-phrase', lower)) return false;
    if (isIn('preposition', lower)) return isGerund && index > 0 && index < words.length - 1;
    const isVerb = tags.has('Verb') && !tags.has('Gerund') && !tags.has('PastTense');
    return !isVerb || tags.has('Noun') || words.length === 1 || isIn('noun-verb', lower);
  });
}

const place: Kind = (words, { isKnown, isSmall }) => {
  const comma = words.findIndex(({ text }) => text === ',');
  const first = comma > 0 ? words.slice(0, comma) : words;
  // "Poland, now in the north" is more than a place.
  if (!words.slice(first.length + 1).every((word) => word.isCapital || word.tags.has('Place')))
    return undefined;
  const isThe = first[0]?.lower === 'the';
  const named = isThe || isOneOf(first[0], DIRECTIONS) ? first.slice(1) : first;
  const [head] = named;
  const isNone =
    !head ||
    named.length > 4 ||
    (isThe && !head.isCapital) ||
    isIn('technology', head.lower) ||
    /^\p{Lu}{3,}$|&/u.test(textOf(named)) ||
    named.some((word) => hasTag(word, 'WeekDay', 'Month') || /^\d/u.test(word.lower)) ||
    (named.length === 1 && isIn('no-name', head.lower));
  if (isNone) return undefined;
  const name = nameAt(named, 0, isKnown);
  const isName = name?.end === named.length && name.kind !== 'date' && name.kind !== 'title';
  if (isName || named.every((word) => word.isCapital || isOneOf(word, 'of the and upon de la do da')))
    return textOf(isThe ? named : first);
  const isPlain = (word: Word): boolean =>
    word.kind === 'word' &&
    /^\p{L}{3,}$/u.test(word.lower) &&
    !isIn('no-place', word.lower) &&
    !hasTag(word, 'Verb', 'Adverb', 'Preposition', 'Determiner', 'Pronoun', 'Plural', 'Uncountable');
  return textIf(isSmall && named.length <= 2 && named.every(isPlain), first);
};

/** A place to move to. In lower case it is one word that is not among the other things that people move to. */
const city: Kind = (words, context) => {
  const [only] = words;
  const isOther =
    words.length !== 1 || isIn('no-city', only?.lower) || only?.tags.has('Uncountable') === true;
  return place(words, isOther && !words.some(({ tags }) => tags.has('Place')) ? NOBODY : context);
};

const DIRECTIONS = 'downtown central rural upstate north south east west northern southern';

const job: Kind = (words) => {
  const bare = withoutArticle(words);
  const of = bare.findIndex(({ lower }) => lower === 'of');
  const core = of > 0 ? bare.slice(0, of) : bare;
  const head = core.at(-1);
  const isOfNamed =
    of < 0 ||
    bare
      .slice(of + 1)
      .every(({ isCapital, lower }) => isCapital || /^(?:\d+|the|two|three|four|five)$/u.test(lower));
  if (!head || bare.length > 5 || !isPhrase(core) || !isOfNamed || isIn('no-job', head.lower))
    return undefined;
  if (isTitle(bare[0]?.lower ?? '') || /^madam$/u.test(bare[0]?.lower ?? '')) return undefined;
  const isAgent =
    isOneOf(words[0], 'a an') &&
    isIn('agent', head.lower) &&
    head.tags.has('Noun') &&
    !hasTag(head, 'Adjective', 'Comparative');
  const isPraise = isOneOf(bare[0], 'bit little good great bad huge big terrible');
  const hasArticle = core.some(({ lower }) => isIn('article', lower));
  const isJob = isIn('job', head.lower.replace(/^ex-/u, ''));
  return textIf((isJob || isAgent) && !isPraise && !hasArticle, bare);
};

const organization: Kind = (words, context) => {
  const bare = withoutArticle(words);
  const found = fullName(bare, context);
  if (found !== undefined && !/^\d/u.test(found)) return found;
  const isPhraseOf = bare.length <= 5 && isPhrase(bare);
  return textIf(isPhraseOf && isIn('workplace', bare.at(-1)?.lower), bare);
};

/** Slots that can name several things. */
const LISTS: Readonly<Record<string, List>> = {
  names: each(called),
  works: each(fullName),
  things: each(anything),
  // "Love the color" is about something at hand.
  tastes: (words, context) =>
    words.some(({ lower }, index) => lower === 'the' && words[index + 1]?.isCapital !== true)
      ? undefined
      : each(anything)(words, context),
  goods: (words, context) => {
    const isPlain =
      words.every(({ tags, text }) => !/^\d/u.test(text) && !tags.has('Adverb')) &&
      words.at(-1)?.tags.has('Adjective') === false &&
      !isIn('article', words[0]?.lower);
    const found = isPlain ? each(anything)(words, context) : undefined;
    return found?.every((part) => !isIn('no-goods', part.toLowerCase())) ? found : undefined;
  },
  state: each((words) => {
    const named = withoutArticle(words);
    const bare = named.filter(({ lower }) => !/^(?:type|1|2)$/u.test(lower));
    const isNation = bare.length === 1 && bare[0]?.isCapital === true && isIn('nation', bare[0].lower);
    return textIf(isNation || isIn('state', textOf(bare).toLowerCase().replaceAll(' ', '-')), named);
  }),
  having: each((words, context) => {
    const lower = words[0]?.lower ?? '';
    const isMany = words.length === 1 && /^(?:kids|children|siblings|pets|twins|grandchildren)$/u.test(lower);
    return isNumber(lower) || /^an?$/u.test(lower) || isMany ? headed('having')(words, context) : undefined;
  }),
  condition: each((words, context) => {
    const text = textOf(withoutArticle(words));
    return /^bad (?:back|knees?|hip|shoulder)$/iu.test(text) ? text : headed('condition')(words, context);
  }),
};

const KINDS: Readonly<Record<string, Kind>> = {
  place,
  from: place,
  city,
  where: (words) => {
    const isPlaced = isIn('preposition', words[0]?.lower) || words[0]?.lower === 'w';
    const phrase = isPlaced ? words.slice(1) : words;
    const bare = phrase.filter((word) => !isOneOf(word, 'my his her our their them him'));
    return textIf(words.length <= 4 && isPhrase(bare), words);
  },
  name: fullName,
  owner: fullName,
  job,
  org: organization,
  dwelling: (words) =>
    textIf(
      isOneOf(words[0], 'a an my our') && isOneOf(words.at(-1), DWELLINGS) && words.length < 5,
      withoutArticle(words),
    ),
  /** After "work at a", nearly everything is a workplace. */
  workplace: (words, context) => {
    const isAny = isOneOf(words[0], 'a an') && !isOneOf(words.at(-1), NO_WORKPLACE);
    return organization(words, context) ?? (isAny ? anything(words, context) : undefined);
  },
  employer: (words, context) => (isIn('article', words[0]?.lower) ? organization : fullName)(words, context),
  school: (words, context) =>
    isIn('/school', words.at(-1)?.lower) || words[0]?.lower === 'university'
      ? fullName(withoutArticle(words), context)
      : undefined,
  self,
  date: (words) => {
    const bare = words[0]?.lower === 'the' ? words.slice(1) : words;
    return textIf(dateAt(bare, 0)?.end === bare.length, bare);
  },
  // Returns `dog` for "a dog" and `cat` for "two cats".
  kin: (words) => {
    const bare = withoutArticle(words).filter(({ lower }) => !isNumber(lower) && lower !== 'my');
    const noun = singularOf(bare.at(-1)?.lower ?? '');
    return bare.length > 0 && bare.length <= 3 && isPhrase(bare) && isKin(noun) ? noun : undefined;
  },
  deed: (words) => {
    const [first, ...rest] = words;
    const isDeed =
      first?.kind === 'word' &&
      !first.isCapital &&
      rest.length < 5 &&
      !['no-deed', 'no-phrase'].some((list) => isIn(list, first.lower));
    return textIf(isDeed && isPhrase(isIn('preposition', rest[0]?.lower) ? rest.slice(1) : rest), words);
  },
  plan: (words, context) =>
    isOneOf(words[0], 'a an my our') ? headed('plan')(words.slice(1), context) : undefined,
  /** A thing that somebody does not have: "a dishwasher", not "a clue". */
  lacked: (words, context) =>
    isOneOf(words[0], 'a an') &&
    !words.slice(1).some((word) => isOneOf(word, NO_LACK) || hasTag(word, 'Plural', 'Uncountable'))
      ? anything(words, context)
      : undefined,
  /** What somebody was promoted to: nearly every role. */
  rank: (words) => {
    const bare = withoutArticle(words);
    const isRole = words[0]?.lower !== 'the' && bare.length <= 3 && isPhrase(bare);
    return textIf(isRole && !isOneOf(bare.at(-1), 'level tier class'), bare);
  },
  /** What somebody has decided to do, in one verb and what it is done to. */
  aim: (words) => {
    const [verb, ...rest] = words;
    const isAim = verb?.kind === 'word' && !verb.isCapital && !isOneOf(verb, NO_AIM) && rest.length < 5;
    return textIf(isAim && rest.length > 0 && isPhrase(withoutArticle(rest)), words);
  },
  lessons: (words) =>
    textIf(!isOneOf(words[0], 'the this that') && isOneOf(words.at(-1), LESSONS) && isPhrase(words), words),
  technology: (words) => {
    const isVersion = words.length === 1 || (words.length <= 3 && /\d/u.test(textOf(words.slice(1))));
    return textIf(isVersion && isIn('technology', words[0]?.lower), words);
  },
  group: (words) => textIf(words[0]?.lower === 'the', words),
  body: (words) => textIf(isOneOf(words[0], 'the a an my our') && isPhrase(words.slice(1)), words),
  goal: (words, context) =>
    isOneOf(words[0], 'a an my our the') ? anything(words.slice(1), context) : undefined,
  event: (words) => {
    const bare = withoutArticle(words).filter(({ lower }) => lower !== 'my');
    return textIf(EVENTS.test(textOf(bare).toLowerCase()), bare);
  },
  when: (words) => {
    const [first, ...rest] = words[0]?.lower === 'the' ? words.slice(1) : words;
    const isDay = first !== undefined && hasTag(first, 'WeekDay') && rest.length > 0;
    const day = isDay ? rest : [...(first ? [first] : []), ...rest];
    const isMonth = day.length === 1 && day[0] !== undefined && hasTag(day[0], 'Month');
    return textIf(isMonth || dateAt(day, 0)?.end === day.length, words);
  },
  /** A place that is a name or known as a place, because people also go to lunch. */
  spot: (words, context) =>
    words.some((word) => word.isCapital || word.tags.has('Place')) ? place(words, context) : undefined,
  others: (words) => textIf(isPhrase(words), words),
};

const DWELLINGS =
  'caravan van boat houseboat barge dorm dormitory trailer yurt hostel farm farmhouse convent commune';
const NO_WORKPLACE =
  'living while bit moment pace time rate level day week month year desk computer laptop fee';
const NO_LACK =
  'clue idea choice problem plan minute second moment preference lot issue reason answer chance point opinion say way doubt thing word name time money energy appetite patience experience interest feeling memory';
const NO_AIM = 'not be do have go give let try wait see stop quit leave ignore skip trust say tell ask';
const LESSONS = 'lessons classes course courses';
const ORDINALS = 'first second third last other same new next latter former whole right wrong main best big';

export function withoutArticle(words: readonly Word[]): readonly Word[] {
  return words.length > 1 && isIn('article', words[0]?.lower) ? withoutArticle(words.slice(1)) : words;
}

function isNumber(lower: string): boolean {
  return /^\d{1,3}$/u.test(lower) || isIn('number', lower);
}
