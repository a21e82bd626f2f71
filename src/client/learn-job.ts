import type { JobHandler } from '../jobs/job-handler.ts';
import { isStillQueued } from '../learning/background-work.ts';
import type { Extractor } from '../learning/extractor.ts';
import { joinEarlierJob, turnsOfJob } from '../learning/job-turns.ts';
import { learnTurns } from '../learning/learn-turns.ts';
import type { ScopeGraph } from '../learning/scope-graph.ts';
import { isNotice, messageText, type StoredMessage } from '../model/message.ts';
import { NOTHING_KNOWN } from '../recall/query-knowledge.ts';
import type { ScopeIndex } from '../recall/scope-index.ts';
import type { MessageMetadata } from '../search/metadata-columns.ts';
import { turnsBefore } from '../sessions/read-turns.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { MemoryEvents } from './memory-events.ts';
import type { MemorySettings } from './options.ts';
import type { MemoryStores } from './stores.ts';

/** What learning reads and writes. */
export interface LearnParts {
  readonly stores: Pick<MemoryStores, 'transcript' | 'knowledge' | 'jobs'>;
  readonly graph: ScopeGraph;
  readonly index: ScopeIndex;
  readonly events: Pick<MemoryEvents, 'warn'>;
  readonly settings: Pick<MemorySettings, 'userName'>;
  /** To be called when something was learned. */
  enriched(): void;
}

const BATCH_TURNS = 16;
/** Notes are consolidated after so many turns, or more: a whole number of batches, so that none has to be divided. */
const CONSOLIDATION_TURNS = 20;
/** Turns before a batch, which tell who "he" is. */
const CONTEXT_TURNS = 2;
/** Earlier messages that a reply is held against, to tell what it only repeats. */
const RECALLED_MESSAGES = 8;
const RECALLED_QUERY_CHARACTERS = 1000;

/** Learns entities and facts from the turns of a job, a batch at a time. */
export function learnHandler(parts: LearnParts, extractor: Extractor): JobHandler {
  return async (job, ticket, signal) => {
    const { stores } = parts;
    if (await joinEarlierJob(stores.jobs, job, ticket)) return;
    const { turnIds, isAll, putBack } = await turnsOfJob({ ...stores, job, ticket, signal });
    const size = extractor.batchTurns ?? BATCH_TURNS;
    const period = extractor.consolidate ? size * Math.ceil(CONSOLIDATION_TURNS / size) : Infinity;
    let learned = period === Infinity ? 0 : await stores.knowledge.learnedTurns(job.scope);
    for (let at = 0; at < turnIds.length || learned >= period;) {
      const isAfter = (count: number): boolean => isAll && at + count >= turnIds.length;
      if (learned >= period) {
        const step = isAfter(0) ? ticket : { ...ticket, partial: { doneTurnIds: [] } };
        await consolidate(parts, extractor, step, signal);
        learned = 0;
        continue;
      }
      // Always right after the same turns: what is made of them does not depend on how many came at once.
      const batch = turnIds.slice(at, at + Math.min(size, period - learned));
      const isLast = isAfter(batch.length) && learned + batch.length < period;
      const step = isLast ? ticket : { ...ticket, partial: { doneTurnIds: batch } };
      const counted = period === Infinity ? undefined : learned + batch.length;
      if (await learnBatch(parts, extractor, { turnIds: batch, counted }, step, signal)) {
        at += batch.length;
        learned += batch.length;
      } else if (!(await isStillQueued(stores.jobs, ticket))) return;
    }
    if (!isAll) await putBack();
    parts.enriched();
  };
}

/** Makes one note of several. Where that fails, they stay as they are until the next time. */
async function consolidate(
  { graph, events }: LearnParts,
  extractor: Extractor,
  ticket: JobTicket,
  signal: AbortSignal,
): Promise<void> {
  const { consolidateNotes } = await import('../learning/llm/consolidate-notes.ts');
  const { refused, cause } = await consolidateNotes({ graph, extractor, ticket, signal });
  if (cause !== undefined) {
    const message = 'The notes on entities stay several: the extractor did not make one of them.';
    events.warn({ code: 'enrichment-failed', message, cause });
  }
  if (refused > 0) {
    const message = `Of the notes that the extractor consolidated ${refused} were not stored: they had a name or a number that nobody said, or left out most of what was known.`;
    events.warn({ code: 'extraction-rejected', message });
  }
}

/** Returns whether the turns are done, also those that are gone or not complete. */
async function learnBatch(
  parts: LearnParts,
  extractor: Extractor,
  { turnIds, counted }: { readonly turnIds: readonly string[]; readonly counted: number | undefined },
  ticket: JobTicket,
  signal: AbortSignal,
): Promise<boolean> {
  const { stores, graph, events } = parts;
  const loaded = await stores.transcript.loadTurns(turnIds, signal);
  const turns = loaded.filter((turn) => turn.every((message) => message.state === 'complete'));
  const [first] = turns[0] ?? [];
  const receipt = await learnTurns({
    turns,
    context: first ? await turnsBefore(stores.transcript, first, CONTEXT_TURNS, signal) : [],
    recalled: await recalledBy(parts, turns, signal),
    graph,
    store: stores.knowledge,
    extractor,
    learnStatements: (await import('../learning/statements/learn-statements.ts')).learnStatements,
    userName: parts.settings.userName,
    ...(counted === undefined ? {} : { learnedTurns: counted }),
    ticket,
    signal,
  });
  if (receipt.isOutdated) return false;
  const rejected = receipt.rejected.filter(({ count }) => count > 0);
  if (rejected.length > 0) {
    const reasons = rejected.map(({ reason, count }) => `${count} × ${reason}`).join(', ');
    events.warn({
      code: 'extraction-rejected',
      message: `Of what the extractor proposed, a part was not stored: ${reasons}.`,
    });
  }
  return true;
}

/** Returns, by turn, earlier texts that its replies may have been given to go by. */
async function recalledBy(
  { index, stores }: LearnParts,
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
    const hits = replies.flatMap((reply) => {
      const query = messageText(reply).slice(0, RECALLED_QUERY_CHARACTERS);
      const found = rankMessages(
        index.rankingInput(query, [], (place) => isBefore(place, first), NOTHING_KNOWN),
      );
      return found.slice(0, RECALLED_MESSAGES);
    });
    const turnIds = new Set(hits.flatMap((hit) => index.get(hit.id)?.turnId ?? []));
    const found = await stores.transcript.loadTurns([...turnIds], signal);
    texts.set(first.turnId, found.flat().map(messageText));
  }
  return texts;
}

/** Whether a message was said before a turn began: clocks do not tell that of messages of one session. */
function isBefore(place: MessageMetadata, first: StoredMessage): boolean {
  if (place.turnId === first.turnId) return false;
  return place.sessionId === first.sessionId ? place.order < first.seq : place.createdAt <= first.createdAt;
}
