import { createMemory, type Memory } from '../../../../src/index.ts';

export { MemoryRuntime } from '../../../../demo/examples/assistant-ui.tsx';

/** Opens the memory of the page. */
export function openMemory(): Promise<Memory> {
  return createMemory({ name: 'assistant-ui', embedder: false, assetsUrl: './mnemora/' });
}
