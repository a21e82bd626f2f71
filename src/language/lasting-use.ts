import { fold } from './fold.ts';
import { daysInDigits, timesNamed } from './times.ts';
import { hasWord, wordsOf } from './words/life-words.ts';
import { beginsWith } from './words/moods.ts';
import { regex } from './words/lists.ts';

const DAY = 86_400_000;
/** A date without a year that a plan names is its next one. */
const YEAR_AHEAD = 364 * DAY;

/** Whether a statement is about certain days of the week or hours, and so of use to questions about them only. */
export function isScheduled(text: string): boolean {
  return SCHEDULE.test(fold(text));
}

/**
 * Returns until when a statement is worth telling whatever is asked, in milliseconds since 1970: a plan or an appointment
 * until its day, one for "next week" until that has passed, what holds for the moment, is wished or asked, or "used to" be so
 * not at all, and everything else always (`Infinity`).
 *
 * @param saidAt when it was said, in milliseconds since 1970
 */
export function usefulUntil(text: string, saidAt: number): number {
  const folded = fold(daysInDigits(text));
  const isAsked = /[?？]\s*$/u.test(text) && beginsWith(folded, 'asks');
  if (isAsked || WISHED.test(folded) || MOMENT.test(folded) || FORMER.test(folded)) return saidAt;
  const isOver = PAST.test(folded) || SINCE.test(folded) || LASTING.test(folded);
  const passing = isOver ? undefined : WHILE.exec(folded)?.groups;
  if (passing?.['unit'] !== undefined)
    return saidAt + countOf(passing['count']) * (DAYS[passing['unit']] ?? 0) * DAY;
  if (passing?.['weekday'] !== undefined) return saidAt + 8 * DAY;
  const month = passing?.['month'];
  if (month === undefined && !hasWord(folded, 'plan') && !INTENDS.test(folded) && !isAppointment(folded))
    return Infinity;
  const near = NEAR.find(({ pattern }) => pattern.test(folded));
  if (near) return saidAt + near.days * DAY;
  const { windows } = timesNamed(month === undefined ? text : `in ${month}`, saidAt + YEAR_AHEAD);
  const ahead = windows.map(({ to }) => to).filter((to) => to >= saidAt);
  return ahead.length > 0 ? Math.max(...ahead) : Infinity;
}

function countOf(count = ''): number {
  return Number(count) || Math.max(1, COUNTS.indexOf(count));
}

/** Whether a statement in the present tense names the day of something that matters on that day only. */
function isAppointment(folded: string): boolean {
  if (!ON_DAY.test(folded) || !PRESENT.test(folded)) return false;
  // A surgery is over after its day, an allergy is not.
  if (wordsOf(folded, 'health').some((word) => !OF_VISIT.test(word))) return false;
  return !PAST.test(folded) && !LASTING.test(folded);
}

const COUNTS: readonly string[] = 'the one two three four five six seven eight nine ten'.split(' ');
const DAYS: Readonly<Record<string, number>> = { day: 1, night: 1, week: 7, month: 31 };
/**
 * How long something is so: "only soft food for two weeks", "at my aunt's until Friday". The lookbehind stands at the end, so
 * that it is tried at such times only.
 */
