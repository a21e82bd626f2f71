/** Inputs or outputs of a chain by name. */
export type Values = Readonly<Record<string, unknown>>;

export interface SaveContextOptions {
  /** Id of the turn. Saving a turn again under the same id changes nothing. */
  turnId?: string;
  signal?: AbortSignal;
}

/**
 * The interface of all memory components: LangChain's `BaseMemory`. Call `loadMemoryVariables` before a model call, and
 * `saveContext` after it.
 */
export interface BaseMemory {
  /** Names of the variables that `loadMemoryVariables` returns, as a new array. */
  readonly memoryKeys: string[];
  /**
   * Throws the error that `saveContext` would throw for these inputs (`invalid-input`), so that a chain can check them
   * before the model call; with outputs, also the error for those. Absent if all values are valid.
   */
  checkInputs?(inputs: Values, outputs?: Values): void;
  loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>>;
  saveContext(inputs: Values, outputs: Values, options?: SaveContextOptions): Promise<void>;
  clear(): Promise<void>;
  /** Stops the memory's background work. Absent if it has none. */
  close?(): Promise<void>;
}
