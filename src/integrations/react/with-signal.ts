import { invalidOption } from '../checks.ts';

/** Returns the options of a read with its signal. @throws MnemoraError `invalid-option` if they already have one */
export function withSignal<Options extends object>(
  hook: string,
  options: Options,
  signal: AbortSignal,
): Options & { signal: AbortSignal } {
  if ('signal' in Object(options))
    throw invalidOption(`${hook} takes no signal: it aborts when no component needs the answer any more.`);
  return { ...options, signal };
}
