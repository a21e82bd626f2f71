import { fold } from '../../language/fold.ts';
import { isLimitedInTime, isOfTheseDays } from '../../language/limited-times.ts';
import { contentStems } from '../../language/matters.ts';
import { clauseBefore, namesIn, peopleIn, possessorsIn, type People } from '../../language/people.ts';
import { wordsOf } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';
import { STOP_WORDS } from '../../language/words/stop-words.ts';
import { EVENT, MAY_BE } from './ending-patterns.ts';
import { ENDED_THINGS, type EndedHow, type EndedThingPattern } from './ended-thing-patterns.ts';

/** The effect of a claim on a thing that it names. */
export interface EndedThing {
  readonly how: EndedHow;
  /** Stems of its words, all of which a claim that it ends has; never empty. */
  readonly stems: ReadonlySet<string>;
  /** Names in its words. */
  readonly names: ReadonlySet<string>;
  /** Who the thing is, if it is a person or a pet. */
  readonly people: People;
  /** Stems of those whom the thing belongs to: "ben" in "Ben's boss". */
  readonly owners: ReadonlySet<string>;
  readonly subject: People;
  /** The words of its clause in front of what says so; empty where the thing itself stands there. */
  readonly before: string;
  /** Stems of what is done with it: "play" in "stopped playing the piano". */
  readonly activity: ReadonlySet<string>;
  /** Whether it is over for these days only. */
  readonly isOfDay: boolean;
  /** Whether it may be over this once: who has finished the soup may love soup. */
  readonly isOnce: boolean;
}

/** Returns what ends according to a claim without a speaker's label. */
export function endedThings(text: string): EndedThing[] {
  const things: EndedThing[] = [];
  for (const { how, of, pattern } of ENDED_THINGS) {
    for (const match of text.replaceAll('’', "'").matchAll(pattern)) {
      const before = clauseBefore(text, match.index);
      const behind = text.slice(match.index + match[0].length);
      if (endsNothing({ how, of, said: match[0], before: fold(before), behind })) continue;
      const words = withSmallOpening(
        of === 'subject' ? before : of === 'object' ? objectIn(behind) : clauseIn(behind),
      );
      const stems = thingStems(words, how === 'dies' || how === 'leaves');
      if (stems.size === 0) continue;
      const subject = peopleIn(before);
      const names = namesIn(`x ${words}`);
      things.push({
        how,
        stems,
        names,
        people: peopleIn(`x ${words.replaceAll(/\p{L}+['’]s (?=\p{L})/gu, '')}`),
        owners: possessorsIn(fold(words)),
        subject,
        before: of === 'subject' ? '' : before,
        isOfDay: OF_DAY.test(behind.slice(0, cut(behind, SENTENCE_END))),
        activity: contentStems(ACTIVITY.exec(words)?.[0] ?? ''),
        isOnce: ONCE.test(match[0]),
      });
    }
  }
  return things;
}

/** The words that say that something ends, and those around them. */
interface EndingWords extends Pick<EndedThingPattern, 'how' | 'of'> {
  readonly said: string;
  /** Folded. */
  readonly before: string;
  readonly behind: string;
}

/** Whether the words around it leave everything as it was. */
function endsNothing({ how, of, said, before, behind }: EndingWords): boolean {
  if (isDeniedOrPossible(before) || AT_A_TIME.test(before)) return true;
  if (of === 'subject' && (PASSING.test(before) || NEARBY.test(before))) return true;
  const sentence = fold(behind.slice(0, cut(behind, SENTENCE_END)));
  if ((how === 'stops' || how === 'cancels') && isLimited(before, sentence, of)) return true;
  return SWAPPED.test(said) && isSwappedOnce(before, sentence);
}

/** Whether something stops at some times only: "no coffee after 3", "the gym is closed this Friday". */
function isLimited(before: string, behind: string, of: EndedThingPattern['of']): boolean {
  const sentence = `${before} ${behind}`;
  return (
    isLimitedInTime(behind) || (of === 'subject' && (isOfTheseDays(sentence) || NEXT_WEEK.test(sentence)))
  );
}

const NEXT_WEEK = /(?<!\b(?:as of|from|since|to|until|till) )\bnext (?:week(?:end)?|month)\b/u;

/** Whether things are swapped on one day or not at all: "tomorrow at hers instead of my office", "if we took the car instead". */
function isSwappedOnce(before: string, behind: string): boolean {
  return (
    isOfTheseDays(`${before} ${behind}`) ||
    SUPPOSED.test(before) ||
    (EVENT.test(before) && !LASTS.test(before))
  );
}

/** Returns words without the capital letter with which a sentence begins, which is not that of a name: "My dog". */
function withSmallOpening(words: string): string {
  return words.replace(OPENING, (word) => (STOP_WORDS.has(word.toLowerCase()) ? word.toLowerCase() : word));
}

