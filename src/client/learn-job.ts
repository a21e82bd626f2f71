import type { JobHandler } from '../jobs/job-handler.ts';
import { isStillQueued } from '../learning/background-work.ts';
import type { Extractor } from '../learning/extractor.ts';
import { joinEarlierJob, turnsOfJob } from '../learning/job-turns.ts';
import { learnTurns } from '../learning/learn-turns.ts';
import { isNotice, messageText, type StoredMessage } from '../model/message.ts';
import type { MessageMetadata } from '../search/conversation-segment.ts';
import { turnsBefore } from '../sessions/read-turns.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { Engine } from './engine.ts';

const BATCH_TURNS = 16;
/** Notes are consolidated after this many turns, rounded up to whole batches so that no batch has to be divided. */
const CONSOLIDATION_TURNS = 20;
/** Number of turns before a batch that are read to resolve pronouns. */
const CONTEXT_TURNS = 2;
/** Number of earlier messages with which a reply is compared to find repetitions. */
const RECALLED_MESSAGES = 8;
const RECALLED_QUERY_CHARACTERS = 1000;

interface Work {
  readonly engine: Engine;
  readonly extractor: Extractor;
  readonly signal: AbortSignal;
}

/** Learns entities and facts from the turns of a job, a batch at a time. */
export function learnHandler(engine: Engine, extractor: Extractor): JobHandler {
  return async (job, ticket, signal) => {
    const { stores } = engine;
    if (await joinEarlierJob(stores.jobs, job, ticket)) return;
    const work = { engine, extractor, signal };
    const { turnIds, isAll, putBack } = await turnsOfJob({ ...stores, job, ticket, signal });
    const size = extractor.batchTurns ?? BATCH_TURNS;
    const period = extractor.consolidate ? size * Math.ceil(CONSOLIDATION_TURNS / size) : Infinity;
    let learned = period === Infinity ? 0 : await stores.knowledge.learnedTurns(job.scope);
    for (let at = 0; at < turnIds.length || learned >= period;) {
      const isConsolidation = learned >= period;
      // Always after the same turns, so that the result does not depend on how many were queued at once.
      const batch = isConsolidation ? [] : turnIds.slice(at, at + Math.min(size, period - learned));
      const isLast =
        isAll && at + batch.length >= turnIds.length && (isConsolidation || learned + batch.length < period);
      const step = isLast ? ticket : { ...ticket, partial: { doneTurnIds: batch } };
      if (isConsolidation) {
        await consolidate(work, step);
        learned = 0;
        continue;
      }
      const counted = period === Infinity ? undefined : learned + batch.length;
      if (await learnBatch(work, batch, counted, step)) {
        at += batch.length;
        learned += batch.length;
      } else if (!(await isStillQueued(stores.jobs, ticket))) return;
    }
    if (!isAll) await putBack();
    engine.announceChange();
  };
}

/** Merges several notes on an entity into one. If that fails, they stay as they are until the next time. */
async function consolidate({ engine, extractor, signal }: Work, ticket: JobTicket): Promise<void> {
  const { graph, events } = engine;
  const { consolidateNotes } = await import('../learning/llm/consolidate-notes.ts');
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
  work: Work,
  turnIds: readonly string[],
  counted: number | undefined,
  ticket: JobTicket,
): Promise<boolean> {
  const { engine, extractor, signal } = work;
  const { transcript, knowledge: store } = engine.stores;
  const { scope, userName } = engine.settings;
  const loaded = await transcript.loadTurns(scope, turnIds, signal);
  const turns = loaded.filter((turn) => turn.every((message) => message.state === 'complete'));
  const [first] = turns[0] ?? [];
  const { learnStatements } = await import('../learning/statements/learn-statements.ts');
  const receipt = await learnTurns({
    turns,
    context: first ? await turnsBefore(transcript, scope, first, CONTEXT_TURNS, signal) : [],
    recalled: await recalledBy(engine, turns, signal),
    graph: engine.graph,
    store,
    extractor,
    learnStatements,
    userName,
    ...(counted === undefined ? {} : { learnedTurns: counted }),
    ticket,
    signal,
  });
  if (receipt.isOutdated) return false;
  const rejected = receipt.rejected.filter(({ count }) => count > 0);
  if (rejected.length > 0) {
    const reasons = rejected.map(({ reason, count }) => `${count} × ${reason}`).join(', ');
    const message = `Some extracted items were rejected: ${reasons}.`;
    engine.events.warn({ code: 'extraction-rejected', message });
  }
  return true;
}

/** Returns, by turn, earlier texts that its replies may be based on. */
async function recalledBy(
  { index, stores, settings }: Engine,
  turns: readonly (readonly StoredMessage[])[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  const { rankMessages } = await import('../recall/rank-messages.ts');
  await index.sync(signal);
  for (const turn of turns) {
    const [first] = turn;
    const replies = turn.filter((message) => message.role === 'assistant' && !isNotice(message));
    if (!first || replies.length === 0) continue;
    const isEarlier = (place: MessageMetadata): boolean => isBefore(place, first);
    const hits = replies.flatMap((reply) => {
      const query = messageText(reply).slice(0, RECALLED_QUERY_CHARACTERS);
      const found = rankMessages(index.rankingInput(query, [], isEarlier));
      return found.slice(0, RECALLED_MESSAGES);
    });
    const turnIds = new Set(hits.flatMap((hit) => index.get(hit.id)?.turnId ?? []));
    const found = await stores.transcript.loadTurns(settings.scope, [...turnIds], signal);
    texts.set(first.turnId, found.flat().map(messageText));
  }
  return texts;
}

/** Whether a message was said before a turn began. Within a session, the clock does not decide this. */
function isBefore(place: MessageMetadata, first: StoredMessage): boolean {
  if (place.turnId === first.turnId) return false;
  return place.sessionId === first.sessionId ? place.order < first.seq : place.createdAt <= first.createdAt;
}
