import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { argumentsKey } from './arguments-key.ts';
import type { LiveReads } from './live-reads.ts';
import { useProvidedMemory } from './memory-context.ts';
import { LOADING, type MemoryRead } from '../../model/live/memory-read.ts';

/**
 * Returns the memory's result for these arguments, and updates it after each change.
 *
 * @param args their number must be the same in every render
 * @param known returned without reading, if the result is already known
 */
export function useLiveRead<Arguments extends readonly unknown[], T>(
  reads: LiveReads<Arguments, T>,
  args: Arguments,
  known?: MemoryRead<T>,
): MemoryRead<T> {
  const { state: memoryState, opened } = useProvidedMemory();
  const { error } = memoryState;
  const source = known ? undefined : opened;
  const key = useMemo(() => argumentsKey(args), args);
  const subscribe = useCallback(
    (onChange: () => void) => (source ? reads.subscribe(source, key, args, onChange) : () => undefined),
    // The key stands for the arguments: equal ones do not subscribe again.
    [reads, source, key],
  );
  const state = useSyncExternalStore(
    subscribe,
    () => (source ? reads.state(source, key) : LOADING),
    () => LOADING,
  );
  const failed = useMemo(() => error && { data: undefined, error, isLoading: false }, [error]);
  return failed ?? known ?? state;
}
