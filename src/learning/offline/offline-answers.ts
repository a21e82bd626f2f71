import { splitList } from './offline-objects.ts';
import { pastForm } from './offline-verbs.ts';
import { textOf, type Word } from './offline-words.ts';

/** A question that waits for its answer, as the sentence that the answer makes of it: `your name is …`. */
export interface OpenQuestion {
  readonly before: string;
  readonly after: string;
  /** Whether the answers are several as a rule, and each has a name. */
  readonly isList: boolean;
}

/** Longer ones are sentences of their own. */
const MAX_ANSWER_WORDS = 4;
const MAX_ANSWERS = 20;

/** What a question asks for; undefined where its answer makes no plain fact. */
export function openQuestion(words: readonly Word[]): OpenQuestion | undefined {
  const text = textOf(words.filter(({ kind }) => kind !== 'mark')).replace(/\s+/gu, ' ');
  for (const [pattern, toStatement] of QUESTIONS) {
    const match = pattern.exec(text);
    if (match) return toStatement(match.slice(1).map((group) => group ?? ''));
  }
  return undefined;
}

/** The statements that a short answer makes of a question, each in the asker's words. */
export function answeredStatements(question: OpenQuestion, answer: readonly Word[]): string[] {
  const ended = answer.findIndex(({ kind, text }) => kind === 'mark' && /^[.!;]$/u.test(text));
  const parts = splitList(withoutOpening(ended < 0 ? answer : answer.slice(0, ended)));
  if (parts.length === 0 || parts.length > MAX_ANSWERS) return [];
  const isShort = parts.every(
    (part) =>
      part.length <= MAX_ANSWER_WORDS &&
      part.every((word) => word.kind !== 'mark' && !NO_ANSWER.has(word.lower)),
  );
  if (!isShort || (parts.length > 1 && !question.isList)) return [];
  const isNamed = ([first]: readonly Word[]): boolean =>
    first !== undefined && (first.kind === 'title' || first.isCapital || first.lower === 'you');
  if (question.isList && !parts.every(isNamed)) return [];
  return parts.map((part) => {
    const title = part[0]?.kind === 'title' ? `"${textOf(part)}"` : textOf(part);
    // The one who answers says "you" to the one who asks.
    const named = title === 'you' ? 'I' : title;
    const be =
      question.after.startsWith('is ') && named === 'I'
        ? question.after.replace('is ', 'am ')
        : question.after;
    return [question.before, named, be].filter(Boolean).join(' ');
  });
}

function withoutOpening(words: readonly Word[]): readonly Word[] {
  let rest = words;
  while (rest.length > 1 && (rest[0]?.kind === 'mark' || OPENINGS.has(rest[0]?.lower ?? '')))
    rest = rest.slice(1);
  const text = rest.slice(0, 2).map(({ lower }) => lower);
  if (text[0] === 'it' && text[1] === 'is') return rest.slice(2);
  return rest;
}

const OPENINGS = new Set('well sure yes ok okay oh in at it’s mostly'.split(' '));
const NO_ANSWER = new Set(
  `no not none nothing nobody sorry unknown maybe is are was were am do does did have has i it that this what who why
  would could will can if think know`.split(/\s+/u),
);

type ToStatement = (groups: readonly string[]) => OpenQuestion;

const SUBJECT = String.raw`(you|he|she|they|it|we|i|[\p{Lu}][\p{L}\p{N}.'-]*(?: [\p{Lu}][\p{L}\p{N}.'-]*){0,3})`;

const QUESTIONS: readonly (readonly [RegExp, ToStatement])[] = [
  [
    /^(?:(?:so|and|hi|hello) )*(?:what|who) (?:is|are) ((?:your|his|her|their|\p{Lu}[\p{L}]+'s) [\p{L} ]{2,40})$/iu,
    ([owned = '']) => ({ before: `${owned} is`, after: '', isList: false }),
  ],
  [
    new RegExp(`^(?:so )?where (?:do|does) ${SUBJECT} (live|work)$`, 'iu'),
    ([subject = '', verb = '']) => ({
      before: `${subject} ${agree(subject, verb)} ${verb.toLowerCase() === 'live' ? 'in' : 'at'}`,
      after: '',
      isList: false,
    }),
  ],
  [
    new RegExp(`^(?:and )?how old (?:are|is) ${SUBJECT}$`, 'iu'),
    ([subject = '']) => ({
      before: `${subject} ${subject.toLowerCase() === 'you' ? 'are' : 'is'}`,
      after: 'years old',
      isList: false,
    }),
  ],
  [
    new RegExp(
      String.raw`^(?:and )?(?:what|which)(?: other| else| more)?(?: [\p{L}-]+){0,3} (?:has|have|had) ${SUBJECT} (?:also )?([\p{L}]+)$`,
      'iu',
    ),
    ([subject = '', verb = '']) => ({
      before: `${subject} ${pastForm(verb.toLowerCase())}`,
      after: '',
      isList: true,
    }),
  ],
  [
    new RegExp(
      String.raw`^(?:and )?(?:what|which)(?: other| else| more)?(?: [\p{L}-]+){0,3} did ${SUBJECT} (?:also )?([\p{L}]+)$`,
      'iu',
    ),
    ([subject = '', verb = '']) => ({
      before: `${subject} ${pastForm(verb.toLowerCase())}`,
      after: '',
      isList: true,
    }),
  ],
  [
    /^(?:and )?who (directed|wrote|founded|invented|composed|painted|created|built|discovered|designed) (.{2,60})$/iu,
    ([verb = '', object = '']) => ({ before: '', after: `${verb.toLowerCase()} ${object}`, isList: true }),
  ],
  [
    /^(?:please )?(?:name|list|tell me|give me)(?: \p{L}+| \d+)? of (the most [\p{L}-]+ [\p{L} ]{2,40})$/iu,
    ([group = '']) => ({ before: '', after: `is one of ${group}`, isList: true }),
  ],
];

function agree(subject: string, verb: string): string {
  return /^(?:you|they|we|i)$/iu.test(subject) ? verb.toLowerCase() : `${verb.toLowerCase()}s`;
}
