import { fold } from '../../language/fold.ts';
import { contentStems, isSameStem } from '../../language/matters.ts';
import { valuesIn, type Value } from '../../language/values.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';
import { MAY_BE } from './ending-patterns.ts';

/** What a clause says about values. */
export interface ValueReading {
  readonly text: string;
  readonly values: readonly Value[];
  /** Stems of the other words. */
  readonly stems: ReadonlySet<string>;
  /** Values that the clause denies: "Wednesday, not Tuesday". */
  readonly denied: ReadonlySet<string>;
  /** The name in whose place the clause puts another one: "we changed to Osaka instead of Kyoto". */
  readonly replacedName: string | undefined;
  readonly isCorrection: boolean;
  readonly isChange: boolean;
}

/** Reads the values of a clause. */
export function readValues(text: string): ValueReading {
  const folded = fold(text);
  const values = valuesIn(text);
  const denied = values.filter(({ start }) => DENIES.test(folded.slice(0, start)));
  const rest = values.reduceRight(
    (left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`,
    folded,
  );
  return {
    text,
    values,
    stems: contentStems(rest.replaceAll(CHANGE_WORDS, ' ')),
    denied: new Set(denied.map(({ value }) => value)),
    replacedName: RENEWS.test(folded) && !HYPOTHETICAL.test(folded) ? INSTEAD_OF.exec(text)?.[1] : undefined,
    isCorrection: CORRECTION.test(folded),
    isChange: CHANGE.test(folded) && !HYPOTHETICAL.test(folded),
  };
}

/** Whether a clause corrects a value: "it was in fact 2013". It says nothing without the clause before. */
export function correctsValue(text: string): boolean {
  const { values, isCorrection } = readValues(text);
  return isCorrection && values.length > 0;
}

/**
 * Returns the words of an earlier part that a later clause gives another value for: "the stand-up is at 9:15", "the
 * stand-up moved to 10:00".
 */
export function replacedValue(
  later: ValueReading,
  earlier: ValueReading,
  isNext: boolean,
): string | undefined {
  const denied = earlier.values.filter(({ value }) => later.denied.has(value));
  if (denied.length === 1 && denied[0]) return phraseOf(earlier, denied[0]);
  const name = nameIn(earlier.text, later.replacedName);
  if (name && isSamePlan(later, earlier)) return phraseOf(earlier, name);
  if (!later.isCorrection && !later.isChange) return undefined;
  for (const each of later.values) {
    const { sort, value, of } = each;
    if (later.denied.has(value)) continue;
    const isBare = sort === 'number' && leavesOutUnit(later, each, earlier);
    const same = earlier.values.filter(
      (old) =>
        old.sort === sort &&
        (of === old.of || (sort !== 'version' && sort !== 'number') || (isBare && !isCounted(old.of))),
    );
    const [old, ...others] = same;
    if (!old || others.length > 0 || old.value === value) continue;
    if (
      (isNext && later.isCorrection && later.stems.size === 0) ||
      isSameThing(later, earlier, sort) ||
      isCounted(of)
    )
      return phraseOf(earlier, old);
  }
  return undefined;
}

/** Whether a clause is about a plan, or about the same thing as another one that is not the name that changed. */
function isSamePlan(later: ValueReading, earlier: ValueReading): boolean {
  const names = contentStems((INSTEAD_OF.exec(later.text)?.[0] ?? '').toLowerCase());
  const stems = new Set([...later.stems].filter((stem) => !names.has(stem)));
  const folded = fold(earlier.text);
  return hasWord(folded, 'plan') || PLANS.test(folded) || isSameThing({ ...later, stems }, earlier, 'number');
}

/** Travels and bookings, by the beginnings of their words. */
const PLANS = regex(
  String.raw`\b(?:stay(?:ing)?|travel|visit|start|begin|book|reserv|fang|beginn|flieg|fahr|reis|gebucht|urlaub|commenc|part(?:ons|ir|iamo|imos)
    on part|voyag|vacance|empez|salimos|viaj|vacacion|inizi|prenot|comec|ferias)`,
  'u',
);

/** Returns where a text has a name, as a word of its own. */
function nameIn(text: string, name: string | undefined): Pick<Value, 'start' | 'end'> | undefined {
  if (name === undefined) return undefined;
  const start = text.indexOf(name);
  const end = start + name.length;
  const isWord =
    start >= 0 && !/^[\p{L}-]/u.test(text.slice(end)) && !/[\p{L}-]$/u.test(text.slice(0, start));
  return isWord ? { start, end } : undefined;
}

function isSameThing(later: ValueReading, earlier: ValueReading, sort: Value['sort']): boolean {
  if (sort === 'version') return true;
  return [...later.stems].some((stem) => [...earlier.stems].some((other) => isSameStem(stem, other)));
}

/**
 * Whether a number goes without the unit that it had before, behind the same word: "max 8 km walking a day", "now I can
 * walk 15 easily".
 */
function leavesOutUnit(later: ValueReading, { of, start }: Value, earlier: ValueReading): boolean {
  // The stem of an adverb: "easili".
  if (of !== '' && !of.endsWith('li')) return false;
  const lead = [...contentStems(fold(later.text.slice(0, start)).replaceAll(CHANGE_WORDS, ' '))].at(-1);
  return lead !== undefined && [...earlier.stems].some((stem) => isSameStem(lead, stem));
}

/** Whether a clause counts one of its things that another clause does not name: "10 errands", after "5 km". */
export function countsOtherThings(
  { values }: ValueReading,
  things: ReadonlySet<string>,
  named: ReadonlySet<string>,
): boolean {
  return values.some(
    ({ sort, of }) =>
      sort === 'number' &&
      things.has(of) &&
      isCounted(of) &&
      ![...named].some((stem) => isSameStem(of, stem)),
  );
}

/** Whether a unit says what is counted: "6 students", but not "6 km". */
function isCounted(unit: string): boolean {
  return unit.length > 2 && !MEASURES.has(unit);
}

const MEASURES = contentStems(
  'minute minutes hour hours day days week weeks month months year years time times percent euro euros dollar dollars pound pounds kilo kilos gram grams mile miles meter meters metre metres inch inches degree degrees step steps page pages point points',
);

/** Maximum number of words of a part that is over as a whole. */
const SHORT_PART = 5;

/** Returns a value with the word before it, which mostly is the verb; a short part with one value as a whole. */
function phraseOf({ text, values }: ValueReading, { start, end }: Pick<Value, 'start' | 'end'>): string {
  if (values.length === 1 && text.trim().split(/\s+/u).length <= SHORT_PART) return text.trim();
  const before = /\p{L}+\s+$/u.exec(text.slice(0, start))?.index ?? start;
  const isTaken = values.some((other) => other.end > before && other.end <= start);
  return text.slice(isTaken ? start : before, end).trim();
}

/** Two names, the first in place of the second. */
const INSTEAD_OF =
  /(?<!\p{L})\p{Lu}[\p{L}’'-]+ (?:instead of|rather than|(?:an)?statt|au lieu d(?:e |[’'])|à la place d(?:e |[’'])|en (?:vez|lugar) de|em vez de|invece (?:di|che)) ?(?<!\p{L})(\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*)/u;
const RENEWS = regex(
  String.raw`\b(?:changed?|changeons|switched|rebooked|finally|in the end|umgeplant|umgebucht|geandert|gewechselt|am ende
    jetzt|finalement|maintenant|cambi(?:ado|amos|ato)|ahora|al final|alla fine|mud(?:amos|ei|ou)|trocamos|afinal|agora)\b`,
  'u',
);
const DENIES = /(?:\b(?:not|nicht|pas|no|nao|non|instead of|rather than|statt|au lieu de|en vez de)\s+)$/u;
const CORRECTION =
  /\b(?:in fact|i meant|i misread|i mistyped|correction|typo|make that|scratch that|sorry|my mistake|i was wrong|actually|instead|oops|ups|wait|perdona|me equivoque|je me suis trompee?|ich habe mich (?:vertan|geirrt)|perdon|pardon|je voulais dire|ich meinte|quise decir|en fait|en realidad|in realta|na verdade)\b/u;
const CHANGE = regex(
  String.raw`\b(?:moved|moves|moving|pushed|bumped|raised|lowered|cut|brought forward|rescheduled|changed|switched
    upgraded|migrated|upgrade|migration|migrated|went up|went down|down to|up to|is now|are now|'s now|(?<!\bfor )now
    new|as of|instead|from now on|verschoben|verlegt|geandert|jetzt|deplace|decale|passe[er]? a|maintenant|movido|cambiad[oa]
    cambiaron|ahora|spostat[oa]|mudou|agora)\b|现在|改`,
  'u',
);
const HYPOTHETICAL = regex(
  String.raw`\b(?:if|might|${MAY_BE}|could|would|should|maybe|wish|hope|want|thinking|asked|asks|whether)\b`,
);
const CHANGE_WORDS = regex(
  String.raw`\b(?:moved|moves|pushed|bumped|raised|lowered|rescheduled|changed|switched|upgraded?|migrat\w+|correction
    sorry|meant|misread|new|now|live|last|release)\b`,
  'gu',
);
