/**
 * Weights for marking claims, fitted by `npm run fit:judgement`: log-odds for each feature of
 * `claimFeatures`, rounded to two significant figures.
 */
export const CLAIM_WEIGHTS: ClaimWeights = {
  threshold: 0.17,
  confident: 0.43,
  bias: -1.7,
  features: /* @__PURE__ */ parseWeights(`
    kin:0.53 pet:0.73 work:0.68 health:1.3 diet:0.88 activity:0.83 date:0.7 change:0.56 unreal:-0.71
    length:0.79 asks:-0.88 startsAsking:-1.2 isRequest:-0.89 startsWithAcknowledgement:-0.67 I:0.35
    am:0.74 ownHealth:0.59 subjectDropped:0.67 standingWish:1.2 name:1.4 digit:0.56 quotes:-0.89
    technical:-0.67 exclaims:0.49 isAnswer:0.85 isAlone:-0.82 manyClauses:-1.7 strangerLength:-1.5
    inMaterial:-2.1
  `),
};

export interface ClaimWeights {
  /** A clause with at least this probability is a claim. It finds 80 % of the clauses that state a fact. */
  readonly threshold: number;
  /** Above this probability it is almost certainly one. It finds 50 % of them, and almost no everyday requests. */
  readonly confident: number;
  readonly bias: number;
  readonly features: Readonly<Record<string, number>>;
}

function parseWeights(list: string): Record<string, number> {
  const pairs = list.trim().split(/\s+/u);
  return Object.fromEntries(
    pairs.map((pair) => pair.split(':')).map(([name, weight]) => [name, Number(weight)]),
  );
}
