import { expect, it, vi } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { SLICE_MS } from '../../../src/model/event-loop.ts';
import { LETTERS_EMBEDDER } from '../../fakes/letters-embedder.ts';
import { eventually } from '../../fixtures/eventually.ts';

/** Counts how often the page may go on. */
const pauses = vi.hoisted(() => ({ count: 0 }));

vi.mock(import('../../../src/model/event-loop.ts'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    yieldToEventLoop() {
      pauses.count += 1;
      return actual.yieldToEventLoop();
    },
  };
});

it('BAK-75: an export lets the page go on whenever a slice of time is used up, between vectors as well', async () => {
  await using memory = await createMemory({
    storage: 'memory',
    embedder: LETTERS_EMBEDDER,
    learning: false,
    onWarning: () => undefined,
  });
  for (let n = 0; n < 40; n += 1) await memory.remember({ user: `Bee number ${n}.`, assistant: 'Noted.' });
  await memory.work.settled();
  const exported = async (vectors: boolean): Promise<number> => {
    const before = pauses.count;
    let now = 0;
    // Whatever is done takes a slice of time.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += SLICE_MS));
    const file = await memory.backup.export({ vectors });
    clock.mockRestore();
    expect(file.size).toBeGreaterThan(0);
    return pauses.count - before;
  };
  expect(await exported(false)).toBeGreaterThan(0);
  // What works in the background meanwhile lets the page go on, too.
  await eventually(async () => expect(-(await exported(false)) + (await exported(true))).toBe(80));
});
