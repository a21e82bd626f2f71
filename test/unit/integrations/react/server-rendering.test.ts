import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';

vi.mock('../../../../src/client/create-memory.ts', { spy: true });

/** What a page has and a server has not, or should not use while it renders. */
const OF_THE_PAGE = ['indexedDB', 'Worker', 'BroadcastChannel', 'navigator', 'localStorage', 'fetch'];

/** Notes every access to a part of the page. @param answer what the access gets, or an error to throw */
function watchGlobals(answer: undefined | Error): string[] {
  const touched: string[] = [];
  for (const name of OF_THE_PAGE) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        touched.push(name);
        if (answer) throw answer;
        return answer;
      },
    });
    onTestFinished(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
  }
  return touched;
}

it.each([
  ['is missing', undefined],
  ['throws', new DOMException('Not here.', 'SecurityError')],
])(
  'RCT-15: importing the entry and rendering on a server where IndexedDB %s touches nothing',
  async (_name, answer) => {
    vi.resetModules();
    const touched = watchGlobals(answer);
    const react = await import('../../../../src/integrations/react.ts');
    const Page = (): ReactElement => {
      const reads = [
        react.useFacts({ about: 'I' }),
        react.useSessions(),
        react.useSearch('boats'),
        react.useSearch(' '),
        react.useRecall('Where do I live?'),
      ];
      return createElement('pre', null, JSON.stringify([react.useMemory(), ...reads]));
    };
    const html = renderToString(
      createElement(react.MemoryProvider, { options: { name: 'notes' }, children: createElement(Page) }),
    );
    const loading = { isLoading: true };
    const shown = [{ status: 'opening' }, loading, loading, loading, { data: [], isLoading: false }, loading];
    expect(html).toBe(renderToString(createElement('pre', null, JSON.stringify(shown))));
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(touched).toEqual([]);
    const { createMemory } = await import('../../../../src/index.ts');
    expect(createMemory).not.toHaveBeenCalled();
  },
);
