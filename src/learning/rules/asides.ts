import { isOneOf, textOf, wordsOf, type Word } from '../../language/sentence-words.ts';
import type { Tagger } from '../../language/tagging/tagger.ts';
import { pairs, rowsOf } from '../../language/words/lexicon.ts';
import { USER_NAME } from '../first-person.ts';
import { nameAt } from './names.ts';
import type { Referents } from './referents.ts';
import { statedFacts, timeless, type ClauseContext, type StatedFact } from './rule-statements.ts';
import { fullName, NOBODY, type SlotContext } from './name-slots.ts';
import { listParts, readSlot } from './slots.ts';
import { onlyOne, ownerAt, subjectOf, type FoundSubject, type Speaking } from './subjects.ts';

/** A question that is waiting for its answer. */
export interface OpenQuestion {
  /** The statement that an answer completes, in the asker's words, with `…` in place of the answer. */
  readonly statement: string;
  /** Whether the answer is usually a list of names. */
  readonly isList: boolean;
}

/** A question per line, the statement that its answer completes, and whether the answer is a list. */
const QUESTIONS = rowsOf(String.raw`
(?:(?:so|and|hi|hello) )*(?:what|who) (?:is|are|was) (?<what>(?:your|his|her|their|\p{Lu}\p{L}+ 's) [\p{L} ]{2,40}) => {what} is …
(?:so |and )?where (?:do|does) {who} live => {who} live in …
(?:so |and )?where (?:do|does) {who} work => {who} work at …
(?:so |and )?how old (?:are|is) {who} => {who} is … years old
(?:and )?(?:what|which)(?: other| else| more)?(?: [\p{L}-]+){0,3} (?:has|have|had|did) {who} (?:also )?(?<verb>direct|write|found|invent|compose|paint|create|build|design)(?:ed|ten)? => {who} {past} … => list
(?:and )?who (?<verb>directed|wrote|founded|invented|composed|painted|created|built|discovered|designed) (?<what>.{2,60}) => … {verb} {what} => list
(?:please )?(?:name|list|tell me|give me)(?: \p{L}+| \d+)? of (?<what>the most [\p{L}-]+ [\p{L} ]{2,40}) => … is one of {what} => list
`).map(([words = '', statement = '', list]) => ({
  pattern: new RegExp(
    `^${words.replace(
      '{who}',
      String.raw`(?<who>you|he|she|they|it|we|i|\p{Lu}[\p{L}\p{N}.'-]*(?: \p{Lu}[\p{L}\p{N}.'-]*){0,3})`,
    )}$`,
    'iu',
  ),
  statement,
  isList: list !== undefined,
}));

const PASTS = pairs('write: wrote, build: built, found: founded');
const MAX_ANSWER_WORDS = 4;
const MAX_ANSWERS = 20;

/** Returns what a question asks for, or undefined if its answer would not be a plain fact. */
export function openQuestion(words: readonly Word[]): OpenQuestion | undefined {
  const text = words
    .filter(({ kind }) => kind !== 'mark')
    .map(({ text: each, kind }) => (kind === 'title' ? `"${each}"` : each))
    .join(' ');
  for (const { pattern, statement, isList } of QUESTIONS) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    const verb = groups['verb']?.toLowerCase() ?? '';
    const past = PASTS.get(verb) ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);
    const filled = statement.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      name === 'past' ? past : (groups[name] ?? '').replace(/ 's\b/gu, "'s"),
    );
    return { statement: filled, isList };
  }
  return undefined;
}

/** Returns the statements made by a short answer to a question, each in the asker's words. */
export function answeredStatements({ statement, isList }: OpenQuestion, answer: readonly Word[]): string[] {
  const end = answer.findIndex(({ kind, text }) => kind === 'mark' && /^[.!;]$/u.test(text));
  const parts = listParts(withoutOpening(end < 0 ? answer : answer.slice(0, end))) ?? [];
  const isAnswer =
    parts.length <= (isList ? MAX_ANSWERS : 1) &&
    parts.every(
      (part) =>
        part.length <= MAX_ANSWER_WORDS &&
        part.every((word) => word.kind !== 'mark' && !isOneOf(word, NO_ANSWER)) &&
        (!isList || part[0]?.kind === 'title' || part[0]?.isCapital === true || part[0]?.lower === 'you'),
    );
  if (!isAnswer) return [];
  return parts.map((part) => {
    const text = part[0]?.kind === 'title' ? `"${textOf(part)}"` : textOf(part);
    // When the person answering says "you", they mean the asker.
    return statement
      .replace('…', text === 'you' ? 'I' : text)
      .replace(/^(I|you) is\b/iu, (_, who: string) => (who === 'I' ? 'I am' : 'you are'));
  });
}

function withoutOpening(words: readonly Word[]): readonly Word[] {
  const [first, second] = words;
  const isOpening =
    first?.kind === 'mark' || isOneOf(first, 'well sure yes yeah yep ok okay oh in at mostly');
  if (words.length > 1 && isOpening) return withoutOpening(words.slice(1));
  return first?.lower === 'it' && second?.lower === 'is' ? words.slice(2) : words;
}

/** Returns the facts in the statements that an answer makes. */
export function readAnswers(
  statements: readonly string[],
  tagged: Awaited<ReturnType<Tagger>>,
  speaking: Speaking,
  context: ClauseContext,
): StatedFact[] {
  return statements.flatMap((statement, index) => {
    const subject = subjectOf(wordsOf(statement, tagged[index]), speaking);
    return subject ? statedFacts(subject, subject.rest, context, true) : [];
  });
}

