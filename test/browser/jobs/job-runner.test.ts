import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { JobHandler } from '../../../src/jobs/job-handler.ts';
import { runnerFor, type JobRunner } from '../../../src/jobs/job-runner.ts';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { Jobs as IndexedDbJobStore } from '../../../src/storage/jobs/job-store.ts';
import { TranscriptStore as IndexedDbTranscript } from '../../../src/storage/transcript/transcript-store.ts';
import { countEffects, storeEffect } from '../../fixtures/counted-effects.ts';
import { eventually } from '../../fixtures/eventually.ts';

const QUEUE = 'facts';
const TIMINGS = { askEveryMs: 50, patience: 3, electionMs: 50 };
const HOUR_MS = 3_600_000;

interface Tab {
  connection: Connection;
  jobs: IndexedDbJobStore;
  runner: JobRunner;
  remember(turnId: string, sessionId?: string, delayMs?: number): Promise<void>;
}

const opened: Tab[] = [];

/** A connection, a store and a runner of its own, as each tab has. */
function openTab(name: string): Tab {
  const connection = new Connection({ name });
  const jobs = new IndexedDbJobStore(connection);
  const transcript = new IndexedDbTranscript(connection);
  const runner = runnerFor(jobs, { timings: TIMINGS });
  const tab: Tab = {
    connection,
    jobs,
    runner,
    async remember(turnId, sessionId = 's', delayMs = 0) {
      await transcript.append({
        sessionId,
        messages: [{ role: 'user', content: turnId }],
        turnId,
        state: 'complete',
        createdAt: 1,
        jobs: [{ queue: QUEUE, delayMs }],
      });
      runner.wake();
    },
  };
  opened.push(tab);
  return tab;
}

/** Stores the effect of each job. */
function effects({ connection }: Tab): JobHandler {
  return (job, ticket) => storeEffect(connection, ticket, job.turnIds);
}

function pretend(target: object, property: string, value: unknown): void {
  Object.defineProperty(target, property, { value, configurable: true });
}

afterEach(async () => {
  for (const { runner, connection } of opened.splice(0)) {
    await runner.close();
    connection.close();
  }
  Reflect.deleteProperty(document, 'visibilityState');
  Reflect.deleteProperty(navigator, 'onLine');
});

it('JOB-10: two tabs run each job once between them', async () => {
  const name = newId();
  const tabs = [openTab(name), openTab(name)];
  for (const tab of tabs) tab.runner.handle(QUEUE, effects(tab));
  await Promise.all(Array.from({ length: 30 }, (_, n) => tabs[n % 2]?.remember(`t${n}`, `s${n % 7}`)));
  await Promise.all(tabs.map((tab) => tab.runner.settled()));
  const [tab] = tabs as [Tab];
  expect(await tab.runner.jobs()).toEqual([]);
  expect(await countEffects(tab.connection)).toEqual(
    Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`t${n}`, 1])),
  );
});

it('JOB-2: ten quick turns in two tabs are one call of the handler', async () => {
  const name = newId();
  const tabs = [openTab(name), openTab(name)] as const;
  const calls: string[][] = [];
  for (const tab of tabs) {
    tab.runner.handle(QUEUE, async (job, ...rest) => {
      calls.push(job.turnIds);
      await effects(tab)(job, ...rest);
    });
  }
  for (let n = 0; n < 10; n += 1) await tabs[n % 2]?.remember(`t${n}`, 's', HOUR_MS);
  await tabs[0].runner.settled();
  expect(calls).toEqual([Array.from({ length: 10 }, (_, n) => `t${n}`)]);
});

it('JOB-14: settled waits for the work of the leading tab and starts it at once', async () => {
  const name = newId();
  const [leading, other] = [openTab(name), openTab(name)];
  leading.runner.handle(QUEUE, effects(leading));
  await leading.remember('first');
  await leading.runner.settled();
  const idle = vi.fn<JobHandler>();
  other.runner.handle(QUEUE, idle);
  await other.remember('second', 's', HOUR_MS);
  await other.runner.settled();
  expect(await countEffects(other.connection)).toEqual({ first: 1, second: 1 });
  expect(idle).not.toHaveBeenCalled();
});

it('JOB-18: a tab without a handler queues jobs for a tab that has one', async () => {
  const name = newId();
  const [serving, queueing] = [openTab(name), openTab(name)];
  serving.runner.handle(QUEUE, effects(serving));
  await serving.runner.settled();
  await queueing.remember('t');
  await eventually(async () => expect(await countEffects(queueing.connection)).toEqual({ t: 1 }));
});

