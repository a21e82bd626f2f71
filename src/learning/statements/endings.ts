import { fold } from '../../language/fold.ts';
import { contentStems } from '../../language/matters.ts';
import {
  clauseBefore,
  haveOtherNames,
  isOfAnother,
  isSameSubject,
  peopleIn,
  possessorsIn,
  withoutLabel,
  type People,
} from '../../language/people.ts';
import { wordsOf } from '../../language/words/life-words.ts';
import { endedThings, thingStems, type EndedThing } from './ended-things.ts';
import {
  PART_END,
  UNREAL,
  HAS_VERB,
  VERB,
  DESCRIBES,
  NAMES_ANIMAL,
  OWNS,
  ALLERGY,
  DENIAL,
  LIKES,
  DISLIKES,
  TASTE_CHANGED,
  EVENT,
  AGE,
  RENEWED,
  HELD,
  VALUES,
  PARTNERS,
  PARTNER,
  MATTERS,
  ENDING,
  RETRACTION,
  REPLACEMENT,
} from './ending-patterns.ts';

/** A statement, with what decides whether it ends another or is ended. */
export interface TimedStatement {
  readonly id: string;
  readonly text: string;
  /** Id of its message. "Scratch that" retracts the last statement of an earlier message. */
  readonly messageId: string;
}

/** Whether a statement says that something has ended, has changed or was never true. */
export function isEnding(text: string): boolean {
  const folded = fold(text);
  return ENDING.test(folded) || RETRACTION.test(folded) || REPLACEMENT.test(folded);
}

/**
 * Finds the statements that have ended. A statement ends earlier ones about its subject if it says so ("we broke up",
 * "I quit", "not vegan anymore", "used to"), takes something back ("scratch that"), or gives a new value for
 * something one has once ("now", "instead", "new").
 *
 * @param statements oldest first
 * @returns the id of the ending statement by the id of the ended one
 */
export function endedStatements(statements: readonly TimedStatement[]): Map<string, string> {
  const ended = new Map<string, string>();
  for (const [at, later] of statements.entries()) {
    if (!reportsChange(readOnce(later))) continue;
    const before = statements.slice(0, at);
    const retracted = retractsWhatWasSaid(later)
      ? before.findLast(({ messageId }) => messageId !== later.messageId)
      : undefined;
    for (const earlier of before) {
      if (!ended.has(earlier.id) && (earlier === retracted || endsStatement(later, earlier)))
        ended.set(earlier.id, later.id);
    }
  }
  return ended;
}

/** Whether a later statement ends this earlier one. */
export function endsStatement(later: TimedStatement, earlier: TimedStatement): boolean {
  return !retractsWhatWasSaid(later) && ends(readOnce(later), readOnce(earlier));
}

/** Whether a statement takes back the last one of an earlier message, whatever it is: "scratch that". */
export function retractsWhatWasSaid(statement: TimedStatement): boolean {
  const { isRetraction, stems } = readOnce(statement);
  return isRetraction && stems.size < 2;
}

// Cached because each new statement is compared with all earlier ones.
const readings = new WeakMap<TimedStatement, Read>();

function readOnce(statement: TimedStatement): Read {
  const read = readings.get(statement) ?? readStatement(statement.text);
  readings.set(statement, read);
  return read;
}

type Read = ReturnType<typeof readStatement>;

/** Number of characters of a statement that are compared: each of its words looks at those around it. */
const READ_CHARACTERS = 500;

