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
import { pattern } from '../../language/words/lists.ts';
import { endedThings, thingStems, type EndedThing } from './ended-things.ts';

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

const PART_END =
  /(?:[,;]\s*|[,;]?\s+)(?:and|but|so|,)?\s*(?=(?:i|i'?m|we|we'?re|he|he's|she|she's|they|my|our|his|her|work(?:s|ing)?|live|lives|living|just moved|moved)\b)(?<=[,;]\s*|\b(?:and|but|so)\s+)/iu;

/** Matches possibilities and plans, which change nothing yet. */
const UNREAL = pattern(
  String.raw`\b(?:if|might|may|could|would|should|will|gonna|want(?:s|ed)? to|wanna|going to|plan(?:s|ning)? to
    hop(?:e|es|ing) to|trying to|need to|think(?:ing)? (?:of|about)|considering|wish|almost|nearly|never
    didn't|haven't|hasn't|not (?:moved|quit|left)|i'll|we'll)\b`,
  'u',
);

const HAS_VERB =
  /\b(?:im|am|is|are|was|were|have|has|had|got|do|does|can|can't|don't|live|work|play|love|hate|like|eat|drink|need|take|use|go|want|study|\p{L}{3,}(?:s|ed|ing))\b|'(?:m|s|re|ve)\b/u;
const VERB =
  /\b(?:is|are|was|has|have|had|loves?|likes?|needs?|eats?|plays?|lives?|works?|goes|sleeps?)\b|'s\b/u;
/** Matches present states and activities of a person or an animal. */
const DESCRIBES = /\b(?:is|has|lives?|loves?|likes?|needs?|eats?|sleeps?|have|got|\p{L}+s)\b|'s\b/u;
const NAMES_ANIMAL = /\b(?:have|got|has|own)\b.{0,30}\b(?:named|called)\b/u;
const OWNS =
  /\b(?:have|has|had|own|owns|got|bought|drive|drives|driving|ride|rides|my|our|his|her|use|uses|keep|keeps)\b|'ve\b/u;
const ALLERGY = /\b(?:allerg\w*|intoleran\w*|alergi\w*)/u;
const DENIAL =
  /\b(?:not|never|no|nothing|cannot|don'?t|doesn'?t|can'?t|won'?t|isn'?t|aren'?t|hardly|without|nicht|kein\w*)\b/u;
const LIKES =
  /\b(?:love|loves|like|likes|enjoy|enjoys|adore|adores|a fan of|obsessed|favou?rite|fond of|into)\b/u;
const DISLIKES =
  /\b(?:hate|hates|dislike|dislikes|(?:can'?t|cannot) stand|(?:do|does)(?:n'?t| not) (?:really )?(?:like|love|enjoy)|dont like|sick of|fed up|bored (?:of|with)|not a fan|gone off|tired of)\b/u;
const TASTE_CHANGED =
  /\b(?:now|any ?more|again|these days|lately|no longer|after all|actually|gone off|grown to|came to)\b/u;
/**
 * Matches single events, which stay true: "I met Ida at the gym". Beginnings do not count, because they last: "I joined
 * a gym".
 */
const EVENT = pattern(
  String.raw`\b(?:i|we|he|she|they|who|\p{L}{3,})\s+(?:(?:just|also|really|finally|once|first|never)\s+)?(?!(?:signed
    started|joined|adopted|booked|subscribed|enrolled|moved|learned|rented|based|named|called|married
    engaged|retired|allergic|planned|interested|addicted|hired|need|speed|used|inherited|ordered)\b)(?:met
    went|were|did|saw|ate|drank|came|found|lost|won|felt|wrote|ran|fell|told|said|taught|gave|spent|heard
    threw|grew|slept|sang|swam|flew|drove|broke|\p{L}{2,}ed)\b`,
  'u',
);

const AGE =
  /(?:'m|\bim|\bam|\bis|'s|\bare|\bturn(?:s|ed)?) (?:now )?\d{1,3}(?: ?(?:years?|yrs?|months?)(?: old)?)?(?:$|[\s]*(?:now|already|today|yesterday|last|this|$|[.,!]))/u;

