import { regex } from '../../language/words/lists.ts';
import { hasTag, isOneOf, textOf, type Word } from '../../language/sentence-words.ts';
import { USER_NAME } from '../first-person.ts';
import { isKin } from '../../language/words/lexicon.ts';
import { deny, predicateOf, thirdPerson } from './clauses.ts';
import { dateAt, latestBefore } from './names.ts';
import { EVENTS, PROPERTIES, SHAPES, type Shape } from './shapes.ts';
import { fullName, type SlotContext } from './name-slots.ts';
import { isPhrase, listParts, readSlot, withoutArticle } from './slots.ts';

/** A fact that a clause states. */
export interface StatedFact {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** When the fact began to hold, in milliseconds since 1970. */
  readonly validFrom?: number;
  /** When it stops holding, if that is stated. */
  readonly validTo?: number;
}

/** Something or somebody by whom it belongs to: the sister of the user. */
interface OwnedNoun {
  readonly owner: string;
  readonly noun: string;
}

/** The subject of a clause. */
export interface Subject {
  /** Several names for a list. */
  readonly names: readonly string[];
  /** A person such as `my sister`, whose name may follow. */
  readonly kin?: OwnedNoun;
  /** A property such as `my birthday`, with its owner `user`. */
  readonly property?: OwnedNoun;
  readonly isUser?: boolean;
  /** Whether the clause before says who it is, so that `a nurse`, `45` and `from Leeds` can follow. */
  readonly isDescribed?: boolean;
}

