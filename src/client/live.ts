import { checkMemory } from '../model/check-memory.ts';
import { argument, checkFunction } from '../model/check-options.ts';
import { LiveRead } from '../model/live/live-read.ts';
import type { Memory } from './memory.ts';
import type { MemoryRead } from '../model/live/memory-read.ts';

/**
 * Reads from a memory, and again after each change in this tab or another, until the returned function is called. At most
 * one read runs at a time. The listener is called before `live` returns, so that it cannot use the returned function yet,
 * and whenever the result changes.
 *
 * @param read is called with the memory, and a signal that aborts when nobody listens any more
 * @throws MnemoraError `invalid-option` for what is not a memory, `invalid-input`; errors of the read are in `error`
 *
 * @example
 * const stop = live(memory, (from) => from.facts.list(), ({ data = [] }) => render(data));
 * @example
 * // A store of Svelte; `shallowRef` and `onScopeDispose` make a composable of Vue of it in the same way.
 * const facts = { subscribe: (run) => live(memory, (from) => from.facts.list(), run) };
 */
export function live<T>(
  memory: Memory,
  read: (memory: Memory, signal: AbortSignal) => Promise<T>,
  listener: (state: MemoryRead<T>) => void,
): () => void {
  checkMemory(memory);
  argument(checkFunction, 'The read of live')('read', read);
  argument(checkFunction, 'The listener of live')('listener', listener);
  const reading = new LiveRead(
    memory,
    (signal) => read(memory, signal),
    () => undefined,
  );
  const stop = reading.subscribe(() => listener(reading.state));
  try {
    listener(reading.state);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
