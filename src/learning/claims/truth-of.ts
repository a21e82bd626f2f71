import type { KnownAtQuery } from '../../graph/graph-query.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { Truth } from './truth.ts';

const known = new WeakMap<KnowledgeRows, Truth>();

/** Returns what holds, as known at a time. Call it before anything is awaited, because the rows keep changing. */
export function truthOf(rows: KnowledgeRows, when: KnownAtQuery = {}): Truth {
  const truth = when.knownAt === undefined ? begunTruthOf(rows) : new Truth(rows, when);
  while (truth.readSome());
  return truth;
}

/** Computes what holds now in slices, so that {@link truthOf} finds it. Nothing must change the rows meanwhile. */
export async function truthInSlices(rows: KnowledgeRows, signal: AbortSignal | undefined): Promise<void> {
  while (begunTruthOf(rows).readSome()) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
  }
}

function begunTruthOf(rows: KnowledgeRows): Truth {
  const cached = known.get(rows);
  if (cached?.version === rows.version) return cached;
  const truth = new Truth(rows, {});
  known.set(rows, truth);
  return truth;
}
