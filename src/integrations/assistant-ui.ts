'use client';
// Memory for assistant-ui: `@assistant-ui/react`, with or without `@assistant-ui/react-ai-sdk`.
export { memoryThreadList } from './assistant-ui/memory-thread-list.ts';
export { memoryThreadHistory, type HistoryThread } from './assistant-ui/memory-thread-history.ts';
