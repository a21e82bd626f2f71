/**
 * `npm run bench:context -- FILE`: measures the context that a model gets after the chats of a corpus, in Chromium, with
 * default options and the offline model.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { framedQuestions } from './context/asked-contexts.ts';
import { languageOf } from './context/chat-language.ts';
import { contextFindings, factFindings } from './context/context-findings.ts';
import { scoreContexts, type ContextScores, type PlayedChat } from './context/context-scores.ts';
import { drawnLines } from './context/drawn-lines.ts';
import { contextTable, languageTable } from './context/context-tables.ts';
import type { ChatResult } from './context/play-chat.ts';
import {
  readCorpora,
  REQUESTS_PER_CHAT,
  wholeNumber,
  type Corpus,
  type CorpusFiles,
} from './bench-corpora.ts';
import { withBenchPage } from './bench-page.ts';
import { ASSETS_PATH } from '../../scripts/serve-assets.ts';

/** Chats played at once in the page: while one waits for the embedding worker, the other learns. */
const AT_ONCE = 2;

const USAGE = `npm run bench:context -- FILE [options]

  FILE             chats with listed facts and asks, as JSON
  --everyday FILE  also plays the chats lengthened by ${REQUESTS_PER_CHAT} everyday requests each
  --budget N[,N]   tokens of a context; further ones are asked in the same run (default 1000)
  --sample N       plays every N-th chat
  --profile N      prints N lines of the profiles of the chats that are played last, drawn by a fixed seed
  --facts          prints every fact that is made of these chats
  --log FILE       writes wrong, stale and trapped facts, missed needs, noise, and what ended and is stated
`;

interface Settings extends CorpusFiles {
  budgets: number[];
  profileLines: number;
  printsFacts: boolean;
  log: string | undefined;
}

interface PlayedCorpus {
  /** For each budget, the chats in their order. */
  byBudget: PlayedChat[][];
  profileLines: string[];
  errors: number;
}

type Figures = ContextScores & { errors: number };

const settings = readSettings(process.argv.slice(2));
process.exitCode = settings === undefined ? 2 : await main(settings);

async function main(given: Settings): Promise<number> {
  const corpora = await readCorpora(given);
  // Everyday requests are in English, whatever the language of the chat.
  const languages = new Map(corpora[0]?.chats.map((chat) => [chat.id, languageOf(chat)]));
  const figures: Partial<Record<Corpus['name'], Figures[]>> = {};
  const findings: string[] = [];
  let last: { profileLines: string[]; facts: string[] } = { profileLines: [], facts: [] };
  await withBenchPage({ path: 'test/bench/context/context-page.html', global: 'playChat' }, async (page) => {
    for (const { name, chats } of corpora) {
      const { byBudget, profileLines, errors } = await playCorpus(page, { name, chats }, given.budgets);
      last = { profileLines, facts: (byBudget[0] ?? []).flatMap(madeFacts) };
      figures[name] = byBudget.map((played) => ({ ...scoreContexts(played), errors }));
      findings.push(...(byBudget[0] ?? []).flatMap(factFindings).map((line) => `${name} | ${line}`));
      for (const [position, budget] of given.budgets.entries()) {
        const played = byBudget[position] ?? [];
        findings.push(...played.flatMap(contextFindings).map((line) => `${name} ${budget} | ${line}`));
        console.log(`\n== ${name}, ${budget} tokens: ${played.length} conversations, ${errors} errors\n`);
        const scores = scoreContexts(played);
        console.log(`${contextTable(scores)}\n\n${languageTable(played, languages)}`);
        const said = Math.round((budget * (scores.relatedSaidPercent ?? 0)) / 100);
        console.log(`\nof ${budget} tokens sent for related questions, somebody said ${said}`);
      }
    }
  });
  const { plain = [], lengthened } = figures;
  const everydayFacts = lengthened && factsPerHundred(plain[0], lengthened[0]);
  if (everydayFacts !== undefined) console.log(`\nfacts from 100 everyday requests: ${everydayFacts}`);
  const drawn = drawnLines(last.profileLines, given.profileLines);
  if (drawn.length > 0)
    console.log(`\n${drawn.length} of ${last.profileLines.length} lines of profiles:\n${drawn.join('\n')}`);
  if (given.printsFacts) console.log(`\n${last.facts.length} facts:\n${last.facts.join('\n')}`);
  if (given.log !== undefined) await writeFile(given.log, `${findings.join('\n')}\n`);
  const [first, ...further] = given.budgets.map((budget, position) => ({
    budget,
    ...plain[position],
    ...(lengthened ? { lengthened: lengthened[position], everydayFacts } : {}),
  }));
  console.log(`\n${JSON.stringify({ ...first, ...(further.length > 0 ? { further } : {}) })}`);
  return [...plain, ...(lengthened ?? [])].some(({ errors }) => errors > 0) ? 1 : 0;
}

