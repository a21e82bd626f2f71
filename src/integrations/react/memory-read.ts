/** What a hook has read from the memory. The object is the same in every render until something in it changes. */
export interface MemoryRead<T> {
  /** Last answer for these arguments; undefined until the first one. It stays while it is read again or if that fails. */
  readonly data: T | undefined;
  /** Why the last read failed, or why the memory could not be opened; undefined after a read that has worked. */
  readonly error: Error | undefined;
  /** Whether a read is under way or waits, also for the memory to open. */
  readonly isLoading: boolean;
}

/** State before the first answer, and of every hook while a server renders. */
export const LOADING: MemoryRead<never> = { data: undefined, error: undefined, isLoading: true };
