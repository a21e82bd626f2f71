import { readFile, writeFile } from 'node:fs/promises';
import {
  fitRanking,
  leaveOneOut,
  matchingWeights,
  weightsModule,
  type RankingFit,
} from './recall/fit-ranking.ts';
import { readConversations, type Conversation } from './recall/locomo.ts';
import type { RankingMode, RankingSample } from './recall/ranking-samples.ts';
import type { RecallReport } from './recall/recall-scores.ts';
import { withRecallPage } from './recall-bench-page.ts';
import { ASSETS_PATH } from '../../scripts/serve-assets.ts';
import { habitsOf } from '../../src/embedding/model-habits.ts';

const ROOT = `${import.meta.dirname}/../..`;
const RECORD = `${ROOT}/test/fixtures/data/ranking-fit.json`;
const MODES: readonly RankingMode[] = ['fused', 'lexical'];

const path = process.argv[2];
if (path === undefined) {
  console.log('Skipped: name a file in the format of LoCoMo, as in "npm run fit:ranking -- locomo10.json".');
} else {
  await main(readConversations(await readFile(path, 'utf8')));
}

/**
 * Fits the weights of the ranking, prints them and their recall in held-out conversations, and writes them. Of another
 * model, only those of words and meaning are fitted, beside the other weights of the offline model as they are.
 */
async function main(conversations: readonly Conversation[]): Promise<void> {
  const samples: Record<RankingMode, RankingSample[][]> = { fused: [], lexical: [] };
  await withRecallPage(async (page) => {
    for (const conversation of conversations) {
      const found = await page.evaluate(
        (input) => window.rankingSamples(input.conversation, new URL(input.assets, location.href).href),
        { conversation, assets: ASSETS_PATH },
      );
      for (const mode of MODES) samples[mode].push(found[mode]);
      console.log(`${conversation.id}: ${found.fused.length} questions`);
    }
  });
  const recorded = JSON.parse(await readFile(RECORD, 'utf8')) as RankingFit;
  const model = process.env['MNEMORA_BENCH_MODEL'];
  const known = model === undefined ? undefined : recorded.weights;
  console.log('\nLeave one conversation out, % of evidence; one set of weights, fitted with vectors:');
  const leftOut = Object.fromEntries(
    // Without vectors, one model is like the other.
    (model === undefined ? MODES : (['fused'] as const)).map((mode) => [
      mode,
      figuresOf(leaveOneOut(samples.fused, samples[mode], known)),
    ]),
  );
  for (const [mode, figures] of Object.entries(leftOut)) {
    console.log(
      `  ${mode.padEnd(8)} @5 ${figures['@5']}  @10 ${figures['@10']}  macro@10 ${figures['macro@10']}`,
    );
  }
  const weights = fitRanking(samples.fused.flat(), known);
  const questions = samples.fused.reduce((sum, { length }) => sum + length, 0);
  const record = { conversations: conversations.length, questions, leftOut, weights };
  if (model === undefined) await write({ ...record, models: recorded.models });
  else if (habitsOf(model).rankingWeight > 1) {
    const fitted = { leftOut, weights: matchingWeights(weights) };
    await write({ ...recorded, models: { ...recorded.models, [model]: fitted } });
  }
  console.log(JSON.stringify(record));
}

async function write(fit: RankingFit): Promise<void> {
  await writeFile(RECORD, `${JSON.stringify(fit, undefined, 2)}\n`);
  await writeFile(`${ROOT}/src/recall/rank/ranking-weights.ts`, weightsModule(fit));
}

function figuresOf({ micro, macro }: RecallReport): Record<string, number> {
  return { '@5': micro['frac@5'] ?? 0, '@10': micro['frac@10'] ?? 0, 'macro@10': macro['frac@10'] ?? 0 };
}
