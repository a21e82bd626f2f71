import type { KnownAtQuery } from '../graph/graph-query.ts';
import type { ResolvedQuery } from '../learning/resolved-query.ts';
import { queryEvents } from '../learning/query-events.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { entityMessageScores } from '../learning/entity-message-scores.ts';
import { eventDate, withEvents, type NamedTimes } from '../recall/time-window.ts';
import type { QueryKnowledge } from '../recall/scope-index.ts';

/**
 * What facts and notes say of a question and of the times that it names from `now`, in milliseconds since 1970. To be
 * called before anything is waited for: the rows go on changing.
 */
export function knowledgeOf(
  rows: KnowledgeRows,
  question: ResolvedQuery,
  times: NamedTimes,
  now: number,
  when: KnownAtQuery,
): QueryKnowledge {
  return {
    now,
    related: entityMessageScores(rows, question, when),
    times: withEvents(times, now, (phrase, by) =>
      eventDate(phrase, by, queryEvents(rows, phrase, when), now),
    ),
  };
}
