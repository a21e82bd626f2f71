import { createElement, type ReactElement, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  MemoryProvider,
  type MemoryProviderProps,
  useFacts,
  useMemory,
  useRecall,
  useSearch,
  useSessions,
} from '../../../../src/integrations/react.ts';
import { newId } from '../../../../src/model/id.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';

/** Shows everything that the hooks return. */
function Page(): ReactElement {
  const { status } = useMemory();
  const reads = [useFacts(), useSessions(), useSearch('boat'), useSearch(''), useRecall('A boat?')];
  const shown = reads.map(({ data, isLoading }) =>
    isLoading ? 'loading' : Array.isArray(data) ? data.length : 'read',
  );
  return createElement('p', undefined, [status, ...shown].join(' '));
}

it.each(['options', 'memory'] as const)(
  'RCT-16: a page that a server has rendered is hydrated without a mismatch, with %s',
  async (prop) => {
    const name = newId();
    const memory = await memoryOf({ name, learning: false });
    await memory.remember({ user: 'A boat.', assistant: 'Yes.' });
    const props: MemoryProviderProps =
      prop === 'memory' ? { memory } : { options: { name, embedder: false, learning: false } };
    const page = createElement(
      StrictMode,
      undefined,
      createElement(MemoryProvider, props, createElement(Page)),
    );
    const container = document.createElement('div');
    container.innerHTML = renderToString(page);
    const status = prop === 'memory' ? 'ready' : 'opening';
    expect(container.textContent).toBe(`${status} loading loading loading 0 loading`);
    const [served] = container.children;
    const reported = vi.spyOn(console, 'error');
    const onRecoverableError = vi.fn<(error: unknown) => void>();
    const root = hydrateRoot(container, page, { onRecoverableError });
    onTestFinished(() => root.unmount());
    await expect.poll(() => container.textContent).toBe('ready 0 1 1 0 read');
    expect(container.children[0]).toBe(served);
    expect(onRecoverableError).not.toHaveBeenCalled();
    expect(reported).not.toHaveBeenCalled();
  },
);
