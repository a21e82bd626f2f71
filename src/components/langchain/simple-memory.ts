import { checkOptionNames } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';

export interface SimpleMemoryOptions {
  /** Values to load, by name. */
  memories: Values;
}

/** A memory of fixed values, which saving and clearing do not change. */
export class SimpleMemory implements BaseMemory {
  readonly #memories: Values;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: SimpleMemoryOptions) {
    checkOptionNames('SimpleMemory', options, ['memories']);
    const { memories } = options;
    if (typeof memories !== 'object' || memories === null || Array.isArray(memories)) {
      throw new MnemoraError(
        'invalid-option',
        'The memories of SimpleMemory must be an object of values by name.',
      );
    }
    this.#memories = { ...memories };
  }

  get memoryKeys(): string[] {
    return Object.keys(this.#memories);
  }

  async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    return { ...this.#memories };
  }

  async saveContext(_inputs: Values, _outputs: Values, _options?: SaveContextOptions): Promise<void> {
    // fixed by design
  }

  async clear(): Promise<void> {
    // fixed by design
  }
}
