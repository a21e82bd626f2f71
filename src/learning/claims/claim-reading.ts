import { answerWishIn } from '../../language/acts/answer-wishes.ts';
import { fold } from '../../language/fold.ts';
import { contentStems, isStandingWish } from '../../language/matters.ts';
import {
  clauseBefore,
  isOfAnother,
  peopleIn,
  possessorsIn,
  withoutLabel,
  type People,
} from '../../language/people.ts';
import { readText } from '../../language/read-text.ts';
import { isIn } from '../../language/words/lexicon.ts';
import { wordsOf } from '../../language/words/life-words.ts';
import { partsOf, type ClaimPart } from './claim-parts.ts';
import { endedThings, isDeniedOrPossible, thingStems, type EndedThing } from './ended-things.ts';
import {
  DENIAL,
  DISLIKES,
  EVENT,
  HELD,
  LIKES,
  MATTERS,
  PAST,
  PROMOTION,
  RENEWED,
  REPLACEMENT,
  RETRACTION,
  UNREAL,
  VALUES,
  WISHES,
} from './ending-patterns.ts';
import { readValues, type ValueReading } from './value-changes.ts';

/** What decides whether a clause ends another one or is ended by it. Words are in lower case; stems are index terms. */
export interface ClaimReading {
  readonly folded: string;
  readonly stems: ReadonlySet<string>;
  /** Stems of the words about things: without people, dates and numbers. */
  readonly things: ReadonlySet<string>;
  readonly people: People;
  /** What ends according to the clause. */
  readonly endings: readonly EndedThing[];
  /** Weekdays, months and numbers. */
  readonly measures: readonly ReadonlySet<string>[];
  readonly attributes: { readonly held: readonly string[]; readonly replaced: readonly string[] };
  /** Stems of health conditions. */
  readonly conditions: ReadonlySet<string>;
  /** For each of `MATTERS`, whether the clause is about it. */
  readonly matters: readonly boolean[];
  /** For each of `MATTERS`, the words in front of its change, or undefined if it has not changed. */
  readonly changes: readonly (string | undefined)[];
  /** Whether it is about the past or about what may be: neither changes what holds now. */
  readonly isBygone: boolean;
  /** Whether it asks about something that is not the speaker's own. */
  readonly isAsked: boolean;
  /** Whether it names the place of a move. */
  readonly isElsewhere: boolean;
  /** Stems of those who something belongs to. */
  readonly possessors: ReadonlySet<string>;
  readonly isRetraction: boolean;
  readonly isReplacement: boolean;
  readonly values: ValueReading;
  /** The values of each of its parts. */
  readonly replacing: readonly ValueReading[];
  /** Stems of what is liked or disliked. */
  readonly tasted: ReadonlySet<string>;
  readonly isLiked: boolean;
  readonly isDisliked: boolean;
  readonly isDenied: boolean;
  readonly isEvent: boolean;
  readonly isPromotion: boolean;
  /** Whether it asks for something in every answer. */
  readonly isWish: boolean;
  /** Indexes in `WISHES` of what it asks for. */
  readonly wishes: readonly number[];
}

/** A part of a clause that can end by itself. */
export interface PartReading extends ClaimReading {
  readonly part: ClaimPart;
}

/** Number of characters of a clause that are read: each of its words looks at those around it. */
const READ_CHARACTERS = 500;
/** A clause. */
export interface Said {
  readonly text: string;
}

// Each clause is compared with many.
const readings = new WeakMap<Said, ClaimReading>();
const partReadings = new WeakMap<Said, readonly PartReading[]>();

/** Reads a clause as a whole. */
export function readClaim(claim: Said): ClaimReading {
  const read = readings.get(claim) ?? readWords(claim.text);
  readings.set(claim, read);
  return read;
}

/** Reads the parts of a clause one by one. A part without a subject has that of the part before it. */
export function readParts(claim: Said): readonly PartReading[] {
  const known = partReadings.get(claim);
  if (known) return known;
  const { names } = peopleIn(withoutLabel(claim.text.slice(0, READ_CHARACTERS)));
  let subject: People | undefined;
  const parts = partsOf(claim.text).map((part): PartReading => {
    const read = readWords(part.text);
    const { isUser, isReferred, roles } = read.people;
    const isOwn = isUser || isReferred || roles.size > 0 || !subject;
    // A name that begins a part looks like the first word of a sentence.
    const named = new Set([...names].filter((name) => read.folded.includes(name)));
    subject = { ...(isOwn || !subject ? read.people : subject), names: named };
    return { ...read, people: subject, part };
  });
  partReadings.set(claim, parts);
  return parts;
}

