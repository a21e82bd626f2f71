/**
 * What marks a statement, made by `npm run fit:judgement`: log-odds for each feature of `statement-features.ts`, rounded
 * to two significant figures.
 */
export const STATEMENT_WEIGHTS: StatementWeights = {
  threshold: 0.16,
  confident: 0.42,
  bias: -1.9,
  features: {
    length: 0.55,
    isShort: -0.051,
    asks: -0.9,
    startsAsking: -1.1,
    isRequest: -0.78,
    startsWithAcknowledgement: -0.5,
    I: 0.41,
    my: 0.34,
    we: 0.18,
    you: -0.12,
    it: -0.34,
    isSomeone: -0.096,
    myKin: -0.15,
    kin: 0.51,
    others: 0.17,
    pet: 0.66,
    work: 0.5,
    home: 0.32,
    health: 1.4,
    diet: 0.79,
    taste: 0.2,
    style: -0.32,
    plan: 0.26,
    change: 0.56,
    habit: -0.18,
    date: 0.69,
    identity: 0.38,
    activity: 0.74,
    vehicle: 0.38,
    says: -0.22,
    unreal: -0.63,
    negation: 0.065,
    ownHealth: 0.51,
    ownTaste: -0.32,
    ownWork: 0.15,
    ownHome: -0.2,
    am: 0.76,
    have: 0.26,
    is: -0.09,
    was: -0.2,
    subjectDropped: 0.55,
    name: 1.3,
    names: 0.21,
    opensWithName: 0.29,
    digit: 0.55,
    clock: 0.061,
    quotes: -0.76,
    brackets: 0.24,
    technical: -0.69,
    exclaims: 0.54,
    isAnswer: 1,
    isFirst: -0.15,
    isLast: -0.05,
    isAlone: -0.73,
    manyClauses: -1.9,
    followsOwn: 0.19,
    precedesOwn: 0.06,
    precedesRequest: 0.18,
    strangerLength: -1.2,
    inMaterial: -2.1,
    content: 0.1,
    density: 0.4,
    saysNothing: -0.3,
  },
};

export interface StatementWeights {
  /** A clause is a statement from this probability on: 80 % of those that tell a fact are. */
  readonly threshold: number;
  /** From here on it is one beyond doubt: 50 % are, and next to no everyday request. */
  readonly confident: number;
  readonly bias: number;
  readonly features: Readonly<Record<string, number>>;
}