function readStatement(text: string) {
  const said = withoutLabel(text.slice(0, READ_CHARACTERS));
  const folded = fold(said);
  return {
    folded,
    stems: contentStems(said),
    things: thingStems(said),
    people: peopleIn(said),
    endings: endedThings(said),
    values: VALUES.map((value) => new Set(folded.match(value))),
    attributes: attributesIn(folded),
    conditions: contentStems(wordsOf(folded, 'health').join(' ')),
    // Matters with a single value per person at a time, and those of them that have changed.
    matters: MATTERS.map(([says]) => says.test(folded)),
    changes: MATTERS.map(([, changes]) => (UNREAL.test(folded) ? undefined : beforeChange(folded, changes))),
    possessors: possessorsIn(folded),
    parts: partsOf(said),
    isRetraction: RETRACTION.test(folded),
    isReplacement: REPLACEMENT.test(folded),
    tasted: thingStems(folded.replaceAll(new RegExp(`${LIKES.source}|${DISLIKES.source}`, 'gu'), ' ')),
    isLiked: LIKES.test(folded),
    isDisliked: DISLIKES.test(folded),
    isDenied: DENIAL.test(folded),
    isEvent: EVENT.test(folded),
  };
}

function reportsChange({ endings, isReplacement, isRetraction, changes }: Read): boolean {
  return (
    endings.length > 0 || isReplacement || isRetraction || changes.some((before) => before !== undefined)
  );
}

/**
 * Whether the later statement is about the same subject and the same matter as the target, and ends it. A target of
 * several parts, such as "I live in Oslo and work at a bank", ends only as a whole.
 */
function ends(later: Read, target: Read): boolean {
  if (target.parts.length < 2) return endsPart(later, target);
  const parts = target.parts.map((part) => readStatement(part));
  return parts.every((part) => endsPart(later, part));
}

function endsPart(later: Read, target: Read): boolean {
  if (later.possessors.size > 0 && !isSubset(later.possessors, target.stems)) return false;
  return (
    (!isProtected(later, target) &&
      (endsMatter(later, target) || replacesValue(later, target) || replacesAttribute(later, target))) ||
    later.endings.some((thing) => endsThing(thing, later, target)) ||
    changesTaste(later, target)
  );
}

/** A health condition ends only by a statement that names it. */
function isProtected(later: Read, target: Read): boolean {
  return target.conditions.size > 0 && !isSomeShared(later.conditions, target.conditions);
}

function endsMatter(later: Read, target: Read): boolean {
  return later.changes.some((before, matter) => {
    if (before === undefined || !target.matters[matter] || target.isEvent) return false;
    if (isOfAnother(before, target.stems)) return false;
    const isPartner = matter === PARTNER;
    const [one, other] = isPartner
      ? [withoutPartner(later.people), withoutPartner(target.people)]
      : [later.people, target.people];
    if (!isSameSubject(one, other)) return false;
    // "Ida and I broke up" is not about Lea. The names of a new home or employer are always others.
    return !isPartner || !haveOtherNames(later.people.names, target.people.names);
  });
}

/** Returns the words of the clause in front of a change, or undefined without one. */
function beforeChange(folded: string, changes: RegExp): string | undefined {
  const match = changes.exec(folded);
  if (!match) return undefined;
  const verb = match[0].indexOf('moved'); // its subject is part of the match
  return clauseBefore(folded, match.index + Math.max(0, verb));
}

function withoutPartner(people: People): People {
  return { ...people, roles: new Set([...people.roles].filter((role) => !PARTNERS.has(role))) };
}

function endsThing({ how, stems, names, subject, before }: EndedThing, later: Read, target: Read): boolean {
  if (target.isEvent || haveOtherNames(names, target.people.names)) return false;
  if (names.size === 0 && haveOtherNames(later.people.names, target.people.names)) return false;
  if (isOfAnother(before, target.stems)) return false;
  if (how === 'stops' && [...names].some((name) => isModifier(name, stems, target))) return false;
  if (!isSubset(stems, target.stems)) return false;
  const isIll = target.conditions.size > 0;
  if (how === 'dies') return !isIll && DESCRIBES.test(target.folded) && isAboutFirst(stems, target);
  // What the words "my sister's cello" say of her is in the people of the whole statement.
  const isOfThing = subject.roles.size === 0 && !subject.isUser && !subject.isReferred;
  if (!isSameSubject(isOfThing ? later.people : subject, target.people)) return false;
  if (how === 'heals') return isIll && !isAllergic(target);
  if (isProtected(later, target)) return false;
  if (isIll && isAllergic(target) && !isAllergic(later)) return false;
  if (how === 'returns') {
    // "I can eat again" says nothing about shellfish.
    const isWhole = stems.size > 1 || isSubset(target.things, stems);
    return isWhole && target.isDenied && !later.isDenied && !target.isDisliked;
  }
  if (target.isDenied) return false;
  return how !== 'sells' || OWNS.test(target.folded);
}

