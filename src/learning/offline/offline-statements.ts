import { dateAt, latestBefore } from './offline-dates.ts';
import { deny, predicateOf, thirdPerson } from './offline-clauses.ts';
import { EVENTS, PROPERTIES, SHAPES, type Shape } from './offline-shapes.ts';
import {
  fullName,
  isPhrase,
  listParts,
  readSlot,
  type SlotContext,
  withoutArticle,
} from './offline-slots.ts';
import { USER_NAME } from '../first-person.ts';
import { textOf, type Word } from './offline-words.ts';

/** A fact that a clause states. */
export interface StatedFact {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** When the fact began to hold, in milliseconds since 1970. */
  readonly validFrom?: number;
}

/** The subject of a clause. */
export interface Subject {
  /** Several names for a list. */
  readonly names: readonly string[];
  /** A person such as `my sister`, whose name may follow. */
  readonly kin?: { readonly owner: string; readonly noun: string };
  /** A property such as `my birthday`, with its owner `user`. */
  readonly property?: { readonly owner: string; readonly noun: string };
  readonly isUser?: boolean;
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
  const { body, isPassing, since } = withoutTime(words, context.now, subject.property ? 0 : 4);
  const predicate = predicateOf(body, isThird);
  if (!predicate) return [];
  const isOver = / any ?more$| any longer$/u.test(rendered(words).toLowerCase());
  if (isOver && !predicate.isNegated) return [];
  const make = (verb: string, objects: readonly string[]): StatedFact[] =>
    subject.names.flatMap((name) =>
      objects.map((object) => ({
        subject: name,
        predicate: predicate.isNegated ? deny(verb) : verb,
        object,
        ...(since === undefined ? {} : { validFrom: since }),
      })),
    );
  if (subject.property) return propertyFacts(subject.property, predicate.words, make, context);
  const related =
    subject.kin && !predicate.isNegated ? namedKin(subject.kin, predicate.words, context) : undefined;
  if (related) return related;
  for (const part of shortenings(predicate.words)) {
    for (const shape of SHAPES) {
      if ((shape.isUsers && !subject.isUser) || (predicate.isNegated && !shape.isDeniable)) continue;
      if (shape.isLasting && isPassing) continue;
      const told = factsOfShape(shape, part, make, context);
      if (told) return told.filter((fact) => fact.subject.toLowerCase() !== fact.object.toLowerCase());
    }
  }
  return [];
}

function factsOfShape(
  { pattern, slots, facts }: Shape,
  words: readonly Word[],
  make: (predicate: string, objects: readonly string[]) => StatedFact[],
  context: ClauseContext,
): StatedFact[] | undefined {
  const match = pattern.exec(rendered(words));
  if (!match?.indices) return undefined;
  const values = new Map<string, readonly string[]>();
  for (const slot of slots) {
    const span = match.indices.groups?.[slot];
    if (!span) continue;
    const [from, to] = span;
    const found = readSlot(slot, wordsBetween(words, from, to), context);
    if (!found) return undefined;
    values.set(slot, found);
  }
  const groups = match.groups ?? {};
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      name === 'base'
        ? (groups['verb'] ?? '').toLowerCase()
        : name === 'verb'
          ? thirdPerson((groups['verb'] ?? 'have').toLowerCase())
          : (values.get(name)?.[0] ?? groups[name] ?? '').toLowerCase(),
    );
  return facts.flatMap(([predicate, slot]) => {
    const objects = values.get(slot) ?? [];
    if (!predicate.startsWith('@')) return make(fill(predicate), objects);
    // "Paris is the capital of France" is a fact about France.
    return make(`has ${fill(predicate.slice(1))}`, objects).map((fact) => ({
      ...fact,
      subject: fact.object,
      object: fact.subject,
    }));
  });
}

