/**
 * Weights of the gate, fitted by `npm run fit:judgement`: log-odds for each feature, rounded to two significant figures.
 */
export const GATE_WEIGHTS: GateWeights = {
  bias: -2.2,
  features: {
    isPersonal: 4.9,
    isOwned: 1.1,
    isGeneral: -2.4,
    isTask: -3.1,
    isTimed: 2.9,
    asksAdvice: 2,
    asksWho: 0.14,
    isDefinite: 0.6,
    isShort: 0.016,
    isLong: -3.5,
    isTechnical: -1.6,
    statementCoverage: 2.1,
    messageCoverage: 1.8,
    statedWords: 2.6,
    hasKnownName: 1.8,
    asksKnownWho: 1.9,
  },
  thresholds: [0, 0.059, 0.12, 0.14, 0.22, 0.38, 0.5, 0.79, 0.86, 0.96, 0.99],
};

export interface GateWeights {
  readonly bias: number;
  readonly features: Readonly<Record<string, number>>;
  /** Scores at evenly spaced values of `minRelevance` from 0 to 1. */
  readonly thresholds: readonly number[];
}
