import type { TimeWindow } from './time-window.ts';

/** What the facts of a scope say about a query. `recall/` ranks by it and does not know its source. */
export interface QueryKnowledge {
  /** By message id: relevance of what was learned from the message to the query's entities, above 0 and up to 1. */
  readonly related: ReadonlyMap<string, number>;
  /** The times that the query names. */
  readonly times: readonly TimeWindow[];
  /** When the query was asked, in milliseconds since 1970. If undefined, recency does not count. */
  readonly now?: number;
}

export const NOTHING_KNOWN: QueryKnowledge = { related: new Map(), times: [] };
