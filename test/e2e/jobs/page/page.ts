import { runnerFor } from '../../../../src/jobs/job-runner.ts';
import { Connection } from '../../../../src/storage/connection.ts';
import { Jobs as IndexedDbJobStore, type JobStore } from '../../../../src/storage/jobs/job-store.ts';
import { TranscriptStore as IndexedDbTranscript } from '../../../../src/storage/transcript/transcript-store.ts';
import { countEffects, storeEffect } from '../../../fixtures/counted-effects.ts';

/** Where a job stands. The test may kill or freeze the tab there. */
export type Step =
  | 'queued'
  | 'before-term'
  | 'before-claim'
  | 'claimed'
  | 'before-effect'
  | 'inside-effect'
  | 'after-effect'
  | 'before-finish'
  | 'finished';

/** What the tests reach a tab through, with `page.evaluate`. */
export interface JobTab {
  open(name: string): void;
  /** Stores a turn with its job. */
  remember(turnId: string, sessionId: string, delayMs?: number): Promise<void>;
  serve(): void;
  settled(): Promise<void>;
  jobsLeft(): Promise<number>;
  effects(): Promise<Record<string, number>>;
  /** Turns of each call of the handler in this tab. */
  calls: string[][];
  /** How each call ended: `stored`, or the code of an error. */
  outcomes: string[];
  /** Signals of the terms of the calls. */
  terms: AbortSignal[];
}

declare global {
  interface Window {
    jobTab: JobTab;
    /** Provided by the tests. Resolves when the tab may go on, which may be never. */
    reachStep?(step: Step): Promise<void>;
  }
}

const QUEUE = 'facts';
const reach = async (step: Step): Promise<void> => window.reachStep?.(step);

let connection: Connection;
let transcript: IndexedDbTranscript;
let store: JobStore;

const tab: JobTab = {
  calls: [],
  outcomes: [],
  terms: [],
  open(name) {
    connection = new Connection({ name });
    transcript = new IndexedDbTranscript(connection);
    store = withSteps(new IndexedDbJobStore(connection));
  },
  async remember(turnId, sessionId, delayMs = 0) {
    await transcript.append({
      sessionId,
      messages: [{ role: 'user', content: turnId }],
      turnId,
      state: 'complete',
      createdAt: 1,
      jobs: [{ queue: QUEUE, delayMs }],
    });
    await reach('queued');
    runnerFor(store).wake();
  },
  serve() {
    runnerFor(store).handle(QUEUE, async (job, ticket, term) => {
      tab.calls.push(job.turnIds);
      tab.terms.push(term);
      await reach('before-effect');
      try {
        await storeEffect(connection, ticket, job.turnIds, () => reach('inside-effect'));
        tab.outcomes.push('stored');
      } catch (error) {
        tab.outcomes.push((error as { code: string }).code);
        throw error;
      }
      await reach('after-effect');
    });
  },
  settled: async () => void (await runnerFor(store).settled()),
  jobsLeft: async () => (await store.list()).length,
  effects: () => countEffects(connection),
};
window.jobTab = tab;

/** The store, with a stop before and after what the runner asks of it. */
function withSteps(inner: IndexedDbJobStore): JobStore {
  return {
    name: inner.name,
    closed: inner.closed,
    enqueue: (jobs, sources, ticket) => inner.enqueue(jobs, sources, ticket),
    async beginTerm(queue) {
      await reach('before-term');
      return inner.beginTerm(queue);
    },
    async claim(queue, term, now) {
      const waiting = await inner.list([queue]);
      if (waiting.length > 0) await reach('before-claim');
      const claimed = await inner.claim(queue, term, now);
      if (claimed) await reach('claimed');
      return claimed;
    },
    async finish(ticket) {
      await reach('before-finish');
      await inner.finish(ticket);
      await reach('finished');
    },
    fail: (ticket, error, retryAt) => inner.fail(ticket, error, retryAt),
    release: (ticket) => inner.release(ticket),
    isQueued: (ticket) => inner.isQueued(ticket),
    list: (queues) => inner.list(queues),
    retry: (jobId, now) => inner.retry(jobId, now),
  };
}
