import { isOfTheseDays } from '../../language/limited-times.ts';
import { textOf, type Word } from '../../language/sentence-words.ts';
import { analyze } from '../../language/terms.ts';
import { rowsOf } from '../../language/words/lexicon.ts';
import { regex } from '../../language/words/lists.ts';
import { STOP_WORDS } from '../../language/words/stop-words.ts';
import type { KnownFact } from '../extractor.ts';
import { USER_NAME } from '../first-person.ts';
import { timeless, type StatedFact } from './rule-statements.ts';

/**
 * One kind of clause that says that something is over per line: the whole clause without particles, where `{what}` is
 * the person or thing it names; the predicates of the user's facts that it ends; and the predicate of a fact that it
 * states about the person it names.
 */
const TABLE = String.raw`
(?:we |i |me and \S+ )?(?:just |finally |have |had )?(?:broke|broken|split|breaking) (?:up|it off)(?: with {what})? => {love} => broke up with
(?:we |i )?(?:are |am )?(?:got |getting |just |now )*(?:divorced|separated)(?: from {what})? => {marriage}
(?:i )?(?:am )?(?:newly |now )?single(?: again| now)? => {love}
(?:the )?(?:engagement|wedding) (?:is|was) (?:called )?off => is engaged to$
(?:i |have |has |just |finally |also )*(?:quit|left|lost|resigned|resigned from|gave up)(?: (?:my|the) (?:old )?(?:job|work|position|post))? => {job}
(?:i |was |am |have |been |just |got )*(?:fired|laid off|let go|made redundant|sacked)(?: from (?:work|my job))? => {job}
(?:i |have |just |finally )*(?:quit|left|resigned from|retired from) {thing} => {job}
(?:i |have |am |just |finally |now )*retired => {job}
{thing} (?:let me go|laid me off|fired me|sacked me|made me redundant) => {job}
(?:i |have |just |finally )*(?:quit|left|gave up|given up) (?:my|the) (?<what>.+) (?:job|position|post|role) => {job}
(?:i |have |just |finally )*(?:stepped down|resigned|retired|quit) as (?:the |an? )?{what} => {job}
(?:(?:i|they|we|am|was|been|have|my doctor|the doctor|just|finally|got|now) )*(?:taken off|took me off|came off|off) (?!to )(?:the |my )?{what} => takes$
(?:i |have |just |finally )*(?:(?:gave|given) birth(?: to (?:an?|our|my) (?:\p{L}+ )?(?:boy|girl|son|daughter|baby|child|twins))?|had (?:a miscarriage|the baby)|miscarried) => is: pregnant
(?:i |we |am |now |officially )*{what}[ -]free => (?:has|was diagnosed with)$
(?:(?:we|i|had|have|just|to) )*put {thing} (?:down|to sleep) => has\b
(?:i |we |have |just |finally |had to |also )*(?:sold|gave away|got rid of|crashed|totaled|scrapped|lost|returned|donated) {thing} => (?:has|owns|drives|rides|runs)\b
(?:i |we |have |just |finally |had to )*(?:buried|put down) {thing} => has\b
(?:i |have |just |finally )*(?:left|divorced|separated from|split from) {thing} => {marriage}
{thing} (?:died|passed away|passed|is dead|was put down|ran away|is gone) => has\b
{thing} moved out => has (?:\p{L}+mate|lodger|tenant)$
(?:i |we |have |just |finally )*(?:quit|stopped|gave up|given up) (?:(?:eating|drinking|playing|learning|studying|taking|doing|using|wearing|collecting|teaching|going to) )?{what} => (?:eats|drinks|plays|smokes|is learning|studies|takes|uses|wears|collects|teaches|speaks|likes|loves|enjoys)\b
(?:i |we |have |just |finally )*(?:quit|stopped|gave up|given up) (?<deed>\p{L}+ing) {what} => .
(?:i |we |am |have |just |finally |now )*(?:got off|came off|done with|off|no longer on) (?:the )?(?<what>nights|days|evenings|weekends|night shifts?|shifts?)(?: now)? => works$
(?:i |we |just |finally )*(?:moved out of|moved away from|left) {what} => (?:lives in|is based in|lives near)$
`;

const NAMED: Readonly<Record<string, string>> = {
  what: '(?<what>.+)',
  thing: '(?:my |our |the |his |her )?(?:old )?(?<what>.+)',
  love: 'has (?:girlfriend|boyfriend|gf|bf|partner|fianc\\S+|marital status)$|is (?:dating|engaged to|seeing)$',
  marriage: 'has (?:wife|husband|spouse|hubby|marital status)$|is married to$',
  job: 'works (?:at|as|in|nights|days|evenings|shifts)\\b|is a(?! (?:{parent}|friend|vegan|vegetarian))\\b|works\\b',
};

const ENDINGS = rowsOf(TABLE.replaceAll(/\{(\w+)\}/gu, (all, name: string) => NAMED[name] ?? all)).map(
  ([words = '', ends = '', stated]) => ({
    clause: new RegExp(`^(?:${words})$`, 'iu'),
    ends: regex(`^(?:${ends})`),
    stated,
  }),
);

