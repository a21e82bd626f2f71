import { fold } from '../../language/fold.ts';
import { isLimitedInTime, isOfTheseDays } from '../../language/limited-times.ts';
import { contentStems } from '../../language/matters.ts';
import { clauseBefore, namesIn, peopleIn, possessorsIn, type People } from '../../language/people.ts';
import { wordsOf } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';
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
}

/** Returns what ends according to a claim without a speaker's label. */
export function endedThings(text: string): EndedThing[] {
  const things: EndedThing[] = [];
  for (const { how, of, pattern } of ENDED_THINGS) {
    for (const match of text.replaceAll('’', "'").matchAll(pattern)) {
      const before = clauseBefore(text, match.index);
      const behind = text.slice(match.index + match[0].length);
      if (UNREAL.test(fold(before))) continue;
      const words = of === 'subject' ? before : of === 'object' ? objectIn(behind) : clauseIn(behind);
      if (how === 'stops' && isLimited(before, behind, of)) continue;
      // "Tomorrow we meet at hers instead of my office" is about that day, and "if we took the car instead" about none.
      const isSwap = SWAPPED.test(match[0]);
      if (isSwap && (isOfTheseDays(fold(before)) || SUPPOSED.test(fold(before)))) continue;
      const stems = thingStems(words, how === 'dies');
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
      });
    }
  }
  return things;
}

/** Whether something stops at some times only: "no coffee after 3", "the gym is closed this Friday". */
function isLimited(before: string, behind: string, of: EndedThingPattern['of']): boolean {
  const clause = behind.slice(0, cut(behind, SENTENCE_END));
  return isLimitedInTime(fold(clause)) || (of === 'subject' && isOfTheseDays(fold(`${before} ${clause}`)));
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

const SWAPPED = /^instead of/iu;
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
const GENERIC: ReadonlySet<string> = new Set([
  ...contentStems(
    'class lesson course club team practice group session training play playing song idea plan notice',
  ),
  ...contentStems(
    'thing stuff project free streak routine habit party end last adore enjoy watch listen follow',
  ),
]);

/** Matches possibilities and denials, which end nothing: "I want to quit", "I have not sold it". */
const UNREAL = regex(
  String.raw`\b(?:if|might|may|could|would|should|must|will|gonna|want(?:s|ed)? to|wanna|going to|plan(?:s|ning)? to
    planning on|hop(?:e|es|ing) to|trying to|tried to|need to|have to|has to|think(?:ing)? (?:of|about)
    considering|wish|almost|nearly|never|not|\w+n't|wont|dont|havent|hasnt|i'll|we'll|he'll|she'll|they'll
    since|when|until|before|after)(?: \w+){0,2}\s*$`,
  'u',
);
