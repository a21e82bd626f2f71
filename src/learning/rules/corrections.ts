import { isOneOf, textOf, type Word } from '../../language/sentence-words.ts';
import { timesNamed } from '../../language/times.ts';
import { isPersonKin } from '../../language/words/lexicon.ts';
import { regex } from '../../language/words/lists.ts';
import type { KnownFact } from '../extractor.ts';
import { USER_NAME } from '../first-person.ts';
import { dateAt } from './names.ts';
import { statedFacts, type ClauseContext, type StatedFact } from './rule-statements.ts';
import { subjectOf, type Speaking } from './subjects.ts';
import { PROPERTIES } from './shapes.ts';
import { deny, withoutLead } from './clauses.ts';
import { fullName, NOBODY } from './name-slots.ts';
import { readSlot } from './slots.ts';

/** The known facts that a text ends, and what it states instead. */
export interface Correction {
  readonly ended: readonly KnownFact[];
  readonly told: readonly StatedFact[];
}

const NOTHING: Correction = { ended: [], told: [] };
const DAY = 86_400_000;

/** What a sentence says about what the user said before: "I wrote that I retired in 2014; it was in fact 2013." */
interface OwnCorrection {
  /** The words that were said. */
  readonly said: readonly Word[];
  /** The words that are true instead; empty if they only say that it was wrong. */
  readonly right: readonly Word[];
}

/** Returns what a sentence takes back of the user's own words, or undefined. */
function ownCorrection(words: readonly Word[]): OwnCorrection | undefined {
  const verb = words.findIndex(
    (word, index) => isOneOf(word, 'wrote said told mentioned claimed') && words[index - 1]?.lower === 'i',
  );
  const it = words.findLastIndex(
    (word, index) => isOneOf(word, 'it that this') && isOneOf(words[index + 1], 'is was'),
  );
  if (verb < 0 || it < verb + 3) return undefined;
  const start = words.slice(verb + 1).findIndex((word) => !isOneOf(word, 'you that earlier before'));
  const said = words.slice(verb + 1 + start, it);
  const end = said.findLastIndex((word) => word.kind !== 'mark' && !isOneOf(word, 'but and though')) + 1;
  const value = words.slice(it + 2).filter(({ kind }) => kind !== 'mark');
  const skipped = value.findIndex(
    (word, index) =>
      !isOneOf(word, 'fact actually really') && !(word.lower === 'in' && value[index + 1]?.lower === 'fact'),
  );
  const right = value.slice(skipped);
  if (skipped < 0) return undefined;
  const isWrong =
    /^(?:wrong|false|incorrect|not (?:true|right|correct)|an? (?:joke|lie|mistake|typo))$/u.test(
      textOf(right).toLowerCase(),
    );
  return { said: said.slice(0, end), right: isWrong ? [] : right };
}

/** Returns what was said and is known, with the right object in place of the wrong one. */
function corrected(
  { right }: OwnCorrection,
  said: readonly StatedFact[],
  known: readonly KnownFact[],
): Correction {
  const [fact] = said;
  if (!fact || said.length > 1 || known.length === 0) return NOTHING;
  const object = textOf(right);
  if (right.length === 0) return { ended: known, told: [] };
  return isAlike(fact.object, right) && object !== fact.object
    ? { ended: known, told: [{ subject: fact.subject, predicate: fact.predicate, object }] }
    : NOTHING;
}

/** Whether words can stand in place of an object: a number for a number, a name for a name. */
function isAlike(object: string, words: readonly Word[]): boolean {
  const shape = /^\d/u.test(object) ? /^\d/u : /^\p{Lu}/u;
  return shape.test(object) && words.length <= 3 && words.every(({ text }) => shape.test(text));
}

/**
 * Reads a sentence in which the user takes back what they said. Returns the facts of the sentence without it, and what is
 * over.
 */
export function takeBack(
  words: readonly Word[],
  { speaking, context }: { readonly speaking: Speaking; readonly context: ClauseContext },
  facts: readonly StatedFact[],
  knownAs: (said: readonly StatedFact[]) => readonly KnownFact[],
): { readonly facts: readonly StatedFact[]; readonly ended: readonly KnownFact[] } {
  const own = ownCorrection(words);
  const subject = own && subjectOf(withoutLead(own.said), speaking);
  const said = subject ? statedFacts(subject, subject.rest, context) : [];
  const { ended, told } = own ? corrected(own, said, knownAs(said)) : NOTHING;
  if (ended.length === 0) return { facts, ended };
  const isSaid = ({ predicate, object }: StatedFact): boolean =>
    said.some((fact) => fact.predicate === predicate && fact.object === object);
  return { facts: [...facts.filter((fact) => !isSaid(fact)), ...told], ended };
}

/** Returns the negation of the assistant's last statement about the user for "I'm not". */
export function deniedClaims(rest: readonly Word[], claims: readonly StatedFact[]): StatedFact[] {
  const isDenial = rest.length === 2 && rest[0]?.lower === 'am' && rest[1]?.lower === 'not';
  const claim = isDenial ? claims.findLast(({ predicate }) => /^is (?!not\b)/u.test(predicate)) : undefined;
  return claim ? [{ ...claim, predicate: deny(claim.predicate) }] : [];
}

