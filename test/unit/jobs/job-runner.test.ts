import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeFailure, retryDelayMs } from '../../../src/jobs/failure.ts';
import type { JobHandler } from '../../../src/jobs/job-handler.ts';
import { runnerFor, type JobRunner } from '../../../src/jobs/job-runner.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import type { InMemoryJobStore } from '../../fixtures/in-memory-transcript.ts';
import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';

const QUEUE = 'facts';
const HOUR_MS = 3_600_000;

let transcript: InMemoryTranscript;
let jobs: InMemoryJobStore;
let runner: JobRunner;
let turns = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  transcript = new InMemoryTranscript();
  jobs = transcript.jobs;
  runner = runnerFor(jobs, { random: () => 0 });
});
afterEach(async () => {
  await runner.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function queueTurn(sessionId = 's', delayMs = 0, queue = QUEUE): Promise<string> {
  turns += 1;
  const turnId = `t${turns}`;
  await transcript.append({
    sessionId,
    messages: [{ role: 'user', content: turnId }],
    turnId,
    state: 'complete',
    createdAt: 1,
    jobs: [{ queue, delayMs }],
  });
  runner.wake();
  return turnId;
}

function eventsOf(): string[] {
  const events: string[] = [];
  runner.onEvent(({ type, job }) => events.push(`${type} ${job.sessionId} ${job.attempts}`));
  return events;
}

const never: JobHandler = () => new Promise(() => undefined);

it('JOB-10: a handler gets the jobs of its queue one at a time, and unfinished ones are finished for it', async () => {
  const events = eventsOf();
  const seen: string[] = [];
  let underWay = 0;
  runner.handle(QUEUE, async (job, ticket) => {
    underWay += 1;
    expect(underWay).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (job.sessionId === 'b') await jobs.finish(ticket);
    seen.push(...job.turnIds);
    underWay -= 1;
  });
  const expected = [await queueTurn('a'), await queueTurn('b'), await queueTurn('c')];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(expected);
  expect(await runner.jobs()).toEqual([]);
  expect(events).toEqual(['a', 'b', 'c'].flatMap((id) => [`started ${id} 0`, `done ${id} 0`]));
});

it('JOB-10: a job starts when it is due', async () => {
  const handler = vi.fn<JobHandler>().mockResolvedValue();
  runner.handle(QUEUE, handler);
  await queueTurn('s', 2 * HOUR_MS);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS - 1);
  expect(handler).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(handler).toHaveBeenCalledTimes(1);
});

it('JOB-11: a temporary failure is tried again without limit, with pauses that double from 250 ms to an hour', async () => {
  const events = eventsOf();
  const times: number[] = [];
  const errors = [
    new MnemoraError('llm-network', 'unreachable'),
    new MnemoraError('llm-http', 'busy', { status: 503 }),
    new MnemoraError('llm-timeout', 'The endpoint was silent.'),
    new MnemoraError('storage-full', 'full'),
    new TypeError('Failed to fetch'),
    Object.assign(new Error('of another library'), { status: 529 }),
  ];
  runner.handle(QUEUE, async () => {
    times.push(Date.now() - 1_000_000);
    throw errors[times.length % errors.length];
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(times.slice(0, 7)).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750]);
  const pauses = times.slice(1).map((time, n) => time - (times[n] ?? 0));
  expect(Math.max(...pauses)).toBe(HOUR_MS);
  expect(times.length).toBeGreaterThan(30);
  expect(new Set(events.map((event) => event.split(' ')[0]))).toEqual(new Set(['started', 'failed']));
  const [job] = await runner.jobs();
  expect(job).not.toHaveProperty('isDead');
  expect(job).toMatchObject({
    attempts: times.length,
    error: { kind: expect.stringMatching(/network|passing/) },
  });
});

it('JOB-11: the event gives the time of the next attempt, not before the endpoint asked for', async () => {
  const next: number[] = [];
  runner.onEvent(({ type, job }) => {
    if (type === 'failed') next.push(job.notBefore - Date.now());
  });
  let retryAfterMs = 90_000;
  runner.handle(QUEUE, async () => {
    throw new MnemoraError('llm-http', 'slow down', { status: 429, retryAfterMs });
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(89_999);
  expect(next).toEqual([90_000]);
  retryAfterMs = 100 * HOUR_MS;
  await vi.advanceTimersByTimeAsync(1);
  expect(next).toEqual([90_000, HOUR_MS]);
});

it('JOB-11: the pause grows up to a limit and is shortened by up to a half', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, random) => {
        const longest = Math.min(HOUR_MS, 250 * 2 ** (n - 1));
        expect(retryDelayMs(n, random, { firstMs: 250 })).toBeGreaterThanOrEqual(longest / 2);
        expect(retryDelayMs(n, random, { firstMs: 250 })).toBeLessThanOrEqual(longest);
      },
    ),
  );
  expect(retryDelayMs(3, 0, { firstMs: 250 })).toBe(1_000);
  expect(retryDelayMs(60, 0, { firstMs: 250 })).toBe(HOUR_MS);
});

