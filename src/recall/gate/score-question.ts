import { GATE_WEIGHTS, type GateWeights } from './gate-weights.ts';
import type { MemoryEvidence } from './memory-evidence.ts';
import type { QuestionFeatures } from './question-features.ts';

/** What may be recalled for a question: nothing, a few turns, or whatever fits the budget. */
export type GateDecision = 'quiet' | 'little' | 'full';

/** What a decision for `little` sends at most. */
export const LITTLE: { readonly turns: number; readonly tokens: number } = { turns: 3, tokens: 150 };

export interface GateScore {
  /** Probability that memory has something to say to the question, from 0 to 1. */
  readonly score: number;
  readonly decision: GateDecision;
  /** What each feature adds to the log-odds, those that add nothing left out. */
  readonly why: Readonly<Record<string, number>>;
}

export interface GateOptions {
  /**
   * How sure the gate has to be before anything is recalled, from 0 (off) to 1 (only what is beyond doubt). It stands for
   * the share of answerable questions that may go without memory (see `LOST_SHARES`): 0.5 risks 4 %, 1 risks 35 %.
   * @default 0.5
   */
  readonly minRelevance?: number;
  /** @default those that were fitted */
  readonly weights?: GateWeights;
}

/** Says whether a question asks for what memory holds, by a logistic model of few features. */
export function scoreQuestion(
  features: QuestionFeatures & MemoryEvidence,
  { minRelevance = 0.5, weights = GATE_WEIGHTS }: GateOptions = {},
): GateScore {
  const values: Readonly<Record<string, number>> = { ...features, ...combinedFeatures(features) };
  const why: Record<string, number> = {};
  let sum = weights.bias;
  for (const [name, weight] of Object.entries(weights.features)) {
    const part = weight * (values[name] ?? 0);
    if (part !== 0) why[name] = part;
    sum += part;
  }
  const score = 1 / (1 + Math.exp(-sum));
  const [quietBelow, fullFrom] = gateThresholds(minRelevance, weights);
  return { score, decision: score < quietBelow ? 'quiet' : score < fullFrom ? 'little' : 'full', why };
}

/**
 * What only counts together: who somebody is, asked of somebody who was spoken of. A question about somebody who has
 * taken part in the chats is as personal as one about the user.
 */
export function combinedFeatures(features: QuestionFeatures & MemoryEvidence): {
  readonly asksKnownWho: number;
  readonly isPersonal: number;
} {
  const { asksWho, isPersonal, namesSpeaker, statementCoverage, messageCoverage } = features;
  return {
    asksKnownWho: asksWho * Math.max(statementCoverage, messageCoverage),
    isPersonal: Math.max(isPersonal, namesSpeaker),
  };
}

/**
 * Shares of answerable questions that stay below the thresholds of the table, at `minRelevance` 0, 0.1, 0.2 … 1; in
 * between it is interpolated.
 */
export const LOST_SHARES: readonly number[] = [
  0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.09, 0.14, 0.22, 0.35,
];

/** The scores below which nothing, and from which everything is recalled. */
export function gateThresholds(minRelevance: number, weights: GateWeights = GATE_WEIGHTS): [number, number] {
  if (minRelevance === 0) return [0, 0];
  const quiet = interpolate(weights.thresholds, minRelevance);
  return [quiet, Math.max(quiet, interpolate(weights.thresholds, Math.min(1, minRelevance + LITTLE_BAND)))];
}

/** How far above silence, in `minRelevance`, the gate is unsure. */
const LITTLE_BAND = 0.2;

function interpolate(steps: readonly number[], at: number): number {
  const place = at * (steps.length - 1);
  const below = steps[Math.floor(place)] ?? 0;
  const above = steps[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
