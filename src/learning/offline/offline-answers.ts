import { listParts } from './offline-slots.ts';
import { textOf, type Word } from './offline-words.ts';

/** A question that is waiting for its answer. */
export interface OpenQuestion {
  /** The statement that an answer completes, in the asker's words, with `…` in place of the answer. */
  readonly statement: string;
  /** Whether the answer is usually a list of names. */
  readonly isList: boolean;
}

const WHO = String.raw`(?<who>you|he|she|they|it|we|i|\p{Lu}[\p{L}\p{N}.'-]*(?: \p{Lu}[\p{L}\p{N}.'-]*){0,3})`;
const KIND = String.raw`^(?:and )?(?:what|which)(?: other| else| more)?(?: [\p{L}-]+){0,3}`;

/** Questions, the statements that their answers complete, and whether the answers are a list. */
const QUESTIONS: readonly (readonly [RegExp, string, boolean?])[] = [
  [
    /^(?:(?:so|and|hi|hello) )*(?:what|who) (?:is|are) (?<what>(?:your|his|her|their|\p{Lu}\p{L}+ 's) [\p{L} ]{2,40})$/iu,
    '{what} is …',
  ],
  [new RegExp(`^(?:so |and )?where (?:do|does) ${WHO} live$`, 'iu'), '{who} live in …'],
  [new RegExp(`^(?:so |and )?where (?:do|does) ${WHO} work$`, 'iu'), '{who} work at …'],
  [new RegExp(`^(?:so |and )?how old (?:are|is) ${WHO}$`, 'iu'), '{who} is … years old'],
  [
    new RegExp(
      `${KIND} (?:has|have|had|did) ${WHO} (?:also )?(?<verb>direct|write|found|invent|compose|paint|create|build|design)(?:ed|ten)?$`,
      'iu',
    ),
    '{who} {past} …',
    true,
  ],
  [
    /^(?:and )?who (?<verb>directed|wrote|founded|invented|composed|painted|created|built|discovered|designed) (?<what>.{2,60})$/iu,
    '… {verb} {what}',
    true,
  ],
  [
    /^(?:please )?(?:name|list|tell me|give me)(?: \p{L}+| \d+)? of (?<what>the most [\p{L}-]+ [\p{L} ]{2,40})$/iu,
    '… is one of {what}',
    true,
  ],
];

const PASTS: Readonly<Record<string, string>> = { write: 'wrote', build: 'built', found: 'founded' };
const MAX_ANSWER_WORDS = 4;
const MAX_ANSWERS = 20;

/** Returns what a question asks for, or undefined if its answer would not be a plain fact. */
export function openQuestion(words: readonly Word[]): OpenQuestion | undefined {
  const text = words
    .filter(({ kind }) => kind !== 'mark')
    .map(({ text: each, kind }) => (kind === 'title' ? `"${each}"` : each))
    .join(' ');
  for (const [pattern, statement, isList = false] of QUESTIONS) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    const verb = groups['verb']?.toLowerCase() ?? '';
    const past = PASTS[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);
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
  if (parts.length === 0 || parts.length > MAX_ANSWERS || (parts.length > 1 && !isList)) return [];
  const isAnswer = parts.every(
    (part) =>
      part.length <= MAX_ANSWER_WORDS &&
      part.every(({ kind, lower }) => kind !== 'mark' && !NO_ANSWER.test(lower)) &&
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
  let rest = words;
  while (
    rest.length > 1 &&
    (rest[0]?.kind === 'mark' ||
      /^(?:well|sure|yes|yeah|yep|ok|okay|oh|in|at|mostly)$/u.test(rest[0]?.lower ?? ''))
  )
    rest = rest.slice(1);
  return rest[0]?.lower === 'it' && rest[1]?.lower === 'is' ? rest.slice(2) : rest;
}

const NO_ANSWER =
  /^(?:no|not|none|nothing|nobody|sorry|unknown|maybe|is|are|was|were|am|do|does|did|have|has|i|it|that|this|what|who|why|would|could|will|can|if|think|know)$/u;