it.each([
  ['status 400', new MnemoraError('llm-http', 'bad', { status: 400 })],
  ['status 413', new MnemoraError('llm-http', 'too large', { status: 413 })],
  ['status 422', new MnemoraError('llm-http', 'no', { status: 422 })],
  ['a reply that cannot be used', new MnemoraError('llm-reply', 'no JSON')],
  ['any other error', new Error('broken')],
])('JOB-22: a job that fails with %s three times is dead', async (_what, error) => {
  const events = eventsOf();
  runner.handle(QUEUE, async () => {
    throw error;
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(events.filter((event) => !event.startsWith('started'))).toEqual([
    'failed s 1',
    'failed s 2',
    'dead s 3',
  ]);
  expect(await runner.jobs()).toMatchObject([{ isDead: true, attempts: 3, error: { kind: 'lasting' } }]);
});

it('JOB-22: temporary failures do not count among the three', async () => {
  const errors = [
    ...Array.from({ length: 5 }, () => new MnemoraError('llm-network', 'unreachable')),
    new MnemoraError('llm-reply', 'no JSON'),
    new MnemoraError('llm-timeout', 'silent'),
    new MnemoraError('llm-reply', 'no JSON'),
    new MnemoraError('llm-reply', 'no JSON'),
  ];
  const events = eventsOf();
  runner.handle(QUEUE, async () => {
    throw errors.shift() ?? new Error('one too many');
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(events.at(-1)).toBe('dead s 9');
});

it.each([401, 402, 403, 404])(
  'JOB-23: a job rejected with status %i is paused until there is another handler',
  async (status) => {
    const events = eventsOf();
    runner.handle(QUEUE, async () => {
      throw new MnemoraError('llm-http', 'refused', { status });
    });
    const first = await queueTurn();
    await vi.advanceTimersByTimeAsync(1_000);
    const second = await queueTurn();
    await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
    expect(events).toEqual(['started s 0', 'paused s 1']);
    await runner.settled();
    const seen: string[] = [];
    runner.handle(QUEUE, async (job) => void seen.push(...job.turnIds));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([first, second]);
    expect(await runner.jobs()).toEqual([]);
  },
);

it('JOB-23: a paused job is tried once per opening of the database, and by hand', async () => {
  const tried = vi.fn<JobHandler>().mockRejectedValue(new MnemoraError('llm-http', 'no', { status: 401 }));
  runner.handle(QUEUE, tried);
  await queueTurn();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(tried).toHaveBeenCalledTimes(1);
  for (const times of [2, 3]) {
    await runner.close();
    runner = runnerFor(jobs, { random: () => 0 });
    runner.handle(QUEUE, tried);
    const settling = runner.settled();
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    await settling;
    expect(tried).toHaveBeenCalledTimes(times);
  }
  const [job] = await runner.jobs();
  await runner.retry(job?.id ?? -1);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(tried).toHaveBeenCalledTimes(4);
});

it('JOB-24: opening the database retries jobs with temporary failures at once', async () => {
  const failing = runner.handle(QUEUE, async () => {
    throw new MnemoraError('llm-http', 'busy', { status: 503 });
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(5 * HOUR_MS);
  await failing();
  await runner.close();
  runner = runnerFor(jobs, { random: () => 0 });
  const events = eventsOf();
  runner.handle(QUEUE, async () => undefined);
  const settling = runner.settled();
  await vi.advanceTimersByTimeAsync(300);
  await settling;
  expect(events.map((event) => event.split(' ')[0])).toEqual(['retried', 'started', 'done']);
});

it('JOB-24: a turn advances the next attempt of its session, and a success that of the others', async () => {
  let isDown = true;
  const seen: string[] = [];
  runner.handle(QUEUE, async (job) => {
    if (isDown) throw new MnemoraError('llm-timeout', 'silent');
    seen.push(...job.turnIds);
  });
  const [a, b] = [await queueTurn('a'), await queueTurn('b')];
  await vi.advanceTimersByTimeAsync(5 * HOUR_MS);
  isDown = false;
  const again = await queueTurn('b', 500);
  await vi.advanceTimersByTimeAsync(499);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual([b, again, a]);
});

it('JOB-25: offline, jobs that failed because of the network wait, and others continue', async () => {
  const target = new EventTarget();
  const navigator = { onLine: false };
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  vi.stubGlobal('navigator', navigator);
  const own = new InMemoryTranscript();
  transcript = own;
  jobs = own.jobs;
  runner = runnerFor(jobs, { random: () => 0 });
  const tried: string[] = [];
  runner.handle(QUEUE, async (job) => {
    tried.push(job.sessionId);
    // A model of the caller's own, whose error says nothing: offline, that is why it fails.
    if (job.sessionId === 'far' && !navigator.onLine) throw new Error('something');
  });
  await queueTurn('far');
  await queueTurn('near');
  const settling = runner.settled(); // which nothing offline holds up
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  await settling;
  await queueTurn('far');
  await queueTurn('near');
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(tried).toEqual(['far', 'near', 'near']);
  expect(await runner.jobs()).toMatchObject([{ sessionId: 'far', attempts: 1, error: { kind: 'network' } }]);
  navigator.onLine = true;
  target.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(tried).toHaveLength(4);
  expect(await runner.jobs()).toEqual([]);
});

it('JOB-11: a dead job that is retried by hand starts from scratch', async () => {
  const events = eventsOf();
  let isBroken = true;
  runner.handle(QUEUE, async () => {
    if (isBroken) throw new Error('broken');
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  const [job] = await runner.jobs();
  isBroken = false;
  expect(await runner.retry(job?.id ?? -1)).toBe(true);
  expect(await runner.retry(4_711)).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(await runner.jobs()).toEqual([]);
  expect(events.slice(-3)).toEqual(['retried s 0', 'started s 0', 'done s 0']);
});

it('JOB-12: after another tab has led, a new term starts and finishes the job', async () => {
  const terms: number[] = [];
  const handler = vi.fn<JobHandler>(async (_job, ticket) => {
    terms.push(ticket.term);
    if (terms.length === 1) await jobs.beginTerm(QUEUE); // as another tab does that found this one frozen
    await jobs.finish(ticket);
  });
  runner.handle(QUEUE, handler);
  await queueTurn();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(terms).toEqual([1, 3]);
  expect(await runner.jobs()).toEqual([]);
});

it('JOB-12: when the storage fails the job is kept, and done once the storage works', async () => {
  const claim = vi.spyOn(jobs, 'claim').mockRejectedValueOnce(new MnemoraError('storage-full', 'full'));
  const finish = vi
    .spyOn(jobs, 'finish')
    .mockRejectedValueOnce(new MnemoraError('storage-blocked', 'blocked'));
  const handler = vi.fn<JobHandler>().mockResolvedValue();
  runner.handle(QUEUE, handler);
  await queueTurn();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handler).toHaveBeenCalledTimes(2);
  expect(finish).toHaveBeenCalledTimes(2);
  expect(claim.mock.calls.length).toBeLessThan(10); // no busy loop
  expect(await runner.jobs()).toEqual([]);
});

it('JOB-12: a storage that keeps failing is tried less and less often and blocks nobody', async () => {
  const handler = vi.fn<JobHandler>().mockResolvedValue();
  const finish = vi.spyOn(jobs, 'finish').mockRejectedValue(new MnemoraError('storage-full', 'full'));
  runner.handle(QUEUE, handler);
  await queueTurn();
  const settling = runner.settled();
  await vi.advanceTimersByTimeAsync(60_000);
  await settling;
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(handler.mock.calls.length).toBeGreaterThan(20);
  expect(handler.mock.calls.length).toBeLessThan(50);
  finish.mockRestore();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(await runner.jobs()).toEqual([]);
});

it('JOB-39: settled() stops waiting for a job that has stored nothing for ten minutes, and returns it', async () => {
  runner.handle(QUEUE, never);
  await queueTurn();
  let left: unknown;
  void runner.settled().then((rest) => (left = runner.stalled(rest)));
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(left).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(left).toMatchObject([{ queue: QUEUE, attempts: 0 }]);
  expect([...(await runner.running())]).toHaveLength(1);
});

it('JOB-40: settled() waits for a job of any length as long as it stores a step every ten minutes', async () => {
  let stored = 0;
  runner.handle(QUEUE, async (_job, _ticket, _signal, progressed) => {
    for (; stored < 12; stored += 1) {
      await new Promise((resolve) => setTimeout(resolve, 9 * 60_000));
      progressed();
    }
  });
  await queueTurn();
  let left: unknown;
  void runner.settled().then((rest) => (left = runner.stalled(rest)));
  await vi.advanceTimersByTimeAsync(11 * 9 * 60_000);
  expect(left).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect([stored, left]).toEqual([12, []]);
});

it('JOB-12: a temporary error that says the database is closed does not end the work', async () => {
  vi.spyOn(jobs, 'claim').mockRejectedValueOnce(new MnemoraError('storage-closed', 'for a moment'));
  runner.handle(QUEUE, async () => undefined);
  await queueTurn();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await runner.jobs()).toEqual([]);
});

it('JOB-13: closing gives back the running job, whether or not its handler respects the signal', async () => {
  for (const heedless of [true, false]) {
    let aborted = false;
    const own = runnerFor(jobs, { random: () => 0 });
    own.handle(QUEUE, async (_job, _ticket, signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      if (heedless) return new Promise(() => undefined);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    await queueTurn();
    own.wake();
    await vi.advanceTimersByTimeAsync(0);
    await own.close();
    expect(aborted).toBe(true);
    const [job] = await jobs.list();
    expect(job?.attempts).toBe(0);
    expect([...(await own.running())]).toEqual([]);
    expect(() => own.handle(QUEUE, never)).toThrow(expect.objectContaining({ code: 'storage-closed' }));
  }
});

it('JOB-13: without a handler a job is given back and waits for the next one', async () => {
  const stop = runner.handle(QUEUE, never);
  const turnId = await queueTurn();
  await vi.advanceTimersByTimeAsync(0);
  expect([...(await runner.running())]).toHaveLength(1);
  await stop();
  await stop();
  expect([...(await runner.running())]).toEqual([]);
  const seen: string[] = [];
  runner.handle(QUEUE, async (job) => void seen.push(...job.turnIds));
  runner.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual([turnId]);
});

it('JOB-21: the first leadership claim is delayed unless something is queued', async () => {
  const beginTerm = vi.spyOn(jobs, 'beginTerm');
  const stop = runner.handle(QUEUE, never);
  await vi.advanceTimersByTimeAsync(199);
  expect(beginTerm).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10);
  expect(beginTerm).toHaveBeenCalledTimes(1);
  await stop();
  runner.handle(QUEUE, never);
  await queueTurn();
  await vi.advanceTimersByTimeAsync(10);
  expect(beginTerm).toHaveBeenCalledTimes(2);
});

it('JOB-14: settled starts debounced jobs and resolves when all is done', async () => {
  const handler = vi.fn<JobHandler>().mockResolvedValue();
  runner.handle(QUEUE, handler);
  await queueTurn('a', HOUR_MS);
  await queueTurn('b', HOUR_MS);
  await queueTurn('c', HOUR_MS, 'unserved');
  const settling = runner.settled();
  await vi.advanceTimersByTimeAsync(2_000);
  await settling;
  expect(handler).toHaveBeenCalledTimes(2);
  expect((await jobs.list()).map((job) => job.queue)).toEqual(['unserved']);
});

it('JOB-14: settled waits through the first pauses after failures, but not for later ones or dead jobs', async () => {
  const times: number[] = [];
  runner.handle(QUEUE, async (job) => {
    if (job.sessionId === 'dying') throw new Error('broken');
    times.push(Date.now() - 1_000_000);
    throw new MnemoraError('llm-timeout', 'silent');
  });
  await queueTurn();
  await queueTurn('dying');
  let isSettled = false;
  const settling = runner.settled().then(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(7_000);
  expect(isSettled).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  await settling;
  expect(times).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
  expect((await runner.jobs()).map((job) => job.isDead ?? false)).toEqual([false, true]);
  await runner.settled();
});

it('JOB-14: settled does not wait for a pause that an endpoint asked for', async () => {
  const handler = vi
    .fn<JobHandler>()
    .mockRejectedValue(new MnemoraError('llm-http', 'later', { status: 429, retryAfterMs: 60_000 }));
  runner.handle(QUEUE, handler);
  await queueTurn();
  const settling = runner.settled();
  await vi.advanceTimersByTimeAsync(10_000);
  await settling;
  expect(handler).toHaveBeenCalledTimes(1);
});

it('JOB-14: settled rejects when it is aborted, and resolves when the runner is closed', async () => {
  runner.handle(QUEUE, never);
  await queueTurn();
  const abort = new AbortController();
  const aborted = expect(runner.settled({ signal: abort.signal })).rejects.toThrow('enough');
  const closed = runner.settled();
  await vi.advanceTimersByTimeAsync(100);
  abort.abort(new Error('enough'));
  await aborted;
  await runner.close();
  await closed;
});

it('JOB-15: stored errors never quote the conversation', () => {
  const secret = 'my code is 4711';
  const quoting = [
    new SyntaxError(`Unexpected token in "${secret}"`),
    new MnemoraError('llm-http', `status 400: ${secret}`, { status: 400 }),
    new MnemoraError('llm-reply', `The reply ${secret} is none.`),
    secret,
  ];
  for (const error of quoting) expect(JSON.stringify(describeFailure(error))).not.toContain('4711');
  expect(quoting.map((error) => describeFailure(error).code)).toEqual([
    'unexpected',
    'llm-http',
    'llm-reply',
    'unexpected',
  ]);
  expect(describeFailure(new MnemoraError('storage-full', 'x'.repeat(900))).message).toHaveLength(500);
});

it('JOB-17: being online again tries jobs that wait after a temporary failure, and no others', async () => {
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  const own = new InMemoryTranscript();
  transcript = own;
  jobs = own.jobs;
  runner = runnerFor(jobs, { random: () => 0 });
  const errors: Readonly<Record<string, MnemoraError>> = {
    network: new MnemoraError('llm-network', 'failed'),
    busy: new MnemoraError('llm-http', 'failed', { status: 503 }),
    refused: new MnemoraError('llm-http', 'failed', { status: 401 }),
    reply: new MnemoraError('llm-reply', 'failed'),
  };
  const tried: string[] = [];
  runner.handle(QUEUE, async (job) => {
    tried.push(job.sessionId);
    throw errors[job.sessionId];
  });
  for (const sessionId of Object.keys(errors)) await queueTurn(sessionId);
  await vi.advanceTimersByTimeAsync(5 * HOUR_MS);
  tried.length = 0;
  target.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(tried).toEqual(['network', 'busy']);
});

it('JOB-18: a later handler of a queue replaces the earlier one until it is removed', async () => {
  const served: string[] = [];
  runner.handle(QUEUE, async () => void served.push('first'));
  const stop = runner.handle(QUEUE, async () => void served.push('second'));
  await queueTurn();
  await vi.advanceTimersByTimeAsync(0);
  await stop();
  await queueTurn();
  await vi.advanceTimersByTimeAsync(0);
  expect(served).toEqual(['second', 'first']);
});

it('JOB-18: a store has one runner, and a queue without a handler is not led', async () => {
  expect(runnerFor(jobs)).toBe(runner);
  const beginTerm = vi.spyOn(jobs, 'beginTerm');
  await queueTurn('s', 0, 'unserved');
  runner.handle(QUEUE, never);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(beginTerm.mock.calls).toEqual([[QUEUE]]);
});

it('JOB-19: a listener that throws does not stop the work', async () => {
  const thrown: unknown[] = [];
  vi.stubGlobal('queueMicrotask', (task: () => void) => {
    try {
      task();
    } catch (error) {
      thrown.push(error);
    }
  });
  runner.onEvent(() => {
    throw new Error('in the listener');
  });
  const events = eventsOf();
  runner.handle(QUEUE, async () => undefined);
  await queueTurn();
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(['started s 0', 'done s 0']);
  expect(thrown).toHaveLength(2);
});

it('JOB-46: a job that a failed step has queued all the same is done at once', async () => {
  const summarize = vi.fn<JobHandler>().mockResolvedValue();
  runner.handle('summary', summarize);
  runner.handle(QUEUE, async ({ scope, sessionId, turnIds }) => {
    await jobs.enqueue([{ queue: 'summary', delayMs: 0 }], [{ scope, sessionId, turnIds }]);
    throw new MnemoraError('storage-failed', 'It is not known whether it was saved.');
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(200); // before the second attempt
  expect(summarize).toHaveBeenCalledTimes(1);
});
