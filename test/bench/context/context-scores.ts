import {
  isUnrelated,
  judgeContext,
  recalledTokens,
  type AskedContext,
  type JudgedContext,
} from './asked-contexts.ts';
import { judgeFact, type StatedFact, type Verdict } from './listed-facts.ts';
import type { Ask, ListedFact, NaturalChat } from './natural-chats.ts';
import { saidTokens, sentTokens } from './said-words.ts';

/** The facts of a memory after a chat, and its context for each of the chat's questions, in order. */
export interface PlayedChat {
  chat: NaturalChat;
  facts: StatedFact[];
  asked: AskedContext[];
}

/** Shares are percentages with one decimal, or null if there is nothing to count; tokens are rounded means. */
export interface ContextScores {
  conversations: number;
  facts: FactScores;
  /** By kind of ask. */
  asks: Record<string, AskScores>;
  /** All questions that need memory. */
  related: AskScores;
  unrelated: QuietScores;
  /** The unrelated questions in a personal frame. */
  framed: QuietScores;
  relatedMeanTokens: number | null;
  /** Tokens of the contexts as they are sent, with dates, speakers, marks and the fence. */
  relatedSentTokens: number | null;
  /** Tokens of these that are words of a message of the chat. */
  relatedSaidTokens: number | null;
  /** Share of the tokens sent that are such words. */
  relatedSaidPercent: number | null;
  alwaysThereTokens: number | null;
  /** Share of six-word runs that occur twice in a context. */
  repeatedPercent: number | null;
  /** Questions whose context states something as current that has ended. */
  staleStatedPercent: number | null;
  /** Questions whose context tells something that has ended and not what replaced it. */
  staleAlonePercent: number | null;
}

export interface FactScores {
  said: number;
  /** Share of what is said that fits a listed fact. */
  precision: number | null;
  /** Share of the listed facts that are said. */
  recall: number | null;
  recallOfWhatHolds: number | null;
  /** Share of the right facts that have ended and are stated as current. */
  staleAmongRight: number | null;
  traps: number;
}

export interface AskScores {
  n: number;
  /** Share of the needed word groups that stand in the context. */
  needsMet: number | null;
  /** Share of the asks with all of theirs. */
  allMet: number | null;
  meanTokens: number | null;
}

export interface QuietScores {
  n: number;
  /** Share of the questions for which nothing is recalled. */
  quiet: number | null;
  meanTokens: number | null;
}

/** A fact with what it turned out to be. */
export interface JudgedFact {
  fact: StatedFact;
  verdict: Verdict;
}

export function scoreContexts(played: readonly PlayedChat[]): ContextScores {
  const answers = played.flatMap(judgeAnswers);
  const unrelated = answers.filter(({ ask }) => isUnrelated(ask));
  const related = answers.filter(({ ask }) => !isUnrelated(ask));
  const kinds = [...new Set(answers.map(({ ask }) => ask.kind))];
  const framed = played.flatMap(({ asked }) => asked.flatMap((each) => each.framed ?? []));
  return {
    conversations: played.length,
    facts: scoreFacts(played),
    asks: Object.fromEntries(
      kinds.map((kind) => [kind, scoreAsks(answers.filter(({ ask }) => ask.kind === kind))]),
    ),
    related: scoreAsks(related),
    unrelated: scoreQuiet(unrelated.map(({ noise }) => noise)),
    framed: scoreQuiet(framed.map(recalledTokens)),
    relatedMeanTokens: mean(related.map(({ tokens }) => tokens)),
    relatedSentTokens: mean(related.map(({ sent }) => sent)),
    relatedSaidTokens: mean(related.map(({ said }) => said)),
    relatedSaidPercent: percent(sum(related.map(({ said }) => said)), sum(related.map(({ sent }) => sent))),
    alwaysThereTokens: mean(answers.map(({ alwaysThereTokens }) => alwaysThereTokens)),
    repeatedPercent: percent(sum(answers.map(({ repeated }) => repeated)), answers.length),
    staleStatedPercent: percent(answers.filter(({ statesEnded }) => statesEnded).length, answers.length),
    staleAlonePercent: percent(answers.filter((answer) => answer.tellsEndedAlone).length, answers.length),
  };
}

export function judgeFacts({ chat, facts }: PlayedChat): JudgedFact[] {
  return facts.map((fact) => ({ fact, verdict: judgeFact(fact, chat) }));
}

export interface JudgedAnswer extends JudgedContext {
  ask: Ask;
  /** Tokens of the context as it is sent. */
  sent: number;
  /** Tokens of it that are words of a message. */
  said: number;
}

export function judgeAnswers(played: PlayedChat): JudgedAnswer[] {
  const stale = new Set(
    judgeFacts(played)
      .filter(({ verdict }) => verdict.kind === 'right' && verdict.isStale)
      .map(({ fact }) => fact.id),
  );
  return played.chat.asks.flatMap((ask, position) => {
    const asked = played.asked[position];
    if (asked === undefined) return [];
    const { text } = asked.context;
    const counts = { sent: sentTokens(text), said: saidTokens(text, played.chat) };
    return [{ ask, ...counts, ...judgeContext(asked.context, ask, played.chat, stale) }];
  });
}

function scoreFacts(played: readonly PlayedChat[]): FactScores {
  const verdicts = played.map((each) => judgeFacts(each).map(({ verdict }) => verdict));
  const right = verdicts.flat().filter((verdict) => verdict.kind === 'right');
  const found = new Set(right.map(({ listed }) => listed));
  const listed = played.flatMap(({ chat }) => chat.facts);
  const share = (facts: readonly ListedFact[]): number | null =>
    percent(facts.filter((fact) => found.has(fact)).length, facts.length);
  const said = verdicts.flat().length;
  return {
    said,
    precision: percent(right.length, said),
    recall: share(listed),
    recallOfWhatHolds: share(listed.filter(({ holds }) => holds)),
    staleAmongRight: percent(right.filter(({ isStale }) => isStale).length, right.length),
    traps: verdicts.flat().filter(({ kind }) => kind === 'trap').length,
  };
}

function scoreAsks(answers: readonly JudgedAnswer[]): AskScores {
  const related = answers.filter(({ ask }) => !isUnrelated(ask));
  const complete = related.filter(({ ask, met }) => met === ask.needs.length);
  return {
    n: answers.length,
    needsMet: percent(sum(related.map(({ met }) => met)), sum(related.map(({ ask }) => ask.needs.length))),
    allMet: percent(complete.length, answers.length),
    meanTokens: mean(answers.map(({ tokens }) => tokens)),
  };
}

/** Returns the scores of questions that do not need memory, given the tokens of each. */
export function scoreQuiet(noise: readonly number[]): QuietScores {
  return {
    n: noise.length,
    quiet: percent(noise.filter((tokens) => tokens === 0).length, noise.length),
    meanTokens: mean(noise),
  };
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Number(((100 * part) / whole).toFixed(1));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.round(sum(values) / values.length);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
