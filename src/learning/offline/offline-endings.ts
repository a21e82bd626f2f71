import { USER_NAME } from '../first-person.ts';
import type { KnownFact } from '../extractor.ts';
import type { StatedFact } from './offline-statements.ts';

/** A kind of clause that says that something is over: `we broke up`, `i quit`, `sold the car`. */
interface Ending {
  /** Matches the whole clause, without particles; `what` is the person or thing it names. */
  readonly pattern: RegExp;
  /** Matches the predicates of the user's facts that it ends. */
  readonly ends: RegExp;
  /** The predicate of a fact that the clause states about the person it names. */
  readonly predicate?: string;
}

const WHOM = String.raw`(?: with (?<what>.+))?`;
const THING = String.raw`(?:my |our |the |his |her )?(?:old )?(?<what>.+)`;
const JOB =
  /^(?:works (?:at|as|in|nights|days|evenings|shifts)|is a(?! (?:mom|mum|mother|dad|father|friend|vegan|vegetarian))|works)\b/u;
const LOVE =
  /^(?:has (?:girlfriend|boyfriend|gf|bf|partner|fianc\S+|marital status)|is (?:dating|engaged to|seeing))$/u;
const MARRIAGE = /^(?:has (?:wife|husband|spouse|hubby|marital status)|is married to)$/u;

const ENDINGS: readonly Ending[] = [
  {
    pattern: new RegExp(
      `^(?:we |i |me and \\S+ )?(?:just |finally |have |had )?(?:broke|broken|split|breaking) (?:up|it off)${WHOM}$`,
      'iu',
    ),
    ends: LOVE,
    predicate: 'broke up with',
  },
  {
    pattern: new RegExp(
      `^(?:we |i )?(?:are |am )?(?:got |getting |just |now )*(?:divorced|separated)(?: from (?<what>.+))?$`,
      'iu',
    ),
    ends: MARRIAGE,
  },
  { pattern: /^(?:i )?(?:am )?(?:newly |now )?single(?: again| now)?$/iu, ends: LOVE },
  {
    pattern: new RegExp(`^(?:the )?(?:engagement|wedding) (?:is|was) (?:called )?off$`, 'iu'),
    ends: /^is engaged to$/u,
  },
  {
    pattern:
      /^(?:i |have |has |just |finally |also )*(?:quit|left|lost|resigned|resigned from|gave up)(?: (?:my|the) (?:old )?(?:job|work|position|post))?$/iu,
    ends: JOB,
  },
  {
    pattern:
      /^(?:i |was |am |have |been |just |got )*(?:fired|laid off|let go|made redundant|sacked)(?: from (?:work|my job))?$/iu,
    ends: JOB,
  },
  {
    pattern: new RegExp(
      `^(?:i |have |just |finally )*(?:quit|left|resigned from|retired from) ${THING}$`,
      'iu',
    ),
    ends: JOB,
  },
  {
    pattern: new RegExp(
      `^(?:i |we |have |just |finally |had to |also )*(?:sold|gave away|got rid of|crashed|totaled|scrapped|lost|returned|donated) ${THING}$`,
      'iu',
    ),
    ends: /^(?:has|owns|drives|rides|runs)\b/u,
  },
  {
    pattern: new RegExp(
      `^${THING} (?:died|passed away|passed|is dead|was put down|ran away|moved out|is gone)$`,
      'iu',
    ),
    ends: /^has\b/u,
  },
  {
    pattern: new RegExp(
      `^(?:i |we |have |just |finally )*(?:quit|stopped|gave up|given up) (?:(?:eating|drinking|playing|learning|studying|taking|doing|using|wearing|collecting|teaching|going to) )?(?<what>.+)$`,
      'iu',
    ),
    ends: /^(?:eats|drinks|plays|smokes|is learning|studies|takes|uses|wears|collects|teaches|speaks|likes|loves|enjoys)\b/u,
  },
  {
    pattern: /^(?:i |we |just |finally )*(?:moved out of|moved away from|left) (?<what>.+)$/iu,
    ends: /^(?:lives in|is based in|lives near)$/u,
  },
];

/** Matches a retraction of what was said right before. */
export const TAKEN_BACK: RegExp =
  /^(?:(?:actually|wait|oh|no|ok|hm+|sorry),? )*(?:scratch that|strike that|never ?mind that|forget that|ignore that|i take that back|(?:just )?(?:kidding|joking)|jk)$/iu;

/** Returns the known facts of the user that a clause ends, and the facts it states about the people they name. */
export function endedBy(
  clause: string,
  known: readonly KnownFact[],
): { readonly ended: readonly KnownFact[]; readonly told: readonly StatedFact[] } {
  for (const { pattern, ends, predicate: stated } of ENDINGS) {
    const match = pattern.exec(clause);
    if (!match) continue;
    const what = match.groups?.['what']?.toLowerCase();
    const ended = known.filter(
      ({ subject, predicate, object }) =>
        subject === USER_NAME &&
        ends.test(predicate) &&
        (what === undefined || namesIt(what, predicate, object)) &&
        (predicate !== 'has marital status' || /^(?:married|engaged)$/u.test(object)),
    );
    if (ended.length === 0) continue;
    const told =
      stated === undefined
        ? []
        : ended.map(({ object }) => ({ subject: USER_NAME, predicate: stated, object }));
    return { ended, told };
  }
  return { ended: [], told: [] };
}

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
const NEW =
  /\bnew (?<noun>roommate|flatmate|housemate|boss|manager|supervisor|landlord|landlady|girlfriend|boyfriend|treasurer|coach|captain|president|secretary|therapist|apprentice)(?: since \p{L}+)?(?: is|'s| =| called| named|:)/iu;

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

/** Whether `my old piano` is the thing in a fact, given by its object or its kind (`has dog`). */
function namesIt(what: string, predicate: string, object: string): boolean {
  const words = what.replace(/'s$/u, '').split(' ');
  const isSame = (text: string): boolean =>
    text
      .toLowerCase()
      .split(' ')
      .some((word) => words.includes(word) && word.length > 2);
  return isSame(object) || isSame(predicate.replace(/^(?:has|owns|drives) ?/u, ''));
}
