import { dateAt } from './offline-dates.ts';
import { isIn } from './offline-lexicon.ts';
import { isKin, singularOf } from './offline-lexicon.ts';
import { isNoName, nameAt } from './offline-names.ts';
import { textOf, type Word } from './offline-words.ts';

/** The context in which a clause is read. */
export interface SlotContext {
  /** Whether a name (in lower case) occurred before. */
  isKnown(lower: string): boolean;
  /** Whether the message is typed in lower case, so that places and names may be too. */
  readonly isSmall: boolean;
}

/** Returns the objects that the words of a slot name, or undefined if they are not of its kind. */
export function readSlot(slot: string, words: readonly Word[], context: SlotContext): string[] | undefined {
  const read = KINDS[slot];
  if (words.length === 0) return undefined;
  if (read) return read(words, context);
  const pattern = PATTERNS[slot];
  return pattern ? matching(pattern)(words, context) : headed(slot)(words, context);
}

type Kind = (words: readonly Word[], context: SlotContext) => string[] | undefined;

const one = (text: string | undefined): string[] | undefined => (text === undefined ? undefined : [text]);

function matching(pattern: RegExp): Kind {
  return (words) => {
    const text = textOf(withoutArticle(words));
    return pattern.test(text) ? [text] : undefined;
  };
}

/** Matches a phrase whose last word is in a list, after an article, a number or adjectives. */
function headed(list: string): Kind {
  return (words) => {
    const bare = withoutArticle(words);
    const head = bare.at(-1);
    // "A class Dog" is not a dog.
    const isCalled = list === 'having' && head?.isCapital === true && head.lower !== 'tesla';
    const isOfKind = head !== undefined && !isCalled && isIn(`/${list}`, head.lower);
    return isOfKind && bare.length <= 5 && isPhrase(bare) ? [textOf(bare)] : undefined;
  };
}

/** Returns all parts of a list if each is of a kind. */
function each(kind: Kind): Kind {
  return (words, context) => {
    const found = listParts(words)?.map((part) => kind(part, context)?.[0]);
    return found?.every((part) => part !== undefined) ? found : undefined;
  };
}

const anything: Kind = (words) => {
  const bare = withoutArticle(words);
  const head = bare.at(-1)?.lower ?? '';
  const isEmpty =
    head.length < 2 ||
    (isIn('empty', head) && (bare.length < 2 || ORDINAL.test(bare[0]?.lower ?? ''))) ||
    /^(?:option|version) /u.test(textOf(bare));
  const isQuoted = bare.some(({ kind, isCapital }) => kind === 'title' && !isCapital);
  return bare.length <= 5 && !isEmpty && !isQuoted && isPhrase(bare) ? [textOf(bare)] : undefined;
};

