import type { KnownAtQuery } from '../graph/graph-query.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** Words of a message that are no longer true. */
export interface OutdatedQuote {
  readonly quote: string;
  /** Since when they are not true, in milliseconds since 1970. */
  readonly since: number;
  /** The message that says so. Absent if the user corrected the fact. */
  readonly byMessageId?: string;
}

/**
 * Returns, by message id, the words that are no longer true because a later statement ended them or the user
 * corrected them.
 */
export function outdatedParts(
  rows: KnowledgeRows,
  { knownAt = Number.POSITIVE_INFINITY }: KnownAtQuery = {},
): ReadonlyMap<string, OutdatedQuote> {
  const parts = new Map<string, OutdatedQuote>();
  for (const { text, messageId, endedBy } of rows.endedStatements.values()) {
    const ending = rows.statements.get(endedBy ?? '');
    if (ending && ending.saidAt <= knownAt)
      parts.set(messageId, { quote: text, since: ending.saidAt, byMessageId: ending.messageId });
  }
  for (const { supersedes, recordedAt } of rows.enteredFacts.values()) {
    if (recordedAt > knownAt) continue;
    for (const { messageId, quote, isContext } of supersedes.flatMap(
      (id) => rows.facts.get(id)?.sources ?? [],
    )) {
      if (isContext !== true && quote !== undefined) parts.set(messageId, { quote, since: recordedAt });
    }
  }
  return parts;
}
