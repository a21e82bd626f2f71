import { expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

/** Returns the kinds of the jobs that have started, and makes those that fail due again at once. */
function startedIn(memory: Memory): string[] {
  const started: string[] = [];
  memory.addEventListener('job', ({ detail: { type, job } }) => {
    if (type === 'started' && job.kind !== 'other') started.push(job.kind);
    if (type === 'failed') void memory.work.retry(job.id);
  });
  return started;
}

async function tell(memory: Memory, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await memory.remember({ user: `I like Quokka${n}.`, assistant: 'Good to know.' });
    await memory.work.settled();
  }
}

it('JOB-45: a session is summarized by a job that is queued only when turns leave its window', async () => {
  const memory = await memoryOf({ recentTurns: 2, learning: { delayMs: 0 } });
  const started = startedIn(memory);
  await tell(memory, 2);
  expect(started).toEqual(['learn', 'learn']);
  await tell(memory, 1);
  expect(started).toEqual(['learn', 'learn', 'learn', 'summarize']);
  expect((await memory.summary())?.text).toContain('Quokka1');
});

it('JOB-45: turns that leave the window are summarized even if nothing can be learned from any turn', async () => {
  const memory = await memoryOf({
    recentTurns: 1,
    learning: {
      delayMs: 0,
      extractor: {
        id: 'broken',
        extract: () => Promise.reject(new Error('It cannot read.')),
        summarize: ({ newLines }) => Promise.resolve(`Summary: ${newLines}`),
      },
    },
  });
  const started = startedIn(memory);
  await tell(memory, 2);
  expect((await memory.work.list()).map(({ kind, state }) => [kind, state])).toEqual([
    ['learn', 'dead'],
    ['learn', 'dead'],
  ]);
  expect(started.filter((kind) => kind === 'summarize')).toHaveLength(1);
  expect((await memory.summary())?.text).toContain('Quokka1');
});
