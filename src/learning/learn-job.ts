import type { JobHandler } from '../jobs/job-handler.ts';
import type { StoredMessage } from '../model/message.ts';
import { withContext } from '../sessions/read-turns.ts';
import type { NewJob } from '../storage/jobs/job-plan.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import type { Extractor } from './extractor.ts';
import { joinEarlierJob, turnsOfJob } from './job-turns.ts';
import { learnTurns, type LearnTurnsInput } from './learn-turns.ts';
import type { LearningParts } from './learning-parts.ts';
import { isByRules } from './rules/offline-extractor.ts';
import type { ScopeGraph } from './scope-graph.ts';

const BATCH_TURNS = 16;
/** Notes are consolidated after this many turns, rounded up to whole batches so that no batch has to be divided. */
const CONSOLIDATION_TURNS = 20;
/** Number of turns before a batch that are read to resolve pronouns. */
const CONTEXT_TURNS = 2;

/** Returns, by turn, earlier texts that its replies may be based on. */
export type RecalledBy = (
  turns: readonly (readonly StoredMessage[])[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, readonly string[]>>;

/** What reads turns. */
export interface Extractors {
  readonly extractor: Extractor;
  /** What reads them before: its facts are known at once, whatever a model replies. @default nothing */
  readonly rules?: Extractor;
}

/** What learns from turns, and where the results go. */
export interface LearningWork {
  readonly parts: LearningParts;
  readonly extractors: Extractors;
  readonly recalledBy: RecalledBy;
  /** Where the results are stored. */
  readonly graph: ScopeGraph;
  /** Jobs to queue with the first result; then emptied. */
  readonly followUps: NewJob[];
  /** Returns the number of turns whose notes were not consolidated yet. */
  readonly learnedTurns: () => number | Promise<number>;
  readonly signal: AbortSignal;
  readonly progressed: () => void;
  /** Whether turns are learned from again after one of their messages was forgotten in the meantime. */
  readonly isWanted: () => Promise<boolean>;
}

/** Learns entities and facts from the turns of a job, a batch at a time. */
export function learnHandler(
  parts: LearningParts,
  extractors: Extractors,
  recalledBy: RecalledBy,
): JobHandler {
  return async (job, ticket, signal, progressed) => {
    const { stores, graph } = parts;
    if (await joinEarlierJob(stores.jobs, job, ticket)) return;
    const followUps = await summariesDue(parts, job, signal);
    const work: LearningWork = {
      ...{ parts, extractors, recalledBy, graph, followUps, signal, progressed },
      learnedTurns: () => stores.knowledge.learnedTurns(job.scope),
      isWanted: () => stores.jobs.isQueued(ticket),
    };
    const { turnIds, isAll, putBack } = await turnsOfJob({ ...stores, job, ticket, signal });
    if (!(await learnInBatches(work, turnIds, ticket, isAll))) return;
    if (!isAll) await putBack();
    parts.announceChange();
  };
}

/**
 * Returns the job that summarizes the session if its turns no longer fit the window. It is queued with what is learned,
 * so that most turns cause no such job; only if learning has failed before, it is queued at once.
 */
async function summariesDue(
  parts: LearningParts,
  { scope, sessionId, attempts }: JobRecord,
  signal: AbortSignal,
): Promise<NewJob[]> {
  const { jobs, queues } = parts.stores;
  const queue = queues.summarize;
  const queued = await jobs.list([queue]);
  if (queued.some((other) => other.sessionId === sessionId && !other.isDead)) return [];
  const { isSummaryDue } = await import('./summary/summary-job.ts');
  // If this fails, so does the job, which is then tried again by itself.
  const isDue = await isSummaryDue(parts, sessionId, signal).catch(() => true);
  if (!isDue) return [];
  if (attempts === 0) return [{ queue }];
  await jobs.enqueue([{ queue }], [{ scope, sessionId, turnIds: [] }]);
  parts.written();
  return [];
}

/**
 * Learns from turns of a session, a batch at a time. Returns false if the work is no longer wanted.
 *
 * @param endsJob whether the last batch ends the job
 */
export async function learnInBatches(
  work: LearningWork,
  turnIds: readonly string[],
  ticket: JobTicket,
  endsJob: boolean,
): Promise<boolean> {
  const { progressed } = work;
  const { extractor, rules } = work.extractors;
  const size = extractor.batchTurns ?? BATCH_TURNS;
  const period = extractor.consolidate ? size * Math.ceil(CONSOLIDATION_TURNS / size) : Infinity;
  let learned = period === Infinity ? 0 : await work.learnedTurns();
  for (let at = 0; at < turnIds.length || learned >= period;) {
    const isConsolidation = learned >= period;
    // Always after the same turns, so that the result does not depend on how many were queued at once.
    const batch = isConsolidation ? [] : turnIds.slice(at, at + Math.min(size, period - learned));
    const isLast =
      endsJob && at + batch.length >= turnIds.length && (isConsolidation || learned + batch.length < period);
    const step = isLast ? ticket : { ...ticket, partial: { doneTurnIds: batch } };
    const counted = period === Infinity ? {} : { learnedTurns: learned + batch.length };
    if (isConsolidation) {
      await consolidate(work, step);
      learned = 0;
    } else if (
      (!rules || (await learnByRules(work, rules, batch, ticket))) &&
      (await learnBatch(work, extractor, batch, { ...counted, ticket: step }))
    ) {
      at += batch.length;
      learned += batch.length;
    } else if (await work.isWanted()) continue;
    else return false;
    progressed();
  }
  return true;
}

/**
 * Learns the facts that rules read in what the user says in the turns of a batch, one by one. Notes on entities, and what
 * others say, are read by the model alone. Returns false if a message was forgotten in the meantime.
 */
async function learnByRules(
  work: LearningWork,
  rules: Extractor,
  turnIds: readonly string[],
  ticket: JobTicket,
): Promise<boolean> {
  const step = { ...ticket, partial: { doneTurnIds: [] } };
  const facts: Extractor = {
    ...rules,
    extract: async (input) => {
      const { mentions, triples, unreadable } = await rules.extract(input);
      const said = new Set(input.messages.flatMap(({ id, role }) => (role === 'user' ? id : [])));
      return {
        unreadable,
        mentions: mentions.flatMap(({ note: _note, ...rest }) => (said.has(rest.messageId) ? rest : [])),
        triples: triples.filter(({ messageId }) => said.has(messageId)),
      };
    },
  };
  // Only answers repeat earlier texts.
  const ofUser: LearningWork = { ...work, recalledBy: () => Promise.resolve(new Map()) };
  for (const turnId of turnIds)
    if (!(await learnBatch(ofUser, facts, [turnId], { ticket: step }))) return false;
  work.parts.announceChange();
  return true;
}

/** Merges several notes on an entity into one. If that fails, they stay as they are until the next time. */
async function consolidate(
  { parts, graph, extractors: { extractor }, signal }: LearningWork,
  ticket: JobTicket,
): Promise<void> {
  const { events } = parts;
  const { consolidateNotes } = await import('./llm/consolidate-notes.ts');
  const { refused, cause } = await consolidateNotes({ graph, extractor, ticket, signal });
  if (cause !== undefined) {
    const message = 'The notes on entities were not merged, because the extractor failed.';
    events.warn({ code: 'learning-failed', message, cause });
  }
  if (refused > 0) {
    const message = `${refused} merged notes were not stored, because they contained a name or a number that nobody mentioned, or left out most of what was known.`;
    events.warn({ code: 'extraction-rejected', message });
  }
}

/** Returns whether the turns are done; turns that no longer exist or are not complete count as done. */
async function learnBatch(
  work: LearningWork,
  extractor: Extractor,
  turnIds: readonly string[],
  { ticket, ...stored }: Pick<LearnTurnsInput, 'learnedTurns'> & { readonly ticket: JobTicket },
): Promise<boolean> {
  const { parts, graph, signal, followUps } = work;
  const { transcript, knowledge: store } = parts.stores;
  const { scope, userName } = parts.settings;
  const loaded = await transcript.loadTurns(scope, turnIds, signal);
  const turns = loaded.filter((turn) => turn.every((message) => message.state === 'complete'));
  const receipt = await learnTurns({
    ...(await withContext(transcript, scope, turns, CONTEXT_TURNS, signal)),
    recalled: () => work.recalledBy(turns, signal),
    graph,
    store,
    extractor,
    claims: await import('./claims/learn-claims.ts'),
    userName,
    ...stored,
    ticket: { ...ticket, followUps },
    signal,
  });
  if (receipt.isOutdated) return false;
  if (followUps.splice(0).length > 0) parts.written();
  // Rules read all that is said, also what others are quoted with: what is rejected of it is nobody's mistake.
  const rejected = isByRules(extractor) ? [] : receipt.rejected.filter(({ count }) => count > 0);
  if (rejected.length > 0) {
    const reasons = rejected.map(({ reason, count }) => `${count} × ${reason}`).join(', ');
    const message = `Some extracted items were rejected: ${reasons}.`;
    parts.events.warn({ code: 'extraction-rejected', message });
  }
  return true;
}
