import type { JobHandler, HandleOptions } from '../jobs/job-handler.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Extractor } from '../learning/extractor.ts';
import { isStillQueued } from '../learning/background-work.ts';
import { joinEarlierJob, turnsOfJob } from '../learning/job-turns.ts';
import { learnTurns, type LearnReceipt } from '../learning/learn-turns.ts';
import { sourceMessages } from '../learning/source-text.ts';
import { RunningSummary } from '../learning/summary/running-summary.ts';
import { stepsBeyondWindow } from '../learning/summary/summary-policy.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import { messagesToText } from '../model/message-text.ts';
import { inTurnOrder, splitTurns } from '../model/turn.ts';
import { NOTHING_KNOWN } from '../recall/query-knowledge.ts';
import { SHARES } from '../recall/assemble-context.ts';
import { CountedTokens } from '../sessions/counted-tokens.ts';
import { lastSeq, sessionTurns } from '../sessions/read-turns.ts';
import { StoredSessionSummaries } from '../sessions/session-summaries.ts';
import type { Place } from '../search/place-columns.ts';
import type { JobTicket, NewJob } from '../storage/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import type { Engine } from './engine.ts';
import { learningQueue, rebuildQueue, SUMMARY_ID, summaryQueue } from './queues.ts';
import { rebuildHandler } from './rebuild.ts';

const BATCH_TURNS = 16;
/** Of the turns before, that tell who "he" is. */
const CONTEXT_TURNS = 2;
const CONTEXT_MESSAGES = 16;
/** Earlier messages that a reply is held against, to tell what it only repeats. */
const RECALLED_MESSAGES = 8;
const RECALLED_QUERY_CHARACTERS = 1000;

/** What is done in the background with each turn: facts and entities are learnt, and what leaves the window is summarised. */
export class Enrichment {
  /** To be queued with each turn. */
  readonly jobs: readonly NewJob[];
  readonly #engine: Engine;
  readonly #extractor: Extractor;
  readonly #stop: (() => Promise<void>)[];

