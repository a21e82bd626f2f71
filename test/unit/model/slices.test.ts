import { expect, it } from 'vitest';
import { runInSlices, type Steps } from '../../../src/model/event-loop.ts';

/** Work of some steps, each longer than a slice. */
function* longSteps(count: number, step: () => void): Steps<string> {
  for (let done = 0; done < count; done += 1) {
    const end = performance.now() + 10;
    while (performance.now() < end);
    step();
    yield;
  }
  return 'done';
}

it('REC-90: between the slices of a long question, the page runs', async () => {
  const order: string[] = [];
  setTimeout(() => order.push('page'));
  expect(await runInSlices(longSteps(4, () => order.push('step')))).toBe('done');
  expect(order.slice(0, 5)).toContain('page');
  expect(order.filter((each) => each === 'step')).toHaveLength(4);
});

it('REC-90: an abort ends it before the next slice', async () => {
  const abort = new AbortController();
  let steps = 0;
  const work = longSteps(4, () => {
    steps += 1;
    abort.abort();
  });
  await expect(runInSlices(work, abort.signal)).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  );
  expect(steps).toBe(1);
});