/** Returns the stems of the words about things: without people, dates and numbers. */
export function thingStems(text: string, withPeople = false): Set<string> {
  const folded = fold(text);
  const left = contentStems(folded.replaceAll(NO_THING, ' '));
  if (!withPeople) {
    const people = (['kin', 'others'] as const).flatMap((wordClass) => wordsOf(folded, wordClass));
    for (const stem of contentStems(people.join(' '))) left.delete(stem);
  }
  const specific = new Set([...left].filter((stem) => !GENERIC.has(stem)));
  return specific.size > 0 ? specific : left;
}

function clauseIn(text: string): string {
  return text.slice(0, cut(text, CLAUSE_END));
}

function objectIn(text: string): string {
  return text.replace(/^\s*(?:on|out of)\b/u, '').slice(0, cut(text, OBJECT_END));
}

function cut(text: string, pattern: RegExp): number {
  const at = text.search(pattern);
  return at < 0 ? text.length : at;
}

const ACTIVITY = /^\s*(?:on )?\p{L}+ing(?= (?!(?:in|for|with|at|on|to)\b)\p{L})/iu;
const OF_DAY =
  /\bfor (?:today|tonight|tomorrow|(?:this|the) (?:day|night|morning|evening|afternoon|weekend|week))\b/iu;
const SWAPPED = /^instead of/iu;
const OPENING = /^\s*\p{Lu}\p{Ll}*/u;
const LASTS = /\b(?:switch\w*|chang\w+|start\w*|decided|chose|now)\b/u;
const ONCE = /\b(?:instead of|finished|cancel+ed|called off|over|gone|closed|left|deleted)\b/iu;
/** What passes every time: "dinner is over", "all the milk is gone". */
const PASSING =
  /^all (?:of )?(?:the|my|our)\b|\b(?:breakfast|lunch|dinner|supper|film|movie|show|episode|match|game|weekend|day|night|evening|morning|party|meeting|call|break|storm|rain|snow|sun|week|month|year|summer|winter|autumn|spring|holidays?|school)(?: is| was|'s| are)?\s*$/u;
const NEARBY =
  /\b(?:next door|across the (?:street|road)|down the (?:street|road)|of (?:my|our|the|a|his|her|their) \p{L}+)\s*$/u;
const SUPPOSED = /^(?:if|suppose|imagine|would|could|should)\b/u;
const SENTENCE_END = /[;:.!?]/u;
const CLAUSE_END = regex(
  String.raw`[,;:.!?()–—]|\s(?:because|cause|cuz|bc|since|after|before|when|while|as|so|but
    and (?:i|we|he|she|it|they|now|my|the)|due to|thanks to|last|this|next|yesterday|today|tonight|at all
    either|after all|these days|any ?more|now|again|ago)\b`,
  'iu',
);
const OBJECT_END = new RegExp(
  String.raw`${CLAUSE_END.source}|\s(?:to|for|with|at|from|in|on|by|and|or)\b`,
  'iu',
);

/** Weekdays, months, other words of time, and numbers. */
const NO_THING = regex(
  String.raw`\p{N}[\p{N}.,:]*(?:st|nd|rd|th|am|pm|h|k)?|\b(?:{weekday})s?\b|\b(?:{month}|{season}|easter|christmas|xmas|ramadan)\b
    \b(?:mornings?|evenings?|nights?|afternoons?|weekends?|daily|weekly|monthly|hours?|minutes?|weeks?
    months?|years?|today|tonight|longer|anymore|turns|turned)\b|\b(?:{weekdayElsewhere})\b`,
  'gu',
);

/** Words that do not say which of several things is meant. */
export const GENERIC: ReadonlySet<string> = new Set([
  ...contentStems(
    'class lesson course club team practice group session training play playing song idea plan notice',
  ),
  ...contentStems(
    'thing stuff project free streak routine habit party end last adore enjoy watch listen follow',
  ),
]);

/** Whether the words in front of a change deny it or say that it may be: "I want to quit", "I have not sold it". */
export function isDeniedOrPossible(before: string): boolean {
  return DENIED_OR_POSSIBLE.test(before);
}

const DENIED_OR_POSSIBLE = regex(
  String.raw`\b(?:if|might|${MAY_BE}|could|would|should|must|will|gonna|want(?:s|ed)? to|wanna|going to|plan(?:s|ning)? to
    planning on|hop(?:e|es|ing) to|trying to|tried to|need to|have to|has to|think(?:ing)? (?:of|about)
    considering|wish|almost|nearly|never|not|dream(?:ed|t)?|imagine|suppose|about to|refus\w+ to|scared|afraid|worried
    nicht|nie|niemals|kein\w*|(?:\w+n't|cannot)(?! (?:believe|wait)\b)|wont|dont|havent|hasnt|i'll|we'll|he'll|she'll|they'll)(?: \w+){0,2}\s*$
    \b(?:no|nunca|jamas|nao|non|ne|n'\w+)\s*$`,
  'u',
);
const AT_A_TIME = /\b(?:since|when|until|before|after)(?: \w+){0,2}\s*$/u;
