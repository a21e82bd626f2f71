import { holdsGroups } from '../context/listed-facts.ts';
import type { Ask } from '../context/natural-chats.ts';

/** The answers of a model to one question. */
export interface AskAnswers {
  ask: Ask;
  withMemory: string;
  withoutMemory: string;
}

/** Shares of the needed word groups that occur in the answers, as percentages with one decimal. */
export interface AnswerScores {
  n: number;
  withMemory: number | null;
  withoutMemory: number | null;
}

/** Returns the scores for each kind of question. */
export function scoreAnswersByKind(answers: readonly AskAnswers[]): Record<string, AnswerScores> {
  const kinds = [...new Set(answers.map(({ ask }) => ask.kind))].toSorted();
  return Object.fromEntries(
    kinds.map((kind) => [kind, scoreAnswers(answers.filter(({ ask }) => ask.kind === kind))]),
  );
}

export function scoreAnswers(answers: readonly AskAnswers[]): AnswerScores {
  const groups = answers.reduce((sum, { ask }) => sum + ask.needs.length, 0);
  const share = (textOf: (answer: AskAnswers) => string): number | null => {
    const met = answers.reduce((sum, answer) => sum + neededIn(textOf(answer), answer.ask), 0);
    return groups === 0 ? null : Number(((100 * met) / groups).toFixed(1));
  };
  return {
    n: answers.length,
    withMemory: share((answer) => answer.withMemory),
    withoutMemory: share((answer) => answer.withoutMemory),
  };
}

function neededIn(text: string, { needs }: Ask): number {
  return needs.filter((group) => holdsGroups(text, [group])).length;
}
