import { useCallback, useEffect, useRef } from 'react';
import type { Rerank, SearchOptions, SearchResult } from '../../index.ts';
import { LiveReads } from './live-reads.ts';
import type { MemoryRead } from './memory-read.ts';
import { useLiveRead } from './use-live-read.ts';
import { withSignal } from './with-signal.ts';

type Options = Omit<SearchOptions, 'signal'>;

const reads = new LiveReads((memory, [query, options]: readonly [string, Options], signal) =>
  memory.search(query, withSignal('useSearch', options, signal)),
);
const DEFAULTS: Options = {};
const NOTHING_FOUND: MemoryRead<SearchResult[]> = { data: [], error: undefined, isLoading: false };

/**
 * Returns what `memory.search(query, options)` resolves to, and again after each change in this tab or another. An empty
 * query finds nothing and reads nothing. After another query, `data` is undefined until that one is answered.
 *
 * @param options without a signal: the search is aborted when no component needs it any more. Another `rerank` is used
 *   from the next read on, and causes none.
 * @throws MnemoraError `invalid-option` outside of a provider. Errors of the search are in `error`.
 *
 * @example
 * const { data: found = [], isLoading } = useSearch(query, { limit: 5 });
 */
export function useSearch(
  query: string,
  options: Omit<SearchOptions, 'signal'> = DEFAULTS,
): MemoryRead<SearchResult[]> {
  const rerank = useLatestRerank(options?.rerank);
  const isBlank = typeof query === 'string' && query.trim() === '';
  return useLiveRead(
    reads,
    [query, rerank ? { ...options, rerank } : options],
    isBlank ? NOTHING_FOUND : undefined,
  );
}

/**
 * Returns one function for as long as the component lives, which calls the one of the latest render. A function written
 * in the component is another one in each render, and each answer renders: a search for each would never end.
 */
function useLatestRerank(rerank: Rerank | undefined): Rerank | undefined {
  const latest = useRef(rerank);
  useEffect(() => {
    latest.current = rerank;
  });
  const callLatest = useCallback<Rerank>(
    (query, candidates, call) =>
      latest.current ? latest.current(query, candidates, call) : candidates.map(({ score }) => score),
    [],
  );
  return typeof rerank === 'function' ? callLatest : rerank;
}
