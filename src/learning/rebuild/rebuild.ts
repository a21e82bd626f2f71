import type { JobHandler } from '../../jobs/job-handler.ts';
import { abortable } from '../../model/abortable.ts';
import { checkSignal } from '../../model/call-options.ts';
import { checkFunction, checkOptions } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { runInSlices, yieldToEventLoop } from '../../model/event-loop.ts';
import { SUMMARY_ID } from '../../sessions/memory-stores.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import {
  RebuiltKnowledge,
  rebuildState,
  type RebuildState,
} from '../../storage/rebuilt/rebuilt-knowledge.ts';
import { completeTurns, messagesOf, sessionsByAge } from './complete-turns.ts';
import { keptRows } from './kept-rows.ts';
import { learnInBatches, type Extractors, type LearningWork, type RecalledBy } from '../learn-job.ts';
import type { LearningParts } from '../learning-parts.ts';
import { isByRules } from '../rules/offline-extractor.ts';
import { versionOf } from './restate.ts';
import { ScopeGraph } from '../scope-graph.ts';
import { rowsAtOnce, writesToUse } from './use-rebuilt.ts';

export interface RebuildOptions {
  /** Ends the wait; queued work continues in the background. */
  signal?: AbortSignal;
  /**
   * Called at the beginning, at intervals and at the end with the number of turns done and the total, whichever tab
   * does the work. Turns that were given up after failures do not count as done.
   */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Number of turns whose results are stored together if rules read them. */
const TURNS_AT_ONCE = 16;
/** Polling interval: another tab may do the work. */
const POLL_MS = 200;

/**
 * Queues the whole work as one job, so that it is finished even if the page is closed in the meantime. A rebuild that is
 * under way is joined.
 */
export async function rebuild(parts: LearningParts, options: RebuildOptions): Promise<void> {
  const { signal, onProgress } = checkOptions<RebuildOptions>('backup.rebuild', options, {
    signal: checkSignal('backup.rebuild'),
    onProgress: checkFunction,
  });
  signal?.throwIfAborted();
  if (!parts.isLearning) {
    throw new MnemoraError(
      'invalid-option',
      'This memory was created with learning: false, so it makes no facts or summaries. Call rebuild on a memory that learns.',
    );
  }
  const { jobs, queues, engine } = parts.stores;
  const { scope } = parts.settings;
  const before = await rebuildState(engine, scope);
  const [underWay] = await jobs.list([queues.rebuild]);
  if (underWay) await jobs.retry(underWay.id, Date.now());
  else await jobs.enqueue([{ queue: queues.rebuild }], [{ scope, sessionId: '', turnIds: [] }]);
  parts.written();
  const done = abortable(parts.settled(), signal);
  await (onProgress ? reportUntil(done, parts, before, onProgress) : done);
  const [left] = await jobs.list([queues.rebuild]);
  if (!left) return;
  throw new MnemoraError(
    'learning-failed',
    `The rebuild is not finished, and the facts are those from before it. Its job ${left.id} keeps what is done; memory.work.list() returns its state, and memory.work.retry(${left.id}) continues it.`,
  );
}

/** Reports the number of finished turns at intervals until `settled` resolves, and once at the end. */
async function reportUntil(
  settled: Promise<unknown>,
  { events, stores, settings }: LearningParts,
  before: RebuildState | undefined,
  onProgress: NonNullable<RebuildOptions['onProgress']>,
): Promise<void> {
  let told = -1;
  let isStopped = false;
  const report = async (): Promise<void> => {
    const state = await rebuildState(stores.engine, settings.scope);
    if (!state || (before?.isOver && state.id === before.id)) return;
    const { total } = state;
    for (const done of told < 0 ? [0, state.done] : [state.done]) {
      if (isStopped || done <= told) continue;
      told = done;
      onProgress({ done, total });
    }
  };
  let reporting = Promise.resolve();
  const reportNext = (): Promise<void> => {
    reporting = reporting.then(report);
    reporting.catch(() => undefined); // the last call rejects with it
    return reporting;
  };
  const reportLater = (): void => void reportNext();
  const timer = setInterval(reportLater, POLL_MS);
  events.add('change', reportLater);
  try {
    await settled;
    await reportNext();
  } finally {
    isStopped = true;
    clearInterval(timer);
    events.remove('change', reportLater);
  }
}

/**
 * Learns from all turns again, beside the facts and claims in use, and then puts the new ones in their place. What is
 * done survives the page.
 */
export function rebuildHandler(
  parts: LearningParts,
  extractors: Extractors,
  recalledBy: RecalledBy,
): JobHandler {
  return async (_job, ticket, signal, progressed) => {
    const { jobs } = parts.stores;
    const { scope, clock, singleValued } = parts.settings;
    const madeBy = await versionOf(extractors.extractor);
    do {
      signal.throwIfAborted();
      const store = new RebuiltKnowledge({
        ...{ engine: parts.stores.engine, scope, madeBy },
        // What a model has replied was paid for.
        turnsAtOnce: isByRules(extractors.extractor) ? TURNS_AT_ONCE : 1,
        beginWith: () =>
          parts.graph.look(async (rows) => {
            const kept = await runInSlices(keptRows(rows), signal);
            return { ...kept, cursor: parts.graph.follower.cursor ?? { generation: '', revision: 0 } };
          }, signal),
      });
      const graph = new ScopeGraph({
        ...{ store, scope, clock, isAsked: false },
        ...(singleValued ? { singleValued } : {}),
      });
      const work: LearningWork = {
        ...{ parts, extractors, recalledBy, graph, signal, progressed },
        followUps: [],
        learnedTurns: () => store.learnedTurns,
        isWanted: () => Promise.resolve(false),
      };
      if ((await learnAgain(work, store, ticket)) && (await useRebuilt(work, store, ticket)))
        return parts.written();
      // Something of what was read was forgotten in the meantime.
    } while (await jobs.isQueued(ticket));
  };
}

/** Returns false if the rest must be looked up again, because some of it was forgotten. */
async function learnAgain(work: LearningWork, store: RebuiltKnowledge, ticket: JobTicket): Promise<boolean> {
  const { parts, graph, signal } = work;
  const isNew = await store.isNew();
  await graph.rows(signal);
  const waiting = await parts.stores.jobs.list([parts.stores.queues.learn]);
  const laterIds = new Set(waiting.flatMap(({ isDead, turnIds }) => (isDead ? [] : turnIds)));
  const turns = (await completeTurns(parts, signal)).filter(({ turnId }) => !laterIds.has(turnId));
  const left = turns.filter(({ turnId }) => !store.turns.has(turnId));
  store.total = store.turns.size + left.length;
  const begun = { ...ticket, partial: { doneTurnIds: [] } };
  if (isNew && !(await graph.update(() => undefined, begun))) return false;
  parts.announceChange();
  try {
    for (let at = 0; at < left.length;) {
      const sessionId = left[at]?.sessionId;
      const end = left.findIndex((turn, index) => index > at && turn.sessionId !== sessionId);
      const run = left.slice(at, end < 0 ? undefined : end);
      const turnIds = run.map(({ turnId }) => turnId);
      if (!(await learnInBatches(work, turnIds, ticket, false))) return false;
      at += run.length;
    }
  } catch (error) {
    // The next attempt goes on behind what was learned. After an abort the ticket is void, and it is learned again.
    if (!signal.aborted) await store.storeGathered(ticket).catch(() => undefined);
    throw error;
  }
  return store.storeGathered(ticket);
}

/** Puts what was learned again in use. Returns false if it must be learned again. */
async function useRebuilt(work: LearningWork, store: RebuiltKnowledge, ticket: JobTicket): Promise<boolean> {
  const { parts, graph, signal, progressed } = work;
  const { summaries, jobs, queues } = parts.stores;
  const { scope } = parts.settings;
  const sessions = await sessionsByAge(parts);
  for (const { id } of sessions) await summaries.remove([scope, id], SUMMARY_ID, ticket);
  await jobs.enqueue(
    [{ queue: queues.summarize }],
    sessions.map(({ id: sessionId }) => ({ scope, sessionId, turnIds: [] })),
  );
  const read = await messagesOf(parts, store.turns, signal);
  for (;;) {
    // Copied, because the rows in use keep changing while they are compared.
    const rebuilt = await graph.look(rowsAtOnce, signal);
    const [inUse, at] = await parts.graph.look(
      (rows) => [rowsAtOnce(rows), parts.graph.follower.cursor],
      signal,
    );
    let cursor = at;
    const writes = await writesToUse(inUse, rebuilt, (messageId) => read.has(messageId));
    signal.throwIfAborted();
    for (const [place, write] of writes.entries()) {
      const isLast = place === writes.length - 1;
      const { learnedTurns } = store;
      cursor = cursor && (await store.use({ ...write, learnedTurns }, cursor, { ticket, isLast }));
      if (!cursor) break;
      progressed();
      await yieldToEventLoop();
    }
    if (cursor) return true;
    // Another tab has written in the meantime, or what was read was forgotten.
    if (await store.isNew()) return false;
  }
}
