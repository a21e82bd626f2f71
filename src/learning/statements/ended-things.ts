import { fold } from '../../language/fold.ts';
import { isLimitedInTime } from '../../language/limited-times.ts';
import { contentStems } from '../../language/matters.ts';
import { clauseBefore, namesIn, peopleIn, type People } from '../../language/people.ts';
import { wordsOf } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';

/** The effect of a statement on a thing that it names. */
export interface EndedThing {
  /**
   * `stops`: it is over. `sells`: nobody owns it any more. `dies`: somebody or a pet has died. `returns`: what was
   * denied is so again. `heals`: an illness is over.
   */
  readonly how: 'stops' | 'sells' | 'dies' | 'returns' | 'heals';
  /** Stems of its words, all of which a statement that it ends has; never empty. */
  readonly stems: ReadonlySet<string>;
  /** Names in its words. */
  readonly names: ReadonlySet<string>;
  readonly subject: People;
  /** The words of its clause in front of what says so; empty where the thing itself stands there. */
  readonly before: string;
}

/** Returns what ends according to a statement without a speaker's label. */
export function endedThings(text: string): EndedThing[] {
  const things: EndedThing[] = [];
  for (const { how, of, pattern } of PATTERNS) {
    for (const match of text.replaceAll('’', "'").matchAll(pattern)) {
      const before = clauseBefore(text, match.index);
      const behind = text.slice(match.index + match[0].length);
      if (UNREAL.test(fold(before))) continue;
      const words = of === 'subject' ? before : of === 'object' ? objectIn(behind) : clauseIn(behind);
      if (how === 'stops' && isLimited(before, behind, of)) continue;
      const stems = thingStems(words, how === 'dies');
      if (stems.size === 0) continue;
      const subject = peopleIn(before);
      const names = namesIn(`x ${words}`);
      things.push({ how, stems, names, subject, before: of === 'subject' ? '' : before });
    }
  }
  return things;
}

/** Whether something stops at some times only: "no coffee after 3", "the gym is closed this Friday". */
function isLimited(before: string, behind: string, of: Pattern['of']): boolean {
  const clause = behind.slice(0, cut(behind, SENTENCE_END));
  return isLimitedInTime(fold(clause)) || (of === 'subject' && THIS_TIME.test(fold(`${before} ${clause}`)));
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

const SENTENCE_END = /[;:.!?]/u;
const THIS_TIME = regex(
  String.raw`\b(?:today|tonight|tomorrow|this (?:week|weekend|month|morning|afternoon|evening|time|\p{L}+day)|(?:on|next) (?:{weekday}))\b`,
  'u',
);

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
  String.raw`\p{N}[\p{N}.,:]*(?:st|nd|rd|th|am|pm|h|k)?|\b(?:{weekday})s?\b|\b(?:{month}|{season})\b
    \b(?:mornings?|evenings?|nights?|afternoons?|weekends?|daily|weekly|monthly|hours?|minutes?|weeks?
    months?|years?|today|tonight|longer|anymore|turns|turned)\b|\b(?:{weekdayElsewhere})\b`,
  'gu',
);

/** Words that do not say which of several things is meant. */
const GENERIC: ReadonlySet<string> = new Set([
  ...contentStems('class lesson course club team practice group session training play playing song'),
]);

/** Matches possibilities and denials, which end nothing: "I want to quit", "I have not sold it". */
const UNREAL = regex(
  String.raw`\b(?:if|might|may|could|would|should|must|will|gonna|want(?:s|ed)? to|wanna|going to|plan(?:s|ning)? to
    planning on|hop(?:e|es|ing) to|trying to|tried to|need to|have to|has to|think(?:ing)? (?:of|about)
    considering|wish|almost|nearly|never|not|\w+n't|wont|dont|havent|hasnt|i'll|we'll|he'll|she'll|they'll
    since|when|until|before|after)(?: \w+){0,2}\s*$`,
  'u',
);

const ADVERB = String.raw`(?:(?:just|finally|also|really|already|recently|had|has|have|been|actually)\s+)?`;

