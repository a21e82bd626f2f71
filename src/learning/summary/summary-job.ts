import type { JobHandler } from '../../jobs/job-handler.ts';
import { messagesToText } from '../../model/message-text.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import { splitTurns } from '../../model/turn.ts';
import { SUMMARY_ID } from '../../sessions/memory-stores.ts';
import { sessionTurns } from '../../sessions/read-turns.ts';
import { storedSummaries } from '../../sessions/session-summaries.ts';
import { CountedTokens } from '../../sessions/turn-budget.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Extractor } from '../extractor.ts';
import type { LearningParts } from '../learning-parts.ts';
import { isByRules } from '../rules/offline-extractor.ts';
import { sourceMessages } from '../source-text.ts';
import {
  batchTurns,
  coverTurns,
  MAX_STEP,
  type RunningSummary,
  type SummaryBatch,
} from './running-summary.ts';
import { RECENT_SHARE, stepsBeyondWindow, SUMMARY_SHARE } from './summary-policy.ts';

/** Summarizes the turns that no longer fit the window of a session, within shares of the budget. */
export function summaryHandler(parts: LearningParts, extractor: Extractor, rules: Extractor): JobHandler {
  return async ({ scope, sessionId, queue }, ticket, signal, progressed) => {
    const { transcript, jobs } = parts.stores;
    const { recentTurns, maxTokens, clock } = parts.settings;
    const tokenizer = await parts.tokenizer.get();
    const counted = new CountedTokens(tokenizer);
    const limits = { recentTurns, maxTokens: maxTokens * RECENT_SHARE };
    const summary: RunningSummary = {
      source: sessionTurns(transcript, [scope, sessionId]),
      summaries: storedSummaries((use) => use(parts.stores), [scope, sessionId], clock),
      memoryId: SUMMARY_ID,
      ...(await summaryMethod(parts, extractor, tokenizer, rules)),
      policy: async (turns) => {
        await counted.countAhead(turns.flat());
        return stepsBeyondWindow(turns, limits, (message) => counted.of(message));
      },
      limit: { maxTokens: Math.floor(maxTokens * SUMMARY_SHARE) },
      countText: (text) => ({ [tokenizer.id]: tokenizer.countText(text) }),
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
