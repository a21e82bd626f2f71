import { fold } from '../../language/fold.ts';
import { isOfTheseDays } from '../../language/limited-times.ts';
import { contentStems, isSameStem } from '../../language/matters.ts';
import {
  clauseBefore,
  haveOtherNames,
  isOfAnother,
  isSameSubject,
  type People,
} from '../../language/people.ts';
import { wordsKey } from './claim-parts.ts';
import {
  readClaim,
  readParts,
  reportsChange,
  takesBack,
  type ClaimReading,
  type PartReading,
  type Said,
} from './claim-reading.ts';
import { GENERIC, isDeniedOrPossible, type EndedThing } from './ended-things.ts';
import {
  CHANGE_ELSEWHERE,
  AGE,
  ALLERGY,
  BIRTH,
  ENDING,
  HOME,
  MARRIAGE,
  OWNS,
  PARTNER,
  PARTNERS,
  REPLACEMENT,
  RETRACTION,
  ROLE,
  TOLD_OF_PARTNER,
  TASTE_CHANGED,
  TO_BE_DONE,
  WORK,
} from './ending-patterns.ts';
import { regex } from '../../language/words/lists.ts';
import { isMeant, isSomeShared } from './individuals.ts';
import { countsOtherThings, replacedValue } from './value-changes.ts';

/** Whether a clause says that something has ended, has changed or was never true. */
export function isEnding(text: string): boolean {
  const folded = fold(text);
  const ending = ENDING.exec(folded);
  if (ending && !isDeniedOrPossible(clauseBefore(folded, ending.index))) return true;
  return RETRACTION.test(folded) || REPLACEMENT.test(folded) || CHANGE_ELSEWHERE.test(folded);
}

/**
 * Returns the words of an earlier clause that a later one ends: those about the subject and the matter that the later
 * one says have ended ("we broke up", "I quit the choir", "not vegan anymore") or gives another value for ("now",
 * "moved to 10:00", "not Tuesday"). Undefined if it ends nothing of it. The same matter is needed, not only a shared
 * word, so that of two clauses that may both hold neither ends.
 *
 * @param isNext whether the later one is in the user's next message, so that "sorry, at 11" corrects the earlier one
 */
export function endedWords(later: Said, earlier: Said, isNext = false): string | undefined {
  const read = readClaim(later);
  // Who says again that something is over does not end what they said before.
  if (!reportsChange(read) || wordsKey(later.text) === wordsKey(earlier.text)) return undefined;
  if (takesBack(read)) return isNext ? earlier.text : undefined;
  const parts = readParts(earlier);
  return replacedIn(read, parts, isNext) ?? overIn(read, parts, earlier.text);
}

function replacedIn(later: ClaimReading, parts: readonly PartReading[], isNext: boolean): string | undefined {
  for (const target of parts) {
    if (!isSameSubject(later.people, target.people)) continue;
    if (namesOthers(later, target)) continue;
    if (haveOtherNames(later.people.names, target.people.names)) continue;
    for (const values of later.replacing) {
      // A plan that has changed says nothing of where one was, nor of what one likes.
      const isLasting = target.isBygone || target.isLiked || target.isDisliked;
      if (values.replacedName !== undefined && isLasting) continue;
      const words = replacedValue(values, target.values, isNext);
      if (words !== undefined) return words;
    }
  }
  return undefined;
}

/** Whether a clause is about somebody else, too: "my sister has 3 kids now" says nothing of my kids. */
function namesOthers(later: ClaimReading, target: ClaimReading): boolean {
  return [...later.people.roles].some((role) => !target.people.roles.has(role));
}

/** Returns the first run of parts that are over. */
function overIn(later: ClaimReading, parts: readonly PartReading[], text: string): string | undefined {
  const from = parts.findIndex((part) => endsPart(later, part));
  const first = parts[from];
  if (!first) return undefined;
  let to = from + 1;
  while (to < parts.length && endsPart(later, parts[to] ?? first)) to += 1;
  const over = to - from === parts.length ? text : text.slice(first.part.start, parts[to - 1]?.part.end);
  if (to > from + 1) return over;
  const stays = staysBehind(later);
  return stays ? over.split(stays)[0] : over;
}

/** Returns what separates the words that are over from those that stay true. */
function staysBehind({ isPromotion, changes }: ClaimReading): RegExp | undefined {
  if (isPromotion) return EMPLOYER;
  if (changes[HOME] !== undefined) return COMPANION;
  return ABOUT_PARTNERS.some((matter) => changes[matter] !== undefined) ? TOLD_OF_PARTNER : undefined;
}

