import type { HandleOptions, JobHandler } from '../jobs/job-handler.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Extractor } from '../learning/extractor.ts';
import { MnemoraError } from '../model/error.ts';
import { loadAhead, memoizeAsync } from '../model/loading.ts';
import type { NewJob } from '../storage/jobs/job-plan.ts';
import type { LearnParts } from './learn-job.ts';
import type { MemorySettings } from './options.ts';
import { learningQueue, rebuildQueue, restatingQueue, summaryQueue } from './queues.ts';
import type { RebuildParts } from './rebuild.ts';
import type { SummaryParts } from './summary-job.ts';

/** What is done in the background with each turn: facts and entities are learned, and what leaves the window is summarized. */
export interface Enrichment {
  /** To be queued with each turn. */
  readonly jobs: readonly NewJob[];
  /** Has what an older version has made of the messages made again. To be called once after opening. */
  renew(): Promise<void>;
  /** Has the statements of messages marked that came without. */
  restate(): Promise<void>;
}

export type EnrichmentParts = LearnParts &
  SummaryParts &
  RebuildParts & { readonly settings: MemorySettings; endAbandonedTurnsAgain(): void };

/** Serves the queues of a memory's scope as long as the runner is open. */
export function beginEnrichment(parts: EnrichmentParts, runner: JobRunner, extractor: Extractor): Enrichment {
  const { scope, enrichmentDelayMs: delayMs, pauseWhenHidden, pauseWhenOffline } = parts.settings;
  const pauses: HandleOptions = { pauseWhenHidden, pauseWhenOffline };
  // The tab that led before may be gone, and with it the answer of a turn.
  const onLead = (): void => parts.endAbandonedTurnsAgain();
  const learn = lazyHandler(async () => (await LATER.learn()).learnHandler(parts, extractor));
  const summarize = lazyHandler(async () => (await LATER.summarize()).summaryHandler(parts, extractor));
  const rebuild = lazyHandler(async () => (await LATER.rebuild()).rebuildHandler(parts));
  const restate = lazyHandler(async () => (await LATER.restate()).restateHandler(parts));
  runner.handle(learningQueue(scope), learn, { ...pauses, onLead });
  runner.handle(summaryQueue(scope), summarize, pauses);
  runner.handle(rebuildQueue(scope), rebuild, pauses);
  runner.handle(restatingQueue(scope), restate, pauses);
  loadAhead(Object.values(LATER));
  return {
    renew: async () => (await LATER.restate()).renewDerived(parts, extractor),
    restate: async () => {
      const queue = restatingQueue(scope);
      await parts.stores.jobs.enqueue([{ queue }], [{ scope, sessionId: '', turnIds: [] }]);
    },
    jobs: [
      { queue: learningQueue(scope), delayMs },
      { queue: summaryQueue(scope), delayMs },
    ],
  };
}

/** What is done with a turn after it was stored: a page can be used before it has loaded that. */
const LATER = {
  learn: () => import('./learn-job.ts'),
  summarize: () => import('./summary-job.ts'),
  rebuild: () => import('./rebuild.ts'),
  restate: () => import('./restate-job.ts'),
};

/** Does jobs with a handler that is made for the first one. Where its code cannot be loaded, the job is tried again. */
function lazyHandler(make: () => Promise<JobHandler>): JobHandler {
  const made = memoizeAsync(make);
  return async (job, ticket, signal) => {
    const handler = await made().catch((cause: unknown) => {
      throw new MnemoraError(
        'model-unavailable',
        'The part of the library that works in the background could not be loaded. Check that the page’s scripts can be reached.',
        { cause },
      );
    });
    await handler(job, ticket, signal);
  };
}
