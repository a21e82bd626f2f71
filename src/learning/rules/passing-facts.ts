import type { Word } from '../../language/sentence-words.ts';
import { isPersonKin } from '../../language/words/lexicon.ts';
import { regex } from '../../language/words/lists.ts';
import { USER_NAME } from '../first-person.ts';
import type { Referents } from './referents.ts';
import type { ClauseContext, StatedFact } from './rule-statements.ts';
import { readSlot } from './slots.ts';

/** A phrase that states a fact wherever it occurs in a sentence of the user. */
interface Passing {
  /** `what` is the object; `kin` a relative who is the subject, instead of the user; `event` and `pet` fill the predicate. */
  readonly pattern: RegExp;
  readonly predicate: string;
  readonly slot: string;
  /** Whether it is also true in a question. */
  readonly isPresumed?: true;
}

/**
 * Returns what is mentioned in passing, and not as a clause of its own: `my flat in Leeds`, `here in Leeds`, `budget
 * 400`, `milk makes me sick`, `as a nurse, I`.
 */
export function passingFacts(
  words: readonly Word[],
  referents: Referents,
  context: ClauseContext,
  isAsked: boolean,
): StatedFact[] {
  const text = words.map(({ text: each }) => each.replaceAll(/\s/gu, '_')).join(' ');
  return PASSING.flatMap(({ pattern, predicate, slot, isPresumed }) => {
    if (isAsked && !isPresumed) return [];
    const match = pattern.exec(text);
    const [from, to] = match?.indices?.groups?.['what'] ?? [0, 0];
    const start = text.slice(0, from).split(' ').length - 1;
    const named = to > from ? words.slice(start, text.slice(0, to).split(' ').length) : [];
    const { kin, pet = '', event = '' } = match?.groups ?? {};
    if (kin !== undefined && !isPersonKin(kin)) return [];
    const subject =
      kin === undefined ? USER_NAME : (referents.relative(USER_NAME, kin) ?? `${USER_NAME}'s ${kin}`);
    const objects = readSlot(slot, named, context) ?? [];
    return objects.map((object) => ({
      subject,
      predicate: predicate.replace('{event}', event.toLowerCase()).replace('{pet}', pet),
      object,
    }));
  });
}

/** Returns what "Nurse here" and "Ukrainian here, …" say of the user. */
export function hereFacts(words: readonly Word[], context: ClauseContext): StatedFact[] {
  const named = words.slice(0, -1);
  if (words.at(-1)?.lower !== 'here' || words.length > 4 || named[0]?.lower === 'english') return [];
  const jobs = readSlot('job', named, context);
  const found = jobs ?? readSlot('state', named, context) ?? [];
  return found.map((object) => ({ subject: USER_NAME, predicate: jobs ? 'is a' : 'is', object }));
}

const HELLO = String.raw`^(?:(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon))(?: again| there)? ?,? ?)?`;
const PLACE = String.raw`(?<what>\p{Lu}[\p{L}'-]+(?: (?:of )?\p{Lu}[\p{L}'-]+)*)(?= |$)`;
const MINE = String.raw`(?:[Mm]y|[Oo]ur) (?:(?!old|former|first|last|next|dream|holiday|summer|parents)[\p{L}-]+ ){0,3}`;
/** What is no longer the user's: "sold my flat in Leeds". */
const GIVEN_UP =
  '(?<!\\b(?:sold|sell|selling|lost|left|leaving|vacated|viewed|visited|out|out of|gave up|give up|giving up) )';
const OWN_PLACE =
  '(?:flat|house|home|apartment|garden|shop|farm|studio|cottage|allotment|kitchen|bakery|salon|cafe|residence|club|association|cooperative|clinic|parish|street|neighborhood)';
const PRICE = String.raw`(?<what>[$€£]? ?\d[\d.,]*k?(?: (?:euros?|eur|usd|dollars|pounds|gbp))?(?: (?:an?|per) \p{L}+)?)(?= |$)`;
const WHEN = String.raw`(?:(?:{weekdayOrShort}) )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:{monthOrShort})|(?:{monthOrShort}) \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)(?= each| every| of (?:the|each)|$))(?: \d{4})?`;

