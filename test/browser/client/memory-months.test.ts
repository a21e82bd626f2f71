import { afterEach, describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { Months } from '../../fixtures/months.ts';
import { importInFrame } from '../../fixtures/memory-in-frame.ts';

const SEEDS = Number(import.meta.env['VITE_MNEMORA_SEEDS'] ?? 1);
const FIRST_SEED = Number(import.meta.env['VITE_MNEMORA_SEED'] ?? 1);
const STEPS = Number(import.meta.env['VITE_MNEMORA_STEPS'] ?? 18);
const STEPS_PER_CHECK = 6;

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close(); // a page is the last to go
});

/** Opens memories from another page: code, connection and indexes of its own. */
async function otherPage(): Promise<typeof createMemory> {
  const url = new URL('../../../src/index.ts', import.meta.url);
  const { module, die } = await importInFrame<{ createMemory: typeof createMemory }>(url);
  closing.push(die);
  return module.createMemory;
}

describe('a memory that is used for months in two tabs', () => {
  it('MEM-17: a memory used for months answers like one built from the same transcript, and nothing forgotten is left', async () => {
    const openers = [createMemory, await otherPage()];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const months = new Months(seed, openers);
      await months.open();
      try {
        for (let step = 1; step <= STEPS; step++) {
          await months.step();
          if (step % STEPS_PER_CHECK > 0) continue;
          const { answers, expected, ...rest } = await months.check();
          expect(answers).toEqual(expected);
          expect(rest).toEqual({ problems: [], jobs: [], left: [] });
        }
      } catch (error) {
        throw new Error(`Seed ${seed}, after: ${months.log.join('; ')}`, { cause: error });
      } finally {
        await months.close();
      }
    }
  }, 3_600_000);
});
