import type { KnowledgeRows } from './knowledge-rows.ts';

export interface KnownAtQuery {
  /** As it was known at this time, in milliseconds since 1970. @default all that is known */
  readonly knownAt?: number;
}

/** Whether a fact was neither taken back nor gave way to another: it holds, or held for as long as it was said to. */
export function isUpheld(rows: KnowledgeRows, factId: string, query: KnownAtQuery): boolean {
  const fact = rows.graph.triple(factId, query);
  return fact !== undefined && fact.retractedAt === undefined && fact.supersededBy === undefined;
}
