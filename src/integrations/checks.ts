import { MnemoraError, type Memory } from '../index.ts';

/**
 * Checks that a value is a memory, so that a mistake is told when the page is written and not at the first question.
 *
 * @throws MnemoraError `invalid-option`
 */
export function checkMemory(memory: Memory): Memory {
  if (typeof (memory as Partial<Memory> | undefined)?.remember === 'function') return memory;
  throw invalidOption('memory must be what createMemory resolved to.');
}

/** Checks that options are an object without unknown names. @throws MnemoraError `invalid-option` */
export function checkNames<Options extends object>(
  component: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalidOption(`The options of ${component} must be an object.`);
  }
  const unknown = Object.keys(options).filter((name) => !(names as readonly string[]).includes(name));
  if (unknown.length === 0) return options;
  throw invalidOption(
    `${component} has no option ${unknown.join(', ')}. Its options are ${names.join(', ')}.`,
  );
}

export function invalidOption(message: string): MnemoraError {
  return new MnemoraError('invalid-option', message);
}
