/**
 * `npm run bench:growth [-- SIZE… --seeded SIZE]`: what each call costs in memories of these numbers of learned turns, and
 * how the cost grows: an exponent of 0 is constant, 1 is linear. Without an embedder. Rows and transactions are counted; times are CPU
 * times, which hardly change when the machine is busy: of the page's main thread, and of the other threads of its process,
 * which are its workers and the browser's helpers. Learning takes 10 to 30 ms a turn; a seeded memory is made of a tenth of its
 * turns, learned, and of nine copies with other ids, times and rare names, which are imported.
 *
 * The turns are invented, and like real ones in what makes calls cost more: see `InventedChat`.
 */
import { parseArgs } from 'node:util';
import type { CDPSession } from 'playwright';
import { withBenchPage } from './bench-page.ts';
import { OPERATIONS, RUNS, type GrowthSample, type Operation } from './growth/operations.ts';
import { ASSETS_PATH } from '../../scripts/serve-assets.ts';

const DEFAULT_SIZES = [1000, 4000];

/** CPU times in ms. */
interface CpuTimes {
  readonly main: number;
  readonly others: number;
}

type Cost = GrowthSample & CpuTimes;

/** How many copies a seeded memory is made of. */
const COPIES = 10;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeded: { type: 'string', multiple: true } },
});
const learned = positionals.length > 0 ? positionals.map(Number) : DEFAULT_SIZES;
const seeded = (given.seeded ?? []).map(Number);
const sizes = [...learned, ...seeded];
if (!sizes.every((size) => Number.isInteger(size) && size > 0) || seeded.some((size) => size % COPIES > 0)) {
  throw new Error(
    `Sizes are numbers of turns, and those of --seeded multiples of ${COPIES}; got ${sizes.join(', ')}.`,
  );
}
const costs = new Map<Operation, Cost[]>(OPERATIONS.map((operation) => [operation, []]));
for (const [position, size] of sizes.entries()) {
  const isSeeded = position >= learned.length;
  await withBenchPage({ path: 'test/bench/growth/growth-page.html', global: 'growth' }, async (page) => {
    page.setDefaultTimeout(0);
    const devtools = await page.context().newCDPSession(page);
    const browser = await page.context().browser()?.newBrowserCDPSession();
    // By default a task's time goes on while another process has the processor.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const cpuTimes = async (): Promise<CpuTimes> => {
      const main = await mainThreadMs(devtools);
      return { main, others: (await rendererMs(browser)) - main };
    };
    const turns = isSeeded ? size / COPIES : size;
    const filling = [turns, ASSETS_PATH] as const;
    process.stderr.write(`filling ${turns} turns\n`);
    await page.evaluate(
      ([count, path]) => window.growth.fill(count, new URL(path, location.href).href),
      filling,
    );
    if (isSeeded) await page.evaluate((times) => window.growth.multiply(times), COPIES);
    for (const operation of OPERATIONS) {
      if (operation === 'rebuild' && isSeeded) continue;
      process.stderr.write(`${operation}, ${size} turns\n`);
      if (operation === 'open') {
        await page.reload();
        await page.waitForFunction(() => 'growth' in window);
        await page.evaluate(
          ([count, path]) => window.growth.goOn(count, new URL(path, location.href).href),
          filling,
        );
      }
      const samples: Cost[] = [];
      for (let run = 0; run < (RUNS[operation] ?? 1); run += 1) {
        await page.evaluate((name) => window.growth.prepare(name), operation);
        const before = await cpuTimes();
        const sample = await page.evaluate((name) => window.growth.run(name), operation);
        const after = await cpuTimes();
        const [main, others] = [after.main - before.main, after.others - before.others];
        samples.push({ ...sample, main: main / sample.times, others: others / sample.times });
      }
      costs.get(operation)?.push(meanOf(samples));
    }
  });
  // After each size, because the next one may take long.
  process.stdout.write(`measured ${size} turns\n`);
  console.table(Object.fromEntries(Array.from(costs, ([operation, all]) => [operation, rowOf(all)])));
}

async function mainThreadMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** Returns the CPU time of all renderer processes: there is one page, and what the others do is next to nothing. */
async function rendererMs(browser: CDPSession | undefined): Promise<number> {
  const { processInfo = [] } = (await browser?.send('SystemInfo.getProcessInfo')) ?? {};
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return 1000 * renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

function rowOf(all: readonly Cost[]): Record<string, string> {
  const shown = (of: keyof Cost): string => all.map((cost) => Math.round(cost[of])).join(' / ');
  return {
    'main thread ms': shown('main'),
    exponent: exponent(all, 'main'),
    'other threads ms': shown('others'),
    rows: shown('rows'),
    'of rows': exponent(all, 'rows'),
    reads: shown('reads'),
    writes: shown('writes'),
  };
}

function meanOf(samples: readonly Cost[]): Cost {
  const mean = (of: keyof Cost): number =>
    samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  const [times, ms, main, others] = [mean('times'), mean('ms'), mean('main'), mean('others')];
  return { times, ms, main, others, rows: mean('rows'), reads: mean('reads'), writes: mean('writes') };
}

/** Returns the exponent between the smallest and the largest size. */
function exponent(all: readonly Cost[], of: 'main' | 'rows'): string {
  const [first, last] = [all[0]?.[of] ?? 0, all.at(-1)?.[of] ?? 0];
  const growth = Math.log((sizes[all.length - 1] ?? 1) / (sizes[0] ?? 1));
  return first <= 0 || last <= 0 || growth === 0 ? '–' : (Math.log(last / first) / growth).toFixed(2);
}
