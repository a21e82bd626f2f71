/**
 * Weights for marking claims, fitted by `npm run fit:judgement`: log-odds for each feature of
 * `claimFeatures`, rounded to two significant figures.
 */
export const CLAIM_WEIGHTS: ClaimWeights = {
  threshold: 0.16,
  confident: 0.43,
  bias: -1.9,
  features: /* @__PURE__ */ parseWeights(`
    length:0.55 isShort:-0.05 asks:-0.89 startsAsking:-1.1 isRequest:-0.8 acknowledges:0.053
    startsWithAcknowledgement:-0.51 I:0.41 my:0.34 we:0.18 you:-0.15 it:-0.34 isSomeone:-0.093
    myKin:-0.15 kin:0.51 others:0.17 pet:0.66 work:0.5 home:0.32 health:1.4 diet:0.78 taste:0.2
    style:-0.33 standingWish:0.84 plan:0.26 change:0.55 habit:-0.19 date:0.69 identity:0.38
    activity:0.74 vehicle:0.39 says:-0.22 unreal:-0.64 negation:0.063 ownHealth:0.51 ownTaste:-0.32
    ownWork:0.14 ownHome:-0.2 am:0.76 have:0.26 is:-0.088 was:-0.19 subjectDropped:0.55 name:1.3
    names:0.21 opensWithName:0.29 digit:0.55 clock:0.062 quotes:-0.76 brackets:0.24 technical:-0.69
    exclaims:0.54 isAnswer:1 isFirst:-0.15 isLast:-0.051 isAlone:-0.73 manyClauses:-1.9
    followsOwn:0.19 precedesOwn:0.057 precedesRequest:0.18 strangerLength:-1.2 inMaterial:-2.1
    content:0.11 density:0.4 saysNothing:-0.3
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
