import { live, type Memory, type MemoryFact, type MemoryRead } from 'mnemora';
import type { Readable } from 'svelte/store';

/** Returns a store of the facts, such as `$facts.data` in a component of Svelte, which follow each change of the memory. */
export function factsOf(memory: Memory): Readable<MemoryRead<MemoryFact[]>> {
  return { subscribe: (run) => live(memory, (from) => from.facts.list(), run) };
}
