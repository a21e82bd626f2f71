import { checkOptionNames, objectWith, checkObject, mustBe } from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import { newId } from '../../model/id.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';
import { presentKeys } from './input-key.ts';

export interface SimpleMemoryOptions {
  /** Values to load, by name. */
  memories: Values;
}

/** A memory of fixed values that are not changed by saving or clearing. */
export class SimpleMemory implements BaseMemory {
  readonly #memories: Values;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: SimpleMemoryOptions) {
    checkOptionNames('SimpleMemory', options, ['memories']);
    this.#memories = { ...checkObject('The memories of SimpleMemory', options.memories) };
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
    this.#memory = objectWith<BaseMemory>('loadMemoryVariables')('memory', options.memory);
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

export interface CombinedMemoryOptions {
  /** The members: at least one, each with different variables. */
  memories: readonly BaseMemory[];
}

/**
 * A memory that combines several: it loads the variables of all members and saves every turn to each.
 *
 * Members do not mistake each other's variables for the user's message. If members share a history object, it stores each
 * turn once; these members must use the same input and output.
 */
export class CombinedMemory implements BaseMemory {
  readonly #memories: readonly BaseMemory[];
  readonly #memoryKeys: readonly string[];

  /** @throws MnemoraError `invalid-option`, for example if two members load the same variable */
  constructor(options: CombinedMemoryOptions) {
    checkOptionNames('CombinedMemory', options, ['memories']);
    const memories = isFilledList('The memories of CombinedMemory', options.memories);
    const members = memories.map((memory, index) => isMember(`memories[${index}]`, memory));
    // Flattened, so that a history shared with a nested combination is recognized.
    this.#memories = members.flatMap((memory) =>
      memory instanceof CombinedMemory ? memory.#memories : [memory],
    );
    this.#memoryKeys = this.#memories.flatMap((memory) => memory.memoryKeys);
    const repeated = this.#memoryKeys.filter((key, index, keys) => keys.indexOf(key) !== index);
    if (repeated.length > 0) {
      throw invalidOption(
        `Members of CombinedMemory load the same variables: ${repeated.join(', ')}. Set a different memoryKey for each.`,
      );
    }
  }

  get memoryKeys(): string[] {
    return [...this.#memoryKeys];
  }

  checkInputs(inputs: Values, outputs?: Values): void {
    const own = this.#withoutVariables(inputs);
    for (const memory of this.#memories) memory.checkInputs?.(own, outputs);
  }

  async loadMemoryVariables(inputs: Values = {}): Promise<Record<string, unknown>> {
    const own = this.#withoutVariables(inputs);
    const loaded = await Promise.all(this.#memories.map((memory) => memory.loadMemoryVariables(own)));
    return Object.assign({}, ...loaded) as Record<string, unknown>;
  }

  /** Saves to each member in order and stops at the first failure. Saving again under the same turn id is safe. */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    this.checkInputs(inputs, outputs);
    const own = this.#withoutVariables(inputs);
    const turnId = options.turnId ?? newId();
    // A turn id can be stored only once, so each further history needs a different id.
    const places = [...new Set(this.#memories.map(placeOf))];
    for (const memory of this.#memories) {
      const place = places.indexOf(placeOf(memory));
      await memory.saveContext(own, outputs, {
        ...options,
        turnId: place === 0 ? turnId : `${turnId}/${place}`,
      });
    }
  }

  async clear(): Promise<void> {
    for (const memory of this.#memories) await memory.clear();
  }

  /** Closes all members. */
  async close(): Promise<void> {
    await Promise.all(this.#memories.map(async (memory) => memory.close?.()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the inputs without the loaded variables, which a chain passes back with its inputs. */
  #withoutVariables(inputs: Values): Values {
    const own = presentKeys(inputs, 'input').filter((key) => !this.#memoryKeys.includes(key));
    return Object.fromEntries(own.map((key) => [key, inputs[key]]));
  }
}

const isFilledList = mustBe<readonly unknown[]>(
  'a list of at least one',
  (value) => Array.isArray(value) && value.length > 0,
);
const isMember = objectWith<BaseMemory>('loadMemoryVariables', 'saveContext', 'clear');

/** Returns the place to which a memory saves: its history if it has one, otherwise the memory itself. */
function placeOf(memory: BaseMemory): unknown {
  return 'chatHistory' in memory ? memory.chatHistory : memory;
}