/** Reads `my dog is called Max`, `her husband is Lars`. */
function namedKin(
  { owner, noun }: { readonly owner: string; readonly noun: string },
  [be, ...rest]: readonly Word[],
  context: ClauseContext,
): StatedFact[] | undefined {
  const isCalled = /^(?:called|named)$/u.test(rest[0]?.lower ?? '');
  const name =
    be?.lower === 'be'
      ? readSlot(
          isCalled || rest.some(({ lower }) => lower === 'and') ? 'names' : 'self',
          isCalled ? rest.slice(1) : rest,
          context,
        )
      : undefined;
  return name?.map((object) => ({ subject: owner, predicate: `has ${noun}`, object }));
}

/** Reads `my name is Jack`, `her favorite color is red`. */
function propertyFacts(
  { owner, noun }: { readonly owner: string; readonly noun: string },
  words: readonly Word[],
  make: (predicate: string, objects: readonly string[]) => StatedFact[],
  context: ClauseContext,
): StatedFact[] {
  const isOn = /^(?:on|in)$/u.test(words[1]?.lower ?? '');
  const value = words.slice(isOn ? 2 : 1);
  const isHome = /^(?:flat|house|home|apartment|place)$/u.test(noun) && words[1]?.lower === 'in';
  const home = isHome ? readSlot('place', value, context) : undefined;
  if (words[0]?.lower === 'be' && home)
    return make('lives in', home).map((fact) => ({ ...fact, subject: owner }));
  const day = EVENTS.test(noun) ? readSlot('date', value, context) : undefined;
  if (words[0]?.lower === 'be' && day)
    return make(`has ${noun} on`, day).map((fact) => ({ ...fact, subject: owner }));
  if (words[0]?.lower !== 'be' || value.length === 0 || !PROPERTIES.test(noun)) return [];
  const mine = (predicate: string, objects: readonly string[]): StatedFact[] =>
    make(predicate, objects).map((fact) => ({ ...fact, subject: owner }));
  if (noun.endsWith('name')) {
    // A subject that already has a name is not given another one.
    if (!owner.startsWith(USER_NAME)) return [];
    const [first] = value;
    const name =
      fullName(value, context) ?? (value.length === 1 && first?.kind === 'word' ? first.text : undefined);
    const relative = /^user's (?<noun>.+)$/u.exec(owner)?.groups?.['noun'];
    if (relative !== undefined && name !== undefined)
      return [{ subject: USER_NAME, predicate: `has ${relative}`, object: name }];
    const predicate = /^(?:first|last) /u.test(noun) ? `has ${noun}` : 'is named';
    return name === undefined ? [] : mine(predicate, [name]);
  }
  const parts = (listParts(value) ?? []).map(withoutArticle);
  const notAt = value.findIndex(({ text }, index) => text === ',' && value[index + 1]?.lower === 'not');
  // For "blue, not red", only the first part counts.
  const objects = notAt > 0 ? [value.slice(0, notAt)] : parts;
  const isMeasured = !/^(?:age|weight|height|budget)$/u.test(noun) || /^[$€£]?\d/u.test(value[0]?.text ?? '');
  // "My car is broken" does not name the car.
  const isThing =
    !/^(?:car|bike|phone|laptop|camera)$/u.test(noun) ||
    value[0]?.isCapital === true ||
    /^an?$/u.test(value[0]?.lower ?? '');
  const isSound =
    isThing &&
    isMeasured &&
    objects.length > 0 &&
    objects.every((part) => part.length <= 5 && isPhrase(part));
  // One has a single favorite; somebody who lists several has several.
  const isSeveral = objects.length > 1 && noun.startsWith('favorite ');
  return isSound ? mine(isSeveral ? `has among ${noun}` : `has ${noun}`, objects.map(textOf)) : [];
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
    const at = rest.findLastIndex(({ lower, kind }) => kind === 'word' && ADJUNCT.test(lower));
    const phrase = rest
      .slice(at + 1)
      .filter(
        ({ lower, kind }) => kind === 'word' && !/^(?:my|our|his|her|their|me|us|him|them)$/u.test(lower),
      );
    const isAdjunct =
      at > 1 &&
      rest.length - at <= 6 &&
      (phrase.length === 0 ? rest.length > at + 1 : isPhrase(phrase)) &&
      !FICTION.test(phrase.at(-1)?.lower ?? '');
    if (!isAdjunct) return;
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
): { body: readonly Word[]; isPassing: boolean; since?: number } {
  let body = words;
  let isPassing = false;
  let since: number | undefined;
  for (let round = 0; round < rounds; round++) {
    const text = ` ${rendered(body).toLowerCase()}`;
    const tail = TIME.exec(text)?.[0];
    if (tail === undefined) break;
    const count = tail.trim().split(' ').length;
    const taken = body.slice(body.length - count);
    if (count >= body.length - 1 && !/^(?:live|moved)$/u.test(body[0]?.lower ?? '')) break;
    body = body.slice(0, body.length - count);
    isPassing ||= PASSING.test(tail);
    const begins = /^ (?:since|in|on) /u.test(tail) ? dateAt(taken, 1)?.time : undefined;
    if (begins !== undefined && begins <= now) since = begins;
    else if (tail.startsWith(' since')) since = latestBefore(taken, 1, now);
  }
  return { body, isPassing, ...(since === undefined ? {} : { since }) };
}

