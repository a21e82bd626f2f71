import { useCallback, useEffect, useRef } from 'react';
import type { Rerank, SearchOptions, SearchResult } from '../../index.ts';
import { LiveReads } from './live-reads.ts';
import type { MemoryRead } from '../../model/live/memory-read.ts';
import { useLiveRead } from './use-live-read.ts';

type Options = Omit<SearchOptions, 'signal'>;

const reads = new LiveReads((memory, [query, options]: readonly [string, Options], signal) =>
  memory.search(query, { ...options, signal }),
);
const DEFAULTS: Options = {};
const NOTHING_FOUND: MemoryRead<SearchResult[]> = { data: [], error: undefined, isLoading: false };

/**
 * Returns the result of `memory.search(query, options)`, updated after each change in this tab or another. An empty
 * query returns no results without reading. When the query changes, `data` is undefined until the new results arrive.
 *
 * @param options options without `signal`: the search is aborted when no component uses it. A new `rerank` does not
 *   trigger a read; it is used from the next read on.
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
 * Returns a function with a stable identity that calls the function of the latest render. An inline function is new in
 * each render, and each result causes a render, so that reading for every new function would never end.
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
