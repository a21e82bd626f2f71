/**
 * `npm run bench:growth [-- SIZE…]`: what each call costs in memories of these numbers of learned turns, and how the cost
 * grows: an exponent of 0 is constant, 1 is linear. Time is that of the page's main thread, by the browser; rows and
 * transactions are counted. Without an embedder. Learning takes 10 to 20 ms a turn.
 */
import type { CDPSession } from 'playwright';
import { withBenchPage } from './bench-page.ts';
import { OPERATIONS, RUNS, type GrowthSample, type Operation } from './growth/operations.ts';
import { ASSETS_PATH } from '../../scripts/serve-assets.ts';

const DEFAULT_SIZES = [1000, 4000];

interface Cost extends GrowthSample {
  /** Time of the main thread in ms. */
  readonly cpu: number;
}

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : DEFAULT_SIZES;
const costs = new Map<Operation, Cost[]>(OPERATIONS.map((operation) => [operation, []]));
for (const size of sizes) {
  await withBenchPage({ path: 'test/bench/growth/growth-page.html', global: 'growth' }, async (page) => {
    page.setDefaultTimeout(0);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.evaluate(([turns, assets]) => window.growth.fill(turns, new URL(assets, location.href).href), [
      size,
      ASSETS_PATH,
    ] as const);
    for (const operation of OPERATIONS) {
      const samples: Cost[] = [];
      for (let run = 0; run < (RUNS[operation] ?? 1); run += 1) {
        await page.evaluate((name) => window.growth.prepare(name), operation);
        const before = await taskMs(devtools);
        const sample = await page.evaluate((name) => window.growth.run(name), operation);
        samples.push({ ...sample, cpu: ((await taskMs(devtools)) - before) / sample.times });
      }
      costs.get(operation)?.push(meanOf(samples));
    }
  });
  process.stdout.write(`measured ${size} turns\n`);
}
console.table(Object.fromEntries(Array.from(costs, ([operation, all]) => [operation, rowOf(all)])));

async function taskMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

function rowOf(all: readonly Cost[]): Record<string, string> {
  const shown = (of: keyof Cost): string => all.map((cost) => Math.round(cost[of])).join(' / ');
  return {
    'main thread ms': shown('cpu'),
    exponent: exponent(all, 'cpu'),
    rows: shown('rows'),
    'of rows': exponent(all, 'rows'),
    reads: shown('reads'),
    writes: shown('writes'),
  };
}

function meanOf(samples: readonly Cost[]): Cost {
  const mean = (of: keyof Cost): number =>
    samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  const [times, ms, cpu] = [mean('times'), mean('ms'), mean('cpu')];
  return { times, ms, cpu, rows: mean('rows'), reads: mean('reads'), writes: mean('writes') };
}

/** Returns the exponent between the smallest and the largest size. */
function exponent(all: readonly Cost[], of: 'cpu' | 'rows'): string {
  const [first, last] = [all[0]?.[of] ?? 0, all.at(-1)?.[of] ?? 0];
  const growth = Math.log((sizes.at(-1) ?? 1) / (sizes[0] ?? 1));
  return first <= 0 || last <= 0 || growth === 0 ? '–' : (Math.log(last / first) / growth).toFixed(2);
}