const ADJUNCT =
  /^(?:with|to|for|at|in|on|from|by|near|during|around|since|as|near|under|through|via|every)$/u;
/** What happens in one of these is not true. */
const FICTION =
  /^(?:story|novel|game|dream|dreams|book|film|movie|theory|scenario|minecraft|sims|roleplay|head|script|play|hypothetical)$/u;
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?';
const COUNT =
  '(?:the (?:past|last) )?(?:about |over |almost |like )?(?:\\d+(?:[.,]\\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|many|several|some|a few|a couple of|few)';
const UNIT = '(?:years?|yrs?|months?|weeks?|days?|decades?|mins?|minutes|hours?)';
const TIME = new RegExp(
  ` (?:since [\\p{L}\\d' ]{1,24}|(?:for|in) ${COUNT}(?: \\p{L}+)? ${UNIT}(?: now| straight)?|for (?:years|ages|months|decades|weeks|life|now|good)|${COUNT} ${UNIT} ago|(?:early |late |mid )?(?:last|next|this|every|each|all) (?:single |other |coming |past )?(?:year|month|week|weekend|day|night|morning|evening|afternoon|time|spring|summer|autumn|fall|winter|term|semester|easter|christmas|${DAY}|${MONTH})(?: (?:morning|afternoon|evening|night))?|(?:on )?(?:every )?(?:${DAY})(?: (?:morning|afternoon|evening|night)s?)?|(?:in|by|until|till|from|on) (?:early |late |mid |the )?(?:${MONTH}|spring|summer|autumn|fall|winter)(?: \\d{1,4}(?:st|nd|rd|th)?)?|(?:in|until|till|by|from) \\d{4}|on \\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})(?: \\d{4})?|now|these days|nowadays|at the moment|right now|at present|currently|today|tonight|yesterday|tomorrow|soon|too|as well|also|again|already|any ?more|any longer|anyway|actually|though|tho|here|there|alone|together|myself|instead|full[- ]time|part[- ]time|remotely|a lot|so much|very much|that much|at all|the most|most of all|the best|all the time|every ?day|daily|weekly|once a week|twice a week|on and off|by the way|btw|tbh|ngl|fyi|honestly|unfortunately|sadly|luckily|finally|still|yet|lol|lmao|haha\\p{L}*|hehe|x+|xd|ha|hm+|sorry|thanks|please|pls|ok|okay|you know|i guess|for what it is worth|for context|for the record|just in case|in case it matters|of course|obviously|really|recently|lately|originally|by trade|by profession|exclusively|only|either|full stop|period|always|(?:\\d(?:st|nd|rd|th)|first|second|third|final|last) year|\\d+ ?(?:x|times) (?:a|per) \\p{L}+)$`,
  'u',
);
const PASSING =
  /\b(?:today|tonight|tomorrow|next|this|until|till|soon|right now|at the moment|by|(?<!these )days?|weeks?|hours?|minutes|mins?|soon|from|weekend|yesterday|last|again|\d+ (?:january|february|march|april|may|june|july|august|september|october|november|december))\b/u;
