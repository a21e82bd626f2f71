import type { KnownAtQuery } from '../../graph/graph-query.ts';
import { runInSlices } from '../../model/event-loop.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { Truth } from './truth.ts';

/** A fact can begin or end without a change, when the time comes that was stated for it. */
const KEPT_MS = 60_000;

const known = new WeakMap<KnowledgeRows, { readonly truth: Truth; readonly time: number }>();

/** Returns what holds, as known at a time, for as long as nothing changes the rows, and for a minute at most. */
export function truthOf(rows: KnowledgeRows, when: KnownAtQuery): Truth {
  if (when.knownAt !== undefined) return new Truth(rows, when);
  const cached = known.get(rows);
  const time = Math.floor(rows.graph.now() / KEPT_MS);
  if (cached?.truth.version === rows.version && cached.time === time) return cached.truth;
  const truth = new Truth(rows, {});
  known.set(rows, { truth, time });
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
