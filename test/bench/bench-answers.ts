/**
 * `npm run bench:answers -- FILE --url URL --model M`: measures how much memory improves a model's answers, by the needed
 * words in its answers with and without memory.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import {
  scoreAnswers,
  scoreAnswersByKind,
  type AnswerScores,
  type AskAnswers,
} from './answers/answer-scores.ts';
import { isUnrelated } from './context/asked-contexts.ts';
import type { ModelToAsk } from './answers/answer-chat.ts';
import {
  readCorpora,
  REQUESTS_PER_CHAT,
  wholeNumber,
  type Corpus,
  type CorpusFiles,
} from './bench-corpora.ts';
import { withBenchPage } from './bench-page.ts';
import { ASSETS_PATH } from '../../scripts/serve-assets.ts';

const USAGE = `npm run bench:answers -- FILE --url URL --model M [options]

  FILE             chats with asks, as JSON
  --url URL        an endpoint that speaks OpenAI's chat completions, as in http://localhost:11434/v1
  --model M        its model
  --everyday FILE  also plays the chats lengthened by ${REQUESTS_PER_CHAT} everyday requests each
  --budget N       tokens of a request with memory (default 1000)
  --sample N       plays every N-th chat
  --log FILE       writes the answers

The endpoint must allow requests from a page on http://127.0.0.1. An API key is taken from MNEMORA_API_KEY.
`;

/** Number of consecutive chats without any answer after which the endpoint is considered unreachable. */
const FAILED_CHATS = 3;

interface Settings extends CorpusFiles {
  model: ModelToAsk;
  budget: number;
  log: string | undefined;
}

interface CorpusAnswers {
  answers: AskAnswers[];
  /** Number of questions without an answer. */
  errors: number;
}

const settings = readSettings(process.argv.slice(2));
process.exitCode = settings === undefined ? 2 : await main(settings);

async function main(given: Settings): Promise<number> {
  const corpora = await readCorpora(given);
  const results = new Map<Corpus['name'], CorpusAnswers>();
  const interrupt = new AbortController();
  const opened = {
    path: 'test/bench/answers/answers-page.html',
    global: 'benchAnswers',
    handlesInterrupt: true,
  };
  try {
    await withBenchPage(opened, async (page) => {
      // npm forwards the signal, so it arrives twice: the second one must not end the process.
      process.on('SIGINT', () => {
        interrupt.abort();
        // This rejects if the page is already closed, and then there is nothing to abort.
        page.evaluate(() => window.benchAnswers.abort()).catch(() => undefined);
      });
      await greet(page, given.model);
      for (const { name, chats } of corpora) {
        const result: CorpusAnswers = { answers: [], errors: 0 };
        results.set(name, result);
        await answerChats(page, { name, chats }, given, result, interrupt.signal);
      }
    });
  } catch (error) {
    const reason = interrupt.signal.aborted ? 'Interrupted.' : messageOf(error);
    process.stderr.write(`\n${reason}\n`);
  }
  const isComplete = corpora.every(({ name, chats }) => results.get(name)?.answers.length === asksOf(chats));
  await report(given, results, isComplete);
  if (interrupt.signal.aborted) return 130;
  return isComplete ? 0 : 1;
}

/** Checks that the model answers before any chat is played. */
async function greet(page: Page, model: ModelToAsk): Promise<void> {
  await page.evaluate(
    (asked) => window.benchAnswers.askModel(asked, [{ role: 'user', content: 'Hello!' }]),
    model,
  );
}

/** Asks the questions of each chat in a separate call: a call of several minutes looks like a page that hangs. */
async function answerChats(
  page: Page,
  { name, chats }: Corpus,
  { model, budget }: Settings,
  result: CorpusAnswers,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  let failed = 0;
  for (const [position, chat] of chats.entries()) {
    const { answers, errors } = await page.evaluate(
      (input) =>
        window.benchAnswers.answerChat({ ...input, assetsUrl: new URL(input.assetsUrl, location.href).href }),
      { chat, model, budget, assetsUrl: ASSETS_PATH },
    );
    result.answers.push(...answers);
    result.errors += errors.length;
    signal.throwIfAborted();
    for (const error of errors) process.stderr.write(`\n${chat.id}: ${error}\n`);
    failed = answers.length === 0 && errors.length > 0 ? failed + 1 : 0;
    if (failed === FAILED_CHATS) throw new Error(`No answer to any ask of ${FAILED_CHATS} chats in a row.`);
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`\r${name}: ${position + 1} of ${chats.length} in ${seconds} s`);
  }
  process.stderr.write('\n');
}

/** Prints the scores of the answers. The last line is JSON. */
async function report(
  { model, budget, log }: Settings,
  results: ReadonlyMap<Corpus['name'], CorpusAnswers>,
  isComplete: boolean,
): Promise<void> {
  const figures = Array.from(results, ([name, { answers, errors }]) => {
    const figure = { asks: scoreAnswersByKind(answers), all: scoreAnswers(answers), errors };
    console.log(`\n${name}, ${budget} tokens, % of the needed words in the answers of ${model.model}\n`);
    console.log(tableOf({ ...figure.asks, all: figure.all }));
    return [name, figure] as const;
  });
  if (log !== undefined) {
    const lines = Array.from(results, ([name, { answers }]) =>
      answers.map((answer) => `${JSON.stringify({ corpus: name, ...answer })}\n`).join(''),
    );
    await writeFile(log, lines.join(''));
  }
  const { plain, lengthened } = Object.fromEntries(figures);
  if (plain === undefined) return;
  console.log(
    `\n${JSON.stringify({ model: model.model, budget, isComplete, ...plain, ...(lengthened ? { lengthened } : {}) })}`,
  );
}

function tableOf(scores: Readonly<Record<string, AnswerScores>>): string {
  const row = (label: string, ...cells: readonly (string | number)[]): string =>
    `${label.padEnd(12)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
  return [
    row('asks', 'n', 'with', 'without'),
    ...Object.entries(scores).map(([kind, { n, withMemory, withoutMemory }]) =>
      row(kind, n, withMemory ?? '-', withoutMemory ?? '-'),
    ),
  ].join('\n');
}

function asksOf(chats: Corpus['chats']): number {
  return chats.reduce((sum, { asks }) => sum + asks.filter((ask) => !isUnrelated(ask)).length, 0);
}

function readSettings(args: string[]): Settings | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        model: { type: 'string' },
        everyday: { type: 'string' },
        budget: { type: 'string', default: '1000' },
        sample: { type: 'string', default: '1' },
        log: { type: 'string' },
      },
    });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0) throw new Error('Name one file of chats.');
    const { url, model, everyday, log } = values;
    if (url === undefined || model === undefined) throw new Error('Give --url and --model.');
    return {
      file,
      everyday,
      log,
      model: { url, model, apiKey: process.env['MNEMORA_API_KEY'] },
      budget: wholeNumber('--budget', values.budget),
      sample: wholeNumber('--sample', values.sample),
    };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
    return undefined;
  }
}

/** Returns the message of a page's error without Playwright's prefix and the page's stack. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^page\.evaluate: /, '').replace(/\n\s+at .*/gs, '');
}
