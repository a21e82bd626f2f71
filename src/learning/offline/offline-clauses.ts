import { isMainVerb } from './offline-verbs.ts';
import type { Word } from './offline-words.ts';

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly words: readonly Word[];
  /** Says it of the subject of the clause before: `… and work at Acme`. */
  readonly isContinued: boolean;
}

/**
 * The clauses of a sentence that are stated as true. Questions, wishes, conditions and what somebody else is said to have
 * said are left out.
 */
export function statedClauses(words: readonly Word[]): Clause[] {
  const isAsked = words.slice(-4).some((word) => word.kind === 'mark' && /[?？]/u.test(word.text));
  const clauses: Clause[] = [];
  for (const segment of segmentsOf(words)) {
    const told = withoutLead(segment);
    if (told.some((word, index) => isDoubt(word, told[index + 1]))) continue;
    const parts = clausesOf(told);
    for (const part of parts) {
      // "I am vegetarian, what can I cook?" states its first half.
      if (isAskedFrom(part.words)) break;
      const isHalf = isAsked && parts.length > 1 && parts.some(({ words: other }) => isAskedFrom(other));
      if (!isAsked || isHalf) clauses.push(part);
    }
  }
  return clauses;
}

/** Whether a sentence asks something, with or without a question mark. */
export function isQuestion(words: readonly Word[]): boolean {
  return (
    words.slice(-4).some((word) => word.kind === 'mark' && /[?？]/u.test(word.text)) ||
    isAskedFrom(withoutLead(words))
  );
}

/** Parts that stand for themselves: a doubt in one does not touch the others. */
function segmentsOf(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [[]];
  for (const word of words) {
    const isBreak =
      (word.kind === 'mark' && /^[;()–—!.…]$/u.test(word.text)) ||
      (word.kind === 'word' && word.lower === 'but');
    if (isBreak) segments.push([]);
    else segments.at(-1)?.push(word);
  }
  return segments.filter((segment) => segment.length > 0);
}

/** Takes off what only opens a sentence: `well,`, `by the way,`, `I told you that`. */
function withoutLead(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (;;) {
    const lead = LEADS.find((phrase) => phrase.every((lower, index) => rest[index]?.lower === lower));
    const marks = rest[0]?.kind === 'mark' ? 1 : 0;
    const taken = lead?.length ?? marks;
    if (taken === 0 || taken >= rest.length) return rest;
    rest = rest.slice(taken);
  }
}

function clausesOf(words: readonly Word[]): Clause[] {
  const clauses: Clause[] = [];
  let current: Word[] = [];
  let isContinued = false;
  let isAside = false;
  const close = (continued: boolean): void => {
    if (current.length > 0 && !isAside) clauses.push({ words: current, isContinued });
    current = [];
    isContinued = continued;
    isAside = false;
  };
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word) break;
    const joins = word.kind === 'mark' ? word.text === ',' : JOINS.has(word.lower);
    // "Sam, who lives in Oslo, is a friend": what stands between is no clause of its own.
    if (
      word.kind === 'word' &&
      RELATIVE.has(word.lower) &&
      current.length > 0 &&
      !isAskingComma(words, index)
    ) {
      current = current.at(-1)?.text === ',' ? current.slice(0, -1) : current;
      const until = endOfAside(words, index);
      index = until;
      if (!opensClause(words, until + 1)) continue;
      close(false);
      continue;
    }
    if (SUBORDINATE.has(word.lower) && word.kind === 'word') {
      close(false);
      isAside = ASIDE.has(word.lower);
      continue;
    }
    if (joins) {
      const next = skipJoins(words, index);
      if (opensClause(words, next) && current.some(isMainVerb)) {
        close(false);
        index = next - 1;
        continue;
      }
      if (opensContinued(words, next) && current.some(isMainVerb)) {
        close(true);
        index = next - 1;
        continue;
      }
      if (isAside && word.text === ',') {
        close(false);
        continue;
      }
    }
    current.push(word);
  }
  close(false);
  return clauses;
}

function skipJoins(words: readonly Word[], index: number): number {
  let next = index;
  while (words[next] && (words[next]?.text === ',' || JOINS.has(words[next]?.lower ?? ''))) next++;
  return next;
}

/** A subject of its own: a pronoun, a possessive, a name before its verb, or a question. */
function opensClause(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (!word || word.kind === 'mark') return false;
  if (SUBJECTS.has(word.lower)) return index + 1 < words.length && words[index + 1]?.kind !== 'mark';
  if (POSSESSIVES.has(word.lower))
    return words.slice(index + 1, index + 6).some((next) => FINITE.has(next.lower));
  if (ASKING.has(word.lower) || AUXILIARY.has(word.lower)) return isAskedFrom(words.slice(index));
  if (!word.isCapital && !word.tags.has('FirstName')) return false;
  const verb = words.slice(index + 1, index + 4).find((next) => !next.isCapital);
  return verb !== undefined && verb.lower !== 'and' && isMainVerb(verb);
}

