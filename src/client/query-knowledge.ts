import type { KnownAtQuery } from '../graph/graph-query.ts';
import type { ResolvedQuery } from '../learning/facts-about.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { entityMessageScores, queryEvents } from '../learning/sentence-search.ts';
import { eventDate } from '../recall/event-date.ts';
import type { QueryKnowledge } from '../recall/query-knowledge.ts';
import { withEvents, type NamedTimes } from '../recall/time-window.ts';

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
