import { MnemoraError } from '../../model/error.ts';
import { newId } from '../../model/id.ts';
import { checkMethods, checkOptionNames } from '../../model/check-options.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';

export interface CombinedMemoryOptions {
  /** At least one; no two may load the same variable. */
  memories: readonly BaseMemory[];
}

/**
 * Several memories as one: loads the variables of all, saves every turn to each.
 *
 * No member takes another's variable for the user's words. A history object that several members share holds each turn
 * once; these members must choose the same input and output.
 */
export class CombinedMemory implements BaseMemory {
  readonly #memories: readonly BaseMemory[];
  readonly #memoryKeys: readonly string[];

  /** @throws MnemoraError `invalid-option`, also where two members load the same variables. */
  constructor(options: CombinedMemoryOptions) {
    checkOptionNames('CombinedMemory', options, ['memories']);
    const { memories } = options;
    if (!Array.isArray(memories) || memories.length === 0) {
      throw new MnemoraError(
        'invalid-option',
        'The memories of CombinedMemory must be a list of at least one.',
      );
    }
    const members = memories.map((memory: BaseMemory, index) =>
      checkMethods(`memories[${index}]`, memory, ['loadMemoryVariables', 'saveContext', 'clear']),
    );
    // Flat, so that a history that lies in a combination within this one is known to be shared.
    this.#memories = members.flatMap((memory) =>
      memory instanceof CombinedMemory ? memory.#memories : [memory],
    );
    this.#memoryKeys = this.#memories.flatMap((memory) => memory.memoryKeys);
    const repeated = this.#memoryKeys.filter((key, index, keys) => keys.indexOf(key) !== index);
    if (repeated.length > 0) {
      throw new MnemoraError(
        'invalid-option',
        `Members of CombinedMemory load the same variables: ${repeated.join(', ')}. Give each its own memoryKey.`,
      );
    }
  }

  get memoryKeys(): string[] {
    return [...this.#memoryKeys];
  }

  checkInputs(inputs: Values): void {
    const own = this.#withoutVariables(inputs);
    for (const memory of this.#memories) memory.checkInputs?.(own);
  }

  async loadMemoryVariables(inputs: Values = {}): Promise<Record<string, unknown>> {
    const own = this.#withoutVariables(inputs);
    const loaded = await Promise.all(this.#memories.map((memory) => memory.loadMemoryVariables(own)));
    return Object.assign({}, ...loaded) as Record<string, unknown>;
  }

  /** Saves to each member in turn; the first that fails ends it. Saving again under the same turn id is safe. */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    this.checkInputs(inputs);
    const own = this.#withoutVariables(inputs);
    const turnId = options.turnId ?? newId();
    // Under one turn id a turn is stored once; in another place it needs an id of its own.
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

  /** A chain hands the loaded variables back together with the input. */
  #withoutVariables(inputs: Values): Values {
    return Object.fromEntries(Object.entries(inputs).filter(([key]) => !this.#memoryKeys.includes(key)));
  }
}

/** Where a memory saves to: its history, if it has one. */
function placeOf(memory: BaseMemory): unknown {
  return 'chatHistory' in memory ? memory.chatHistory : memory;
}