/** A verb without a subject. */
function opensContinued(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (word?.kind !== 'word') return false;
  const verb = /^(?:also|now|currently|not|never|then)$/u.test(word.lower) ? words[index + 1] : word;
  return (
    isMainVerb(verb) &&
    !(verb?.tags.has('Noun') ?? false) &&
    !(verb?.lower === 'like' && words[index - 1]?.lower === 'or')
  );
}

function isAskingComma(words: readonly Word[], index: number): boolean {
  return words[index - 1]?.text === ',' && isAskedFrom(words.slice(index));
}

function endOfAside(words: readonly Word[], index: number): number {
  for (let end = index + 1; end < words.length; end++) {
    if (words[end]?.text === ',' || words[end]?.lower === 'and') return end;
  }
  return words.length;
}

function isAskedFrom(words: readonly Word[]): boolean {
  const [first, second] = words;
  if (!first) return false;
  if (ASKING.has(first.lower)) return !/^(?:a|an)$/u.test(second?.lower ?? '') || first.lower !== 'what';
  if (!AUXILIARY.has(first.lower) || first.kind !== 'word') return false;
  const other = second?.lower === 'not' ? words[2] : second;
  return (
    other !== undefined &&
    (SUBJECTS.has(other.lower) ||
      POSSESSIVES.has(other.lower) ||
      other.isCapital ||
      /^(?:the|there|this|that|any|anyone|a|an)$/u.test(other.lower))
  );
}

function isDoubt(word: Word, next: Word | undefined): boolean {
  if (word.kind !== 'word') return false;
  if (word.lower === 'may') return !word.isCapital && !word.tags.has('Month');
  return (
    DOUBTS.has(word.lower) ||
    (word.lower === 'according' && next?.lower === 'to') ||
    (word.lower === 'used' && next?.lower === 'to')
  );
}

const DOUBTS = new Set(
  `if unless whether suppose supposing imagine wish hope hopefully maybe perhaps possibly probably likely allegedly
  supposedly apparently reportedly rumor rumors rumour said says say saying told tell tells claim claims claimed think
  thinks thought believe believes believed guess assume assumed heard hear hears pretend pretended dream dreamed dreamt
  doubt wonder wondering asked asks almost nearly otherwise asking hypothetically seems seem seemed
  hypothetical fictional`.split(/\s+/u),
);
const ASKING = new Set('what who whom whose which where when why how'.split(' '));
const AUXILIARY = new Set(
  'do does did is are am was were can could will would should have has had may might shall'.split(' '),
);
const SUBJECTS = new Set('i you he she it we they'.split(' '));
const POSSESSIVES = new Set('my your his her our their its'.split(' '));
const FINITE = new Set(
  'is are was were has have had lives works likes loves hates does do did went moved plays speaks studies'.split(
    ' ',
  ),
);
const JOINS = new Set(['and', 'or', 'so', 'yet', 'then', 'plus']);
const RELATIVE = new Set(['who', 'which', 'whose', 'whom', 'where', 'that']);
const SUBORDINATE = new Set(
  'because although though while whereas when whenever until before after once as'.split(' '),
);
/** What follows these is no news of now. */
const ASIDE = new Set('when whenever until before after once as while'.split(' '));
const LEADS: readonly (readonly string[])[] = [
  'by the way',
  'as i said',
  'as you know',
  'for the record',
  'just so you know',
  'i told you that',
  'i told you',
  'i said that',
  'i said',
  'i know that',
  'i mean',
  'you know that',
  'you told me that',
  'you told me',
  'you said that',
  'you said',
  'you mentioned that',
  'you mentioned',
  'remember that',
  'remember',
  'please remember that',
  'please remember',
  'please note that',
  'note that',
  'nice to meet you',
  'the thing is',
  'to be honest',
  'in fact',
  'at the moment',
  'these days',
  'right now',
  'you are wrong',
  'that is wrong',
  'that is right',
  'good morning',
  'good evening',
  ...`well yes no yeah nope yep hi hello hey oh ah ok okay so and but also now actually currently btw fyi honestly
  sadly luckily recently then sure right great thanks sorry unfortunately fortunately today still correction wrong
  correct indeed anyway plus because`.split(/\s+/u),
].map((phrase) => phrase.split(' '));
