import { describe } from './describe.ts';
import { invalidOption } from './error.ts';

const METHODS = ['remember', 'recall', 'forget'];

/** Checks that a value is a memory, so that a mistake is reported at once. @throws MnemoraError `invalid-option` */
export function checkMemory<Memory>(memory: Memory): Memory {
  const members = Object(memory) as Record<string, unknown>;
  if (METHODS.every((method) => typeof members[method] === 'function')) return memory;
  throw invalidOption(
    `memory must be a memory returned by \`await createMemory()\`; got ${describe(memory)}.`,
  );
}
