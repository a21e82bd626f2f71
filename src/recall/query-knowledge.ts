import type { TimeWindow } from './time-window.ts';

/** What the facts of a scope say of a query: `recall/` ranks by it and does not know where it comes from. */
export interface QueryKnowledge {
  /** By message id: how much what was learned from it is about what the query names, from above 0 to 1. */
  readonly related: ReadonlyMap<string, number>;
  /** The times that the query names. */
  readonly times: readonly TimeWindow[];
  /** When it was asked, in milliseconds since 1970. @default unknown: how new a message is does not count */
  readonly now?: number;
}

export const NOTHING_KNOWN: QueryKnowledge = { related: new Map(), times: [] };
