import type { Question } from './locomo.ts';

/** The results of one search method for one question. */
export interface Answer {
  question: Question;
  /** Turn ids, best first, {@link DEPTH} at most. */
  ranked: string[];
  /** By budget in tokens: the turn ids that the context quotes. */
  contexts: Record<string, string[]>;
}

export const DEPTH = 20;
export const BUDGETS: readonly number[] = [500, 1000, 2000];

/** Percentages. `frac`: of the evidence; `any`, `all`: of the questions with any or all of it; `mrr`: from 0 to 100. */
export type Scores = Record<string, number>;

export interface RecallReport {
  /** Over all questions. */
  micro: Scores;
  /** The mean of the categories. */
  macro: Scores;
  byCategory: Record<string, Scores>;
  contextRecall: Record<string, number>;
}

export function report(answers: readonly Answer[]): RecallReport {
  const categories = [...new Set(answers.map((answer) => answer.question.category))].toSorted();
  const byCategory = Object.fromEntries(
    categories.map((category) => [
      category,
      scoresOf(answers.filter((answer) => answer.question.category === category)),
    ]),
  );
  const micro = scoresOf(answers);
  const macro = Object.fromEntries(
    Object.keys(micro).map((name) => [
      name,
      round(mean(Object.values(byCategory).map((scores) => scores[name] ?? 0))),
    ]),
  );
  const contextRecall = Object.fromEntries(
    BUDGETS.map((budget) => [
      budget,
      percent(answers.map(({ question, contexts }) => share(question, contexts[budget] ?? []))),
    ]),
  );
  return { micro, macro, byCategory, contextRecall };
}

function scoresOf(answers: readonly Answer[]): Scores {
  const shares = (k: number): number[] =>
    answers.map(({ question, ranked }) => share(question, ranked.slice(0, k)));
  return Object.fromEntries([
    ...[5, 10, DEPTH].flatMap((k) => [
      [`frac@${k}`, percent(shares(k))] as const,
      [`any@${k}`, percent(shares(k).map((part) => (part > 0 ? 1 : 0)))] as const,
      [`all@${k}`, percent(shares(k).map((part) => (part === 1 ? 1 : 0)))] as const,
    ]),
    ['mrr', percent(answers.map(reciprocalRank))] as const,
  ]);
}

function share({ evidence }: Question, found: readonly string[]): number {
  return evidence.filter((id) => found.includes(id)).length / evidence.length;
}

function reciprocalRank({ question, ranked }: Answer): number {
  const rank = ranked.findIndex((id) => question.evidence.includes(id));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

function percent(parts: readonly number[]): number {
  return round(100 * mean(parts));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