interface Pattern {
  readonly how: EndedThing['how'];
  /** Position of the thing: before the words, as the object after them, or in the whole clause after them. */
  readonly of: 'subject' | 'object' | 'clause';
  readonly pattern: RegExp;
}

const PATTERNS: readonly Pattern[] = [
  {
    how: 'stops',
    of: 'object',
    pattern: regex(
      String.raw`\b(?:quit(?! (?:\w+ing|taking)\b)|gave up(?! \w+ing\b)|given up(?! \w+ing\b)|cancel+ed|called off
    dropped(?! (?:by|off|in)\b)|left(?! (?:for|at|to|on)\b)|switched from|moved away from|deleted
    (?:swapped|replaced|traded)|instead of|outgrew|outgrown|grew out of|grown out of|finished
    unsubscribed from|resigned from|retired from|stepped down from)\s`,
      'giu',
    ),
  },
  {
    how: 'sells',
    of: 'object',
    pattern:
      /\b(?:sold|gave away|given away|got rid of|gotten rid of|threw (?:out|away)|donated|scrapped|rehomed)\s/giu,
  },
  {
    how: 'stops',
    of: 'clause',
    pattern:
      /\b(?:no longer|used to|stopped|quit(?= (?:\w+ing)\b)|gave up(?= \w+ing\b)|given up(?= \w+ing\b)|done with|not into)\s/giu,
  },
  // "I don't play the cello anymore", "not allergic to nuts after all", "I don't eat fish now".
  {
    how: 'stops',
    of: 'clause',
    pattern: new RegExp(
      String.raw`\b(?:not|never|\w+n't|dont|doesnt|isnt|arent|cant|wont|cannot)\s(?=[^,;.!?]*\b(?:any ?more|any longer|after all|now|these days)\b)`,
      'giu',
    ),
  },
  {
    how: 'stops',
    of: 'clause',
    pattern: /\b(?:turns out|turned out)\b[^,;.!?]{0,40}?(?:\bnot|\w+n't)\s/giu,
  },
  {
    how: 'stops',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:(?:is|are|was|were|got|'s|has been|have been)\s+(?:now\s+|all\s+|finally\s+)?(?:cancel+ed|called off|over|closed|gone|postponed|deferred|finished|discontinued|off\b(?! \w))|closed down|shut down|fell through|went bust|broke down for good)\b`,
      'giu',
    ),
  },
  {
    how: 'dies',
    of: 'subject',
    pattern: new RegExp(String.raw`\s${ADVERB}(?:died|passed away|was put down|was put to sleep)\b`, 'giu'),
  },
  {
    how: 'heals',
    of: 'subject',
    pattern: new RegExp(
      String.raw`(?:\s|(?='s))${ADVERB}(?:(?:is|are|was|were|feels|'s)\s+(?:all |completely |totally |finally |fully )?(?:healed|cured|gone|good as new|back to normal)|(?:has |have )?healed|went away|cleared up)\b`,
      'giu',
    ),
  },
  // "I drink coffee again", "I have a car now".
  {
    how: 'returns',
    of: 'clause',
    pattern:
      /(?:\b(?:i|we|he|she|they)(?:'m|'re|'s|'ve)?|\b(?:im|ive)|\bmy \p{L}+(?: is)?)\s(?!\w*n't\b|not\b|dont\b|never\b|cannot\b)(?=[^,;.!?]*\b(?:again|now|these days)\b)/giu,
  },
  // Other languages: the rest of the clause.
  {
    how: 'stops',
    of: 'clause',
    pattern:
      /\b(?:ya no|nao mais|não mais|deje de|dejé de|parei de|larguei|arrete de|arrêté de|vendi|verkauft)\s/giu,
  },
  { how: 'stops', of: 'subject', pattern: /\s(?:nicht mehr|verkauft|abgesagt|gekündigt)(?!\p{L})/giu },
  { how: 'stops', of: 'clause', pattern: /\b(?:ne|n['’])(?=[^,;.!?]*\bplus\b)/giu },
  { how: 'stops', of: 'clause', pattern: /不再|卖了/gu },
];