/** Whether a clause can end anything. */
export function reportsChange(read: ClaimReading): boolean {
  const { endings, isAsked, isReplacement, isWish, isRetraction, changes, replacing } = read;
  if (isAsked) return false;
  return (
    endings.length > 0 ||
    isReplacement ||
    isWish ||
    isRetraction ||
    changes.some((before) => before !== undefined) ||
    replacing.some(
      ({ isChange, isCorrection, denied, replacedName }) =>
        isChange || isCorrection || denied.size > 0 || replacedName !== undefined,
    )
  );
}

/** Whether a clause takes back what was said right before, whatever it is: "scratch that". */
export function takesBack({ isRetraction, stems, replacing }: ClaimReading): boolean {
  return isRetraction && stems.size < 2 && replacing.every(({ values }) => values.length === 0);
}

function readWords(text: string): ClaimReading {
  const said = withoutLabel(text.slice(0, READ_CHARACTERS));
  const folded = fold(said);
  const isBygone = UNREAL.test(folded) || PAST.test(folded);
  return {
    folded,
    stems: contentStems(said),
    things: thingStems(said),
    people: peopleIn(said),
    endings: endedThings(said),
    measures: VALUES.map((value) => new Set(folded.match(value)?.map((each) => each.replace(/s$/u, '')))),
    attributes: attributesIn(said, folded),
    conditions: contentStems(wordsOf(folded, 'health').join(' ')),
    // Matters with a single value per person at a time, and those of them that have changed.
    matters: MATTERS.map(([says]) => says.test(folded)),
    changes: MATTERS.map(([, changes]) => (isBygone ? undefined : beforeChange(folded, changes))),
    isBygone,
    isAsked: ASKED.test(folded) && readText(said).opensAsking && !/\b(?:i|we)\b/u.test(folded),
    isElsewhere: namesPlace(said),
    possessors: possessorsIn(folded),
    isRetraction: RETRACTION.test(folded),
    isReplacement: (REPLACEMENT.test(folded) || TURNED.test(folded)) && !UNREAL.test(folded),
    values: readValues(text.slice(0, READ_CHARACTERS)),
    replacing: replacingIn(text.slice(0, READ_CHARACTERS)),
    tasted: thingStems(folded.replaceAll(new RegExp(`${LIKES.source}|${DISLIKES.source}`, 'gu'), ' ')),
    isLiked: LIKES.test(folded),
    isDisliked: DISLIKES.test(folded),
    isDenied: DENIAL.test(folded),
    isEvent: EVENT.test(folded),
    isPromotion: PROMOTION.test(folded),
    isWish: isStandingWish(folded) || answerWishIn(folded) !== undefined,
    wishes: WISHES.flatMap((wish, side) => (wish.test(folded) ? side : [])),
  };
}

/** Returns the values that each part of a clause gives. */
function replacingIn(text: string): ValueReading[] {
  return text.split(/[,;]\s+|\s(?:so|and|but)\s/u).map(readValues);
}

/** Returns the words of the clause in front of a change, or undefined without one. */
function beforeChange(folded: string, changes: RegExp): string | undefined {
  const match = changes.exec(folded);
  if (!match) return undefined;
  const verb = match[0].indexOf('moved'); // its subject is part of the match
  const before = clauseBefore(folded, match.index + Math.max(0, verb));
  return isDeniedOrPossible(before) ? undefined : before;
}

function attributesIn(said: string, folded: string): { held: string[]; replaced: string[] } {
  const found = Array.from(folded.matchAll(HELD), ({ 0: { length }, 1: noun = '', index }) => {
    return { noun, isState: isState(noun, folded.slice(index + length), said) };
  });
  const renewed = Array.from(folded.matchAll(RENEWED)).flatMap(({ index, 1: noun = '' }) =>
    isOfAnother(clauseBefore(folded, index), NO_STEMS) ? [] : noun,
  );
  const held = found.map(({ noun }) => noun);
  const given = found.filter((each) => !each.isState).map(({ noun }) => noun);
  return { held, replaced: [...renewed, ...(REPLACEMENT.test(folded) ? given : [])] };
}

