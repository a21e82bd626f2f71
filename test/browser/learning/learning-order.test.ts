import { expect, it } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import type { Memory } from '../../../src/client/memory.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';
import { newId } from '../../../src/model/id.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { knownBy, learned, seededNumbers, toldTurn } from '../../fixtures/retold.ts';

it.each([1, 2, 3, 4, 5, 6])(
  'LRN-10: tabs that close in the middle of the work and reopen learn what rebuild learns (%i)',
  async (seed) => {
    const random = seededNumbers(seed);
    const name = newId();
    let now = Date.UTC(2026, 0, 1);
    const open = (): Promise<Memory> =>
      createMemory({
        name,
        embedder: false,
        tokenizer: approximateTokenizer(),
        learning: { extractor: offlineExtractor(), delayMs: 0 },
        clock: () => now,
      });
    const tabs = [await open(), await open()];
    for (let n = 0; n < 10; n += 1) {
      now += 60_000;
      const position = Math.floor(random() * 2);
      const tab = tabs[position] as Memory;
      await tab.remember(toldTurn(random), { sessionId: random() < 0.5 ? 'a' : 'b', turnId: `t${n}` });
      if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, 300 * random()));
      if (random() < 0.6) {
        await tab.close();
        tabs[position] = await open();
      }
    }
    const [memory, other] = tabs as [Memory, Memory];
    await learned(memory);
    const known = await knownBy(memory);
    await memory.backup.rebuild();
    expect(await knownBy(memory)).toEqual(known);
    expect((await memory.backup.verify()).problems).toEqual([]);
    await Promise.all([memory.close(), other.close()]);
  },
);
