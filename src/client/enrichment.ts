import type { JobHandler, HandleOptions } from '../jobs/job-handler.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Extractor } from '../learning/extractor.ts';
import { isStillQueued } from '../learning/background-work.ts';
import { learnTurns } from '../learning/learn-turns.ts';
import { sourceMessages } from '../learning/source-text.ts';
import { RunningSummary } from '../learning/summary/running-summary.ts';
import { stepsBeyondWindow } from '../learning/summary/summary-policy.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import { messagesToText } from '../model/message-text.ts';
import { splitTurns } from '../model/turn.ts';
import { NOTHING_KNOWN } from '../recall/query-knowledge.ts';
import { SHARES } from '../recall/assemble-context.ts';
import { CountedTokens } from '../sessions/counted-tokens.ts';
import { sessionTurns } from '../sessions/read-turns.ts';
import { StoredSessionSummaries } from '../sessions/session-summaries.ts';
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
    const size = this.#extractor.batchTurns ?? BATCH_TURNS;
    for (let at = 0; at < job.turnIds.length; at += size) {
      const isLast = at + size >= job.turnIds.length;
      const turnIds = job.turnIds.slice(at, at + size);
      const goesOn = { doneTurnIds: turnIds };
      await this.#learnBatch(job.sessionId, turnIds, isLast ? ticket : { ...ticket, goesOn }, signal);
    }
    this.#engine.enriched();
  }

  async #learnBatch(
    sessionId: string,
    turnIds: readonly string[],
    ticket: JobTicket,
    signal: AbortSignal,
  ): Promise<void> {
    const { stores, graph, events } = this.#engine;
    const loaded = await stores.transcript.loadTurns(turnIds, signal);
    const turns = loaded.filter((turn) => turn.every((message) => message.state === 'complete'));
    const receipt = await learnTurns({
      turns,
      context: await this.#contextOf(sessionId, turns, signal),
      recalled: await this.#recalledBy(turns, signal),
      graph,
      store: stores.knowledge,
      extractor: this.#extractor,
      ticket,
      signal,
    });
    if (receipt.isOutdated) {
      if (await isStillQueued(stores.jobs, ticket))
        await this.#learnBatch(sessionId, turnIds, ticket, signal);
      return;
    }
    const rejected = receipt.rejected.filter(({ count }) => count > 0);
    if (rejected.length === 0) return;
    const reasons = rejected.map(({ reason, count }) => `${count} × ${reason}`).join(', ');
    events.warn({
      code: 'extraction-rejected',
      message: `Of what the extractor proposed, a part was not stored: ${reasons}.`,
    });
  }

  async #contextOf(
    sessionId: string,
    turns: readonly (readonly StoredMessage[])[],
    signal: AbortSignal,
  ): Promise<StoredMessage[][]> {
    const beforeSeq = turns[0]?.[0]?.seq;
    if (beforeSeq === undefined) return [];
    const { transcript } = this.#engine.stores;
    const before = await transcript.listMessages(sessionId, { last: CONTEXT_MESSAGES, beforeSeq, signal });
    const complete = before.filter((message) => message.state === 'complete');
    const turnIds = [...new Set(complete.map((message) => message.turnId))].slice(-CONTEXT_TURNS);
    return turnIds.map((turnId) => complete.filter((message) => message.turnId === turnId));
  }

  /** Earlier texts that the replies may have been given to go by. */
  async #recalledBy(turns: readonly (readonly StoredMessage[])[], signal: AbortSignal): Promise<string[]> {
    const { index, stores } = this.#engine;
    const own = new Set(turns.flat().map((message) => message.turnId));
    const since = Math.min(...turns.flat().map((message) => message.createdAt));
    const replies = turns.flat().filter((message) => message.role === 'assistant');
    if (replies.length === 0) return [];
    await index.sync(signal);
    const hits = replies.flatMap((reply) =>
      index
        .search(
          messageText(reply).slice(0, RECALLED_QUERY_CHARACTERS),
          [],
          (message) => !own.has(message.turnId) && message.createdAt <= since,
          NOTHING_KNOWN,
        )
        .slice(0, RECALLED_MESSAGES),
    );
    const turnIds = new Set(hits.flatMap((hit) => index.get(hit.id)?.turnId ?? []));
    return (await stores.transcript.loadTurns([...turnIds], signal)).flat().map(messageText);
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