  constructor(engine: Engine, runner: JobRunner, extractor: Extractor) {
    this.#engine = engine;
    this.#extractor = extractor;
    const { scope, enrichmentDelayMs: delayMs, pauseWhenHidden, pauseWhenOffline } = engine.settings;
    this.jobs = [
      { queue: learningQueue(scope), delayMs },
      { queue: summaryQueue(scope), delayMs },
    ];
    const pauses: HandleOptions = { pauseWhenHidden, pauseWhenOffline };
    const learn: JobHandler = (job, ticket, signal) => this.#learn(job, ticket, signal);
    const summarise: JobHandler = (job, ticket, signal) => this.#summarise(job, ticket, signal);
    this.#stop = [
      runner.handle(learningQueue(scope), learn, pauses),
      runner.handle(summaryQueue(scope), summarise, pauses),
      runner.handle(rebuildQueue(scope), rebuildHandler(engine), pauses),
    ];
  }

  async close(): Promise<void> {
    await Promise.all(this.#stop.map((stop) => stop()));
  }

  async #learn(job: JobRecord, ticket: JobTicket, signal: AbortSignal): Promise<void> {
    const { stores } = this.#engine;
    if (await joinEarlierJob(stores.jobs, job, ticket)) return;
    const { turnIds, isAll, putBack } = await turnsOfJob({ ...stores, job, ticket, signal });
    const size = this.#extractor.batchTurns ?? BATCH_TURNS;
    for (let at = 0; at < turnIds.length;) {
      const batch = turnIds.slice(at, at + size);
      const isLast = isAll && at + batch.length >= turnIds.length;
      const goesOn = { doneTurnIds: batch };
      const receipt = await this.#learnBatch(batch, isLast ? ticket : { ...ticket, goesOn }, signal);
      at += receipt.doneTurns;
      if (receipt.isOutdated && !(await isStillQueued(stores.jobs, ticket))) return;
    }
    if (!isAll) await putBack();
    this.#engine.enriched();
  }

  async #learnBatch(
    turnIds: readonly string[],
    ticket: JobTicket,
    signal: AbortSignal,
  ): Promise<LearnReceipt> {
    const { stores, graph, events } = this.#engine;
    const loaded = await stores.transcript.loadTurns(turnIds, signal);
    const turns = loaded.filter((turn) => turn.every((message) => message.state === 'complete'));
    const receipt = await learnTurns({
      turns,
      context: await this.#contextOf(turns, signal),
      recalled: await this.#recalledBy(turns, signal),
      graph,
      store: stores.knowledge,
      extractor: this.#extractor,
      ticket,
      signal,
    });
    const rejected = receipt.rejected.filter(({ count }) => count > 0);
    if (!receipt.isOutdated && rejected.length > 0) {
      const reasons = rejected.map(({ reason, count }) => `${count} × ${reason}`).join(', ');
      events.warn({
        code: 'extraction-rejected',
        message: `Of what the extractor proposed, a part was not stored: ${reasons}.`,
      });
    }
    // Those that are gone, or not complete, are done with as well.
    return receipt.isOutdated ? receipt : { ...receipt, doneTurns: turnIds.length };
  }

  /** The turns that had ended before the first of these began. */
  async #contextOf(
    turns: readonly (readonly StoredMessage[])[],
    signal: AbortSignal,
  ): Promise<StoredMessage[][]> {
    const [first] = turns[0] ?? [];
    if (!first) return [];
    const { transcript } = this.#engine.stores;
    const before = await transcript.listMessages(first.sessionId, {
      last: CONTEXT_MESSAGES,
      beforeSeq: first.seq,
      signal,
    });
    const complete = inTurnOrder(before.filter((message) => message.state === 'complete'));
    const turnIds = [...new Set(complete.map((message) => message.turnId))];
    const whole = await transcript.loadTurns(turnIds, signal);
    // One that another tab was still answering was not known then.
    return whole.filter((turn) => lastSeq(turn) < first.seq).slice(-CONTEXT_TURNS);
  }

  /** Earlier texts that the replies may have been given to go by, by turn. */
  async #recalledBy(
    turns: readonly (readonly StoredMessage[])[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { index, stores } = this.#engine;
    const texts = new Map<string, readonly string[]>();
    await index.sync(signal);
    for (const turn of turns) {
      const [first] = turn;
      const replies = turn.filter((message) => message.role === 'assistant');
      if (!first || replies.length === 0) continue;
      const hits = replies.flatMap((reply) =>
        index
          .search(
            messageText(reply).slice(0, RECALLED_QUERY_CHARACTERS),
            [],
            (place) => isBefore(place, first),
            NOTHING_KNOWN,
          )
          .slice(0, RECALLED_MESSAGES),
      );
      const turnIds = new Set(hits.flatMap((hit) => index.get(hit.id)?.turnId ?? []));
      const found = await stores.transcript.loadTurns([...turnIds], signal);
      texts.set(first.turnId, found.flat().map(messageText));
    }
    return texts;
  }

  async #summarise(job: JobRecord, ticket: JobTicket, signal: AbortSignal): Promise<void> {
    const { stores, settings } = this.#engine;
    const { recentTurns, maxTokens, clock } = settings;
    const { transcript } = stores;
    const tokenizer = await this.#engine.tokenizer();
    const counted = new CountedTokens(tokenizer);
    const limits = { recentTurns, maxTokens: maxTokens * SHARES.recent };
    const summary = new RunningSummary({
      source: sessionTurns(transcript, job.sessionId),
      summaries: new StoredSessionSummaries(transcript, stores.summaries, job.sessionId, clock),
      memoryId: SUMMARY_ID,
      extractor: this.#extractor,
      policy: async (turns) => stepsBeyondWindow(turns, limits, (message) => counted.of(message)),
      toText: sourceLines,
      limit: { maxTokens: Math.floor(maxTokens * SHARES.summary) },
      countText: (text) => ({ [tokenizer.id]: tokenizer.countText(text) }),
      queue: job.queue,
    });
    const covered = await summary.cover({
      ticket,
      signal,
      isWanted: () => isStillQueued(stores.jobs, ticket),
    });
    await counted.record(transcript);
    if (covered > 0) this.#engine.enriched();
  }
}

/** Whether a message was said before a turn began: clocks do not tell that of messages of one session. */
function isBefore(place: Place, first: StoredMessage): boolean {
  if (place.turnId === first.turnId) return false;
  return place.sessionId === first.sessionId ? place.order < first.seq : place.createdAt <= first.createdAt;
}

/** What the model reads of some turns: neither system texts nor what was recalled. */
function sourceLines(messages: readonly StoredMessage[]): string {
  const said = splitTurns(messages).flatMap((turn) => sourceMessages(turn, []));
  return messagesToText(said.map(toLine));
}

function toLine(message: { role: 'user' | 'assistant' | 'tool'; text: string }): {
  role: 'user' | 'assistant';
  content: string;
} {
  return { role: message.role === 'user' ? 'user' : 'assistant', content: message.text };
}