/** Matches a retraction of what was said right before. */
export const TAKEN_BACK: RegExp =
  /^(?:(?:actually|wait|oh|no|ok|hm+|sorry),? )*(?:scratch that|strike that|never ?mind that|forget that|ignore that|i take that back|(?:just )?(?:kidding|joking)|jk)$/iu;

/**
 * Returns the known facts of the user that a clause ends, and the facts it states about the people they name.
 * Undefined if it ends none.
 */
export function endedBy(
  words: readonly Word[],
  known: readonly KnownFact[],
): { readonly ended: readonly KnownFact[]; readonly told: readonly StatedFact[] } | undefined {
  const clause = textOf(timeless(words));
  // "I left Oslo this morning" is a journey.
  const isOfDay = isOfTheseDays(textOf(words).toLowerCase());
  for (const { clause: said, ends, stated } of ENDINGS) {
    const match = said.exec(clause);
    if (!match) continue;
    const what = match.groups?.['what']?.toLowerCase();
    const [deed] = analyze(match.groups?.['deed'] ?? '');
    const ended = known.filter(
      ({ subject, predicate, object }) =>
        subject === USER_NAME &&
        (ends.test(predicate) || ends.test(`${predicate}: ${object}`)) &&
        (deed === undefined || analyze(predicate).includes(deed)) &&
        !(isOfDay && FOR_NOW.test(`${predicate}: ${clause}`)) &&
        (what === undefined || namesIt(what, predicate, object)) &&
        (predicate !== 'has marital status' || /^(?:married|engaged)$/u.test(object)),
    );
    if (ended.length === 0) continue;
    const told = ended.flatMap(({ object }) =>
      stated === undefined ? [] : { subject: USER_NAME, predicate: stated, object },
    );
    return { ended, told };
  }
  return undefined;
}

/** Matches a predicate and a clause that mean a journey or a break if they are of these days only. */
const FOR_NOW = /^(?:lives in|lives near|is based in|works): .*\b(?:left|off)\b/iu;

/** Returns the known facts superseded by somebody new in a role: `new roommate is called Mina`. */
export function replacedBy(sentence: string, known: readonly KnownFact[]): KnownFact[] {
  const noun = NEW.exec(sentence)?.groups?.['noun']?.toLowerCase();
  if (noun === undefined) return [];
  return known.filter(
    ({ subject, predicate, object }) =>
      subject === USER_NAME &&
      (predicate === `has ${noun}` || (predicate === 'is a' && object.toLowerCase().startsWith(noun))),
  );
}

/** Roles that one person has at a time. */
const NEW = regex(
  String.raw`\bnew (?<noun>roommate|flatmate|housemate|boss|manager|supervisor|landlord|landlady|girlfriend|boyfriend
    treasurer|coach|captain|president|secretary|therapist|apprentice)(?: since \p{L}+)?(?: is
    's| =| called| named|:)`,
  'iu',
);

/** Returns the fact about the thing that `sold it` means: the user's only one that the message names. */
export function soldBy(clause: string, message: string, known: readonly KnownFact[]): KnownFact[] {
  if (!SOLD_IT.test(clause)) return [];
  const said = new Set(message.toLowerCase().match(/[\p{L}\d-]+/gu) ?? []);
  const meant = known.filter(
    ({ subject, predicate, object }) =>
      subject === USER_NAME &&
      /^(?:has|owns|drives|rides)$/u.test(predicate) &&
      said.has(object.toLowerCase().split(' ').at(-1) ?? ''),
  );
  return meant.length === 1 ? meant : [];
}

const SOLD_IT =
  /^(?:i |we |have |just |finally |so )*(?:sold|gave away|got rid of|scrapped|donated) (?:it|him|her|them)\b/iu;

/**
 * Whether `my old piano` is the thing in a fact, given by its object or its kind (`has dog`): a word that is in neither,
 * as in `my aunt's dog`, means another thing.
 */
function namesIt(what: string, predicate: string, object: string): boolean {
  const words = analyze(what.replaceAll(NOT_THE_THING, ' ')).filter((term) => !STOP_WORDS.has(term));
  const named = new Set(analyze(`${object} ${predicate.replace(/^(?:has|owns|drives) ?/u, '')}`));
  if (/\b(?:not|never|nearly|almost|might|could|would|will)\b/u.test(what)) return false;
  return words.length > 0 && words.every((word) => named.has(word));
}

/** Matches what can stand beside the name of a thing, and when it ended. */
const NOT_THE_THING = regex(
  String.raw`\b(?:old|new|little|big|dear|beloved|finally|already|recently|today|yesterday|tonight
    (?:last|this) \p{L}+|(?:in|on|since) \p{L}+|(?:a|two|three|few|\d+) (?:days?|weeks?|months?|years?) ago
    for good|any ?more|\d{4})\b`,
  'gu',
);
