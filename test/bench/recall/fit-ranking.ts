import { FEATURE_NAMES } from '../../../src/recall/rank/ranking-features.ts';
import type { FeatureName } from '../../../src/recall/rank/ranking-weights.ts';
import { fitLogistic } from './logistic-regression.ts';
import type { RankingSample } from './ranking-samples.ts';
import { DEPTH, report, type Answer, type RecallReport } from './recall-scores.ts';

export type RankingWeights = Record<FeatureName, number>;

/**
 * What is not fitted, as shares of the weight of `nearby`: conversations between two people of a data set ask too few
 * questions that these decide. Time and graph count as they did before there were fitted weights; how new a message is
 * decides only between messages that fit alike.
 */
const GIVEN: Partial<RankingWeights> = { time: 0.3, graph: 0.5, recency: 0.03 };

const FITTED = FEATURE_NAMES.filter((name) => !(name in GIVEN));

/** The weights of all features, of two significant figures, fitted to the evidence of the questions. */
export function fitRanking(samples: readonly RankingSample[]): RankingWeights {
  const positions = FITTED.map((name) => FEATURE_NAMES.indexOf(name));
  const fitted = fitLogistic(
    samples.flatMap(({ question, candidates }) =>
      candidates.map(({ turn, features }) => ({
        features: positions.map((at) => features[at] ?? 0),
        isWanted: question.evidence.includes(turn),
      })),
    ),
  );
  const unit = fitted[FITTED.indexOf('nearby')] ?? 0;
  const weightOf = (name: FeatureName): number =>
    rounded(name in GIVEN ? (GIVEN[name] ?? 0) * unit : (fitted[FITTED.indexOf(name)] ?? 0));
  return Object.fromEntries(FEATURE_NAMES.map((name) => [name, weightOf(name)])) as RankingWeights;
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
 */
export function leaveOneOut(
  fitOn: readonly (readonly RankingSample[])[],
  scoreOn: readonly (readonly RankingSample[])[],
): RecallReport {
  return report(
    scoreOn.flatMap((samples, left) =>
      scoreRanking(samples, fitRanking(fitOn.filter((_, conversation) => conversation !== left).flat())),
    ),
  );
}

/** What a fit has found: `models` are those fitted with other models than the offline one, by name. */
export interface RankingFit {
  /** Evidence found in conversations that were left out, %. */
  readonly leftOut?: object;
  readonly weights: RankingWeights;
  readonly models: Readonly<Record<string, Pick<RankingFit, 'leftOut' | 'weights'>>>;
}

/** The module that the ranking imports. The second weight of a feature is the mean of those fitted with other models. */
export function weightsModule({ weights, models }: RankingFit): string {
  const others = Object.values(models);
  const lines = FEATURE_NAMES.map((name) => {
    const sum = others.reduce((total, other) => total + other.weights[name], 0);
    return `  ${name}: [${weights[name]}, ${rounded(sum / others.length)}],`;
  });
  return `/**
 * How much each feature counts: with the offline model, and with models that were trained to find answers (the mean of
 * ${Object.keys(models).join(' and ')}). Written by \`npm run fit:ranking\`; do not edit.
 */
export const RANKING_WEIGHTS = {
${lines.join('\n')}
} as const;

export type FeatureName = keyof typeof RANKING_WEIGHTS;
`;
}

/** To two significant figures. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
