import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeFailure, MOST_ATTEMPTS, retryDelayMs } from '../../src/jobs/failure.ts';
import type { JobHandler } from '../../src/jobs/job-handler.ts';
import { runnerFor, type JobRunner } from '../../src/jobs/job-runner.ts';
import { MnemoraError } from '../../src/model/error.ts';
import type { InMemoryJobStore } from '../fixtures/in-memory-transcript.ts';
import { InMemoryTranscript } from '../fixtures/in-memory-transcript.ts';

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

it('R14: a handler gets the jobs of its queue one at a time, and those it has not ended are ended for it', async () => {
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

it('R14: a job is begun when its time has come', async () => {
  const handler = vi.fn<JobHandler>().mockResolvedValue();
  runner.handle(QUEUE, handler);
  await queueTurn('s', 2 * HOUR_MS);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS - 1);
  expect(handler).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(handler).toHaveBeenCalledTimes(1);
});

it('R15: a job that fails is tried again after 250 ms, and each time after twice as long, and is dead after six times', async () => {
  const events = eventsOf();
  const times: number[] = [];
  runner.handle(QUEUE, async () => {
    times.push(Date.now() - 1_000_000);
    throw new MnemoraError('llm-timeout', 'The endpoint was silent.');
  });
  await queueTurn();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(times).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
  expect(events.at(-1)).toBe('dead s 6');
  expect(events.filter((event) => event.startsWith('failed'))).toHaveLength(5);
  expect(await runner.jobs()).toMatchObject([
    { isDead: true, attempts: 6, error: { code: 'llm-timeout', message: 'The endpoint was silent.' } },
  ]);
});

it('R15: the pause between attempts grows to a cap and is shortened by up to a half', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, random) => {
        const longest = Math.min(300_000, 250 * 2 ** (n - 1));
        expect(retryDelayMs(n, random)).toBeGreaterThanOrEqual(longest / 2);
        expect(retryDelayMs(n, random)).toBeLessThanOrEqual(longest);
      },
    ),
  );
  expect(retryDelayMs(3, 0)).toBe(1_000);
  expect(retryDelayMs(60, 0)).toBe(300_000);
});

it('R15: a dead job that is retried by hand is tried afresh', async () => {
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

it('R16: after another tab has led meanwhile, a new term begins and the job is done in it', async () => {
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

it('R16: when the store fails the job is not lost, and is done once the store works again', async () => {
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

it('R17: closing gives back the job under way, whether its handler heeds the signal or not', async () => {
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
    expect(job).not.toHaveProperty('lease');
    expect(() => own.handle(QUEUE, never)).toThrow(expect.objectContaining({ code: 'storage-closed' }));
  }
});

it('R17: without a handler any more a job is given back and waits for the next one', async () => {
  const stop = runner.handle(QUEUE, never);
  const turnId = await queueTurn();
  await vi.advanceTimersByTimeAsync(0);
  expect(await jobs.list()).toMatchObject([{ lease: 1 }]);
  await stop();
  await stop();
  expect((await jobs.list())[0]).not.toHaveProperty('lease');
  const seen: string[] = [];
  runner.handle(QUEUE, async (job) => void seen.push(...job.turnIds));
  runner.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual([turnId]);
});

it('R28: a queue that is served writes nothing for a moment, unless something is queued', async () => {
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

it('R18: settled begins at once what waits for more turns, and resolves when all is done', async () => {
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

it('R18: settled waits through the pauses after failures, and not for dead jobs', async () => {
  const times: number[] = [];
  runner.handle(QUEUE, async () => {
    times.push(Date.now() - 1_000_000);
    throw new Error('broken');
  });
  await queueTurn();
  let isSettled = false;
  const settling = runner.settled().then(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(7_000);
  expect(isSettled).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  await settling;
  expect(times).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
  await runner.settled();
});

it('R18: settled rejects when it is aborted, and resolves when the runner is closed', async () => {
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

it('R19: of an error only what quotes no conversation is stored', () => {
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

it('R21: being online again retries what the network had killed, and nothing else', async () => {
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  const own = new InMemoryTranscript();
  transcript = own;
  jobs = own.jobs;
  runner = runnerFor(jobs, { random: () => 0 });
  let code: 'llm-network' | 'llm-reply' = 'llm-network';
  const tried: string[] = [];
  runner.handle(QUEUE, async (job) => {
    tried.push(job.sessionId);
    throw new MnemoraError(code, 'failed');
  });
  await queueTurn('network');
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  code = 'llm-reply';
  await queueTurn('reply');
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  tried.length = 0;
  target.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(tried).toEqual(Array.from({ length: MOST_ATTEMPTS }, () => 'network'));
});

it('R22: a later handler of a queue serves in place of the earlier one until it goes', async () => {
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

it('R22: a store has one runner, and a queue without a handler is not led', async () => {
  expect(runnerFor(jobs)).toBe(runner);
  const beginTerm = vi.spyOn(jobs, 'beginTerm');
  await queueTurn('s', 0, 'unserved');
  runner.handle(QUEUE, never);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(beginTerm.mock.calls).toEqual([[QUEUE]]);
});

it('R23: a listener that throws does not stop the work', async () => {
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
