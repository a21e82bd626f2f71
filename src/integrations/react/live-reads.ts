import type { Memory } from '../../index.ts';
import { invalidOption } from '../../model/error.ts';
import { LiveRead } from '../../model/live/live-read.ts';
import { LOADING, type MemoryRead } from '../../model/live/memory-read.ts';

/** Calls one method of a memory. */
export type ReadMemory<Arguments extends readonly unknown[], T> = (
  memory: Memory,
  args: Arguments,
  signal: AbortSignal,
) => Promise<T>;

/**
 * Reads of one method: one for each memory and set of arguments, shared by all components that subscribe to it.
 * Rendering has no effect; the first subscription starts a read and the last to end removes it, so that a render that
 * is never committed leaves nothing behind.
 */
export class LiveReads<Arguments extends readonly unknown[], T> {
  readonly #read: ReadMemory<Arguments, T>;
  readonly #byMemory = new WeakMap<Memory, Map<string, LiveRead<T>>>();

  constructor(read: ReadMemory<Arguments, T>) {
    this.#read = read;
  }

  /** Returns the same object until something has changed. @param key of the arguments: see `argumentsKey` */
  state(memory: Memory, key: string): MemoryRead<T> {
    return this.#byMemory.get(memory)?.get(key)?.state ?? LOADING;
  }

  /** Returns the function that unsubscribes. */
  subscribe(memory: Memory, key: string, args: Arguments, onChange: () => void): () => void {
    const reads = this.#byMemory.get(memory) ?? new Map<string, LiveRead<T>>();
    this.#byMemory.set(memory, reads);
    const read =
      reads.get(key) ??
      new LiveRead(
        memory,
        async (signal) => {
          if (args.some((arg) => 'signal' in Object(arg)))
            throw invalidOption(
              'A hook takes no signal: it aborts when no component needs the answer any more.',
            );
          return this.#read(memory, args, signal);
        },
        () => reads.delete(key),
      );
    reads.set(key, read);
    return read.subscribe(onChange);
  }
}
