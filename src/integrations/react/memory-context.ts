import { createContext, useContext, type Context } from 'react';
import type { Memory } from '../../index.ts';
import { invalidOption } from '../checks.ts';

/** The memory of a {@link MemoryProvider}, as far as it has been opened. `status` says which fields are set. */
export type MemoryState =
  | { readonly status: 'opening'; readonly memory?: undefined; readonly error?: undefined }
  | { readonly status: 'ready'; readonly memory: Memory; readonly error?: undefined }
  | { readonly status: 'failed'; readonly memory?: undefined; readonly error: Error };

/** What a {@link MemoryProvider} gives to the hooks. */
export interface ProvidedMemory {
  readonly state: MemoryState;
  /** The memory itself, whatever session `state` shows it from: what is read from it survives a change of the session. */
  readonly opened?: Memory;
}

export const MemoryContext: Context<ProvidedMemory | undefined> = createContext<ProvidedMemory | undefined>(
  undefined,
);

/**
 * Returns the memory of the nearest {@link MemoryProvider}, or says that it is being opened or why it could not be.
 * `error` is what `createMemory` rejected with.
 *
 * @throws MnemoraError `invalid-option` outside of a provider
 *
 * @example
 * const { memory } = useMemory();
 * const forget = () => void memory?.forget({ everything: true });
 * return <button disabled={!memory} onClick={forget}>Forget everything</button>;
 */
export function useMemory(): MemoryState {
  return useProvidedMemory().state;
}

/** @throws MnemoraError `invalid-option` outside of a provider */
export function useProvidedMemory(): ProvidedMemory {
  const provided = useContext(MemoryContext);
  if (provided) return provided;
  throw invalidOption('The hooks of mnemora/react work below a <MemoryProvider> only. Render one above.');
}