const WHILE = regex(
  String.raw`\bfor (?:the next |another )?(?<count>an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:more )?(?<unit>day|night|week|month)s?\b(?! (?:a|per|each|every|old)\b)(?<=(?:\b(?:am|is|are|only|can'?t|cannot|have to|has to|must|allowed to|supposed to|need to)|\w'(?:m|re|s)) .*)
    (?<!\b(?:{weekday})s? )\b(?:until|till?) (?:next |this )?(?:(?<weekday>{weekday})|(?:the )?(?:(?:end|middle|beginning) of )?(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?<month>{month}))\b`,
);
const SINCE = /\b(?:have|has|had|been|since|every|each|always|usually)\b(?! to\b)|'ve\b/u;
const OF_VISIT = /^(?:surger|operation|hospital|therap|knees?$|hip$|back$|ankle$|shoulder$)/u;
const MOMENT = regex(
  String.raw`\b(?:today|tonight|right now|meanwhile|in the meantime|for now|for the (?:moment|time being)
    at the moment|temporar\w+|between (?:jobs|flats|houses|homes)|this (?:morning|afternoon|evening|week(?:end)?|month)
    (?:almost|nearly) (?:up|over|done|out|finished|there)|just for (?:a|this|one|two|three)\b.*|just (?:came?|come|got|gotten) (?:off|back|home|in)|until (?:i|we|he|she|they|it|then|further)
    heute|gerade|momentan|vorubergehend|vorerst|hoy|ahora mismo|de momento|por ahora|en ce moment|pour l'instant
    aujourd'hui|hoje|no momento|por enquanto)\b|今天|现在|暂时|今日|今は`,
);
const WISHED =
  /\b(?:(?:i|we)(?:'d| would) love to|(?:i|we) wish (?:i|we|my|our|there|he|she|they|it)\b|if only|(?:one|some) ?day (?:i|we))\b/u;
/** What was so, unless what is so now follows; "I'm used to it" still is. */
const FORMER =
  /^(?!.+\b(?:but|now|aber|jetzt|pero|ahora|mas|agora)\b)\W*(?:(?:and|but|so|also)\W+)?(?:[\p{L}'-]+ ){1,4}(?<!(?:\b(?:am|is|are|be|was|were|been|get|gets|got|getting)|'(?:m|re|s))(?: \w+)? )used to \w|^(?!.*\b(?:aber|jetzt)\b)(?:ich |wir |mein\w* \w+ )?fruher (?:war|hatte|wohnte|lebte|arbeitete)|^(?!.*\b(?:pero|ahora|mas|agora)\b)(?:\w+ ){0,3}(?:solia(?:mos|n)?|costumava(?:mos|m)?) \w+r\b/u;
const INTENDS =
  /\b(?:(?:i|we) shall|wan(?:t|ts|ted) to|wanna|thinking|hop(?:e|es|ing) to|aim(?:s|ing)? (?:to|for)|intend|would like to|we'd like to|i'd like to|mochte|will|quier[oe]|quiero|je veux|quero)\b/u;
const ON_DAY = regex(
  String.raw`\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:{monthOrShort})\b(?! (?:street|st|road|rd|avenue|drive|lane|square)\b)
    \b(?:{monthOrShort}) \d{1,2}(?:st|nd|rd|th)?\b(?! (?:times|days|hours|km|miles)\b)`,
);
const PRESENT = /(?<![\w'])(?:am|is|are|have|has|see|meet|visit|teach|sing|play)\b|\w'(?:m|re|ve|s)\b/u;
/** "A guided tour" and "is scheduled" are no past tenses, and "have got" is none. */
const PAST = regex(
  String.raw`\b(?!got\b)(?:{past}|been|born|since|ago)\b|(?<!(?:\b(?:have|has)|'ve|'s) )\bgot\b
    (?<!\b(?:an?|the|my|our|his|her|some) )\b(?!(?:scheduled|planned|supposed|allowed|invited|expected|booked)\b)\w{2,}[^e\W]ed\b`,
);
/** What comes every year, or begins on that day. */
const LASTING = regex(
  String.raw`\b(?:birthdays?|b-?days?|date of birth|name ?days?|anniv\w*|(?:every|each) year|yearly|annual(?:ly)?
    christmas|easter|eid|diwali|hanukkah|new year|as of|from|starting|beginning)\b`,
);
const SCHEDULE = regex(
  String.raw`\b\d{1,2}(?::\d\d)? ?(?:am|pm|uhr|h)\b|\b(?:{weekday})s\b|\b(?:on|every|each) (?:{weekday})\b
    \b(?:{weekdayOrShort})(?:,? (?:and |& ?|n |or )?(?:{weekdayOrShort}))+\b
    \ba las? (?:una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\d{1,2})\b|\bas \d{1,2} horas?\b`,
);
const NEAR: readonly { pattern: RegExp; days: number }[] = [
  { pattern: /\b(?:tomorrow|morgen|manana|demain|amanha)\b|明天|明日/u, days: 1 },
  {
    pattern: regex(String.raw`\bnext (?:week(?:end)?|{weekdayOrShort})\b|\bnachste woche\b|下周|来週`),
    days: 14,
  },
  { pattern: /\bnext month\b|下个月|来月/u, days: 62 },
];
