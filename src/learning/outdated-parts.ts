import type { KnownAtQuery } from '../graph/graph-query.ts';
import type { Triple } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** Words of a message that are no longer true. */
export interface OutdatedQuote {
  readonly quote: string;
  /** Time since which they are no longer true, in milliseconds since 1970. */
  readonly since: number;
  /** Id of the message that ended them. Absent if the user corrected the fact. */
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

/**
 * Whether a later statement has ended each sentence that a fact comes from, while the fact itself was not ended: the
 * rules that end facts and those that end statements do not recognize the same wordings. Facts that the user entered
 * are never outdated.
 */
export function isOutdated(
  { source, sources, object }: Triple,
  { endedStatements, statements }: KnowledgeRows,
  { knownAt = Number.POSITIVE_INFINITY }: KnownAtQuery = {},
): boolean {
  const own = sources.filter(({ isContext }) => isContext !== true);
  if (source === 'user' || own.length === 0) return false;
  const ended = [...endedStatements.values()].filter(
    ({ endedBy }) => (statements.get(endedBy ?? '')?.saidAt ?? Infinity) <= knownAt,
  );
  const value = analyze(object);
  return own.every(({ messageId, quote }) =>
    ended.some(({ messageId: id, text }) => {
      if (id !== messageId || quote === undefined || !(text.includes(quote) || quote.includes(text)))
        return false;
      const terms = new Set(analyze(text)); // a quote may have further clauses, which hold
      return value.every((term) => terms.has(term));
    }),
  );
}
