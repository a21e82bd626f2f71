import { createContext, useContext, type Context } from 'react';
import type { Memory } from '../../index.ts';
import { invalidOption } from '../../model/error.ts';

/** State of the memory of a {@link MemoryProvider}. `status` determines which fields are set. */
export type MemoryState =
  | { readonly status: 'opening'; readonly memory?: undefined; readonly error?: undefined }
  | { readonly status: 'ready'; readonly memory: Memory; readonly error?: undefined }
  | { readonly status: 'failed'; readonly memory?: undefined; readonly error: Error };

/** Value that a {@link MemoryProvider} provides to the hooks. */
export interface ProvidedMemory {
  readonly state: MemoryState;
  /** The memory regardless of the session that `state` shows, so that reads survive a change of session. */
  readonly opened?: Memory;
}

export const MemoryContext: Context<ProvidedMemory | undefined> = createContext<ProvidedMemory | undefined>(
  undefined,
);

/**
 * Returns the memory of the nearest {@link MemoryProvider}, or its state while it is being opened or after opening has
 * failed. `error` is the reason with which `createMemory` rejected.
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
  throw invalidOption(
    'The hooks of mnemora/react must be used inside a <MemoryProvider>. Render one around this component.',
  );
}