/** Returns the parts of `A`, `A and B` or `A, B and C`. Commas alone do not make a list. */
export function listParts(words: readonly Word[]): (readonly Word[])[] | undefined {
  const parts: Word[][] = [[]];
  let isJoined = false;
  let commas = 0;
  for (const [index, word] of words.entries()) {
    const isComma = word.text === ',' && !/^(?:inc|ltd|llc|jr|sr)\b/u.test(words[index + 1]?.lower ?? '');
    const isJoin = word.kind !== 'title' && /^(?:and|or|nor|&|\+|n)$/u.test(word.lower);
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
  const isThe = first[0]?.lower === 'the';
  const start =
    isThe ||
    /^(?:downtown|central|rural|upstate|north|south|east|west|northern|southern)$/u.test(
      first[0]?.lower ?? '',
    )
      ? 1
      : 0;
  const named = first.slice(start);
  const isNone =
    named.length === 0 ||
    named.length > 4 ||
    (isThe && named[0]?.isCapital !== true) ||
    isIn('technology', named[0]?.lower ?? '') ||
    /^\p{Lu}{3,}$/u.test(textOf(named)) ||
    named.some(({ tags, lower }) => tags.has('WeekDay') || tags.has('Month') || /^\d/u.test(lower)) ||
    (named.length === 1 && isNoName(named[0]?.lower ?? ''));
  if (isNone) return undefined;
  const name = nameAt(named, 0, isKnown);
  const isCapital = named.every(
    (word) => word.isCapital || /^(?:of|the|and|upon|de|la|do|da)$/u.test(word.lower),
  );
  if (isCapital || (name?.end === named.length && name.kind !== 'date' && name.kind !== 'title'))
    return [textOf(isThe ? named : first)];
  const isPlain = ({ lower, tags, kind }: Word): boolean =>
    kind === 'word' &&
    /^\p{L}{3,}$/u.test(lower) &&
    !isIn('no-place', lower) &&
    !['Verb', 'Adverb', 'Preposition', 'Determiner', 'Pronoun', 'Plural'].some((tag) => tags.has(tag));
  return isSmall && named.length <= 2 && named.every(isPlain) ? [textOf(first)] : undefined;
};

/** Returns the name if the words are exactly one name. */
export function fullName(words: readonly Word[], { isKnown }: SlotContext): string | undefined {
  const name = nameAt(words, 0, isKnown);
  if (name?.end === words.length && name.kind !== 'date') return name.text;
  const isCapital =
    words.length > 0 && words.length <= 3 && words.every((word) => word.isCapital && !isNoName(word.lower));
  return isCapital ? textOf(words) : undefined;
}

const name: Kind = (words, context) => one(fullName(words, context));

/** A name, with or without an age. After "called" it can be in lower case. */
const called: Kind = (words, context) => {
  const bare = /^\d{1,2}$/u.test(words.at(-1)?.text ?? '') ? words.slice(0, -1) : words;
  const [word] = bare;
  const isOne = bare.length === 1 && word?.kind === 'word' && /^\p{L}{2,}$/u.test(word.text);
  const isSmall =
    isOne &&
    ![isNoName, isKin].some((is) => is(word.lower)) &&
    !isIn('no-phrase', word.lower) &&
    !isIn('/baby', word.lower);
  return name(bare, context) ?? (isSmall ? [word.text] : undefined);
};

const job: Kind = (words) => {
  const hasArticle = isIn('article', words[0]?.lower ?? '');
  const bare = withoutArticle(words);
  const of = bare.findIndex(({ lower }) => lower === 'of');
  const core = of > 0 ? bare.slice(0, of) : bare;
  const head = core.at(-1);
  const isOfNamed =
    of < 0 ||
    bare
      .slice(of + 1)
      .every(({ isCapital, lower }) => isCapital || /^(?:\d+|the|two|three|four|five)$/u.test(lower));
  if (
    !head ||
    bare.length > 5 ||
    !isPhrase(core) ||
    !isOfNamed ||
    isIn('no-job', head.lower) ||
    core.some(({ lower }) => isIn('article', lower))
  )
    return undefined;
  const isAgent =
    hasArticle &&
    isIn('agent', head.lower) &&
    head.tags.has('Noun') &&
    !head.tags.has('Adjective') &&
    !head.tags.has('Comparative');
  const isPraise = /^(?:bit|little|good|great|bad|huge|big|terrible)$/u.test(bare[0]?.lower ?? '');
  return (isIn('job', head.lower) || isAgent) && !isPraise ? [textOf(bare)] : undefined;
};

const organization: Kind = (words, context) => {
  const bare = withoutArticle(words);
  const found = fullName(bare, context);
  if (found !== undefined && !/^\d/u.test(found)) return [found];
  return bare.length <= 5 && isPhrase(bare) && isIn('workplace', bare.at(-1)?.lower ?? '')
    ? [textOf(bare)]
    : undefined;
};

/** A name that somebody gives for himself or herself: `Jack`, also `jack` if it is a first name. */
const self: Kind = (words, context) => {
  const [first] = words;
  if (words.length > 3 || first?.kind !== 'word' || (first.isCapital && isIn('nation', first.lower)))
    return undefined;
  const isFirstName = first.tags.has('FirstName') && !first.tags.has('Adjective');
  if (
    !isFirstName &&
    (words.length > 1 || ['Verb', 'Adjective', 'Adverb', 'Plural'].some((tag) => first.tags.has(tag)))
  )
    return undefined;
  if (words.length === 1 && isFirstName && !first.isCapital) return [first.text];
  if (!isFirstName && /^\p{Lu}{2,}$/u.test(first.text)) return undefined;
  const isOther = words.some(({ tags }) =>
    ['Demonym', 'Place', 'Organization', 'WeekDay', 'Month'].some((tag) => tags.has(tag)),
  );
  return first.isCapital && !isOther ? name(words, context) : undefined;
};

const KINDS: Readonly<Record<string, Kind>> = {
  place,
  from: place,
  city: (words, context) => place(words, words.some(({ tags }) => tags.has('Place')) ? context : NOBODY),
  where: (words) => {
    const phrase = isIn('preposition', words[0]?.lower ?? '') ? words.slice(1) : words;
    const isSound =
      words.length <= 4 && isPhrase(phrase.filter(({ lower }) => !/^(?:my|his|her|our|their)$/u.test(lower)));
    return isSound ? [textOf(words)] : undefined;
  },
  name,
  owner: name,
  names: each(called),
  works: each(name),
  job,
  org: organization,
  employer: (words, context) =>
    isIn('article', words[0]?.lower ?? '') ? organization(words, context) : name(words, context),
  school: (words, context) =>
    isIn('/school', words.at(-1)?.lower ?? '') || words[0]?.lower === 'university'
      ? name(withoutArticle(words), context)
      : undefined,
  things: each(anything),
  // "Love the color" is about something at hand.
  tastes: (words, context) =>
    words.some(({ lower }, index) => lower === 'the' && words[index + 1]?.isCapital !== true)
      ? undefined
      : each(anything)(words, context),
  goods: (words, context) => {
    const isPlain =
      words.every(({ tags, text }) => !/^\d/u.test(text) && !tags.has('Adverb')) &&
      words.at(-1)?.tags.has('Adjective') === false;
    const found =
      isPlain && !isIn('article', words[0]?.lower ?? '') ? each(anything)(words, context) : undefined;
    return found?.every((part) => !isIn('no-goods', part.toLowerCase())) ? found : undefined;
  },
  state: each((words) => {
    const bare = withoutArticle(words).filter(({ lower }) => !/^(?:type|1|2)$/u.test(lower));
    const isNation = bare.length === 1 && bare[0]?.isCapital === true && isIn('nation', bare[0].lower);
    return isNation || isIn('state', textOf(bare).toLowerCase().replaceAll(' ', '-'))
      ? [textOf(withoutArticle(words))]
      : undefined;
  }),
  self,
  date: (words) => {
    const bare = words[0]?.lower === 'the' ? words.slice(1) : words;
    return dateAt(bare, 0)?.end === bare.length ? [textOf(bare)] : undefined;
  },
  // Returns `dog` for "a dog" and `cat` for "two cats".
  kin: (words) => {
    const bare = withoutArticle(words).filter(({ lower }) => !isNumber(lower) && lower !== 'my');
    const noun = singularOf(bare.at(-1)?.lower ?? '');
    return bare.length > 0 && bare.length <= 3 && isPhrase(bare) && isKin(noun) ? [noun] : undefined;
  },
  deed: ([first, ...rest]) => {
    const isDeed =
      first?.kind === 'word' &&
      !first.isCapital &&
      rest.length < 5 &&
      !isIn('no-deed', first.lower) &&
      !isIn('no-phrase', first.lower);
    const object = isIn('preposition', rest[0]?.lower ?? '') ? rest.slice(1) : rest;
    return isDeed && isPhrase(object) ? [textOf([first, ...rest])] : undefined;
  },
  plan: (words, context) =>
    /^(?:an?|my|our)$/u.test(words[0]?.lower ?? '') ? headed('plan')(words.slice(1), context) : undefined,
  technology: (words) => {
    const isVersion = words.length === 1 || (words.length <= 3 && /\d/u.test(textOf(words.slice(1))));
    return isVersion && isIn('technology', words[0]?.lower ?? '') ? [textOf(words)] : undefined;
  },
  having: each((words, context) => {
    const lower = words[0]?.lower ?? '';
    const isCounted = isNumber(lower) || /^an?$/u.test(lower);
    const isMany = words.length === 1 && /^(?:kids|children|siblings|pets|twins|grandchildren)$/u.test(lower);
    return isCounted || isMany ? headed('having')(words, context) : undefined;
  }),
  condition: each((words, context) => {
    const text = textOf(withoutArticle(words));
    return /^bad (?:back|knees?|hip|shoulder)$/iu.test(text) ? [text] : headed('condition')(words, context);
  }),
  group: (words) => (words[0]?.lower === 'the' ? [textOf(words)] : undefined),
  others: (words) => (isPhrase(words) ? [textOf(words)] : undefined),
};

const PATTERNS: Readonly<Record<string, RegExp>> = {
  floor: /^(?:\p{L}+|\d{1,2}(?:st|nd|rd|th)) floor$/iu,
  price:
    /^(?:[$€£] ?)?\d[\d.,]*k?(?: \p{L}+)?(?: (?:an?|per) (?:hour|day|month|year|week|lesson|session)| net| gross)?$/iu,
  kilos: /^\d{1,3}(?:[.,]\d+)? ?(?:kg|kilos?|pounds|lbs?)$/iu,
  measure: /^\d{1,3}(?:[.,]\d+)? ?(?:kg|kilos?|pounds|lbs?|cm|m|meters|metres|ft|feet)$/iu,
  number: /^\d{1,3}$/u,
  year: /^(?:19|20)\d\d$/u,
  age: /^[1-9]\d$/u,
  address: /^\d{1,5} \p{Lu}/u,
  pregnant: /^pregnant$/iu,
  ear: /^(?:(?:one|my|his|her|the) )?(?:left |right |one )?(?:ear|eye|side)$/iu,
  status: /^(?:divorced|single|married|engaged|widowed|separated)$/iu,
  diet: /^(?:kosher|halal|vegan|vegetarian|shabbat|sabbath)$/iu,
  skill:
    /^(?:swim|drive|cook|ski|whistle|dance|sing|ride a (?:bike|bicycle)|read music|speak \p{Lu}\p{L}+|smell|hear|walk|fly)$/u,
  shift:
    /^(?:(?:the )?(?:night|evening|day|early|late)(?: shifts?|s)|nights|evenings|weekends|shifts|part[ -]time|full[ -]time|freelance|remotely|from home)$/iu,
  field:
    /^(?:it|tech|finance|retail|marketing|construction|healthcare|education|hr|sales|advertising|insurance|logistics|hospitality|publishing|journalism|accounting|law|real estate|customer (?:service|support)|software|banking|film|television|tv|music|fashion|agriculture|engineering|public health|social work|data science|cyber ?security)$/iu,
};

const ORDINAL =
  /^(?:first|second|third|last|other|same|new|next|latter|former|whole|right|wrong|main|best|big)$/u;

export const NOBODY: SlotContext = { isKnown: () => false, isSmall: false };

export function withoutArticle(words: readonly Word[]): readonly Word[] {
  return words.length > 1 && isIn('article', words[0]?.lower ?? '') ? withoutArticle(words.slice(1)) : words;
}

function isNumber(lower: string): boolean {
  return /^\d{1,3}$/u.test(lower) || isIn('number', lower);
}
