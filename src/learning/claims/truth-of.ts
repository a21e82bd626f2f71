import type { KnownAtQuery } from '../../graph/graph-query.ts';
import { runInSlices, type Steps } from '../../model/event-loop.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { Truth } from './truth.ts';

const known = new WeakMap<KnowledgeRows, Truth>();

/** Returns what holds, as known at a time. It is computed in slices, during which nothing must change the rows. */
export async function truthInSlices(
  rows: KnowledgeRows,
  when: KnownAtQuery,
  signal: AbortSignal | undefined,
): Promise<Truth> {
  return runInSlices(readingOf(begunTruthOf(rows, when)), signal);
}

function* readingOf(truth: Truth): Steps<Truth> {
  while (truth.readSome()) yield;
  return truth;
}

function begunTruthOf(rows: KnowledgeRows, when: KnownAtQuery): Truth {
  if (when.knownAt !== undefined) return new Truth(rows, when);
  const cached = known.get(rows);
  if (cached?.version === rows.version) return cached;
  const truth = new Truth(rows, {});
  known.set(rows, truth);
  return truth;
}