/**
 * Plays each chat in a separate call: a call of several minutes looks like a page that hangs. Chats that fail are left
 * out.
 */
async function playCorpus(page: Page, { name, chats }: Corpus, budgets: number[]): Promise<PlayedCorpus> {
  const framed = framedQuestions(chats);
  const started = performance.now();
  const results: (ChatResult | undefined)[] = chats.map(() => undefined);
  const queue = [...chats.entries()];
  let done = 0;
  const playQueue = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [position, chat] = next;
      results[position] = await page
        .evaluate(
          (input) => window.playChat({ ...input, assetsUrl: new URL(input.assetsUrl, location.href).href }),
          { chat, framed: framed[position] ?? [], budgets, assetsUrl: ASSETS_PATH },
        )
        .catch((error: unknown) => {
          process.stderr.write(`\n${chat.id} failed: ${String(error)}\n`);
          return undefined;
        });
      done++;
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stderr.write(`\r${name}: ${done} of ${chats.length} in ${seconds} s`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playQueue));
  process.stderr.write('\n');
  const byBudget = budgets.map((_, index) =>
    chats.flatMap((chat, position) => {
      const result = results[position];
      return result ? [{ chat, facts: result.facts, asked: result.asked[index] ?? [] }] : [];
    }),
  );
  const profileLines = results.flatMap((result, position) =>
    (result?.profile ?? []).map((line) => `${chats[position]?.id} | ${line.replaceAll('\n', ' ')}`),
  );
  return { byBudget, profileLines, errors: results.filter((result) => result === undefined).length };
}

/** Returns a line for each fact that was made of a chat. */
function madeFacts({ chat, facts }: PlayedChat): string[] {
  return facts.map(({ subject, predicate, object, hasEnded }) =>
    [chat.id, subject, predicate, object, ...(hasEnded ? ['has ended'] : [])].join(' | '),
  );
}

/** Returns the number of additional facts in a lengthened corpus for each 100 requests added to it. */
function factsPerHundred(plain: Figures | undefined, lengthened: Figures | undefined): number | undefined {
  if (plain === undefined || lengthened === undefined) return undefined;
  const requests = lengthened.conversations * REQUESTS_PER_CHAT;
  return Math.round((1000 * (lengthened.facts.said - plain.facts.said)) / requests) / 10;
}

function readSettings(args: string[]): Settings | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        everyday: { type: 'string' },
        budget: { type: 'string', default: '1000' },
        sample: { type: 'string', default: '1' },
        profile: { type: 'string' },
        facts: { type: 'boolean', default: false },
        log: { type: 'string' },
      },
    });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0) throw new Error('Name one file of chats.');
    return {
      file,
      everyday: values.everyday,
      budgets: values.budget.split(',').map((budget) => wholeNumber('--budget', budget)),
      sample: wholeNumber('--sample', values.sample),
      profileLines: values.profile === undefined ? 0 : wholeNumber('--profile', values.profile),
      printsFacts: values.facts,
      log: values.log,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return undefined;
  }
}
