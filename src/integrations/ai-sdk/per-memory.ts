import type { Memory } from '../../index.ts';

/** Returns a function that returns the value of a memory, made when it is first asked for. */
export function perMemory<Value>(make: () => Value): (memory: Memory) => Value {
  const values = new WeakMap<Memory, Value>();
  return (memory) => {
    const value = values.get(memory) ?? make();
    values.set(memory, value);
    return value;
  };
}
