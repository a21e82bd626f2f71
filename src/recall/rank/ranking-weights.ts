/**
 * How much each feature counts: with the offline model, and with models that were trained to find answers (the mean of
 * e5-small-v2-q and bge-small-en-v15-q). Written by `npm run fit:ranking`; do not edit.
 */
export const RANKING_WEIGHTS = {
  keyword: [1.2, 0.97],
  rarestWord: [1, 0.76],
  nearby: [3.4, 3.2],
  session: [1.1, 1.1],
  coverageBefore: [-1.9, -2],
  vector: [1.7, 2.4],
  vectorNearby: [1.1, 1.4],
  bySpeaker: [0.2, 0.11],
  byOther: [-0.85, -0.74],
  time: [1, 0.94],
  recency: [0.1, 0.095],
  graph: [1.7, 1.6],
  hasQuestion: [-0.086, 0.044],
  endsWithQuestion: [-0.39, -0.58],
  otherEndsWithQuestion: [-0.4, -0.39],
  answersQuestion: [0.13, 0.17],
  answersThisQuestion: [3.1, 3.2],
  numberAsked: [1.3, 1.1],
  timeAsked: [0.69, 0.51],
  placeAsked: [1.8, 1.9],
  personAsked: [1.7, 1.5],
  length: [1.7, 0.81],
  rarity: [4.2, 4.8],
  firstPerson: [3.6, 2],
  secondPerson: [-2.8, -3.7],
} as const;

export type FeatureName = keyof typeof RANKING_WEIGHTS;
