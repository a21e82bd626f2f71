import { afterEach, expect, it, vi } from 'vitest';
import { createMemory, type Extractor, type Warning } from '../../../../src/index.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('JOB-39: work that is no longer waited for is reported as a warning, and is still listed', async () => {
  vi.useFakeTimers();
  const warnings: Warning[] = [];
  const extractor: Extractor = {
    id: 'never',
    extract: () => new Promise(() => undefined),
    summarize: () => Promise.resolve(''),
  };
  const memory = await createMemory({
    ...{ storage: 'memory', embedder: false, learning: { extractor } },
    onWarning: (warning) => void warnings.push(warning),
  });
  await memory.remember({ user: 'I live in Porto.', assistant: 'Okay.' });
  let isSettled = false;
  const settled = memory.work.settled().then(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect([isSettled, warnings]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  await settled;
  expect(warnings.map(({ code }) => code)).toEqual(['work-stalled']);
  const left = await memory.work.list();
  expect(left.filter(({ kind }) => kind === 'learn')).toMatchObject([{ state: 'running' }]);
  await memory.close();
});