const RENEWED = pattern(
  String.raw`\b(?:new|neue[rns]?|nuev[ao]|nouve\w+|nov[ao])\s+({held})\b(?=\s*(?:$|[,.!;:(]|(?:is|was|are|now|called|named|and|at|from|since|as|starting|last|this|today|yesterday|'s)\b|\p{Lu}))`,
  'gu',
);
/** Matches things that a person has one of at a time, as a subject or after "my". */
const HELD = pattern(
  String.raw`\b(?:my|our|his|her|mein\w*|mi|mon|ma|meu|minha|\p{L}+'s)\s+(favou?rite \p{L}+|{held}|rent|salary
    surname|last name|pronouns|major|thesis topic|job title|lehrer(?:in)?|chef(?:in)?|jef[ae]|profesora?
    medic[ao])(?='s| is| are| was|,|[.]|$)`,
  'gu',
);

/** Sorts of values: weekdays, months, numbers. Two of a sort can replace each other. */
const VALUES: readonly RegExp[] = [
  pattern(String.raw`\b(?:{weekday})s?\b|\b(?:{weekdayElsewhere})\b`, 'gu'),
  pattern(String.raw`\b(?:{month})\b`, 'gu'),
  /\d+(?:[.,:]\d+)?|\b(?:once|twice|noon|midnight|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gu,
];

const PARTNERS: ReadonlySet<string> = new Set(
  'wife husband girlfriend boyfriend fiance fiancee partner spouse ex'.split(' '),
);
/** Index in {@link MATTERS}. */
const PARTNER = 2;

/**
 * Matches statements of home, work, partner, diet and school, which a person has one of at a time, and reports that it
 * has changed.
 */
const MATTERS: readonly (readonly [says: RegExp, changes: RegExp])[] = [
  [
    /\b(?:live|lives|living|based|moved (?:to|in)|(?:my|our|a|the) (?:\p{L}+ )?(?:flat|apartment|house|place)|rent|renting|wohne|vivo|vivimos|j'habite|moro)\b|住/u,
    pattern(
      String.raw`\b(?:moved (?:out|back|house|in with|away|here)|relocated
    (?:(?<=^|^(?:ok|so|and|but|well|yeah|update|actually|finally|just)\W+)
    (?:i|we|i'?ve|we'?ve|he|she|they|(?:my|our) \p{L}+
    \p{L}+'s) (?:have |has |had )?(?:just |finally |recently |both |all )?)moved (?:over )?(?:from \p{L}+ )?to (?!\d
    (?:the|an?|another|my|our|his|her|their) (?!(?:\p{L}+ ){0,2}(?:house|flat|apartment|place|town|city
    village|suburbs?|country|countryside|coast|island|farm|studio|cottage|us|uk|netherlands|hague)\b)
    (?:\p{L}+ ){0,2}(?:jobs?|posts?|roles?|teams?|positions?|shifts?|projects?|desks?|phases?)\b
    (?:{weekday}))\p{L}+|i'?ve moved$|we'?ve moved$|(?:we|i) moved(?=$|[.!,]| (?:last|this|yesterday|in))
    (?:bought|got|found|rented|into) (?:a|our|my|the) new (?:flat|apartment|house|place)
    (?:live|lives|living) (?:in|at|with) [\p{L} ]{2,40} now|now (?:live|living|lives|based) in
    (?:no longer|(?:do|does)n'?t) live|umgezogen|me mude|demenage|me mudei)(?!\p{L})|搬到|引っ越し`,
      'u',
    ),
  ],
  [
    pattern(
      String.raw`\b(?:(?:my|his|her|new|full-time|part-time) job|works? (?:at|as|for|in)|working (?:at|as|for)
    night shifts?|nights|employer|(?:i'?m|i am|is|'s|as) (?:an? )?(?:\p{L}+ )?(?:{job})|arbeite|trabajo
    laburo|travaille|trabalho)(?!\p{L})|工作|上班|働`,
      'u',
    ),
    pattern(
      String.raw`\b(?:(?:started|starting|got|found|have|in) (?:a|my|the|his|her) new job
    (?:quit|left|lost) (?:my|the|his|her) (?:\p{L}+ )?job
    quit(?=$|[.!,]| (?:today|yesterday|last|this|on \p{L}+day|and|because|in))|resigned
    (?:got|was|been) (?:fired|sacked|let go|made redundant)|laid off
    (?:i'?m|is|i am|'s) (?:now )?(?:retired|unemployed)|(?:i|he|she) (?:just |finally )?retired|changed jobs
    (?:i'?m|i am|is|'s|as) (?:an? )?(?:\p{L}+ )?(?:{job}) now|works? (?:at|for|as) [\p{L} ]{2,30} now
    now (?:works?|working) (?:at|for|as)|no longer work|gekundigt|renuncie|demissionne|me demiti)(?!\p{L})
    辞め|やめました|换工作|辞职`,
      'u',
    ),
  ],
  [
    pattern(String.raw`\b(?:{partner}|seeing)\b|女友|男友|彼女|彼氏`, 'u'),
    pattern(
      String.raw`\b(?:broke up|(?:we|i) split|split up|divorced|separated|dumped|is my ex|single (?:now|again)
    not together|called off (?:the|our) engagement|getrennt|corte con|lo dejamos|on a rompu|on s'est separes
    terminamos)\b|分手|別れ`,
      'u',
    ),
  ],
  // Single foods are handled with the endings of things: "I don't eat fish anymore".
  [
    pattern(String.raw`\b(?:{vegetarian}|plant-based|don'?t eat (?:meat|fish))\b|素食|菜食`, 'u'),
    pattern(
      String.raw`\b(?:(?:not|no longer) (?:an? )?(?:{vegetarian})|eat(?:s|ing)? (?:\w+ )?(?:meat|fish|everything) again|(?:an? )?(?:{vegetarian}) now)\b`,
      'u',
    ),
  ],
  [/\b(?:sober|don'?t drink(?: alcohol)?$)/u, /\b(?:drinking again|no longer sober)\b/u],
  [
    /\b(?:study|studying|studies|student|at uni|university|degree|major(?:ing)? in)\b|学/u,
    /\b(?:dropped out|graduated|switched (?:majors?|courses?)|changed (?:majors?|courses?)|finished (?:my|the|his|her) (?:degree|studies))\b/u,
  ],
];

/** Matches statements that something named in the clause has ended. */
const ENDING = pattern(
  String.raw`\b(?:any ?more|no longer|used to|quit|quitting|gave up|given up|got rid of|cancel+ed|called off
    fell through|sold|broke up|divorced|separated|stopped|dropped|passed away|died|is over|it's over
    closed down|shut down|gone|deferred|postponed|nicht mehr|aufgehort|gekundigt|verkauft|getrennt|ya no
    deje|vendi|renuncie|corte con|ne plus|plus de|arrete|quitte|vendu|nao mais|larguei|parei)\b|\bno more\b
    \b(?:left|leaving) (?:the|my|our|\p{L}+ (?:in|last|on|for))\b|不再|辞|卖了|やめ|もう.{0,40}ない|別れ`,
  'u',
);
const RETRACTION = pattern(
  String.raw`\b(?:scratch that|forget (?:that|what i said|it)|ignore (?:that|what i said)|never ?mind|correction
    i was wrong|i lied|(?:i was |just )?(?:kidding|joking)|i meant|my mistake|not true|vergiss das|olvidalo
    oublie|esquece)\b|当我没说|間違え`,
  'u',
);
const REPLACEMENT = pattern(
  String.raw`\b(?:now|instead|actually|new|changed?|changing|switch(?:ed|ing)?|moved? to|replaced|rather than|raised
    lowered|from now on|no longer|turns out|back to|again|became|promoted|jetzt|stattdessen|neue[rns]?|ahora
    en vez|nuev[ao]|maintenant|nouve\w+|agora|nov[ao])\b|^no\b|现在|换|改|今は|変わ`,
  'u',
);
