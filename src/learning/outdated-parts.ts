import type { KnownAtQuery } from '../graph/graph-query.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** Words of a message that are no longer true. */
export interface OutdatedQuote {
  readonly quote: string;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** The message that says so; absent where the user has corrected it. */
  readonly byMessageId?: string;
}

/** What of messages is no longer true, by message id: a later statement has ended it, or the user has corrected it. */
export function outdatedParts(
  rows: KnowledgeRows,
  { knownAt = Number.POSITIVE_INFINITY }: KnownAtQuery = {},
): ReadonlyMap<string, OutdatedQuote> {
  const parts = new Map<string, OutdatedQuote>();
  for (const { text, messageId, endedBy } of rows.endedStatements()) {
    const ending = rows.statement(endedBy ?? '');
    if (ending && ending.saidAt <= knownAt)
      parts.set(messageId, { quote: text, since: ending.saidAt, byMessageId: ending.messageId });
  }
  for (const { supersedes, recordedAt } of rows.enteredFacts()) {
    if (recordedAt > knownAt) continue;
    for (const { messageId, quote, isContext } of supersedes.flatMap((id) => rows.fact(id)?.sources ?? [])) {
      if (isContext !== true && quote !== undefined) parts.set(messageId, { quote, since: recordedAt });
    }
  }
  return parts;
}
