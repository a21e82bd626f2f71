import { holdsGroups, normalize, wordsOf } from './listed-facts.ts';
import type { Ask, ListedFact, NaturalChat } from './natural-chats.ts';

/** The part of a question's context that the scores depend on. */
export interface ReadContext {
  text: string;
  items: ReadItem[];
}

export interface ReadItem {
  kind: string;
  text: string;
  tokens: number;
  factId?: string;
}

/** The contexts of one question. */
export interface AskedContext {
  context: ReadContext;
  /** Context of the same question in a personal frame; for unrelated questions only. */
  framed?: ReadContext;
}

/** The scores of a context. */
export interface JudgedContext {
  /** Tokens that were recalled for this question. */
  tokens: number;
  /** Tokens that are wasted if the question does not need memory, without those of {@link FREE_TOKENS}. */
  noise: number;
  /** Tokens of the parts that are in every context. */
  alwaysThereTokens: number;
  /** Number of needed word groups in the context. */
  met: number;
  /** Share of its six-word runs that occur twice, from 0 to 1. */
  repeated: number;
  /** Whether it states something as current that has ended. */
  statesEnded: boolean;
  /** Whether it tells something that has ended, without a mark, and not what replaced it. */
  tellsEndedAlone: boolean;
}

const ALWAYS_THERE = ['pinned', 'profile'];
/** Tokens of pins and profile that are not counted as noise. */
const FREE_TOKENS = 120;
/** Kinds that are stated as knowledge; turns are quoted with their time. */
const TOLD_AS_KNOWN = ['fact', 'pinned', 'profile', 'summary'];
/** Words by which a line itself says that it no longer holds. */
const END =
  /\b(until|ended|no longer|former|formerly|used to|not any ?more|ex|was|were|had|previously|superseded|corrected|quit|left|sold|broke up|moved|changed|stopped|cancel+ed|instead|now)\b/;
const RUN_WORDS = 6;

const FRAMES = [
  'Can you help me with this: ',
  'I need to know this for work: ',
  'My friend asked me: ',
  'hey quick question for my homework, ',
] as const;

/** Whether a question is unrelated to the memory. */
export function isUnrelated({ kind, needs }: Ask): boolean {
  return kind === 'unrelated' || needs.length === 0;
}

/** By chat and ask: the question in a personal frame, each frame in its turn; undefined where memory has an answer. */
export function framedQuestions(chats: readonly NaturalChat[]): (string | undefined)[][] {
  let count = 0;
  return chats.map(({ asks }) =>
    asks.map((ask) => (isUnrelated(ask) ? `${FRAMES[count++ % FRAMES.length]}${ask.question}` : undefined)),
  );
}

export function judgeContext(
  context: ReadContext,
  { needs }: Ask,
  { facts }: NaturalChat,
  staleIds: ReadonlySet<string>,
): JudgedContext {
  return {
    tokens: recalledTokens(context),
    noise: noiseTokens(context),
    alwaysThereTokens: alwaysThereTokens(context),
    met: needs.filter((group) => holdsGroups(context.text, [group])).length,
    repeated: repetition(context.text),
    statesEnded:
      context.items.some(({ factId }) => factId !== undefined && staleIds.has(factId)) ||
      linesOfEndedFacts(context, facts).length > 0,
    tellsEndedAlone: tellsEndedAlone(context, facts),
  };
}

/** Tokens of what was recalled for the question itself. */
export function recalledTokens({ items }: Pick<ReadContext, 'items'>): number {
  return tokensOf(items.filter((item) => !isAlwaysThere(item)));
}

/** Tokens that a context has for nothing where memory has nothing to say to the question. */
export function noiseTokens(context: Pick<ReadContext, 'items'>): number {
  return recalledTokens(context) + Math.max(0, alwaysThereTokens(context) - FREE_TOKENS);
}

/** Lines that tell a listed fact that has ended, with no word of its end. */
export function linesOfEndedFacts({ items }: ReadContext, facts: readonly ListedFact[]): string[] {
  const ended = facts.filter(
    (fact) => !fact.holds && !facts.some((other) => other.holds && sharesObject(other, fact)),
  );
  return items
    .filter(({ kind }) => TOLD_AS_KNOWN.includes(kind))
    .flatMap(({ text }) => normalize(text).split('\n'))
    .filter((line) => !END.test(line) && ended.some((fact) => tells(line, fact)));
}

/** Whether a line of any kind tells a listed fact that has ended, and the context does not tell what replaced it. */
function tellsEndedAlone({ text, items }: ReadContext, facts: readonly ListedFact[]): boolean {
  const lines = items
    .filter((item) => !/no longer true/iu.test(item.text))
    .flatMap((item) => normalize(item.text).split('\n'))
    .filter((line) => !END.test(line));
  return facts
    .filter(({ holds }) => !holds)
    .some((ended) => {
      const heir = facts.find((fact) => fact.holds && replaces(fact, ended));
      return heir && !holdsGroups(text, heir.object) && lines.some((line) => tells(line, ended));
    });
}

function replaces(fact: ListedFact, ended: ListedFact): boolean {
  const subjects = [ended.about].flat();
  return (
    [fact.about].flat().some((subject) => subjects.includes(subject)) &&
    fact.relation.some((stem) => ended.relation.includes(stem))
  );
}

/** The share of six-word runs that have stood in the text before. */
export function repetition(text: string): number {
  const words = wordsOf(text);
  if (words.length < 2 * RUN_WORDS) return 0;
  const runs = words.length - RUN_WORDS + 1;
  const distinct = new Set(
    Array.from({ length: runs }, (_, at) => words.slice(at, at + RUN_WORDS).join(' ')),
  );
  return (runs - distinct.size) / runs;
}

function sharesObject(one: ListedFact, other: ListedFact): boolean {
  const words = other.object.flat();
  return one.object.flat().some((word) => words.includes(word));
}

function tells(line: string, { relation, object }: ListedFact): boolean {
  return relation.some((stem) => line.includes(normalize(stem))) && holdsGroups(line, object);
}

function alwaysThereTokens({ items }: Pick<ReadContext, 'items'>): number {
  return tokensOf(items.filter(isAlwaysThere));
}

function isAlwaysThere({ kind }: { kind: string }): boolean {
  return ALWAYS_THERE.includes(kind);
}

function tokensOf(items: readonly { tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}
