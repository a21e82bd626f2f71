/** Values by name: what a chain is called with and what it returns. */
export type Values = Readonly<Record<string, unknown>>;

export interface SaveContextOptions {
  /** Saving the same turn under the same id again changes nothing. */
  turnId?: string;
  signal?: AbortSignal;
}

/**
 * What every memory component can do: LangChain's `BaseMemory`. Load before the model is called, save after.
 */
export interface BaseMemory {
  /** The names that `loadMemoryVariables` returns, in an array of the caller's own. */
  readonly memoryKeys: string[];
  /**
   * Throws what `saveContext` would throw for these inputs (`invalid-input`), so that a chain can find out before it
   * pays for a model call. Absent where any inputs will do.
   */
  checkInputs?(inputs: Values): void;
  loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>>;
  saveContext(inputs: Values, outputs: Values, options?: SaveContextOptions): Promise<void>;
  clear(): Promise<void>;
  /** Ends the work that it does in the background. Absent where there is none. */
  close?(): Promise<void>;
}
