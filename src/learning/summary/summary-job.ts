import type { JobHandler } from '../../jobs/job-handler.ts';
import { messagesToText } from '../../model/message-text.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import { splitTurns } from '../../model/turn.ts';
import { SUMMARY_ID } from '../../sessions/memory-stores.ts';
import { sessionTurns } from '../../sessions/read-turns.ts';
import { storedSummaries } from '../../sessions/session-summaries.ts';
import { CountedTokens } from '../../sessions/turn-budget.ts';
import type { SessionKey } from '../../storage/schema.ts';
import { wholeCount, type Tokenizer } from '../../tokens/tokenizer.ts';
import type { Extractor } from '../extractor.ts';
import type { LearningParts } from '../learning-parts.ts';
import { isByRules } from '../rules/offline-extractor.ts';
import { sourceMessages } from '../source-text.ts';
import {
  batchTurns,
  coverTurns,
  MAX_STEP,
  readSummary,
  type RunningSummary,
  type SummaryBatch,
} from './running-summary.ts';
import { RECENT_SHARE, stepsBeyondWindow, SUMMARY_SHARE } from './summary-policy.ts';

/** Summarizes the turns that no longer fit the window of a session, within shares of the budget. */
export function summaryHandler(parts: LearningParts, extractor: Extractor, rules: Extractor): JobHandler {
  return async ({ scope, sessionId, queue }, ticket, signal, progressed) => {
    const { transcript, jobs } = parts.stores;
    const { maxTokens } = parts.settings;
    const tokenizer = await parts.tokenizer.get();
    const { counted, ...read } = sessionWindow(parts, [scope, sessionId], tokenizer);
    const summary: RunningSummary = {
      ...read,
      ...(await summaryMethod(parts, extractor, tokenizer, rules)),
      limit: { maxTokens: Math.floor(maxTokens * SUMMARY_SHARE) },
      countText: (text) => ({ [tokenizer.id]: wholeCount(tokenizer, tokenizer.countText(text)) }),
      queue,
    };
    const covered = await coverTurns(summary, {
      ticket,
      signal,
      isWanted: () => jobs.isQueued(ticket),
      onBatch: progressed,
      ...(isByRules(extractor) ? { batch: byLength } : {}),
    });
    await counted.record(transcript);
    if (covered > 0) parts.announceChange();
  };
}

/** Returns whether a session has turns that no longer fit its window and are not summarized yet. */
export async function isSummaryDue(
  parts: LearningParts,
  sessionId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const key: SessionKey = [parts.settings.scope, sessionId];
  const window = sessionWindow(parts, key, await parts.tokenizer.get());
  const { turns } = await readSummary(window, signal);
  const steps = await window.policy(turns);
  await window.counted.record(parts.stores.transcript);
  return steps.length > 0;
}

/** What decides which turns of a session are to be summarized. */
interface SessionWindow extends Pick<RunningSummary, 'source' | 'summaries' | 'memoryId' | 'policy'> {
  readonly counted: CountedTokens;
}

function sessionWindow(
  { stores, settings }: LearningParts,
  key: SessionKey,
  tokenizer: Tokenizer,
): SessionWindow {
  const { recentTurns, maxTokens, clock } = settings;
  const limits = { recentTurns, maxTokens: maxTokens * RECENT_SHARE };
  const counted = new CountedTokens(tokenizer);
  return {
    source: sessionTurns(stores.transcript, key),
    summaries: storedSummaries((use) => use(stores), key, clock),
    memoryId: SUMMARY_ID,
    policy: async (turns) => {
      await counted.countAhead(turns.flat());
      return stepsBeyondWindow(turns, limits, (message) => counted.of(message));
    },
    counted,
  };
}

/** Rules list what the user has stated; summaries of a model are checked against the messages. */
async function summaryMethod(
  parts: LearningParts,
  extractor: Extractor,
  tokenizer: Tokenizer,
  rules: Extractor,
): Promise<Pick<RunningSummary, 'extractor' | 'toText' | 'mayBeEmpty'>> {
  const { events, settings } = parts;
  if (isByRules(extractor)) {
    const { statedLines, statedSummary } = await import('./stated-summary.ts');
    return {
      extractor: statedSummary((text) => tokenizer.countText(text)),
      toText: (messages) => statedLines(splitTurns(messages), settings.userName),
      mayBeEmpty: true,
    };
  }
  if (!extractor.isModel) return { extractor, toText: sourceLines };
  const { sourcedSummaries } = await import('./sourced-summaries.ts');
  return { extractor: sourcedSummaries(extractor, rules, events.warn), toText: sourceLines };
}

/**
 * Divides turns into batches by the length of their messages: marking their statements just to measure them would block
 * the page.
 */
function byLength(turns: readonly StoredMessage[][]): readonly SummaryBatch[] {
  const lengthOf = (turn: readonly StoredMessage[]): number =>
    turn.reduce((sum, message) => sum + messageText(message).length, 0);
  return batchTurns(turns, MAX_STEP, lengthOf);
}

/** Returns the parts of turns that the model reads: neither system texts nor recalled text. */
function sourceLines(messages: readonly StoredMessage[]): string {
  const said = splitTurns(messages).flatMap((turn) => sourceMessages(turn, []));
  return messagesToText(
    said.map(({ role, text }) => ({ role: role === 'user' ? 'user' : 'assistant', content: text })),
  );
}
