import { checkMethods, checkOptionNames } from '../../model/check-options.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';

export interface ReadOnlySharedMemoryOptions {
  /** The memory to read from. */
  memory: BaseMemory;
}

/** A memory that loads another one and never changes it, for tools that may read a conversation. */
export class ReadOnlySharedMemory implements BaseMemory {
  readonly #memory: BaseMemory;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ReadOnlySharedMemoryOptions) {
    checkOptionNames('ReadOnlySharedMemory', options, ['memory']);
    this.#memory = checkMethods('memory', options.memory, ['loadMemoryVariables']);
  }

  get memoryKeys(): string[] {
    return [...this.#memory.memoryKeys];
  }

  loadMemoryVariables(inputs: Values = {}): Promise<Record<string, unknown>> {
    return this.#memory.loadMemoryVariables(inputs);
  }

  async saveContext(_inputs: Values, _outputs: Values, _options?: SaveContextOptions): Promise<void> {
    // reads only
  }

  async clear(): Promise<void> {
    // reads only
  }
}
