import type { JobHandler } from '../jobs/job-handler.ts';
import { isStillQueued } from '../learning/background-work.ts';
import type { Extractor } from '../learning/extractor.ts';
import { isByRules } from '../learning/offline/offline-extractor.ts';
import { sourceMessages } from '../learning/source-text.ts';
import {
  batchTurns,
  coverTurns,
  MAX_STEP,
  type RunningSummary,
  type SummaryBatch,
} from '../learning/summary/running-summary.ts';
import { stepsBeyondWindow } from '../learning/summary/summary-policy.ts';
import { messagesToText } from '../model/message-text.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import { SHARES } from '../recall/budget-shares.ts';
import { CountedTokens } from '../sessions/counted-tokens.ts';
import { sessionTurns } from '../sessions/read-turns.ts';
import { StoredSessionSummaries } from '../sessions/session-summaries.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { MemoryEvents } from './memory-events.ts';
import type { MemorySettings } from './options.ts';
import { SUMMARY_ID } from './queues.ts';
import type { MemoryStores } from './stores.ts';

/** What summarizing reads and writes. */
export interface SummaryParts {
  readonly stores: Pick<MemoryStores, 'transcript' | 'summaries' | 'jobs'>;
  readonly settings: Pick<MemorySettings, 'recentTurns' | 'maxTokens' | 'clock' | 'userName'>;
  readonly events: Pick<MemoryEvents, 'warn'>;
  tokenizer(): Promise<Tokenizer>;
  /** To be called when something was summarized. */
  enriched(): void;
}

/** Summarizes what no longer fits the window of a session, in shares of the budget. */
export function summaryHandler(parts: SummaryParts, extractor: Extractor): JobHandler {
  return async (job, ticket, signal) => {
    const { transcript, summaries, jobs } = parts.stores;
    const { recentTurns, maxTokens, clock } = parts.settings;
    const tokenizer = await parts.tokenizer();
    const counted = new CountedTokens(tokenizer);
    const limits = { recentTurns, maxTokens: maxTokens * SHARES.recent };
    const summary: RunningSummary = {
      source: sessionTurns(transcript, job.sessionId),
      summaries: new StoredSessionSummaries(transcript, summaries, job.sessionId, clock),
      memoryId: SUMMARY_ID,
      ...(await summariesOf(parts, extractor, tokenizer)),
      policy: async (turns) => stepsBeyondWindow(turns, limits, (message) => counted.of(message)),
      limit: { maxTokens: Math.floor(maxTokens * SHARES.summary) },
      countText: (text) => ({ [tokenizer.id]: tokenizer.countText(text) }),
      queue: job.queue,
    };
    const isWanted = (): Promise<boolean> => isStillQueued(jobs, ticket);
    const covered = await coverTurns(summary, {
      ticket,
      signal,
      isWanted,
      ...(isByRules(extractor) ? { batch: byLength } : {}),
    });
    await counted.record(transcript);
    if (covered > 0) parts.enriched();
  };
}

/** Rules tell what the user has stated; summaries of a model are held to what was said. */
async function summariesOf(
  { events, settings }: SummaryParts,
  extractor: Extractor,
  tokenizer: Tokenizer,
): Promise<Pick<RunningSummary, 'extractor' | 'toText' | 'mayBeEmpty'>> {
  if (isByRules(extractor)) {
    const { statedLines, statedSummary } = await import('../learning/summary/stated-summary.ts');
    return {
      extractor: statedSummary((text) => tokenizer.countText(text)),
      toText: (messages) => statedLines(splitTurns(messages), settings.userName),
      mayBeEmpty: true,
    };
  }
  if (!extractor.isModel) return { extractor, toText: sourceLines };
  const { sourcedSummaries } = await import('../learning/summary/sourced-summaries.ts');
  return { extractor: sourcedSummaries(extractor, (warning) => events.warn(warning)), toText: sourceLines };
}

/** Rules mark what is stated: to do so only to know how long it is would hold up the page. */
function byLength(turns: readonly StoredMessage[][]): readonly SummaryBatch[] {
  const lengthOf = (turn: readonly StoredMessage[]): number =>
    turn.reduce((sum, message) => sum + messageText(message).length, 0);
  return batchTurns(turns, MAX_STEP, lengthOf);
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
