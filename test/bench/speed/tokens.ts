import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { tiktokenTokenizer } from '../../../src/index.ts';
import { round, type BenchResult } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomSentence, seededRandom } from '../recall/seeded-random.ts';

const SENTENCES = 500;

export async function benchTokens(): Promise<BenchResult> {
  const random = seededRandom(7);
  const texts = Array.from({ length: SENTENCES }, () => randomSentence(random));
  const start = performance.now();
  const tokenizer = await tiktokenTokenizer();
  let tokens = texts.reduce((sum, text) => sum + tokenizer.countText(text), 0);
  const firstMs = performance.now() - start;
  const encoding = new Tiktoken(ranks);
  const same = tokens === texts.reduce((sum, text) => sum + encoding.encode(text, [], []).length, 0);
  const medians = await measureInterleaved(
    {
      ours: () => (tokens = texts.reduce((sum, text) => sum + tokenizer.countText(text), 0)),
      bare: () => texts.reduce((sum, text) => sum + encoding.encode(text, [], []).length, 0),
    },
    15,
  );
  const perSecond = (ms: number): string => `${(tokens / ms / 1000).toFixed(2)} million tokens/s`;
  return {
    name: 'tokens',
    task: `count the tokens of ${SENTENCES} sentences`,
    rows: [
      {
        who: 'mnemora tiktokenTokenizer',
        medianMs: medians.ours,
        note: `${perSecond(medians.ours)}; the first time, loading included, ${firstMs.toFixed(0)} ms`,
      },
      { who: 'js-tiktoken', medianMs: medians.bare, note: perSecond(medians.bare) },
    ],
    ratios: { oursToBare: round(medians.ours / medians.bare), sameCounts: same },
  };
}
