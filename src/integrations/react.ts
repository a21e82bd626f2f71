'use client';
// Memory in React 18 and 19. A server component can render the provider; the hooks read in the browser only.
export { MemoryProvider, type MemoryProviderProps } from './react/memory-provider.ts';
export { useMemory, type MemoryState } from './react/memory-context.ts';
export type { MemoryRead } from '../model/live/memory-read.ts';
export { useFacts } from './react/use-facts.ts';
export { useSessions } from './react/use-sessions.ts';
export { useSearch } from './react/use-search.ts';
export { useRecall } from './react/use-recall.ts';
export { useSources } from './react/use-sources.ts';
