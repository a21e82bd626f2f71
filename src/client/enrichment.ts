import type { HandleOptions } from '../jobs/job-handler.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Extractor } from '../learning/extractor.ts';
import type { NewJob } from '../storage/jobs/job-store.ts';
import { learnHandler, type LearnParts } from './learn-job.ts';
import type { MemorySettings } from './options.ts';
import { learningQueue, rebuildQueue, restatingQueue, summaryQueue } from './queues.ts';
import { rebuildHandler, type RebuildParts } from './rebuild.ts';
import { renewDerived, restateHandler } from './restate-job.ts';
import { summaryHandler, type SummaryParts } from './summary-job.ts';

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
  runner.handle(learningQueue(scope), learnHandler(parts, extractor), { ...pauses, onLead });
  runner.handle(summaryQueue(scope), summaryHandler(parts, extractor), pauses);
  runner.handle(rebuildQueue(scope), rebuildHandler(parts), pauses);
  runner.handle(restatingQueue(scope), restateHandler(parts), pauses);
  return {
    renew: () => renewDerived(parts, extractor),
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
