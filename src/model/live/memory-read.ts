/** Result of reading from the memory, in a hook or by `live`. The object stays the same until one of its fields changes. */
export interface MemoryRead<T> {
  /**
   * Last result for these arguments; undefined until the first one. It stays during further reads, even if they fail.
   */
  readonly data: T | undefined;
  /** Error of the last read or of opening the memory; undefined after a successful read. */
  readonly error: Error | undefined;
  /** Whether a read is running or waiting, for example for the memory to open. */
  readonly isLoading: boolean;
}

/** State before the first result, and always during server rendering. */
export const LOADING: MemoryRead<never> = { data: undefined, error: undefined, isLoading: true };

/** Returns a thrown value as an error: code of the page, such as an embedder, can throw anything. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
