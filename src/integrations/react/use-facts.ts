import type { FactsQuery, MemoryFact } from '../../index.ts';
import { LiveReads } from './live-reads.ts';
import type { MemoryRead } from '../../model/live/memory-read.ts';
import { useLiveRead } from './use-live-read.ts';

type Query = Omit<FactsQuery, 'signal'>;

const reads = new LiveReads((memory, [query]: readonly [Query], signal) =>
  memory.facts.list({ ...query, signal }),
);
const ALL: Query = {};

/**
 * Returns the result of `memory.facts.list(query)`, updated after each change in this tab or another. Facts that end by
 * the passage of time disappear at the next change. Equal queries share one read.
 *
 * @param query a query without `signal`: the read is aborted when no component uses it. @default all facts that hold
 * @throws MnemoraError `invalid-option` outside of a provider. Errors of the read are in `error`.
 *
 * @example
 * const { data: facts = [] } = useFacts({ about: 'I' });
 * return <ul>{facts.map((fact) => <li key={fact.id}>{fact.predicate} {fact.object}</li>)}</ul>;
 */
export function useFacts(query: Omit<FactsQuery, 'signal'> = ALL): MemoryRead<MemoryFact[]> {
  return useLiveRead(reads, [query]);
}
