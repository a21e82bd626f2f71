import { FEATURE_NAMES, partOf } from '../../../src/recall/rank/ranking-features.ts';
import type { FeatureName } from '../../../src/recall/rank/ranking-weights.ts';
import { fitLogistic } from './logistic-regression.ts';
import type { RankingSample } from './ranking-samples.ts';
import { DEPTH, report, type Answer, type RecallReport } from './recall-scores.ts';

export type RankingWeights = Record<FeatureName, number>;

/** The features of how well a message matches the question in words and meaning: their weights depend on the model. */
const MATCHING = FEATURE_NAMES.filter((name) => partOf(name) === 'keyword' || partOf(name) === 'vector');

/**
 * What is not fitted, as shares of the weight of `nearby`: conversations between two people of a data set ask too few
 * questions that these decide. Time and graph count as they did before there were fitted weights; how new a message is
 * decides only between messages that fit alike.
 */
const GIVEN: Partial<RankingWeights> = { time: 0.3, graph: 0.5, recency: 0.03 };

const FITTED = FEATURE_NAMES.filter((name) => !(name in GIVEN));

/**
 * The weights of all features, of two significant figures, fitted to the evidence of the questions.
 *
 * @param known weights of the offline model: what a message is counts alike with each model, so with these only the weights
 *   of how well it matches are fitted
 */
export function fitRanking(samples: readonly RankingSample[], known?: RankingWeights): RankingWeights {
  const names = known ? MATCHING : FITTED;
  const kept = known ? FITTED.filter((name) => !names.includes(name)) : [];
  const valueOf = (features: readonly number[], name: FeatureName): number =>
    features[FEATURE_NAMES.indexOf(name)] ?? 0;
  const fitted = fitLogistic(
    samples.flatMap(({ question, candidates }) =>
      candidates.map(({ turn, features }) => ({
        features: names.map((name) => valueOf(features, name)),
        isWanted: question.evidence.includes(turn),
        offset: kept.reduce((sum, name) => sum + (known?.[name] ?? 0) * valueOf(features, name), 0),
      })),
    ),
  );
  if (known) return { ...known, ...weightsOf(names, fitted) };
  const unit = fitted[names.indexOf('nearby')] ?? 0;
  const given = Object.entries(GIVEN) as [FeatureName, number][];
  const all = {
    ...weightsOf(names, fitted),
    ...Object.fromEntries(given.map(([name, share]) => [name, rounded(share * unit)])),
  };
  return Object.fromEntries(FEATURE_NAMES.map((name) => [name, all[name]])) as RankingWeights;
}

function weightsOf(names: readonly FeatureName[], fitted: readonly number[]): Partial<RankingWeights> {
  return Object.fromEntries(names.map((name, at) => [name, rounded(fitted[at] ?? 0)]));
}

/** How well weights rank the candidates of questions. */
function scoreRanking(samples: readonly RankingSample[], weights: RankingWeights): Answer[] {
  return samples.map(({ question, candidates }) => {
    const scored = candidates.map(({ turn, features }) => ({
      turn,
      score: FEATURE_NAMES.reduce((sum, name, at) => sum + weights[name] * (features[at] ?? 0), 0),
    }));
    const ranked = scored.toSorted((a, b) => b.score - a.score).map(({ turn }) => turn);
    return { question, ranked: ranked.slice(0, DEPTH), contexts: {} };
  });
}

/**
 * Leave one conversation out: each is ranked by weights that were fitted to the others. `fitOn` and `scoreOn` are the
 * samples of each conversation, in one order.
 *
 * @param known see {@link fitRanking}
 */
export function leaveOneOut(
  fitOn: readonly (readonly RankingSample[])[],
  scoreOn: readonly (readonly RankingSample[])[],
  known?: RankingWeights,
): RecallReport {
  return report(
    scoreOn.flatMap((samples, left) => {
      const others = fitOn.filter((_, conversation) => conversation !== left).flat();
      return scoreRanking(samples, fitRanking(others, known));
    }),
  );
}

/** What a fit has found: `models` are those fitted with other models than the offline one, by name. */
export interface RankingFit {
  /** Evidence found in conversations that were left out, %. */
  readonly leftOut?: object;
  readonly weights: RankingWeights;
  readonly models: Readonly<
    Record<string, Pick<RankingFit, 'leftOut'> & { readonly weights: MatchingWeights }>
  >;
}

type MatchingWeights = Partial<RankingWeights>;

/** The weights that a fit with another model than the offline one has found. */
export function matchingWeights(weights: RankingWeights): MatchingWeights {
  return Object.fromEntries(MATCHING.map((name) => [name, weights[name]]));
}

/** The module that the ranking imports. `TRAINED_WEIGHTS` are the means of those fitted with other models. */
export function weightsModule({ weights, models }: RankingFit): string {
  const others = Object.values(models);
  const meanOf = (name: FeatureName): number =>
    rounded(others.reduce((sum, other) => sum + (other.weights[name] ?? 0), 0) / others.length);
  const lines = (names: readonly FeatureName[], weightOf: (name: FeatureName) => number): string =>
    names.map((name) => `  ${name}: ${weightOf(name)},`).join('\n');
  return `/** How much each feature counts. Written by \`npm run fit:ranking\`; do not edit. */
export const RANKING_WEIGHTS = {
${lines(FEATURE_NAMES, (name) => weights[name])}
} as const;

export type FeatureName = keyof typeof RANKING_WEIGHTS;

/**
 * How much words and meaning count instead with models that were trained to find answers: the mean of
 * ${Object.keys(models).join(' and ')}.
 */
export const TRAINED_WEIGHTS: Readonly<Partial<Record<FeatureName, number>>> = {
${lines(MATCHING, meanOf)}
};
`;
}

/** To two significant figures. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
