// Checked by the compiler alone (`npm run types`) and never run. PKG-14: the types of `mnemora/react` are the contract.
import { createElement } from 'react';
import { expectTypeOf } from 'vitest';
import type { Memory, MemoryFact, RecalledContext, SearchResult, SessionInfo } from '../../src/index.ts';
import {
  MemoryProvider,
  type MemoryRead,
  useFacts,
  useMemory,
  useRecall,
  useSearch,
  useSessions,
} from '../../src/integrations/react.ts';

export function useEverything(open: Memory, signal: AbortSignal): void {
  const state = useMemory();
  expectTypeOf(state.memory).toEqualTypeOf<Memory | undefined>();
  if (state.status === 'ready') expectTypeOf(state.memory).toEqualTypeOf<Memory>();
  if (state.status === 'failed') expectTypeOf(state.error).toEqualTypeOf<Error>();
  if (state.memory) expectTypeOf(state.status).toEqualTypeOf<'ready'>();

  expectTypeOf(useFacts({ about: 'I' })).toEqualTypeOf<MemoryRead<MemoryFact[]>>();
  expectTypeOf(useSessions()).toEqualTypeOf<MemoryRead<SessionInfo[]>>();
  expectTypeOf(useSearch('boat', { limit: 5 })).toEqualTypeOf<MemoryRead<SearchResult[]>>();
  expectTypeOf(useRecall('boat')).toEqualTypeOf<MemoryRead<RecalledContext>>();
  expectTypeOf(useFacts().data).toEqualTypeOf<MemoryFact[] | undefined>();

  // @ts-expect-error: a hook aborts by itself
  useFacts({ signal });
  // @ts-expect-error: a hook aborts by itself
  useSearch('boat', { signal });
  // @ts-expect-error: a hook aborts by itself
  useRecall('boat', { signal });
  // @ts-expect-error: unknown options are refused
  useSearch('boat', { k: 5 });

  createElement(MemoryProvider, { memory: open }, 'children');
  createElement(MemoryProvider, { options: { name: 'notes' } }, 'children');
  // @ts-expect-error: either of the two
  createElement(MemoryProvider, { memory: open, options: {} });
  // @ts-expect-error: one of the two
  createElement(MemoryProvider, {});
}