it('JOB-12: a handler that finds another leader changes nothing, and its job is done once', async () => {
  const name = newId();
  const [slow, other] = [openTab(name), openTab(name)];
  const terms: AbortSignal[] = [];
  let goOn: () => void = () => undefined;
  const outcomes: string[] = [];
  slow.runner.handle(QUEUE, async (job, ticket, signal) => {
    terms.push(signal);
    await new Promise<void>((resolve) => (goOn = resolve));
    await storeEffect(slow.connection, ticket, job.turnIds).then(
      () => outcomes.push('stored'),
      (error: { code: string }) => outcomes.push(error.code),
    );
  });
  await slow.remember('t');
  await eventually(() => expect(terms).toHaveLength(1));
  // As it goes when this tab was frozen: its lock is taken while its handler still believes in its term.
  const lock = `mnemora:jobs:${name}:${QUEUE}`;
  // The other tab answers as a leader does. One that is silent for 200 ms, on a busy machine, would lose the lock again.
  const heartbeats = new BroadcastChannel(lock);
  onTestFinished(() => heartbeats.close());
  heartbeats.onmessage = ({ data }) => {
    if (data === 'ask') heartbeats.postMessage('alive');
  };
  await navigator.locks.request(lock, { steal: true }, async () => {
    const term = await other.jobs.beginTerm(QUEUE);
    const claimed = await other.jobs.claim(QUEUE, term, Date.now());
    if (!claimed) throw new Error('the job was not taken over');
    await storeEffect(other.connection, claimed.ticket, claimed.job.turnIds);
  });
  goOn();
  await eventually(() => expect(outcomes).toEqual(['leadership-lost']));
  expect(terms[0]?.aborted).toBe(true);
  expect(await countEffects(slow.connection)).toEqual({ t: 1 });
  expect(await slow.runner.jobs()).toEqual([]);
});

it('JOB-13: closing a database gives the lead to the next one to open it', async () => {
  const name = newId();
  const first = openTab(name);
  first.runner.handle(QUEUE, () => new Promise(() => undefined));
  await first.remember('t');
  await eventually(async () => expect([...(await first.runner.running())]).toHaveLength(1));
  first.connection.close();
  const second = openTab(name);
  second.runner.handle(QUEUE, effects(second));
  await second.runner.settled();
  expect(await countEffects(second.connection)).toEqual({ t: 1 });
  await first.runner.settled();
  expect(() => first.runner.handle(QUEUE, effects(first))).toThrow(
    expect.objectContaining({ code: 'storage-closed' }),
  );
});

it('JOB-16: a queue that pauses while the tab is hidden or offline continues afterwards', async () => {
  const cases = [
    {
      pauses: { pauseWhenHidden: true },
      target: document,
      property: 'visibilityState',
      values: ['hidden', 'visible'],
    },
    { pauses: { pauseWhenOffline: true }, target: navigator, property: 'onLine', values: [false, true] },
  ] as const;
  for (const { pauses, target, property, values } of cases) {
    const tab = openTab(newId());
    pretend(target, property, values[0]);
    const paused = vi.fn<JobHandler>(effects(tab));
    const unpaused = vi.fn<JobHandler>(async () => undefined);
    tab.runner.handle(QUEUE, paused, pauses);
    tab.runner.handle('unpaused', unpaused);
    await tab.remember('t');
    const transcript = new IndexedDbTranscript(tab.connection);
    const messages = [{ role: 'user' as const, content: 'x' }];
    const jobs = [{ queue: 'unpaused' }];
    await transcript.append({ sessionId: 's', messages, state: 'complete', createdAt: 1, jobs });
    tab.runner.wake();
    await eventually(() => expect(unpaused).toHaveBeenCalledTimes(1));
    expect(paused).not.toHaveBeenCalled();
    pretend(target, property, values[1]);
    if (target === document) document.dispatchEvent(new Event('visibilitychange'));
    else window.dispatchEvent(new Event('online'));
    await tab.runner.settled();
    expect(paused).toHaveBeenCalledTimes(1);
  }
});

it('JOB-43: the job that a tab is doing is shown as running in all tabs until it ends or the tab gives it back', async () => {
  const name = newId();
  const [working, looking] = [openTab(name), openTab(name)];
  let fail: (reason: Error) => void = () => undefined;
  working.runner.handle(QUEUE, () => new Promise((_resolve, reject) => (fail = reject)));
  await working.remember('t');
  const running = async (): Promise<number[]> => [...(await looking.runner.running())];
  await eventually(async () => expect(await running()).toHaveLength(1));
  const [job] = await looking.jobs.list();
  expect(await running()).toEqual([job?.id]);
  fail(new Error('broken'));
  await eventually(async () => expect(await looking.jobs.list()).toMatchObject([{ attempts: 1 }]));
  await looking.runner.retry(job?.id ?? -1);
  await eventually(async () => expect(await running()).toEqual([job?.id]));
  await working.runner.close();
  await eventually(async () => expect(await running()).toEqual([]));
  expect(await looking.jobs.list()).toMatchObject([{ attempts: 1 }]);
});
