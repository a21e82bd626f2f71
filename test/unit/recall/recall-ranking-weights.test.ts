import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FEATURE_NAMES } from '../../../src/recall/rank/ranking-features.ts';
import { RANKING_WEIGHTS, TRAINED_WEIGHTS } from '../../../src/recall/rank/ranking-weights.ts';
import { fitRanking, leaveOneOut, type RankingWeights } from '../../bench/recall/fit-ranking.ts';
import { fitLogistic } from '../../bench/recall/logistic-regression.ts';
import type { RankingSample } from '../../bench/recall/ranking-samples.ts';
import record from '../../fixtures/data/ranking-fit.json' with { type: 'json' };

/** A number from 0 to 1 that looks random. */
function noise(seed: number): number {
  return ((seed * 2654435761) % 1000) / 1000;
}

function zero(): RankingWeights {
  return Object.fromEntries(FEATURE_NAMES.map((name) => [name, 0])) as RankingWeights;
}

describe('the weights of the ranking', () => {
  it('RANK-25: the weights are the fitted ones, with two significant figures, as the script writes them', async () => {
    const { weightsModule } = await import('../../bench/recall/fit-ranking.ts');
    expect(RANKING_WEIGHTS).toEqual(record.weights);
    for (const weight of [...Object.values(RANKING_WEIGHTS), ...Object.values(TRAINED_WEIGHTS)])
      expect(Number(weight.toPrecision(2))).toBe(weight);
    const table = readFileSync(
      new URL('../../../src/recall/rank/ranking-weights.ts', import.meta.url),
      'utf8',
    );
    expect(table).toBe(weightsModule(record));
  });

  it('RANK-26: the fit learns what answers each question, and finds it in a held-out conversation', () => {
    const at = FEATURE_NAMES.indexOf('rarity');
    const samples = [0, 1, 2].map((conversation) =>
      Array.from({ length: 20 }, (_, number): RankingSample => {
        const wanted = `t${number % 12}`;
        return {
          question: { text: '', category: '1', evidence: [wanted] },
          candidates: Array.from({ length: 12 }, (__, turn) => ({
            turn: `t${turn}`,
            features: FEATURE_NAMES.map((_name, feature) =>
              feature === at
                ? Number(`t${turn}` === wanted) * 0.5 + noise(turn) / 2
                : noise(conversation + 7 * number + 31 * turn + feature),
            ),
          })),
        };
      }),
    );
    expect(fitRanking(samples.flat()).rarity).toBeGreaterThan(1);
    expect(leaveOneOut(samples, samples).micro['frac@5']).toBe(100);
  });

  it('RANK-26: with another model, the fit finds the weights of words and meaning beside the other weights', () => {
    const [vector, rarity] = [FEATURE_NAMES.indexOf('vector'), FEATURE_NAMES.indexOf('rarity')];
    const known = { ...zero(), rarity: 4, vector: 1 };
    const samples = Array.from({ length: 300 }, (_, number): RankingSample => {
      const features = [0, 1, 2].map((turn) =>
        FEATURE_NAMES.map((_name, at) =>
          at === vector || at === rarity ? noise(7 * number + 31 * turn + at) : 0,
        ),
      );
      const odds = features.map((each) => Math.exp(6 * (each[vector] ?? 0) + 4 * (each[rarity] ?? 0) - 6));
      const evidence = odds.flatMap((each, turn) =>
        noise(13 * number + turn) < each / (1 + each) ? [`t${turn}`] : [],
      );
      const candidates = features.map((each, turn) => ({ turn: `t${turn}`, features: each }));
      return { question: { text: '', category: '1', evidence }, candidates };
    });
    const { vector: found, ...others } = fitRanking(samples, known);
    expect(found).toBeGreaterThan(4.5);
    expect(found).toBeLessThan(7.5);
    expect({ ...others, vector: 1 }).toEqual({ ...known });
  });

  it('RANK-26: a logistic regression finds the odds in its data', () => {
    const samples = [0, 1].flatMap((value) =>
      Array.from({ length: 100 }, (_, number) => ({
        features: [value],
        isWanted: number < (value === 1 ? 75 : 25),
      })),
    );
    expect(fitLogistic(samples, 0)[0]).toBeCloseTo(2 * Math.log(3), 6);
  });
});
