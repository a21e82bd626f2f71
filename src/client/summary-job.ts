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
import { SHARES } from '../recall/context-item.ts';
import { CountedTokens } from '../sessions/turn-budget.ts';
import { sessionTurns } from '../sessions/read-turns.ts';
import { storedSummaries } from '../sessions/session-summaries.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { rulesOf } from './choose-extractor.ts';
import type { Engine } from './engine.ts';
import { SUMMARY_ID } from './stores.ts';

/** Summarizes the turns that no longer fit the window of a session, within shares of the budget. */
export function summaryHandler(engine: Engine, extractor: Extractor): JobHandler {
  return async ({ scope, sessionId, queue }, ticket, signal) => {
    const { transcript, jobs } = engine.stores;
    const { recentTurns, maxTokens, clock } = engine.settings;
    const tokenizer = await engine.tokenizer.get();
    const counted = new CountedTokens(tokenizer);
    const limits = { recentTurns, maxTokens: maxTokens * SHARES.recent };
    const summary: RunningSummary = {
      source: sessionTurns(transcript, [scope, sessionId]),
      summaries: storedSummaries((use) => use(engine.stores), [scope, sessionId], clock),
      memoryId: SUMMARY_ID,
      ...(await summaryMethod(engine, extractor, tokenizer)),
      policy: async (turns) => {
        await counted.countAhead(turns.flat());
        return stepsBeyondWindow(turns, limits, (message) => counted.of(message));
      },
      limit: { maxTokens: Math.floor(maxTokens * SHARES.summary) },
      countText: (text) => ({ [tokenizer.id]: tokenizer.countText(text) }),
      queue,
    };
    const covered = await coverTurns(summary, {
      ticket,
      signal,
      isWanted: () => isStillQueued(jobs, ticket),
      ...(isByRules(extractor) ? { batch: byLength } : {}),
    });
    await counted.record(transcript);
    if (covered > 0) engine.announceChange();
  };
}

/** Rules list what the user has stated; summaries of a model are checked against the messages. */
async function summaryMethod(
  engine: Engine,
  extractor: Extractor,
  tokenizer: Tokenizer,
): Promise<Pick<RunningSummary, 'extractor' | 'toText' | 'mayBeEmpty'>> {
  const { events, settings } = engine;
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
  return { extractor: sourcedSummaries(extractor, rulesOf(engine), events.warn), toText: sourceLines };
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