const ABOUT_PARTNERS: readonly number[] = [PARTNER, MARRIAGE];

/** A promotion changes the title, not the employer. */
const EMPLOYER = /\s(?:at|with|for|in|on)\s|\s?\(/iu;
/** Those who move along. */
const COMPANION = regex(
  String.raw`\s(?:with|and|mit|con|avec|com) (?:{my}) (?=(?:\p{L}+ )?(?:cats?|dogs?|pets?|kids|children|wife|husband|girlfriend|boyfriend|partner|family|son|daughter|baby|{partner})\b)`,
  'iu',
);

function endsPart(later: ClaimReading, target: ClaimReading): boolean {
  if (later.possessors.size > 0 && !isSubset(later.possessors, target.stems)) return false;
  return (
    (!isProtected(later, target) &&
      (endsMatter(later, target) || replacesValue(later, target) || replacesAttribute(later, target))) ||
    later.endings.some((thing) => endsThing(thing, later, target)) ||
    changesTaste(later, target) ||
    replacesWish(later, target)
  );
}

/** A health condition ends only by a claim that names it, unless it is one that ends by itself. */
function isProtected(later: ClaimReading, target: ClaimReading): boolean {
  if (isSomeShared(later.conditions, target.conditions)) return false;
  return [...target.conditions].some((stem) => !PASSES.test(stem));
}

const PASSES = /^(?:pregnan|hospit)/u;

function endsMatter(later: ClaimReading, target: ClaimReading): boolean {
  return later.changes.some((before, matter) => {
    if (before === undefined || !target.matters[matter] || target.isEvent) return false;
    if (matter === WORK && isWithoutWork(later) && isWithoutWork(target)) return false;
    if (matter === HOME && !isSettled(later, target)) return false;
    if (isOfAnother(before, target.stems)) return false;
    const isPartner = ABOUT_PARTNERS.includes(matter);
    const [one, other] = isPartner
      ? [withoutPartner(later.people), withoutPartner(target.people)]
      : [matter === BIRTH ? withoutBaby(later) : later.people, target.people];
    if (!isSameSubject(one, other)) return false;
    // "Ida and I broke up" is not about Lea. The names of a new home or employer are always others.
    return matter !== PARTNER || !haveOtherNames(later.people.names, target.people.names);
  });
}

/** Whether a claim says that work has ended: to say so again ends nothing. */
function isWithoutWork({ folded }: ClaimReading): boolean {
  return WITHOUT_WORK.test(folded);
}

const WITHOUT_WORK =
  /\b(?:quit|left|lost|losing|fired|sacked|laid off|let go|redundant|resigned|retired|unemployed)\b/u;

/** Whether a move is to or from a place that is named. "A new flat" may be in the same town. */
function isSettled(later: ClaimReading, target: ClaimReading): boolean {
  if (NOT_THERE.test(later.folded)) {
    const places = new Set([...later.things].filter((stem) => !LIVING.has(stem)));
    return isSomeShared(places, target.stems);
  }
  return later.isElsewhere || DWELLING.test(target.folded) || isSomeShared(later.things, target.stems);
}

/** "I don't live in Turin any more" says nothing of other places. */
const NOT_THERE = /\b(?:no longer|(?:do|does)(?:n'?t| not)) live\b/u;
const LIVING = contentStems('live lives living');
const DWELLING =
  /\b(?:flat|apartment|house|studio|room|rent\w*|place|appart\w*|piso|wohnung|untermiete|chez|wg)\b|租/u;

function withoutPartner(people: People): People {
  return { ...people, roles: new Set([...people.roles].filter((role) => !PARTNERS.has(role))) };
}

/** "The baby was born, her name is Ida" is about the parents. */
function withoutBaby({ people, folded }: ClaimReading): People {
  if (!/\b(?:the|our|my) (?:little )?baby\b/u.test(folded)) return people;
  const roles = [...people.roles].filter((role) => role !== 'baby');
  return { ...people, roles: new Set(roles), isReferred: false };
}

function endsThing(thing: EndedThing, later: ClaimReading, target: ClaimReading): boolean {
  const { how, stems, names, subject, before, isOnce } = thing;
  if (how === 'dies' || how === 'leaves') {
    // "Valerie's boss left" is not about Valerie, who is my boss.
    if (!isSubset(thing.owners, target.possessors) && thing.owners.size > 0) return false;
    return (
      (how === 'dies' || ROLE.test(target.folded)) &&
      isOf(thing.people, target) &&
      isMeant(thing.people, later, target)
    );
  }
  if (target.isEvent || haveOtherNames(names, target.people.names)) return false;
  if ((isOnce || how === 'done') && onlyDescribes(stems, target, NEXT_WORD)) return false;
  // "I used to hate olives" does not end "I love olives"; whether a taste has changed is another question.
  if (target.isLiked && !target.isDisliked && (later.isDisliked || isOnce)) return false;
  const isNamed = [...stems].some((stem) => [...target.people.names].some((name) => isSameStem(stem, name)));
  if (names.size === 0 && !isNamed && haveOtherNames(later.people.names, target.people.names)) return false;
  if (isOfAnother(before, target.stems)) return false;
  if (how === 'cancels' && !mayBeCancelled(thing, target)) return false;
  if (
    how === 'stops' &&
    thing.activity.size > 0 &&
    isOwned(target) &&
    !isSomeShared(thing.activity, target.stems)
  )
    return false;
  if (how === 'stops' && [...names].some((name) => isModifier(name, stems, target))) return false;
  if (!areNamed(withoutService(stems, target), target)) return false;
  if (how === 'done') return TO_BE_DONE.test(target.folded);
  const isIll = target.conditions.size > 0;
  // What the words "my sister's cello" say of her is in the people of the whole claim.
  const isOfThing = subject.roles.size === 0 && !subject.isUser && !subject.isReferred;
  if (!isSameSubject(isOfThing ? later.people : subject, target.people)) return false;
  if (how === 'heals') return isIll && !isAllergic(target);
  if (how === 'mends') return COMPLAINT.test(target.folded);
  if (isProtected(later, target)) return false;
  if (isIll && isAllergic(target) && !isAllergic(later)) return false;
  if (how === 'returns') {
    // "I can eat again" says nothing about shellfish.
    const isWhole = stems.size > 1 || isSubset(target.things, stems);
    return isWhole && target.isDenied && !later.isDenied && !target.isDisliked;
  }
  if (target.isDenied) return false;
  return how !== 'sells' || (OWNS.test(target.folded) && !onlyDescribes(stems, target, COMPOUND));
}

/**
 * Whether a cancellation may end a claim. Who goes to work by taxi goes on doing so after having cancelled one, and a game that
 * is off for tomorrow is played again.
 */
function mayBeCancelled({ stems, isOfDay }: EndedThing, { folded }: ClaimReading): boolean {
  if (isOfDay) return BOOKED.test(folded) || isOfTheseDays(folded);
  return !isSomeShared(stems, RIDES) || BOOKED.test(folded) || OBTAINED.test(folded);
}

const BOOKED =
  /\b(?:book\w*|reserv\w+|order\w*|tickets?|appointments?|arranged|gebucht|bestellt|termin|cita|rendez-vous|prenot\w+)\b/u;
const OBTAINED =
  /\b(?:have|has|had|got|my|our|habe|haben|tengo|tenemos|avons|abbiamo|tenho)\b|'ve\b|\bj'ai\b/u;
const RIDES = contentStems(
  'taxi cab uber bus coach train tram flight plane ferry ride zug flug tren vuelo autobus vol treno volo trem voo',
);

/** Whether a claim is about something that somebody has, at any time: who stopped playing the piano still has one. */
function isOwned({ folded, measures }: ClaimReading): boolean {
  return OWNED.test(folded) && !SHARED.test(folded) && measures.every((values) => values.size === 0);
}

const OWNED = /(?:\b(?:have|has|had|got|own|owns|bought)|'ve) (?:an?|one|two|three|some|my|our|the)\b/u;
const SHARED =
  /\b(?:games?|lessons?|class(?:es)?|clubs?|sessions?|practice|hobby|spot|place|job|season|team|band)\b/u;

/** Whether a claim names all words of a thing, however they are joined: "bikeshare", "bike-share app". */
function areNamed(stems: ReadonlySet<string>, { stems: named, folded }: ClaimReading): boolean {
  const joined = folded.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [...stems].every(
    (stem) =>
      [...named].some((other) => isSameStem(stem, other)) || (stem.length >= JOINED && joined.includes(stem)),
  );
}

/** "Cancelled the gym subscription" ends "I pay for the gym", but not "I teach at the gym". */
function withoutService(stems: ReadonlySet<string>, { folded }: ClaimReading): ReadonlySet<string> {
  if (!PAYS.test(folded)) return stems;
  const left = new Set([...stems].filter((stem) => !SERVICE.has(stem)));
  return left.size > 0 ? left : stems;
}

const PAYS = /\b(?:pay|pays|paying|subscri\w+|member|bank|use|uses|using|watch|listen)\b/u;
const SERVICE = contentStems('subscription membership contract account app');

/** Minimum length of a word that is written as two elsewhere. */
const JOINED = 7;

/** Whether a claim is about somebody who is given by a name or a role. */
function isOf({ names, roles }: People, { people, isEvent }: ClaimReading): boolean {
  if (isEvent) return false;
  const isNamed = [...names].some((name) => people.names.has(name));
  // "My cousin Mia" is not "my cat Mia".
  const isOther =
    roles.size > 0 && people.roles.size > 0 && ![...roles].some((role) => people.roles.has(role));
  if (names.size > 0 && people.names.size > 0) return isNamed && !isOther;
  return isNamed || [...roles].some((role) => people.roles.has(role));
}

/** Whether a name only describes something else: "the Berlin marathon". */
function isModifier(name: string, stems: ReadonlySet<string>, { folded }: ClaimReading): boolean {
  const next = folded.split(name)[1]?.match(/^ (\p{L}+)/u)?.[1] ?? '';
  return [...contentStems(next)].some((stem) => !stems.has(stem));
}

/** Whether a thing only describes another one: "I have a piano teacher" is not about a piano that was sold. */
function onlyDescribes(stems: ReadonlySet<string>, { folded }: ClaimReading, pairs: RegExp): boolean {
  return Array.from(folded.matchAll(pairs)).some(([, word = '', next = '']) => {
    const isThing = [...contentStems(word)].some((stem) => stems.has(stem));
    return isThing && [...contentStems(next)].some((stem) => !stems.has(stem) && !GENERIC.has(stem));
  });
}

/** Pairs of words, the second of which may be what an article stands for. */
const COMPOUND = /\b(?:an?|the) (\p{L}+) (?!\p{L}+ly\b)(\p{L}+)/gu;
const NEXT_WORD = /\b(\p{L}+)(?= (?!\p{L}+(?:ly|ing)\b|every\b|each\b)(\p{L}+))/gu;
const COMPLAINT =
  /\b(?:bad|broken|busted|sore|torn|injured|sprained|fractured|damaged|hurts?|aches?|aching|leaks?|leaking|out of order|(?:doesn'?t|won'?t) (?:work|start|run))\b/u;

function isAllergic({ folded }: ClaimReading): boolean {
  return ALLERGY.test(folded);
}

/** "Yoga is on Mondays", "yoga is on Fridays now": the same things and another value of the same sort. */
function replacesValue(later: ClaimReading, target: ClaimReading): boolean {
  if (!later.isReplacement && !later.isRetraction) return false;
  // "No swimming this Tuesday" is about one day.
  if (/^no \p{L}/u.test(later.folded) && isOfTheseDays(later.folded)) return false;
  if (!isSameSubject(later.people, target.people) || namesOthers(later, target)) return false;
  if (haveOtherNames(later.people.names, target.people.names)) return false;
  if (countsOtherThings(later.values, later.things, target.stems)) return false;
  const hasOtherValue = later.measures.some((values, sort) => {
    const before = target.measures[sort] ?? new Set();
    return values.size > 0 && before.size > 0 && !isSomeShared(values, before);
  });
  if (!hasOtherValue) return false;
  if (AGE.test(later.folded) && AGE.test(target.folded)) return true;
  return isSubset(later.things, target.things) || isSubset(target.things, later.things);
}

/** "My boss is Karen", "my new boss is Tom": a person has one at a time. */
function replacesAttribute(later: ClaimReading, target: ClaimReading): boolean {
  if (!isSameSubject(ownersIn(later), ownersIn(target))) return false;
  return target.attributes.held.some((held) => later.attributes.replaced.includes(held));
}

function ownersIn({ people, attributes }: ClaimReading): People {
  const held = new Set([...attributes.held, ...attributes.replaced]);
  return { ...people, isUser: true, roles: new Set([...people.roles].filter((role) => !held.has(role))) };
}

/** "Answer in English", "from now on in Portuguese again": a wish about the same side of the answers. */
function replacesWish(later: ClaimReading, target: ClaimReading): boolean {
  return later.isWish && target.isWish && later.wishes.some((side) => target.wishes.includes(side));
}

/** "I love olives", "I can't stand olives now". */
function changesTaste(later: ClaimReading, target: ClaimReading): boolean {
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
