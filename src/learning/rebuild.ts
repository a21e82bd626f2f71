import type { JobHandler } from '../jobs/job-handler.ts';
import { abortable } from '../model/abortable.ts';
import { checkSignal } from '../model/call-options.ts';
import { checkFunction, checkOptions } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { SUMMARY_ID } from '../sessions/memory-stores.ts';
import { withContext } from '../sessions/read-turns.ts';
import type { SessionRecord } from '../storage/schema.ts';
import type { Extractor } from './extractor.ts';
import type { LearningParts } from './learning-parts.ts';
import { isByRules } from './rules/offline-extractor.ts';
import { dropLearned } from './user-edits.ts';

export interface RebuildOptions {
  /** Ends the wait; queued work continues in the background. */
  signal?: AbortSignal;
  /**
   * Called at the beginning, at intervals and at the end with the number of turns done and the total, whichever tab
   * does the work. Turns that were given up after failures do not count as done.
   */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Polling interval: another tab may do the work. */
const POLL_MS = 200;
/** Turns whose claims are stored together. Questions wait for them. */
const TURNS_AT_ONCE = 16;
/** Earlier turns in which a short answer finds its question. */
const CONTEXT_TURNS = 1;

/** Queues the whole work as one job, so that it is finished even if the page is closed in the meantime. */
export async function rebuild(
  parts: LearningParts,
  sessionId: string,
  options: RebuildOptions,
): Promise<void> {
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
  const { jobs, queues } = parts.stores;
  const { scope } = parts.settings;
  await jobs.enqueue([{ queue: queues.rebuild }], [{ scope, sessionId, turnIds: [] }]);
  parts.written();
  const done = abortable(parts.settled(), signal).then(() => undefined);
  await (onProgress ? reportUntil(done, parts, onProgress) : done);
}

/** Reports the number of finished turns at intervals until `settled` resolves, and once at the end. */
async function reportUntil(
  settled: Promise<void>,
  { events, stores: { jobs, queues } }: LearningParts,
  onProgress: NonNullable<RebuildOptions['onProgress']>,
): Promise<void> {
  let queued: ReadonlySet<string> | undefined;
  let told = -1;
  let isStopped = false;
  const report = async (): Promise<void> => {
    const listed = await jobs.list([queues.rebuild, queues.learn]);
    if (!queued && listed.some((job) => job.queue === queues.rebuild && !job.isDead)) return;
    const left = new Set(listed.flatMap((job) => job.turnIds));
    queued ??= left;
    const done = [...queued].filter((turnId) => !left.has(turnId)).length;
    if (isStopped || done <= told) return;
    told = done;
    onProgress({ done, total: queued.size });
  };
  let reporting = Promise.resolve();
  const reportNext = (): Promise<void> => {
    reporting = reporting.then(report);
    reporting.catch(() => undefined); // the last call rejects with it
    return reporting;
  };
  const reportLater = (): void => void reportNext();
  const timer = setInterval(reportLater, POLL_MS);
  // The first change event follows the queuing of the turns. Counting from a later one could miss turns that are done
  // by then.
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

/** Drops what was derived, except for the user's changes, and queues all turns to be learned from again. */
export function rebuildHandler(parts: LearningParts): JobHandler {
  return async (_job, ticket, signal) => {
    const { summaries, jobs, queues } = parts.stores;
    const { scope } = parts.settings;
    await nothingUnderWay(parts, signal);
    await parts.graph.update(dropLearned, { ...ticket, partial: { doneTurnIds: [] } });
    const sessions = await sessionsByAge(parts);
    for (const { id } of sessions) await summaries.remove([scope, id], SUMMARY_ID, ticket);
    const origins = await completeTurns(parts, signal);
    await jobs.enqueue([{ queue: queues.learn }, { queue: queues.summarize }], origins, ticket);
    parts.written();
  };
}

/** Returns the complete turns of each session, the oldest session first. */
async function completeTurns(
  parts: LearningParts,
  signal: AbortSignal,
): Promise<{ scope: string; sessionId: string; turnIds: string[] }[]> {
  const { scope } = parts.settings;
  const origins = [];
  for (const { id: sessionId } of await sessionsByAge(parts)) {
    const messages = await parts.stores.transcript.listMessages([scope, sessionId], { signal });
    const complete = messages.filter((message) => message.state === 'complete');
    const turnIds = [...new Set(complete.map((message) => message.turnId))];
    if (turnIds.length > 0) origins.push({ scope, sessionId, turnIds });
  }
  return origins;
}

/** Waits until no model call is running, because its result would belong to data that is about to be dropped. */
async function nothingUnderWay({ stores }: LearningParts, signal: AbortSignal): Promise<void> {
  const { jobs, queues } = stores;
  for (;;) {
    signal.throwIfAborted();
    const listed = await jobs.list([queues.learn, queues.summarize]);
    if (!listed.some((job) => job.lease !== undefined && !job.isDead)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Reads the claims of all sessions again: what was imported, and what an older version has read. The first job queues
 * one for each session, whose turns leave it as they are done, so that a page that is closed has lost nothing.
 */
export function restateHandler(parts: LearningParts): JobHandler {
  return async ({ scope, turnIds }, ticket, signal, progressed) => {
    const { transcript, knowledge, jobs, queues } = parts.stores;
    if (turnIds.length === 0) {
      await jobs.enqueue([{ queue: queues.restate }], await completeTurns(parts, signal), ticket);
      return parts.written();
    }
    const { learnClaims } = await import('./claims/learn-claims.ts');
    for (let at = 0; at < turnIds.length; at += TURNS_AT_ONCE) {
      const doneTurnIds = turnIds.slice(at, at + TURNS_AT_ONCE);
      const isLast = at + TURNS_AT_ONCE >= turnIds.length;
      const loaded = await transcript.loadTurns(scope, doneTurnIds, signal);
      const turns = loaded.filter((turn) => turn.every(({ state }) => state === 'complete'));
      const read = await withContext(transcript, scope, turns, CONTEXT_TURNS, signal);
      const { userName } = parts.settings;
      await parts.graph.update(
        (draft) => learnClaims(draft, knowledge, { ...read, userName }),
        isLast ? ticket : { ...ticket, partial: { doneTurnIds } },
        signal,
      );
      progressed();
    }
    parts.announceChange();
  };
}

/** Queues what must be derived again, because an older version of the rules derived it. */
export async function renewDerived(parts: LearningParts, extractor: Extractor): Promise<void> {
  const { scope } = parts.settings;
  const { jobs, knowledge, queues } = parts.stores;
  const { CLAIMS_VERSION } = await import('./claims/learn-claims.ts');
  const version = `${CLAIMS_VERSION}/${extractor.id}`;
  const before = await knowledge.madeBy(scope);
  if (before === version) return;
  const rows = await parts.graph.rows();
  const makers = new Set(
    [...rows.facts.values()].flatMap(({ source, messageIds, attributes }) =>
      source === 'user' || messageIds.length === 0 ? [] : [attributes['madeBy']],
    ),
  );
  // Rules cannot reproduce what a model has extracted.
  const areByRules = [...makers].every((id) => isByRules({ id: String(id) }));
  const areOld = makers.size > 0 && !(makers.size === 1 && makers.has(extractor.id));
  const isNew = before === undefined && !areOld && rows.claims.size > 0;
  const isRemaking = isByRules(extractor) && areByRules && areOld;
  const isDue = (await sessionsByAge(parts)).length > 0 && !isNew;
  const queue = isRemaking ? queues.rebuild : queues.restate;
  if (isDue) await jobs.enqueue([{ queue }], [{ scope, sessionId: '', turnIds: [] }]);
  await knowledge.setMadeBy(scope, version);
  if (isDue) parts.written();
}

/** Lists the sessions of the memory's scope, the oldest first. */
async function sessionsByAge({ stores, settings }: LearningParts): Promise<SessionRecord[]> {
  const sessions = await stores.transcript.listSessions(settings.scope);
  return sessions.toSorted((a, b) => a.createdAt - b.createdAt);
}
