import { createElement, useMemo, type ReactElement, type ReactNode } from 'react';
import type { CreateMemoryOptions, Memory } from '../../index.ts';
import { checkMemory } from '../../model/check-memory.ts';
import { invalidOption } from '../../model/error.ts';
import { MemoryContext, type ProvidedMemory } from './memory-context.ts';
import { useOpenedMemory } from './use-opened-memory.ts';

/** Properties of a {@link MemoryProvider}: either a memory or the options to open one. */
export type MemoryProviderProps = { readonly children?: ReactNode } & (
  | {
      /** An open memory. It stays open when the provider is unmounted. */
      readonly memory: Memory;
      readonly options?: undefined;
    }
  | {
      /**
       * The memory is opened with these after the provider is mounted, and closed after it is unmounted. If `name`,
       * `scope`, `storage` or `database` changes, the memory is closed and another one is opened. If `sessionId`
       * changes, the memory stays open and is shown from that session. All other options are read when the memory is
       * opened, so the object may be new in every render; to reopen the memory with other values, change the `key` of
       * the provider.
       */
      readonly options: CreateMemoryOptions;
      readonly memory?: undefined;
    }
);

/**
 * Provides a memory to the hooks of all components below it. On a server it opens nothing.
 *
 * @throws MnemoraError `invalid-option` without `memory` and `options`, or with both. An error of `createMemory` is not
 *   thrown: `useMemory` returns it.
 *
 * @example
 * <MemoryProvider options={{ sessionId: 'main', assetsUrl: '/mnemora/' }}>
 *   <Chat />
 * </MemoryProvider>
 */
export function MemoryProvider(props: MemoryProviderProps): ReactElement {
  const { memory, options } = checkProps(props);
  const opened = useOpenedMemory(options);
  const provided = useMemo<ProvidedMemory>(
    () => (memory ? { state: { status: 'ready', memory }, opened: memory } : opened),
    [memory, opened],
  );
  return createElement(MemoryContext.Provider, { value: provided }, props.children);
}

function checkProps(props: MemoryProviderProps): MemoryProviderProps {
  const { memory, options } = props;
  if ((memory === undefined) === (options === undefined))
    throw invalidOption('A <MemoryProvider> needs either memory or options.');
  if (memory !== undefined) checkMemory(memory);
  else if (typeof options !== 'object' || options === null)
    throw invalidOption('The options of a <MemoryProvider> must be an options object for createMemory.');
  return props;
}