const PASSING: readonly Passing[] = [
  {
    pattern:
      /^(?:i|we) (?:live|have|am|got)\b(?!.*\b(?:story|poem|novel|game|write)\b).* (?:with|and) an? (?:\p{Ll}+ )?(?<pet>dog|cat|horse|parrot|rabbit|ferret|hamster|puppy|kitten|tortoise|son|daughter) (?:named|called) (?<what>\p{L}+)/diu,
    predicate: 'has {pet}',
    slot: 'names',
  },
  {
    pattern: new RegExp(String.raw`\b${GIVEN_UP}${MINE}${OWN_PLACE} (?:in|near|outside) ${PLACE}`, 'du'),
    predicate: 'is based in',
    slot: 'city',
    isPresumed: true,
  },
  {
    pattern: new RegExp(String.raw`\bhere in ${PLACE}`, 'du'),
    predicate: 'is based in',
    slot: 'city',
    isPresumed: true,
  },
  {
    pattern: new RegExp(String.raw`\b[Mm]y (?<kin>[\p{Ll}-]+) in ${PLACE}`, 'du'),
    predicate: 'lives in',
    slot: 'spot',
    isPresumed: true,
  },
  {
    pattern: new RegExp(
      String.raw`${HELLO}(?:,? ?this is|it is|its|it 's) (?<what>\p{Lu}\p{Ll}+)(?: here| again| from .{2,30})?[ .!]*$`,
      'du',
    ),
    predicate: 'is named',
    slot: 'self',
    isPresumed: true,
  },
  {
    pattern: new RegExp(String.raw`${HELLO}(?:this is|it is|its|it 's) \p{Lu}\p{Ll}+ from ${PLACE}`, 'diu'),
    predicate: 'is from',
    slot: 'spot',
  },
  {
    pattern: new RegExp(String.raw`${HELLO}(?<what>\p{Lu}\p{Ll}+) here\b`, 'du'),
    predicate: 'is named',
    slot: 'self',
    isPresumed: true,
  },
  {
    pattern: /^as (?<what>an? [\p{L} -]+?) ,? ?(?:i|we) /diu,
    predicate: 'is a',
    slot: 'job',
    isPresumed: true,
  },
  {
    pattern:
      /^(?:(?:my|our|the|total) )?budget(?: is|:| :| =)? (?<what>(?:about |around )?[$€£]? ?\d[\d.,]*k?(?: (?:euros?|eur|usd|dollars|pounds|gbp|francs|chf|kr|pesos|rupees|yen))?)(?= |$)/diu,
    predicate: 'has budget',
    slot: 'text',
  },
  {
    pattern: new RegExp(
      String.raw`(?:^|[,;] |\b(?:and|so|but) )(?:(?:my|our) (?:hourly )?(?:fee|rate|price)s?(?: is| are| 's)?(?: now)?|(?:i )?raised my (?:fee|rate|price)s? to|(?:hourly )?(?:fee|rate)s?(?: is| are| 's)? (?:now|going up|up)(?: to)?) ?:? ?${PRICE}`,
      'diu',
    ),
    predicate: 'charges',
    slot: 'text',
  },
  {
    pattern:
      /^(?:my )?(?<event>weight|height|age)(?: is)? now (?<what>\d{2,3}(?: ?(?:kg|kilos|lbs|pounds|cm))?)(?: (?:btw|lol|though|tho))?[ .!]*$/diu,
    predicate: 'has {event}',
    slot: 'text',
  },
  {
    pattern: /^(?:now|down to) (?<what>\d{2,3}(?:[.,]\d)? ?(?:kg|kilos|lbs|pounds))(?: now)?[ .!]*$/diu,
    predicate: 'has weight',
    slot: 'text',
  },
  {
    pattern:
      /(?:^|[,;(] |\b(?:and|but|as|because) )(?<what>(?:[\p{L}-]+ )?[\p{L}-]+) (?:make|makes|made|give|gives) me (?:sick|ill|sneeze|itch|bloated|nauseous|hives|headaches|migraines|heartburn)\b/diu,
    predicate: 'gets sick from',
    slot: 'things',
    isPresumed: true,
  },
  {
    pattern:
      /^(?:(?:my|our|the) )?(?:business|company|shop|startup|brand|band|team)(?: name| 's name)(?: is|:| :| =)? (?<what>\p{Lu}[\p{L}'-]*(?: (?:and |& )?\p{Lu}[\p{L}'-]*)*)[ .!]*$/diu,
    predicate: 'has business name',
    slot: 'name',
  },
  {
    pattern: regex(
      String.raw`(?:^|[,;:.–-] |\b(?:and|so|but) )(?:(?:my|our|the) )?(?<event>(?!last|no)(?:[\p{L}\d-]+ )?(?:wedding|exam|surgery|operation|interview|graduation|audition|race|marathon|party|deadline|recital|concert|due date|flight|defense|viva|presentation|scan|tournament|consult))(?: is)?(?: on)?(?: the)? (?<what>${WHEN})(?= |$)`,
      'diu',
    ),
    predicate: 'has {event} on',
    slot: 'text',
  },
  {
    pattern: regex(
      String.raw`(?:^|[,;:(.–-] |\b(?:and|so|but|my|our|the) )(?<event>(?!is|are|was|not|be|it|rent|bill)[\p{L}-]{3,})(?: is| 's)? due(?: on| by| in)?(?: the)? (?<what>${WHEN}|(?:{monthOrShort}))(?= |$)`,
      'diu',
    ),
    predicate: 'has {event} due on',
    slot: 'text',
  },
  {
    pattern:
      /^(?:(?:also|and|but|ok|oh|so) )*(?:please |pls )?no (?<what>(?!more|thanks|way|doubt|rush|worries|problem|need|idea|offence|offense|hurry|spoilers)[\p{L}-]+(?: [\p{L}-]+)?) ?,? (?:please|pls|plz|ever)[ .!]*$/diu,
    predicate: 'does not want',
    slot: 'tastes',
  },
  {
    pattern:
      /^(?:(?:also|and|but|ok|oh|so) )*(?:please |pls )?(?<what>(?!this|that|one|the|just|english|cash|members|adults|women|men|staff|serious|invite)[\p{L}-]+(?: [\p{L}-]+)?) only ?,? (?:please|pls|plz|for me)(?= ,|[ .!]*$)/diu,
    predicate: 'prefers',
    slot: 'tastes',
  },
  {
    pattern:
      /(?:^|[,;:(.] |\b(?:in|and|also|use) )(?<what>(?:uk|us|british|american|australian|canadian) (?:spelling|english))(?= |$)/diu,
    predicate: 'prefers',
    slot: 'text',
  },
];
