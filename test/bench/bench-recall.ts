import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { isUnrelated } from './context/asked-contexts.ts';
import { scoreQuiet, type QuietScores } from './context/context-scores.ts';
import { readConversations, type Conversation } from './recall/locomo.ts';
import { readChats } from './context/natural-chats.ts';
import type { RecallRun, SearchMode } from './recall/recall-quality.ts';
import { BUDGETS, report, type RecallReport } from './recall/recall-scores.ts';
import { withRecallPage } from './recall-bench-page.ts';
import { ASSETS_PATH } from '../../scripts/serve-assets.ts';

const ALL_MODES: readonly SearchMode[] = ['lexical', 'fused', 'dense'];

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { unrelated: { type: 'string' }, mode: { type: 'string', multiple: true } },
});
/** All modes, or those named with `--mode`. */
const modes = ALL_MODES.filter((mode) => given.mode?.includes(mode) ?? true);
const [path] = positionals;
if (path === undefined) {
  console.log('Skipped: name a file in the format of LoCoMo, as in "npm run bench:recall -- locomo10.json".');
} else {
  const chats = given.unrelated === undefined ? [] : readChats(await readFile(given.unrelated, 'utf8'));
  const asks = chats.flatMap((chat) => chat.asks.filter(isUnrelated));
  await main(
    readConversations(await readFile(path, 'utf8')),
    asks.map(({ question }) => question),
  );
}

async function main(conversations: Conversation[], unrelated: readonly string[]): Promise<void> {
  const turns = conversations.reduce((sum, { turns: { length } }) => sum + length, 0);
  const questions = conversations.reduce((sum, { questions: { length } }) => sum + length, 0);
  console.log(
    `${turns} turns in ${conversations.length} conversations, ${questions} questions with evidence\n`,
  );
  const summary: Record<string, unknown> = {};
  await withRecallPage(async (page) => {
    for (const mode of modes) {
      const run = await runMode(page, mode, conversations, mode === 'fused' ? unrelated : []);
      const scores = report(run.answers);
      printReport(mode, scores, run, turns);
      summary[mode] = scores;
      if (mode !== 'dense') summary['queryMs'] = percentiles(run.queryMs);
      if (mode === 'fused') summary['embeddingMs'] = Math.round(run.embeddingMs);
      if (run.noise.length > 0) summary['unrelated'] = printUnrelated(run.noise);
    }
  });
  const { lexical, dense, fused, queryMs, embeddingMs, unrelated: quiet } = summary;
  console.log(
    JSON.stringify({ lexical, dense, fused, turns, questions, queryMs, embeddingMs, unrelated: quiet }),
  );
}

/** Measures each conversation in a separate call: a call of several minutes looks like a page that hangs. */
async function runMode(
  page: Page,
  mode: SearchMode,
  conversations: readonly Conversation[],
  unrelated: readonly string[],
): Promise<RecallRun> {
  const total: RecallRun = { answers: [], queryMs: [], embeddingMs: 0, noise: [] };
  for (const conversation of conversations) {
    const run = await page.evaluate(
      ({ assets, ...input }) =>
        window.benchRecall(
          input.mode,
          [input.conversation],
          new URL(assets, location.href).href,
          input.unrelated,
        ),
      { mode, conversation, assets: ASSETS_PATH, unrelated },
    );
    total.answers.push(...run.answers);
    total.queryMs.push(...run.queryMs);
    total.noise.push(...run.noise);
    total.embeddingMs += run.embeddingMs;
  }
  return total;
}

function printReport(mode: SearchMode, scores: RecallReport, run: RecallRun, turns: number): void {
  const names = ['frac@5', 'frac@10', 'frac@20', 'any@5', 'any@10', 'all@5', 'all@10', 'mrr'];
  const line = (label: string, cells: readonly (string | number)[]): void =>
    console.log(`  ${label.padEnd(12)}${cells.map((cell) => String(cell).padStart(8)).join('')}`);
  console.log(`${mode}, % of evidence (frac) or of questions (any, all):`);
  line('', names);
  line(
    'micro',
    names.map((name) => scores.micro[name] ?? 0),
  );
  line(
    'macro',
    names.map((name) => scores.macro[name] ?? 0),
  );
  for (const [category, each] of Object.entries(scores.byCategory)) {
    line(
      `category ${category}`,
      names.map((name) => each[name] ?? 0),
    );
  }
  const contexts = BUDGETS.map((budget) => `${budget} tokens ${scores.contextRecall[budget]}`);
  console.log(`  evidence in the context: ${contexts.join(', ')}`);
  const { p50, p95 } = percentiles(run.queryMs);
  const { embeddingMs } = run;
  const embedding =
    embeddingMs > 0
      ? `; stored, embedded and learned in ${(embeddingMs / 1000).toFixed(1)} s, ${(embeddingMs / turns).toFixed(1)} ms a text`
      : '';
  console.log(`  ms a query: p50 ${p50}, p95 ${p95}${embedding}\n`);
}

/** Prints the scores of questions that are unrelated to all conversations. */
function printUnrelated(noise: readonly number[]): QuietScores {
  const scores = scoreQuiet(noise);
  console.log(
    `  unrelated questions: ${scores.n}, nothing recalled for ${scores.quiet} %, ${scores.meanTokens} tokens in the mean\n`,
  );
  return scores;
}

function percentiles(values: readonly number[]): { p50: number; p95: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round(100 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)) / 100;
  return { p50: at(0.5), p95: at(0.95) };
}
