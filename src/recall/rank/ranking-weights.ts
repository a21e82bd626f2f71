/** How much each feature counts. Written by `npm run fit:ranking`; do not edit. */
export const RANKING_WEIGHTS = {
  keyword: 1.2,
  rarestWord: 1,
  nearby: 3.4,
  session: 1.1,
  coverageBefore: -1.9,
  vector: 1.7,
  vectorNearby: 1.1,
  bySpeaker: 0.2,
  byOther: -0.85,
  time: 1,
  recency: 0.1,
  graph: 1.7,
  hasQuestion: -0.086,
  endsWithQuestion: -0.39,
  otherEndsWithQuestion: -0.4,
  answersQuestion: 0.13,
  answersThisQuestion: 3.1,
  numberAsked: 1.3,
  timeAsked: 0.69,
  placeAsked: 1.8,
  personAsked: 1.7,
  length: 1.7,
  rarity: 4.2,
  firstPerson: 3.6,
  secondPerson: -2.8,
} as const;

export type FeatureName = keyof typeof RANKING_WEIGHTS;

/**
 * How much words and meaning count instead with models that were trained to find answers: the mean of
 * e5-small-v2-q and bge-small-en-v15-q.
 */
export const TRAINED_WEIGHTS: Readonly<Partial<Record<FeatureName, number>>> = {
  keyword: 1,
  rarestWord: 0.63,
  vector: 2.3,
  vectorNearby: 1.5,
};
