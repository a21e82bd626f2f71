import type { ClaimWeights } from '../../src/learning/claims/claim-weights.ts';
import { scoreQuestion, type GateWeights } from '../../src/recall/gate/score-question.ts';
import { questionFeatures } from '../../src/language/question-features.ts';
import type { Conversation } from '../bench/recall/locomo.ts';
import { ChatMemory } from './chat-memory.ts';

/** Of a gate at its default, in percent, over conversations of LoCoMo; nothing is fitted on them. */
export interface LocomoGate {
  /** Of the questions that the conversation answers. */
  kept: number;
  /** Of the unrelated questions, asked in each conversation. */
  quiet: number;
}

export function measureLocomo(
  conversations: readonly Conversation[],
  unrelated: readonly string[],
  weights: { statements: ClaimWeights; gate: GateWeights },
): LocomoGate {
  let kept = 0;
  let quiet = 0;
  let asked = 0;
  for (const { turns, questions } of conversations) {
    const lines = turns.map(({ role, text, createdAt, session }) => ({
      role,
      content: text,
      at: new Date(createdAt).toISOString(),
      session: String(session),
    }));
    const memory = new ChatMemory(lines, weights.statements, [
      ...new Set(turns.map(({ speaker }) => speaker)),
    ]);
    const isQuiet = (question: string): boolean =>
      scoreQuestion(
        { ...questionFeatures(question), ...memory.evidence(question) },
        { weights: weights.gate },
      ).decision === 'quiet';
    kept += questions.filter(({ text }) => !isQuiet(text)).length;
    quiet += unrelated.filter(isQuiet).length;
    asked += questions.length;
  }
  const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;
  return { kept: percent(kept, asked), quiet: percent(quiet, unrelated.length * conversations.length) };
}