/** Whether a clause says how or where somebody's thing or person is, not which one it is: "my car is dirty now". */
function isState(noun: string, behind: string, said: string): boolean {
  const { degree, value = '' } = IS_NOW.exec(behind)?.groups ?? {};
  if (value === '') return false;
  if (GIVEN_BY_WORDS.test(noun)) return PAID.test(value);
  if (degree !== undefined || (PLACED.test(value) && !HAS_PLACE.test(noun))) return true;
  const isName = said.split(/[^\p{L}]+/u).some((word) => /^\p{Lu}/u.test(word) && fold(word) === value);
  return !isName && DESCRIBES.test(value);
}

const IS_NOW =
  /^(?:'s| is| are| ist| sind) (?:(?:now|actually|finally|still|always|usually|often|jetzt|nun|gerade|wieder) )?(?<degree>(?:very|so|too|really|quite|pretty|all|completely|even|a bit|a little) )?(?<value>\p{L}+)/u;
/** What has a word as its value: "my major is biology now". */
const GIVEN_BY_WORDS =
  /^(?:favou?rite|rent|salary|surname|last name|pronouns|major|thesis topic|job title|address|nickname|password|goal)/u;
/** What has a place or a day as its value: "my job is at Amazon now". */
const HAS_PLACE = /^(?:flat|apartment|job|deadline)/u;
const PAID = /^(?:due|paid|overdue|late)$/u;
const PLACED =
  /^(?:at|in|on|under|with|without|off|away|out|back|here|there|home|late|gone|up|down|over|by|near|for|like|im|am|auf|bei|weg|krank)$/u;
/** Words that look like those of a state; names such as Mary and Fred do not. */
const DESCRIBES =
  /^\p{L}{3,}(?:ed|ing|ful|less|ish|ous|ive|able|ier)$|^(?:(?:nic|old|young|bigg|small|bett|strict|long|short|fast|slow|cheap|clos|loud|clean|strong|weak)er|(?:angr|bus|happ|craz|laz|mood|grump|nast|push|friendl|dirt|mess|nois|fuss|empt|heav|shak|dust|rust|smell|sweat|scar|sunn|wind|fogg|chill|health|wealth|luck|sleep|hungr|thirst|boss|cheek|read|stead|ugl|prett|funn|sill|chatt|lonel)y|late|ill|sick|dead|broken|stuck|lost|worse|fine|ok|okay|good|bad|great|nice|mad|sad|clean|slow|fast|quiet|cold|hot|warm|dark|full|new|old|big|small|safe|pregnant|wrong|loud|mean|cool|kind|strict|calm|weird|asleep|awake|alone|being)$/u;

/** Whether a clause names the place of a move. In lower case, it is a word that means nothing else. */
function namesPlace(said: string): boolean {
  const isSmall = said === said.toLowerCase();
  return Array.from(said.matchAll(PLACE)).some(([, word = '']) => {
    if (/^\p{Lu}/u.test(word) || /\p{Script=Han}/u.test(word)) return true;
    return isSmall && word.length > 2 && !NO_PLACES.some((list) => isIn(list, word));
  });
}

const PLACE =
  /(?<!\p{L})(?:moved|relocated|live|lives|living|based|house|flat|apartment|place|night|week|weekend|morning|nacht|woche|appart\p{L}*|piso|noche|casa|home)\s+(?:over\s+|back\s+|out\s+)?(?:from \p{L}+\s+)?(?:to|in|into|at|à|a|en|em|nach|near|of)\s+(?!an?\s|my\s|our\s|his\s|her\s|their\s|another\s)(?:the\s+)?(\p{L}[\p{L}'-]*)|(?:umgezogen|搬到|到了|搬去)(\p{L})?/giu;
const NO_PLACES = ['no-place', 'no-city', 'technology', 'no-name'] as const;

/** "He turned 16". */
const TURNED = /\bturn(?:s|ed) \d/u;
const ASKED = /\?[^\p{L}\p{N}]*$/u;
const NO_STEMS: ReadonlySet<string> = new Set();
