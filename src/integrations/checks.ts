import { checkOptionNames } from '../model/check-options.ts';

export { checkMemory } from '../model/check-memory.ts';
export { describe, quote } from '../model/describe.ts';
export { invalidInput, invalidOption } from '../model/error.ts';

/** Checks that options are an object without unknown names. @throws MnemoraError `invalid-option` */
export function checkNames<Options extends object>(
  component: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  checkOptionNames(component, options, names);
  return options;
}
