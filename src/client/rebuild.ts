import { abortable } from '../model/abortable.ts';
import type { JobHandler } from '../jobs/job-handler.ts';
import { MnemoraError } from '../model/error.ts';
import { dropLearned } from '../learning/user-edits.ts';
import type { ScopeGraph } from '../learning/scope-graph.ts';
import type { MemoryEvents } from './memory-events.ts';
import type { MemoryStores } from './stores.ts';
import { learningQueue, rebuildQueue, SUMMARY_ID, summaryQueue } from './queues.ts';

export interface RebuildOptions {
  /** Ends the wait; what was queued goes on in the background. */
  signal?: AbortSignal;
  /**
   * Is called with how many turns were learned from again, of how many: at the beginning, now and then, and at the end,
   * whichever tab does the work. Turns that were given up after failures are not done.
   */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** What rebuilding drops, and makes again by queueing it. */
export interface RebuildParts {
  readonly settings: { readonly scope: string };
  readonly stores: Pick<MemoryStores, 'transcript' | 'summaries' | 'jobs'>;
  readonly graph: ScopeGraph;
  /** To be called when work was queued. */
  written(): void;
}

/** What asking for a rebuild needs. */
export interface RebuildRequestParts extends Pick<RebuildParts, 'settings' | 'written'> {
  readonly stores: Pick<MemoryStores, 'jobs'>;
  readonly events: Pick<MemoryEvents, 'add' | 'remove'>;
  /** Absent where the memory makes no facts and summaries. */
  readonly enrichment: unknown;
  settled(): Promise<void>;
}

export const REBUILD_OPTIONS: readonly (keyof RebuildOptions)[] = ['signal', 'onProgress'];

/** Queues the whole work as one job, so that it is done to its end however often the page is closed meanwhile. */
export async function rebuild(
  memory: RebuildRequestParts,
  sessionId: string,
  { signal, onProgress }: RebuildOptions,
): Promise<void> {
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new MnemoraError('invalid-option', 'onProgress must be a function.');
  }
  signal?.throwIfAborted();
  if (!memory.enrichment) {
    throw new MnemoraError(
      'invalid-option',
      'This memory was created with extractor: false and makes no facts and summaries. Rebuild with one that does.',
    );
  }
  const { scope } = memory.settings;
  await memory.stores.jobs.enqueue([{ queue: rebuildQueue(scope) }], [{ scope, sessionId, turnIds: [] }]);
  memory.written();
  const progress = onProgress && followProgress(memory, onProgress);
  try {
    await abortable(memory.settled(), signal);
    await progress?.tell();
  } finally {
    progress?.stop();
  }
}

/**
 * Tells, now and then and when asked to, how many of the turns that the rebuilding has queued are done. It asks the
 * store: another tab may be at work.
 */
function followProgress(
  memory: RebuildRequestParts,
  onProgress: NonNullable<RebuildOptions['onProgress']>,
): { tell: () => Promise<void>; stop: () => void } {
  const rebuilding = rebuildQueue(memory.settings.scope);
  const learning = learningQueue(memory.settings.scope);
  let queued: ReadonlySet<string> | undefined;
  let told = -1;
  let isStopped = false;
  let telling = Promise.resolve();
  const tellOnce = async (): Promise<void> => {
    const jobs = await memory.stores.jobs.list([rebuilding, learning]);
    if (!queued && jobs.some((job) => job.queue === rebuilding && !job.isDead)) return;
    const left = new Set(jobs.flatMap((job) => job.turnIds));
    queued ??= left;
    const done = [...queued].filter((turnId) => !left.has(turnId)).length;
    if (isStopped || done <= told) return;
    told = done;
    onProgress({ done, total: queued.size });
  };
  const tell = (): Promise<void> => {
    telling = telling.then(tellOnce);
    telling.catch(() => undefined); // the last call reports it
    return telling;
  };
  const tellNow = (): void => void tell();
  const timer = setInterval(tellNow, POLL_MS);
  // The first change is that the turns are queued: later, some of them would be done and not be counted.
  memory.events.add('change', tellNow);
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
    memory.events.remove('change', tellNow);
  };
  return { tell, stop };
}

/** Drops what was derived, but for what the user made of it, and queues all turns to be learned from again. */
export function rebuildHandler(memory: RebuildParts): JobHandler {
  return async (_job, ticket, signal) => {
    const { scope } = memory.settings;
    const { transcript, summaries, jobs } = memory.stores;
    await nothingUnderWay(memory, signal);
    const partial = { doneTurnIds: [] };
    await memory.graph.update(dropLearned, { ...ticket, partial });
    const sessions = await transcript.listSessions(scope);
    for (const { id } of sessions) await summaries.remove(id, SUMMARY_ID, ticket);
    const origins = [];
    for (const { id: sessionId } of sessions.toSorted((a, b) => a.createdAt - b.createdAt)) {
      const messages = await transcript.listMessages(sessionId, { signal });
      const complete = messages.filter((message) => message.state === 'complete');
      const turnIds = [...new Set(complete.map((message) => message.turnId))];
      if (turnIds.length > 0) origins.push({ scope, sessionId, turnIds });
    }
    await jobs.enqueue([{ queue: learningQueue(scope) }, { queue: summaryQueue(scope) }], origins, ticket);
    memory.written();
  };
}

const POLL_MS = 200;

/** Waits until no model is being asked: what it answers belongs to what is about to be dropped. */
async function nothingUnderWay(memory: RebuildParts, signal: AbortSignal): Promise<void> {
  const { scope } = memory.settings;
  for (;;) {
    signal.throwIfAborted();
    const jobs = await memory.stores.jobs.list([learningQueue(scope), summaryQueue(scope)]);
    if (!jobs.some((job) => job.lease !== undefined && !job.isDead)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