/** Whether a name only describes something else: "the Berlin marathon". */
function isModifier(name: string, stems: ReadonlySet<string>, { folded }: Read): boolean {
  const next = folded.split(name)[1]?.match(/^ (\p{L}+)/u)?.[1] ?? '';
  return [...contentStems(next)].some((stem) => !stems.has(stem));
}

/** Whether a statement is about somebody and not only about something of theirs: "my dog Bo is 3". */
function isAboutFirst(stems: ReadonlySet<string>, target: Read): boolean {
  const first = contentStems(target.folded.split(VERB)[0] ?? '');
  return isSomeShared(stems, first) || NAMES_ANIMAL.test(target.folded);
}

function isAllergic({ folded }: Read): boolean {
  return ALLERGY.test(folded);
}

/** "Yoga is on Mondays", "yoga is on Fridays now": the same things and another value of the same sort. */
function replacesValue(later: Read, target: Read): boolean {
  if (!later.isReplacement && !later.isRetraction) return false;
  if (!isSameSubject(later.people, target.people)) return false;
  if (haveOtherNames(later.people.names, target.people.names)) return false;
  const hasOtherValue = later.values.some((values, sort) => {
    const before = target.values[sort] ?? new Set();
    return values.size > 0 && before.size > 0 && !isSomeShared(values, before);
  });
  if (!hasOtherValue) return false;
  if (AGE.test(later.folded) && AGE.test(target.folded)) return true;
  return isSubset(later.things, target.things) || isSubset(target.things, later.things);
}

/** "My boss is Karen", "my new boss is Tom": a person has one at a time. */
function replacesAttribute(later: Read, target: Read): boolean {
  if (!isSameSubject(ownersIn(later), ownersIn(target))) return false;
  return target.attributes.held.some((held) => later.attributes.replaced.includes(held));
}

function ownersIn({ people, attributes }: Read): People {
  const held = new Set([...attributes.held, ...attributes.replaced]);
  return { ...people, isUser: true, roles: new Set([...people.roles].filter((role) => !held.has(role))) };
}

function attributesIn(folded: string): { held: string[]; replaced: string[] } {
  const held = Array.from(folded.matchAll(HELD), ([, noun = '']) => noun);
  const renewed = Array.from(folded.matchAll(RENEWED)).flatMap(({ index, 1: noun = '' }) =>
    isOfAnother(clauseBefore(folded, index), NO_STEMS) ? [] : noun,
  );
  return { held, replaced: [...renewed, ...(REPLACEMENT.test(folded) ? held : [])] };
}

/** "I love olives", "I can't stand olives now". */
function changesTaste(later: Read, target: Read): boolean {
  if (!TASTE_CHANGED.test(later.folded) || target.conditions.size > 0) return false;
  if (!isSameSubject(later.people, target.people)) return false;
  const isTurned =
    (later.isDisliked && target.isLiked && !target.isDisliked) ||
    (later.isLiked && !later.isDisliked && target.isDisliked);
  return isTurned && isSubset(later.tasted, target.tasted);
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return part.size > 0 && [...part].every((each) => whole.has(each));
}

function isSomeShared<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): boolean {
  return [...one].some((each) => other.has(each));
}

const NO_STEMS: ReadonlySet<string> = new Set();

/** Splits a statement into parts with a verb each. "My sister and I live in Oslo" is one. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const piece of text.split(PART_END)) {
    const last = parts.at(-1);
    if (last === undefined || HAS_VERB.test(fold(last))) parts.push(piece);
    else parts[parts.length - 1] = `${last} and ${piece}`;
  }
  return parts;
}