const NO_ANSWER = `no not none nothing nobody sorry unknown maybe is are was were am do does did have has had i it that
  this what who why would could will can if think know`;

/** Returns the relation stated by `Emma is my sister` or `Sam is a friend of mine`. */
export function relatedBy(subject: FoundSubject, speaking: Speaking): StatedFact[] {
  const said = timeless(subject.rest);
  const [be, ...rest] = said;
  const [other, user] = subject.names;
  // Reads "Emma and I got engaged".
  const how = /^(?:got|are) (engaged|married)$/u.exec(textOf(said).toLowerCase())?.[1];
  if (how !== undefined && other !== undefined && user === USER_NAME)
    return [{ subject: USER_NAME, predicate: `is ${how} to`, object: other }];
  if (!isOneOf(be, 'is are') || subject.kin || subject.property) return [];
  const isMine = rest.length > 2 && textOf(rest.slice(-2)).toLowerCase() === 'of mine';
  const owner = isMine ? { name: USER_NAME, end: 0 } : ownerAt(rest, speaking);
  const nouns = isMine ? rest.slice(0, -2) : rest.slice(owner?.end ?? 0);
  const [noun] = owner ? (readSlot('kin', nouns, NOBODY) ?? []) : [];
  const name = owner?.name;
  if (name === undefined || noun === undefined) return [];
  return subject.names
    .filter((each) => each !== USER_NAME)
    .map((object) => ({ subject: name, predicate: `has ${noun}`, object }));
}

/**
 * Returns who made the works that a sentence mentions: `"Interstellar" and "Inception", both films directed by
 * Christopher Nolan`, `He also directed "Memento"`. This is a fact even if the rest of the sentence is only a
 * suggestion.
 */
export function makersIn(words: readonly Word[], referents: Referents, context: SlotContext): StatedFact[] {
  return words.flatMap((word, index) => {
    const predicate = word.kind === 'word' ? MAKING.get(word.lower) : undefined;
    const before = words.slice(0, index);
    if (predicate === undefined || before.some((each) => isOneOf(each, DOUBT))) return [];
    const isPassive = words[index + 1]?.lower === 'by';
    const subject = isPassive ? makerAt(words, index + 2, referents) : makerBefore(before, referents);
    if (subject === undefined) return [];
    const works = worksIn(isPassive ? before : words.slice(index + 1), context, isPassive);
    return works.map((object) => ({ subject, predicate, object }));
  });
}

function makerAt(words: readonly Word[], index: number, referents: Referents): string | undefined {
  const word = words[index];
  if (word && isOneOf(word, 'him her')) return onlyOne(referents.resolve(word.lower));
  const name = nameAt(words, index, (lower) => referents.knows(lower));
  return name && name.kind !== 'date' ? referents.fullName(name.text) : undefined;
}

/** Returns the person right before the verb: `Nolan also directed`. */
function makerBefore(words: readonly Word[], referents: Referents): string | undefined {
  const end = words.findLastIndex((word) => !isOneOf(word, 'also has later then even')) + 1;
  const last = words[end - 1];
  if (last && isOneOf(last, 'he she')) return onlyOne(referents.resolve(last.lower));
  for (let start = Math.max(0, end - 4); start < end; start++) {
    const name = nameAt(words, start, (lower) => referents.knows(lower));
    if (name?.end === end && name.kind !== 'date' && name.kind !== 'title')
      return referents.fullName(name.text);
  }
  return undefined;
}

/** Returns the titles or names next to the verb, with at most their kind in between: `, both sci-fi films`. */
function worksIn(words: readonly Word[], context: SlotContext, isBefore: boolean): string[] {
  let works: string[] = [];
  let isList = false;
  let next = 0;
  for (const [index, word] of words.entries()) {
    if (index < next) continue;
    next = index + 1;
    const name = nameAt(words, index, context.isKnown);
    const isWork = name && name.kind !== 'date' && name.kind !== 'person';
    const isUnknown =
      word.isCapital &&
      word.kind === 'word' &&
      works.length === 0 &&
      (!isBefore || index === 0) &&
      fullName([word], context) !== undefined;
    if (isWork || isUnknown) {
      works = [...(isList ? works : []), isWork ? name.text : word.text];
      isList = true;
      if (isWork) next = name.end;
      continue;
    }
    const isLink = word.kind === 'mark' ? /^[,()–—-]$/u.test(word.text) : isOneOf(word, LINK);
    const isKind =
      isBefore &&
      word.kind === 'word' &&
      (index === words.length - 1 || !word.tags.has('Verb')) &&
      words.length - index <= MAX_KIND_WORDS;
    if (isLink || isKind) continue;
    if (!isBefore) return works;
    isList = false;
    works = [];
  }
  return works;
}

const MAX_KIND_WORDS = 5;
const LINK = 'and or both all also each a an the are is was were which that';
const DOUBT = 'not if whether never think thinks thought believe guess maybe perhaps who which what';
/** Verb forms, with the predicate that they state. */
const MAKING = pairs(
  `directed: directed, written: wrote, wrote: wrote, composed: composed, painted: painted, founded: founded,
  created: created, invented: invented, produced: produced, designed: designed, discovered: discovered, sung: sang,
  drawn: drew`,
);
