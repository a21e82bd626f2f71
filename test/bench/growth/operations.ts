import type { StorageCounts } from './count-storage.ts';

/** What one call took, in the mean of how often it was made. */
export interface GrowthSample extends StorageCounts {
  readonly times: number;
  readonly ms: number;
}

/**
 * Calls that are measured, in this order: the first one learns from what was stored, the next two are those of a page that was
 * loaded again, and the last ones change most of what is stored.
 */
export const OPERATIONS = [
  'rebuild',
  'open',
  'first recall',
  'remember to settled',
  'recall after a turn',
  'recall again',
  'search',
  'profile',
  'facts.list',
  'forget a turn',
  'forget a name',
  'verify',
  'export',
  'import',
] as const;
/** How often an operation that something has to be brought about for is prepared and run; others are repeated by the page. */
export const RUNS: Partial<Record<Operation, number>> = { 'recall after a turn': 10, 'forget a turn': 5 };

export type Operation = (typeof OPERATIONS)[number];