export interface ClauseContext extends SlotContext {
  /** When it was said, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the facts that the words after a subject state about it. Empty unless all of the words are understood.
 *
 * @param isThird whether the verb is in the third person
 */
export function statedFacts(
  subject: Subject,
  words: readonly Word[],
  context: ClauseContext,
  isThird: boolean = subject.isUser !== true,
): StatedFact[] {
  if (subject.names.length === 0) return [];
  const { body, since } = withoutTime(words, context.now, subject.property ? 0 : 4);
  const predicate = predicateOf(body, isThird);
  if (!predicate) return [];
  const said = rendered(words).toLowerCase();
  const isOver = / any ?more$| any longer$/u.test(said);
  if (isOver && !predicate.isNegated) return [];
  if (predicate.isPerfect && !STILL.test(` ${said}`)) return [];
  const make = (verb: string, objects: readonly string[], isDenied = false): StatedFact[] =>
    subject.names.flatMap((name) =>
      objects.map((object) => ({
        subject: name,
        predicate: predicate.isNegated && !isDenied ? deny(verb) : verb,
        object,
        ...(since === undefined ? {} : { validFrom: since }),
      })),
    );
  if (subject.property) return propertyFacts(subject.property, predicate.words, make, context);
  const [, owned] = /^user's ([\p{L}-]+)$/u.exec(subject.names.join()) ?? [];
  // "He is called Ben", when the user's son was mentioned.
  const called = owned !== undefined && isKin(owned) ? { owner: USER_NAME, noun: owned } : undefined;
  const kin = subject.kin ?? called;
  const related = kin && !predicate.isNegated ? namedKin(kin, predicate.words, context) : undefined;
  if (related) return related;
  const whole = predicateOf(words, isThird)?.words ?? [];
  for (const part of [whole, ...(predicate.isNegated ? [predicate.words] : shortenings(predicate.words))]) {
    for (const shape of SHAPES) {
      if (part === whole && !shape.isDated) continue;
      const isOpen = predicate.isNegated ? shape.isDeniable || shape.isDenied : !shape.isDenied;
      if ((shape.isUsers && !subject.isUser) || !isOpen) continue;
      if (shape.isLasting && PASSING.test(said)) continue;
      const told = factsOfShape(shape, part, make, context);
      if (!told) continue;
      const over = shape.isOver ? { validTo: context.now } : {};
      return (
        told
          .filter((fact) => fact.subject.toLowerCase() !== fact.object.toLowerCase())
          // "She is called Luna" is not about Jo, who has a name, but about the dog that Jo has adopted.
          .filter((fact) => fact.predicate !== 'is named' || !/^\p{Lu}[^']*$/u.test(fact.subject))
          .map((fact) => ({ ...fact, ...over }))
      );
    }
  }
  return [];
}

function factsOfShape(
  { pattern, slots, facts, isDenied }: Shape,
  words: readonly Word[],
  make: (predicate: string, objects: readonly string[], isDenied?: boolean) => StatedFact[],
  context: ClauseContext,
): StatedFact[] | undefined {
  const match = pattern.exec(rendered(words));
  if (!match) return undefined;
  const values = new Map<string, readonly string[]>();
  for (const slot of slots) {
    const span = match.indices?.groups?.[slot];
    const found = span && readSlot(slot, wordsBetween(words, ...span), context);
    if (span && !found) return undefined;
    values.set(slot, found ?? []);
  }
  const verb = (match.groups?.['verb'] ?? '').toLowerCase();
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
      if (name === 'base') return verb;
      if (name === 'verb') return thirdPerson(verb);
      return (values.get(name)?.[0] ?? match.groups?.[name] ?? '').toLowerCase();
    });
  return facts.flatMap(([predicate, slot]) => {
    const objects = values.get(slot) ?? [];
    const former = predicate === 'is a' ? /^ex-(.+)$/iu.exec(objects[0] ?? '')?.[1] : undefined;
    if (former !== undefined) return make('was a', [former]);
    if (!predicate.startsWith('@')) return make(fill(predicate), objects, isDenied);
    // "Paris is the capital of France" is a fact about France.
    const turned = make(`has ${fill(predicate.slice(1))}`, objects);
    return turned.map((fact) => ({ ...fact, subject: fact.object, object: fact.subject }));
  });
}

/** Reads `my dog is called Max`, `her husband is Lars`. */
function namedKin(
  { owner, noun }: OwnedNoun,
  [be, ...rest]: readonly Word[],
  context: ClauseContext,
): StatedFact[] | undefined {
  if (be?.lower !== 'be') return undefined;
  const isCalled = isOneOf(rest[0], 'called named');
  const slot = isCalled || rest.some(({ lower }) => lower === 'and') ? 'names' : 'self';
  const names = readSlot(slot, isCalled ? rest.slice(1) : rest, context);
  return names?.map((object) => ({ subject: owner, predicate: `has ${noun}`, object }));
}

/** Reads `my name is Jack`, `her favorite color is red`. */
function propertyFacts(
  { owner, noun }: OwnedNoun,
  [be, ...words]: readonly Word[],
  make: (predicate: string, objects: readonly string[]) => StatedFact[],
  context: ClauseContext,
): StatedFact[] {
  const operated = be && readSlot('part', [{ ...be, text: noun, lower: noun }], context);
  const isRepaired = /^(?:was|got|be) (?:operated on|replaced|removed)$/u.test(
    rendered([...(be ? [be] : []), ...timeless(words)]),
  );
  if (operated && isRepaired)
    return operated.map((object) => ({ subject: owner, predicate: 'had surgery on', object }));
  if (be?.lower !== 'be') return [];
  const mine = (predicate: string, objects: readonly string[]): StatedFact[] =>
    make(predicate, objects).map((fact) => ({ ...fact, subject: owner }));
  const value = isOneOf(words[0], 'on in') ? words.slice(1) : words;
  const isHome = /^(?:flat|house|home|apartment|place)$/u.test(noun) && words[0]?.lower === 'in';
  const home = isHome ? readSlot('place', value, context) : undefined;
  if (home) return mine('lives in', home);
  const isWork =
    /^(?:work|office|shop|studio|clinic|practice|workshop)$/u.test(noun) && words[0]?.lower === 'in';
  const work = isWork ? readSlot('spot', value, context) : undefined;
  if (work) return mine('is based in', work);
  const called = isOneOf(words[0], 'called named') ? readSlot('name', words.slice(1), context) : undefined;
  if (called) return mine(`has ${noun} called`, called);
  const day = EVENTS.test(noun) ? readSlot('when', value, context) : undefined;
  if (day) return mine(`has ${noun} on`, day);
  const [first] = value;
  if (!first || !PROPERTIES.test(noun)) return [];
  if (noun.endsWith('name')) {
    const [, relative] = /^user's (.+)$/u.exec(owner) ?? [];
    const name =
      fullName(value, context) ?? (value.length === 1 && first.kind === 'word' ? first.text : undefined);
    // A subject that already has a name is not given another one.
    if (!owner.startsWith(USER_NAME) || name === undefined) return [];
    if (relative !== undefined) return [{ subject: USER_NAME, predicate: `has ${relative}`, object: name }];
    return mine(/^(?:first|last) /u.test(noun) ? `has ${noun}` : 'is named', [name]);
  }
  const notAt = value.findIndex(({ text }, index) => text === ',' && value[index + 1]?.lower === 'not');
  // For "blue, not red", only the first part counts.
  const objects = notAt > 0 ? [value.slice(0, notAt)] : (listParts(value) ?? []).map(withoutArticle);
  const isMeasured = !/^(?:age|weight|height|budget)$/u.test(noun) || /^[$€£]?\d/u.test(first.text);
  // "My car is broken" does not name the car.
  const isThing =
    !/^(?:car|bike|phone|laptop|camera)$/u.test(noun) || first.isCapital || isOneOf(first, 'a an');
  if (!isThing || !isMeasured || !objects.every((part) => part.length <= 5 && isPhrase(part))) return [];
  // One has a single favorite; somebody who lists several has several.
  const isSeveral = objects.length > 1 && noun.startsWith('favorite ');
  return mine(isSeveral ? `has among ${noun}` : `has ${noun}`, objects.map(textOf));
}

/** Joins the words for matching against shapes: one space between words, none within a title. */
function rendered(words: readonly Word[]): string {
  return words.map(({ text }) => text.replaceAll(/\s/gu, '_').replaceAll('’', "'")).join(' ');
}

function wordsBetween(words: readonly Word[], from: number, to: number): readonly Word[] {
  let at = 0;
  return words.filter(({ text }) => {
    const start = at;
    at += text.length + 1;
    return start >= from && start < to;
  });
}

/** Yields a clause, and then the clause without each of the phrases of place, person or manner at its end. */
function* shortenings(words: readonly Word[]): Generator<readonly Word[]> {
  yield words;
  let rest = words;
  for (let cuts = 0; cuts < 2; cuts++) {
    const at = rest.findLastIndex((word) => word.kind === 'word' && isOneOf(word, ADJUNCT));
    const phrase = rest.slice(at + 1).filter((word) => word.kind !== 'possessive' && !isOneOf(word, OWNED));
    // "We have two kids with allergies" may count the kids of a school.
    if (
      rest[at]?.lower === 'with' &&
      isOneOf(rest[at - 1], 'kids children') &&
      phrase.length === rest.length - at - 1
    )
      return;
    const isShort = at > 1 && rest.length - at > 1 && rest.length - at <= 6;
    const isClause = phrase.some(
      (word, index) => hasTag(word, 'Verb') && isOneOf(phrase[index - 1], 'and or'),
    );
    if (!isShort || isClause || !isPhrase(phrase) || isOneOf(phrase.at(-1), FICTION)) return;
    rest = withoutTime(rest.slice(0, at), 0, 2).body;
    yield rest;
  }
}

/** Returns a clause without expressions of time, frequency and feeling. */
export function timeless(words: readonly Word[]): readonly Word[] {
  return withoutTime(words, 0, 4).body;
}

/** Removes expressions of time, frequency and feeling. */
function withoutTime(
  words: readonly Word[],
  now: number,
  rounds: number,
): { body: readonly Word[]; since?: number } {
  let body = words;
  let since: number | undefined;
  for (let round = 0; round < rounds; round++) {
    const [tail = ''] = TIME.exec(` ${rendered(body).toLowerCase()}`) ?? [];
    const count = tail.split(' ').length - 1;
    if (count === 0 || (count >= body.length - 1 && !isOneOf(body[0], 'live moved'))) break;
    const taken = body.slice(body.length - count);
    body = body.slice(0, body.length - count);
    const begins = /^ (?:since|in|on) /u.test(tail) ? dateAt(taken, 1)?.time : undefined;
    if (begins !== undefined && begins <= now) since = begins;
    else if (tail.startsWith(' since')) since = latestBefore(taken, 1, now);
  }
  return { body, ...(since === undefined ? {} : { since }) };
}

const OWNED = 'this it my our his her their me us him them';
const ADJUNCT = 'with w w/ to for at in on from by near during around since as near under through via every';
/** Events inside one of these are not true. */
const FICTION =
  'story novel game dream dreams book film movie theory scenario minecraft sims roleplay head script play hypothetical';
const UNIT = '(?:years?|yrs?|months?|weeks?|days?|decades?|mins?|minutes|hours?)';
const COUNT = String.raw`(?:the (?:past|last) )?(?:about |over |almost |like )?(?:\d+(?:[.,]\d+)?|{count}|twenty|thirty|forty|fifty|many|several|some|a few|a couple of|few)`;
const DAY = '(?:{weekday})s?|weekends?|weekdays?';
const PART_OF_DAY = '(?:morning|afternoon|evening|night)';

/** Expressions of time, frequency and feeling at the end of a clause, one kind a line. */
const TIME = regex(String.raw` (?:since [\p{L}\d' ]{1,24}
  (?:for|in) ${COUNT}(?: \p{L}+)? ${UNIT}(?: now| straight)?
  for (?:years|ages|months|decades|weeks|life|now|good)
  ${COUNT} ${UNIT} ago
  (?:in )?(?:early |late |mid )?(?:last|next|this|every|each|all) (?:single |other |coming |past )?(?:year|month|week|weekend|day|night|morning|evening|afternoon|time|{season}|term|semester|easter|christmas|${DAY}|{monthOrShort})(?: ${PART_OF_DAY})?
  (?:on )?(?:every )?(?:${DAY})(?: ${PART_OF_DAY}s?)?
  (?:in|by|until|till|from|on) (?:early |late |mid |the )?(?:{monthOrShort}|{season})(?: \d{1,4}(?:st|nd|rd|th)?)?
  (?:in|until|till|by|from) \d{4}
  (?:on )?\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:{monthOrShort})(?: \d{4})?
  (?:on )?(?:{monthOrShort}) \d{1,2}(?:st|nd|rd|th)?
  now|these days|nowadays|at the moment|atm|right now|at present|currently|recently|lately|originally
  as of (?:today|now)
  today|tonight|yesterday|tomorrow|soon|again|already|any ?more|any longer|still|yet|finally|always
  too|as well|also|mostly|usually|normally|regularly|often|occasionally|anyway|actually|though|tho|here|there|alone|together|myself|instead|really|exclusively|only|either
  (?:all )?by (?:my|him|her)self|on my own|full[- ]time|part[- ]time|remotely|by trade|by profession
  for (?:\p{L}+ (?:and \p{L}+ )?)?reasons|(?:due to|because of) [\p{L}\d' ]{1,40}
  a lot|so much|very much|that much|at all|the most|most of all|the best|all the time
  every ?day|daily|weekly|once a week|twice a week|on and off|\d+ ?(?:x|times) (?:a|per) \p{L}+
  by the way|btw|tbh|ngl|fyi|honestly|unfortunately|sadly|luckily|of course|obviously|full stop|period
  lol|lmao|haha\p{L}*|hehe|x+|xd|ha|hm+|sorry|thanks|please|pls|ok|okay|you know|i guess
  for what it is worth|for context|for the record|just in case|in case it matters
  (?:\d(?:st|nd|rd|th)|first|second|third|final|last) year)$`);
/** What says that a perfect goes on: "I have lived here for years". */
const STILL =
  regex(String.raw` (?:since|always|all (?:my|his|her|our|their)|(?:my|his|her) (?:whole|entire) life
  for (?:life|years|ages|months|decades|weeks|an? ${UNIT}|(?:the )?(?:past|last) ${UNIT}|${COUNT}(?: \p{L}+)? ${UNIT}))\b`);
const PASSING = regex(
  String.raw`\b(?:today|tonight|tomorrow|next|this|until|till|soon|now|currently|temporarily|at the moment|by|(?<!these )days?|weeks?|hours?|minutes|mins?|from|weekend|yesterday|last|again|\d+ (?:{month}))\b`,
  'u',
);
