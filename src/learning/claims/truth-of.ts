import type { KnownAtQuery } from '../../graph/graph-query.ts';
import { runInSlices } from '../../model/event-loop.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { Truth } from './truth.ts';

const known = new WeakMap<KnowledgeRows, Truth>();

/** Returns what holds, as known at a time, for as long as nothing changes the rows. */
export function truthOf(rows: KnowledgeRows, when: KnownAtQuery): Truth {
  if (when.knownAt !== undefined) return new Truth(rows, when);
  const cached = known.get(rows);
  if (cached?.version === rows.version) return cached;
  const truth = new Truth(rows, {});
  known.set(rows, truth);
  return truth;
}

/** Returns what holds for a caller that asks for all of it, computed in slices during which nothing must change the rows. */
export async function truthInSlices(
  rows: KnowledgeRows,
  when: KnownAtQuery,
  signal: AbortSignal | undefined,
): Promise<Truth> {
  const truth = truthOf(rows, when);
  await runInSlices(truth.readAll(), signal);
  return truth;
}
