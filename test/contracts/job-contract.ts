import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/model/clock.ts';
import type { AppendInput } from '../../src/storage/transcript/append-plan.ts';
import type { ClaimedJob, JobStore } from '../../src/storage/jobs/job-store.ts';
import type { JobTaker } from '../../src/storage/jobs/job-plan.ts';
import type { TranscriptStore } from '../../src/storage/transcript/transcript-store.ts';

/** A store of jobs and the transcript whose turns cause them; `clock` is that of the machine. */
export type OpenJobs = (clock: Clock) => Promise<{ jobs: JobStore; transcript: TranscriptStore }>;

const QUEUE = 'facts';
const LOST = { code: 'leadership-lost' };
const FAILURE = { code: 'llm-http', message: 'status 500', kind: 'passing' } as const;

const turn = (turnId: string, rest: Partial<AppendInput> = {}): AppendInput => ({
  sessionId: 's',
  scope: 'user',
  messages: [
    { role: 'user', content: `question ${turnId}` },
    { role: 'assistant', content: `answer ${turnId}` },
  ],
  turnId,
  state: 'complete',
  createdAt: 1,
  jobs: [{ queue: QUEUE }],
  ...rest,
});

/** What every {@link JobStore} does alike, with the transcript that it belongs to. */
export function describeJobs(name: string, open: OpenJobs): void {
  describe(`${name} keeps the job contract`, () => {
    let now = 1_000;
    const opened = async (): ReturnType<OpenJobs> => {
      now = 1_000;
      return open(() => now);
    };

    it('JOB-1: a complete turn queues its jobs once, in all queues that it names', async () => {
      const { jobs, transcript } = await opened();
      const input = turn('a', { createdAt: 5, jobs: [{ queue: QUEUE }, { queue: 'summary', delayMs: 50 }] });
      await transcript.append(input);
      await transcript.append(input);
      const [facts, summary] = await jobs.list();
      expect(facts).toEqual({
        id: facts?.id,
        queue: QUEUE,
        scope: 'user',
        sessionId: 's',
        turnIds: ['a'],
        createdAt: 1_000,
        notBefore: 1_000,
        attempts: 0,
      });
      expect(summary).toMatchObject({ queue: 'summary', turnIds: ['a'], notBefore: 1_050 });
      expect(await jobs.list()).toHaveLength(2);
      expect(await jobs.list(['summary'])).toEqual([summary]);
    });

    it('JOB-1: a turn queues nothing before it is complete, or if it failed or was rejected', async () => {
      const { jobs, transcript } = await opened();
      const [question = { role: 'user', content: '' }] = turn('p').messages;
      await transcript.append(turn('p', { messages: [question], state: 'pending' }));
      await transcript.append(turn('f', { state: 'failed' }));
      expect(await jobs.list()).toEqual([]);
      await transcript.append(turn('p'));
      expect(await jobs.list()).toMatchObject([{ turnIds: ['p'] }]);
      const other = turn('p', { messages: [{ role: 'user', content: 'other words' }] });
      await expect(transcript.append(other)).rejects.toMatchObject({ code: 'turn-conflict' });
      expect(await jobs.list()).toMatchObject([{ turnIds: ['p'] }]);
    });

    it('JOB-2: ten quick turns of a session are one job, apart from other sessions and queues', async () => {
      const { jobs, transcript } = await opened();
      for (let n = 0; n < 10; n += 1) await transcript.append(turn(`t${n}`));
      await transcript.append(turn('elsewhere', { sessionId: 's2' }));
      await transcript.append(turn('other', { jobs: [{ queue: 'summary' }] }));
      const ten = Array.from({ length: 10 }, (_, n) => `t${n}`);
      expect((await jobs.list()).map((job) => [job.queue, job.sessionId, job.turnIds])).toEqual([
        [QUEUE, 's', ten],
        [QUEUE, 's2', ['elsewhere']],
        ['summary', 's', ['other']],
      ]);
    });

    it('JOB-2: each turn postpones the job by its delay, at most ten times', async () => {
      const { jobs, transcript } = await opened();
      const starts: number[] = [];
      for (let n = 0; n < 15; n += 1) {
        now = 1_000 + n * 90;
        await transcript.append(turn(`t${n}`, { jobs: [{ queue: QUEUE, delayMs: 100 }] }));
        starts.push((await jobs.list())[0]?.notBefore ?? 0);
      }
      const expected = Array.from({ length: 15 }, (_, n) => Math.min(1_100 + n * 90, 2_000));
      expect(starts).toEqual(expected);
      const term = await jobs.beginTerm(QUEUE);
      expect(await jobs.claim(QUEUE, term, 1_999)).toBeUndefined();
      expect((await jobs.claim(QUEUE, term, 2_000))?.job.turnIds).toHaveLength(15);
    });

    /** Claims the job of a turn, and lets two more turns arrive while it is running. */
    const runningBeside = async (
      rest: Partial<AppendInput> = {},
    ): Promise<ClaimedJob & Awaited<ReturnType<OpenJobs>>> => {
      const stores = await opened();
      await stores.transcript.append(turn('a', rest));
      now += 100;
      const term = await stores.jobs.beginTerm(QUEUE);
      const claimed = await stores.jobs.claim(QUEUE, term, now);
      if (!claimed) throw new Error('nothing was due');
      for (const id of ['b', 'c']) {
        now += 10;
        await stores.transcript.append(turn(id, rest));
      }
      return { ...stores, ...claimed };
    };

    it('JOB-3: turns that arrive while a job is running wait in a job of their own when it ends', async () => {
      const { jobs, job, ticket } = await runningBeside({ jobs: [{ queue: QUEUE, delayMs: 50 }] });
      await jobs.finish(ticket);
      const [left, ...others] = await jobs.list();
      expect(others).toEqual([]);
      expect(left?.id).not.toBe(job.id);
      expect(left).toMatchObject({ turnIds: ['b', 'c'], createdAt: 1_110, notBefore: 1_170, attempts: 0 });
      expect(left).not.toHaveProperty('later');
    });

    it('JOB-3: turns that arrive while a job is running are tried with it again if it fails, and not given up with it', async () => {
      const failing = await runningBeside();
      await failing.jobs.fail(failing.ticket, FAILURE, 3_000);
      expect(await failing.jobs.list()).toMatchObject([{ turnIds: ['a', 'b', 'c'], notBefore: 3_000 }]);
      const dying = await runningBeside();
      await dying.jobs.fail(dying.ticket, FAILURE, 'never');
      expect((await dying.jobs.list()).map(({ turnIds, isDead }) => [turnIds, isDead])).toEqual([
        [['a'], true],
        [['b', 'c'], undefined],
      ]);
    });

    it('JOB-3: when all turns of a running job were forgotten, those that arrived since keep waiting', async () => {
      const { jobs, transcript, ticket } = await runningBeside();
      expect(await jobs.isQueued(ticket)).toBe(true);
      await transcript.forget({ turnIds: ['a'] }, 'user');
      expect(await jobs.isQueued(ticket)).toBe(false);
      await jobs.finish(ticket);
      expect((await jobs.list()).map((job) => job.turnIds)).toEqual([['b', 'c']]);
    });

    it('JOB-3: a job whose last step follows after all its turns is done before those that arrived since', async () => {
      const { jobs, ticket } = await runningBeside();
      const rest = [{ scope: 'user', sessionId: 's', turnIds: [] }];
      const step = { ...ticket, partial: { doneTurnIds: ['a'] } };
      await jobs.enqueue([], rest, step);
      expect((await jobs.list()).map((job) => [job.id === ticket.job.id, job.turnIds])).toEqual([
        [true, []],
        [false, ['b', 'c']],
      ]);
      expect(await jobs.isQueued(ticket)).toBe(true);
      await jobs.finish(ticket);
      expect((await jobs.list()).map((job) => job.turnIds)).toEqual([['b', 'c']]);
    });

    it('JOB-42: what is queued again while it is being done is done again', async () => {
      const whole = { scope: 'user', sessionId: 's', turnIds: [] };
      const some = { ...whole, turnIds: ['a', 'b'] };
      for (const origin of [whole, some]) {
        const { jobs } = await opened();
        await jobs.enqueue([{ queue: QUEUE }], [origin]);
        const term = await jobs.beginTerm(QUEUE);
        const first = await jobs.claim(QUEUE, term, Date.now());
        if (!first) throw new Error('nothing was due');
        await jobs.enqueue([{ queue: QUEUE }], [{ ...origin, turnIds: origin.turnIds.slice(0, 1) }]);
        await jobs.enqueue([], [], { ...first.ticket, partial: { doneTurnIds: ['a'] } });
        await jobs.finish(first.ticket);
        const again = await jobs.claim(QUEUE, term, Date.now());
        expect(again?.job).toMatchObject({ id: first.job.id, turnIds: origin.turnIds });
        if (again) await jobs.finish(again.ticket);
        expect(await jobs.list()).toEqual([]);
      }
    });

    it('JOB-4: once a new term has started, an earlier leader changes nothing', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      await transcript.append(turn('z', { sessionId: 's2' }));
      const first = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, first, now);
      if (!claimed) throw new Error('nothing was due');
      expect(await jobs.beginTerm('other')).toBe(1);
      expect(await jobs.beginTerm(QUEUE)).toBe(first + 1);
      const before = await jobs.list();
      await expect(jobs.claim(QUEUE, first, now)).rejects.toMatchObject(LOST);
      await expect(jobs.finish(claimed.ticket)).rejects.toMatchObject(LOST);
      jobs.release(claimed.ticket);
      await expect(jobs.fail(claimed.ticket, FAILURE, 5)).rejects.toMatchObject(LOST);
      expect(await jobs.list()).toEqual(before);
    });

    it('JOB-5: the job that has been due longest is taken first', async () => {
      const { jobs, transcript } = await opened();
      for (const [id, delayMs] of [
        ['late', 300],
        ['soon', 100],
        ['next', 200],
      ] as const) {
        await transcript.append(turn(id, { sessionId: id, jobs: [{ queue: QUEUE, delayMs }] }));
      }
      const term = await jobs.beginTerm(QUEUE);
      const taken: (string | undefined)[] = [];
      for (let n = 0; n < 3; n += 1) {
        const claimed = await jobs.claim(QUEUE, term, 1_200);
        taken.push(claimed?.job.sessionId);
        if (claimed) await jobs.finish(claimed.ticket);
      }
      expect(taken).toEqual(['soon', 'next', undefined]);
    });

    it('JOB-5: a job that an earlier leader did not finish is due at once', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      await jobs.claim(QUEUE, await jobs.beginTerm(QUEUE), now);
      const term = await jobs.beginTerm(QUEUE);
      // Nobody knows whether it is being done, so that it takes further turns, and these do not put it off.
      await transcript.append(turn('b', { jobs: [{ queue: QUEUE, delayMs: 500 }] }));
      const claimed = await jobs.claim(QUEUE, term, now);
      expect(claimed?.job).toMatchObject({ turnIds: ['a', 'b'], attempts: 0 });
    });

    it('JOB-6: a failed job is due at its time, or earlier with the next turn of its session', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, term, now);
      if (!claimed) throw new Error('nothing was due');
      await jobs.fail(claimed.ticket, FAILURE, 3_000);
      const [job] = await jobs.list();
      expect(job).toMatchObject({ turnIds: ['a'], attempts: 1, error: FAILURE, notBefore: 3_000 });
      expect(await jobs.claim(QUEUE, term, 2_999)).toBeUndefined();
      await transcript.append(turn('late', { jobs: [{ queue: QUEUE, delayMs: 5_000 }] }));
      expect((await jobs.list())[0]?.notBefore).toBe(3_000);
      await transcript.append(turn('soon', { jobs: [{ queue: QUEUE, delayMs: 500 }] }));
      expect(await jobs.claim(QUEUE, term, 1_499)).toBeUndefined();
      const again = await jobs.claim(QUEUE, term, 1_500);
      expect(again?.job).toMatchObject({ turnIds: ['a', 'late', 'soon'], attempts: 1 });
    });

    it('JOB-22: permanent failures are counted, and no others', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      for (const kind of ['lasting', 'passing', 'lasting'] as const) {
        const claimed = await jobs.claim(QUEUE, term, now);
        if (!claimed) throw new Error('nothing was due');
        await jobs.fail(claimed.ticket, { ...FAILURE, kind }, now);
      }
      expect(await jobs.list()).toMatchObject([{ attempts: 3, lastingFailures: 2 }]);
    });

    it('JOB-23: a job that one handler could not do is for all others, until one succeeds or it is retried', async () => {
      const { jobs, transcript } = await opened();
      const by = (handler: string): JobTaker => ({ handler, isOffline: false });
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      for (const handler of ['h1', 'h2']) {
        const claimed = await jobs.claim(QUEUE, term, now, by(handler));
        if (!claimed) throw new Error('nothing was due');
        await jobs.fail(claimed.ticket, { ...FAILURE, kind: 'refused' }, { refusedBy: handler });
        await transcript.append(turn(`after ${handler}`));
      }
      expect(await jobs.list()).toMatchObject([
        { turnIds: ['a', 'after h1', 'after h2'], refusedBy: ['h1', 'h2'] },
      ]);
      for (const taker of [by('h1'), by('h2'), undefined]) {
        expect(await jobs.claim(QUEUE, term, 9e12, taker)).toBeUndefined();
      }
      const third = await jobs.claim(QUEUE, term, now, by('h3'));
      if (!third) throw new Error('nothing was due');
      jobs.release(third.ticket);
      await jobs.retry(third.job.id, now);
      const again = await jobs.claim(QUEUE, term, now, by('h1'));
      expect(again?.job).not.toHaveProperty('refusedBy');
    });

    it('JOB-25: offline, jobs that failed because of the network are not taken', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, term, now, { handler: 'h', isOffline: true });
      if (!claimed) throw new Error('nothing was due');
      await jobs.fail(claimed.ticket, { ...FAILURE, kind: 'network' }, now);
      expect(await jobs.claim(QUEUE, term, now, { handler: 'h', isOffline: true })).toBeUndefined();
      expect(await jobs.claim(QUEUE, term, now, { handler: 'h', isOffline: false })).toBeDefined();
    });

    it('JOB-6: a dead job is kept, takes no turns, and is due again when it is retried', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, term, now);
      if (!claimed) throw new Error('nothing was due');
      await jobs.fail(claimed.ticket, FAILURE, 'never');
      await transcript.append(turn('b'));
      expect((await jobs.list()).map((job) => [job.turnIds, job.isDead])).toEqual([
        [['a'], true],
        [['b'], undefined],
      ]);
      const other = await jobs.claim(QUEUE, term, 9e12);
      expect(other?.job.turnIds).toEqual(['b']);
      if (other) await jobs.finish(other.ticket);
      expect(await jobs.claim(QUEUE, term, 9e12)).toBeUndefined();
      expect(await jobs.retry(claimed.job.id, 7_000)).toBe(true);
      expect(await jobs.claim(QUEUE, term, 6_999)).toBeUndefined();
      const again = await jobs.claim(QUEUE, term, 7_000);
      expect(again?.job).toMatchObject({ turnIds: ['a'], attempts: 0 });
      expect(again?.job).not.toHaveProperty('error');
      expect(await jobs.retry(4_711, 1)).toBe(false);
    });

    it('JOB-6: retrying a waiting job makes it due, and changes nothing of a running job', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a', { jobs: [{ queue: QUEUE, delayMs: 60_000 }] }));
      const term = await jobs.beginTerm(QUEUE);
      const [job] = await jobs.list();
      expect(await jobs.claim(QUEUE, term, now)).toBeUndefined();
      expect(await jobs.retry(job?.id ?? -1, now)).toBe(true);
      const claimed = await jobs.claim(QUEUE, term, now);
      expect(claimed?.job.id).toBe(job?.id);
      await jobs.retry(job?.id ?? -1, now);
      expect(await jobs.list()).toEqual([claimed?.job]);
    });

    it('JOB-7: a job given back waits without counting an attempt, and its old ticket is invalid', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, term, now);
      if (!claimed) throw new Error('nothing was due');
      const before = await jobs.list();
      jobs.release(claimed.ticket);
      expect(await jobs.list()).toEqual(before);
      await transcript.append(turn('b'));
      await expect(jobs.finish(claimed.ticket)).rejects.toMatchObject(LOST);
      expect(await jobs.list()).toMatchObject([{ turnIds: ['a', 'b'], attempts: 0 }]);
      expect((await jobs.claim(QUEUE, term, now))?.job.turnIds).toEqual(['a', 'b']);
    });

    it('JOB-8: a forgotten turn is removed from its jobs, and a job without turns is removed', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      await transcript.append(turn('b'));
      await transcript.append(turn('other', { sessionId: 's2' }));
      await transcript.forget({ turnIds: ['a'] }, 'user');
      expect((await jobs.list()).map((job) => job.turnIds)).toEqual([['b'], ['other']]);
      const [half] = await transcript.listMessages(['user', 's']);
      await transcript.forget({ messageId: half?.id ?? '' }, 'user');
      expect((await jobs.list()).map((job) => job.turnIds)).toEqual([['b'], ['other']]);
      await transcript.forget({ sessionId: 's' }, 'user');
      expect((await jobs.list()).map((job) => job.turnIds)).toEqual([['other']]);
      await transcript.clearSession(['user', 's2'], 'drop-row');
      expect(await jobs.list()).toEqual([]);
    });

    it('JOB-8: a running job whose turns are forgotten ends without an error', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, term, now);
      if (!claimed) throw new Error('nothing was due');
      await transcript.forget({ everything: true }, 'user');
      await jobs.finish(claimed.ticket);
      await jobs.fail(claimed.ticket, FAILURE, 1);
      jobs.release(claimed.ticket);
      expect(await jobs.list()).toEqual([]);
    });

    it("JOB-8: after forgetting, only the error code of the session's jobs is kept", async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      await transcript.append(turn('b'));
      const claimed = await jobs.claim(QUEUE, await jobs.beginTerm(QUEUE), now);
      if (!claimed) throw new Error('nothing was due');
      await jobs.fail(claimed.ticket, { code: 'llm-reply', message: 'canary', kind: 'lasting' }, 'never');
      await transcript.forget({ turnIds: ['a'] }, 'user');
      expect(await jobs.list()).toMatchObject([
        { turnIds: ['b'], error: { code: 'llm-reply', message: '' } },
      ]);
    });

    it('JOB-20: a job can be queued without a turn, which finishes the job that queues it', async () => {
      const { jobs, transcript } = await opened();
      await transcript.append(turn('a'));
      const term = await jobs.beginTerm(QUEUE);
      const claimed = await jobs.claim(QUEUE, term, now);
      if (!claimed) throw new Error('nothing was due');
      const sources = [
        { scope: 'user', sessionId: 's1', turnIds: [] },
        { scope: 'user', sessionId: 's2', turnIds: ['b'] },
      ];
      await jobs.enqueue([{ queue: 'rebuild' }], sources, claimed.ticket);
      expect((await jobs.list()).map((job) => [job.queue, job.sessionId, job.turnIds])).toEqual([
        ['rebuild', 's1', []],
        ['rebuild', 's2', ['b']],
      ]);
      // Work on a whole session and work on some of its turns are jobs of their own.
      await jobs.enqueue([{ queue: 'rebuild' }], [{ scope: 'user', sessionId: 's2', turnIds: [] }]);
      await jobs.enqueue([{ queue: 'rebuild' }], [{ scope: 'user', sessionId: 's2', turnIds: ['c'] }]);
      expect((await jobs.list()).map((job) => job.turnIds)).toEqual([[], ['b', 'c'], []]);
      await jobs.beginTerm(QUEUE);
      await expect(jobs.enqueue([{ queue: 'x' }], sources, claimed.ticket)).rejects.toMatchObject(LOST);
      expect(await jobs.list(['x'])).toEqual([]);
    });

    it('JOB-9: setting the clock back does not delay any job', async () => {
      const { jobs, transcript } = await opened();
      now = 900_000_000;
      await transcript.append(turn('a', { jobs: [{ queue: QUEUE, delayMs: 100 }] }));
      expect((await jobs.claim(QUEUE, await jobs.beginTerm(QUEUE), 5_000))?.job.turnIds).toEqual(['a']);
    });
  });
}
