import type { MemoryIntent } from '../../language/memory-intent.ts';
import type { QuestionFeatures } from '../../language/question-features.ts';
import type { MemoryEvidence } from './memory-evidence.ts';

/** How much may be recalled for a question: nothing, a few turns, or as much as fits the budget. */
export type GateDecision = 'quiet' | 'little' | 'full';

/** Limits of what the decision `little` sends. */
export const LITTLE: { readonly turns: number; readonly tokens: number } = { turns: 4, tokens: 200 };

export interface GateScore {
  /** Probability that memory helps with the question, from 0 to 1. */
  readonly score: number;
  readonly decision: GateDecision;
  /** Contribution of each feature to the log-odds, without those that are 0. */
  readonly why: Readonly<Record<string, number>>;
}

export interface GateOptions {
  /**
   * How certain the gate must be before anything is recalled, from 0 (off) to 1 (strictest). Each value corresponds to a
   * share of answerable questions that get no memory (see `LOST_SHARES`): 3 % at 0.5, 35 % at 1.
   * @default 0.5
   */
  readonly minRelevance?: number;
  /** Weights of the features. @default `GATE_WEIGHTS` */
  readonly weights?: GateWeights;
}

/** Decides whether a question needs memory, by a logistic model of a few features. */
export function scoreQuestion(
  features: QuestionFeatures & MemoryEvidence,
  { minRelevance = DEFAULT_RELEVANCE, weights = GATE_WEIGHTS }: GateOptions = {},
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
  const isQuiet = score < quietBelow && !(minRelevance <= DEFAULT_RELEVANCE && isLookUp(features));
  return { score, decision: isQuiet ? 'quiet' : score < fullFrom ? 'little' : 'full', why };
}

/** Whether a question is a few words that a single message says, such as "boats": people look something up by them. */
function isLookUp(features: QuestionFeatures & MemoryEvidence): boolean {
  const { isShort, isTask, isGeneral, isTechnical, messageCoverage } = features;
  return isShort === 1 && messageCoverage === 1 && isTask + isGeneral + isTechnical === 0;
}

const DEFAULT_RELEVANCE = 0.5;

/**
 * Returns the features that count in combination only, such as asking who somebody is whom the memory knows. A question
 * about a participant of the chats, or about something that the user has spoken of, is as personal as one about the user.
 */
export function combinedFeatures(features: QuestionFeatures & MemoryEvidence): {
  readonly asksKnownWho: number;
  readonly isPersonal: number;
} {
  const { asksWho, isPersonal, namesSpeaker, spokenOf = 0, statementCoverage, messageCoverage } = features;
  return {
    asksKnownWho: asksWho * Math.max(statementCoverage, messageCoverage),
    isPersonal: Math.max(isPersonal, namesSpeaker, spokenOf),
  };
}

/**
 * Shares of answerable questions that score below the thresholds, at `minRelevance` 0, 0.1, 0.2 … 1. Values in between
 * are interpolated.
 */
export const LOST_SHARES: readonly number[] = [
  0, 0.005, 0.01, 0.015, 0.02, 0.033, 0.06, 0.09, 0.14, 0.22, 0.35,
];

/** Returns two scores: nothing is recalled below the first, and everything from the second on. */
export function gateThresholds(minRelevance: number, weights: GateWeights = GATE_WEIGHTS): [number, number] {
  if (minRelevance === 0) return [0, 0];
  const quiet = interpolate(weights.thresholds, minRelevance);
  return [quiet, Math.max(quiet, interpolate(weights.thresholds, Math.min(1, minRelevance + LITTLE_BAND)))];
}

/** Width of the range, in `minRelevance`, in which the decision is `little`. */
const LITTLE_BAND = 0.2;

function interpolate(steps: readonly number[], at: number): number {
  const place = at * (steps.length - 1);
  const below = steps[Math.floor(place)] ?? 0;
  const above = steps[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

export interface GateWeights {
  readonly bias: number;
  readonly features: Readonly<Record<string, number>>;
  /** Scores at evenly spaced values of `minRelevance` from 0 to 1. */
  readonly thresholds: readonly number[];
}

/**
 * Weights of the gate, fitted by `npm run fit:judgement`: log-odds for each feature, rounded to two significant figures.
 */
export const GATE_WEIGHTS: GateWeights = {
  bias: -2.2,
  features: {
    isPersonal: 5,
    isOwned: 1.1,
    isGeneral: -2.3,
    isTask: -3,
    isTimed: 3.1,
    asksAdvice: 1.8,
    asksWho: 0.4,
    isOfKin: 2.3,
    isDefinite: 0.5,
    isShort: -0.23,
    isLong: -3.4,
    isTechnical: -1.6,
    statementCoverage: 2.1,
    messageCoverage: 1.5,
    statedWords: 2.7,
    hasKnownName: 1.8,
    asksKnownWho: 2.1,
  },
  thresholds: [0, 0.049, 0.12, 0.14, 0.15, 0.34, 0.54, 0.8, 0.92, 0.97, 0.99],
};

/**
 * Returns a gate score that recalls nothing if the message only asks to forget or remember something; undefined
 * otherwise.
 */
export function quietFor({ kind }: MemoryIntent): GateScore | undefined {
  if (kind === 'forget') return { score: 0, decision: 'quiet', why: { asksToForget: -1 } };
  if (kind === 'remember') return { score: 0, decision: 'quiet', why: { asksToRemember: -1 } };
  return undefined;
}