/** What has just been said to have changed, whose new value may follow. */
export interface Changed {
  readonly predicate: string;
  readonly isDate: boolean;
}

/** Returns the known fact whose value a clause says to have changed: "the deadline moved", "my supervisor changed". */
export function changedBy(
  clause: string,
  known: readonly KnownFact[],
): (Correction & { readonly changed: Changed }) | undefined {
  const { what = '', verb = '', to } = CHANGED.exec(clause)?.groups ?? {};
  const noun = what.toLowerCase();
  const isRole = isPersonKin(noun) && verb === 'changed' && to === undefined;
  // "My email has changed to a@b.com"
  const isProperty = PROPERTIES.test(noun) && verb === 'changed' && to !== undefined;
  const date = to?.replace(/^(?:the|on) /u, '');
  const meant = known.filter(({ subject, predicate }) => {
    const [, event = '?'] = /^has (.+?)(?: due)? on$/u.exec(predicate) ?? [];
    if (isRole || isProperty) return subject === USER_NAME && predicate === `has ${noun}`;
    return event === noun || event.endsWith(` ${noun}`);
  });
  const mine = meant.filter(({ subject }) => subject === USER_NAME);
  const [only, ...others] = mine.length > 0 ? mine : meant;
  if (!only || others.length > 0 || (date !== undefined && !isProperty && !DATE.test(date))) return undefined;
  const told = date === undefined ? [] : [{ ...triple(only), object: date }];
  const isOff = noun === 'wedding' && /^(?:call|cancel|off)/u.test(verb);
  const ended = known.filter(
    (fact) => fact === only || (isOff && fact.subject === only.subject && MARRYING.test(fact.predicate)),
  );
  return { ended, told, changed: { predicate: only.predicate, isDate: !isRole } };
}

/** Returns the new value of what has changed: "it's 12 May now", "12th now", "it's Ana Ruiz now". */
export function newValue(words: readonly Word[], { predicate, isDate }: Changed): StatedFact[] {
  const isIt = isOneOf(words[0], 'it he she') && words[1]?.lower === 'is';
  const isNow = words.some(({ lower }) => lower === 'now');
  const value = words.slice(isIt ? 2 : 0).filter((word) => !isOneOf(word, 'now the on'));
  const text = textOf(value);
  const name = isDate ? undefined : (readSlot('self', value, NOBODY) ?? [fullName(value, NOBODY)])[0];
  const isDay = isDate && (DATE.test(text) || dateAt(value, 0)?.end === value.length);
  const object = isDay ? text : name;
  return isNow && object !== undefined ? [{ subject: USER_NAME, predicate, object }] : [];
}

/** Returns the known measures that a sentence gives another value for: "I charge 50 an hour now". */
export function remeasured(
  sentence: string,
  told: readonly StatedFact[],
  known: readonly KnownFact[],
): KnownFact[] {
  if (!/\b(?:now|instead|new|up|down)\b/iu.test(sentence)) return [];
  return known.filter((old) =>
    told.some(
      (fact) =>
        fact.subject === old.subject &&
        fact.predicate === old.predicate &&
        /^(?:charges|earns|makes|has budget)$/u.test(old.predicate) &&
        fact.object !== old.object &&
        /^\D*\d/u.test(old.object) &&
        (unitOf(fact.object) === '' || unitOf(fact.object) === unitOf(old.object)),
    ),
  );
}

/** Returns `an hour` of `€50 an hour`. */
function unitOf(price: string): string {
  return /\b(?:an?|per) \p{L}+$/u.exec(price)?.[0].replace(/^an?/u, 'per') ?? '';
}

/** Adds its end to a fact about a day: an exam on 5 May is over on 6 May. */
export function withEnd(fact: StatedFact, sentence: string, now: number): StatedFact {
  const isOnce = /^(?:has .+|is due) on$|^is getting married in$/u.test(fact.predicate);
  if (!isOnce || YEARLY.test(`${fact.predicate} ${sentence}`)) return fact;
  // A date without a year is read as one of the next eleven months.
  const day = fact.object.replace(/^\p{L}{3,6}day /iu, '');
  const [window] = timesNamed(`in ${day}`, /\d{4}/u.test(day) ? now + 3000 * DAY : now + 340 * DAY).windows;
  return window && window.to > now && /\p{L}{3}/u.test(day) ? { ...fact, validTo: window.to + 1 } : fact;
}

function triple({ subject, predicate, object }: StatedFact): StatedFact {
  return { subject, predicate, object };
}

const MARRYING = /^is (?:engaged to|marrying|getting married in)$/u;
const YEARLY = /\b(?:birthday|anniversary|every|each|yearly|annual)\b/iu;
const DATE = regex(
  String.raw`^(?:(?:{weekdayOrShort}) )?(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:{monthOrShort})|(?:{monthOrShort}) \d{1,2}(?:st|nd|rd|th)?)$`,
  'iu',
);
const CHANGED = regex(
  String.raw`^(?:(?:so|and|also|ok|oh|the|my|our) )*(?<what>[\p{L}\d-]+(?: [\p{L}\d-]+)??) (?:(?:has|have|had|got|was|is|been|just) )*(?<verb>moved|changed|postponed|rescheduled|delayed|pushed|brought forward|called off|canceled|cancelled|off)(?: back| forward)?(?: to (?<to>.+))?$`,
  'iu',
);
