import { createElement, type ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Memory } from '../../../../src/index.ts';
import {
  MemoryProvider,
  useFacts,
  useMemory,
  useRecall,
  useSearch,
  useSessions,
  useSources,
} from '../../../../src/integrations/react.ts';
import { keepSources, SOURCES_NAMESPACE } from '../../../../src/model/answer-sources.ts';
import { newId } from '../../../../src/model/id.ts';
import { memoryInFrame } from '../../../fixtures/memory-in-frame.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';
import { mount, mountStrictly, watchHook } from '../../../fixtures/integrations/react-root.ts';

const NOW = { learning: { delayMs: 0 } };

function provide(memory: Memory, ...children: ReactNode[]): ReactNode {
  return createElement(MemoryProvider, { memory }, ...children);
}

/** A promise, and the function that resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('hooks', () => {
  it('RCT-1: a hook is loading until the first answer, and keeps its answer while it reads again', async () => {
    const memory = await memoryOf({ learning: false });
    const hook = watchHook(() => useSessions());
    mount(provide(memory, hook.element));
    expect(hook.returned).toEqual([{ data: undefined, error: undefined, isLoading: true }]);
    await expect.poll(hook.last).toEqual({ data: [], error: undefined, isLoading: false });
    await memory.remember({ user: 'Boats float.', assistant: 'They do.' }, { sessionId: 's' });
    const answer = { data: [expect.objectContaining({ id: 's' })], error: undefined, isLoading: false };
    await expect.poll(hook.last).toEqual(answer);
    expect(hook.returned.slice(2)).toEqual([{ data: [], error: undefined, isLoading: true }, answer]);
  });

  it('RCT-18: the sources of an answer are shown until they are forgotten', async () => {
    const memory = await memoryOf({ learning: false });
    const told = { user: 'I live in Lisbon.', assistant: 'Nice.' };
    const { turnId, sessionId, messageIds } = await memory.remember(told);
    const source = { kind: 'recalled', messageIds, sessionId, turnId, createdAt: 0 } as const;
    const answer = { sessionId, messageIds: [] };
    await keepSources(memory.records(SOURCES_NAMESPACE), 'answer', [source], answer);
    const hook = watchHook(() => useSources('answer').data?.map(({ text }) => text));
    mount(provide(memory, hook.element));
    await expect.poll(hook.last).toEqual(['I live in Lisbon.\nNice.']);
    await memory.forget({ turnId });
    await expect.poll(hook.last).toEqual([]);
  });

  it('RCT-2: facts, sessions, search and recall show what another tab has remembered and forgotten', async () => {
    const name = newId();
    const here = await memoryOf({ name, sessionId: 'here', ...NOW });
    const { memory: there } = await memoryInFrame({ name, sessionId: 'there', ...NOW });
    const hooks = {
      facts: watchHook(() => useFacts().data?.map(({ object }) => object)),
      sessions: watchHook(() => useSessions().data?.map(({ id }) => id)),
      found: watchHook(() =>
        useSearch('Where do I live?', { role: 'user' }).data?.map(({ message }) => message.content),
      ),
      recalled: watchHook(() => useRecall('Which town do I live in?').data?.text.includes('Lisbon')),
    };
    const shown = () => Object.values(hooks).map((hook) => hook.last());
    mountStrictly(provide(here, ...Object.values(hooks).map(({ element }) => element)));
    await expect.poll(shown).toEqual([[], [], [], false]);
    const { turnId } = await there.remember({ user: 'I live in Lisbon.', assistant: 'Nice.' });
    await expect.poll(shown).toEqual([['Lisbon'], ['there'], ['I live in Lisbon.'], true]);
    await there.forget({ turnId });
    await expect.poll(shown).toEqual([[], [], [], false]);
    await here.remember({ user: 'I live in Porto.', assistant: 'Nice.' });
    await expect.poll(shown).toEqual([['Porto'], ['here'], ['I live in Porto.'], false]);
  });

  it('RCT-3: changes during a read cause one more read, however many they are', async () => {
    const memory = await memoryOf({ learning: false });
    const { search } = memory;
    const first = gate();
    memory.search = vi.fn<Memory['search']>(async (...call) => {
      if (vi.mocked(memory.search).mock.calls.length === 1) await first.opened;
      return search(...call);
    });
    const hook = watchHook(() => useSearch('boats'));
    mount(provide(memory, hook.element));
    for (let turn = 0; turn < 20; turn++) await memory.remember({ user: `boats ${turn}`, assistant: 'ok' });
    expect(memory.search).toHaveBeenCalledTimes(1);
    first.open();
    await expect.poll(hook.last).toMatchObject({ isLoading: false, data: { length: 10 } });
    expect(memory.search).toHaveBeenCalledTimes(2);
  });

  it('RCT-4: after new arguments, the answer to the former ones is not shown, even if it comes last', async () => {
    const memory = await memoryOf({ learning: false });
    await memory.remember({ user: 'A boat.', assistant: 'Yes.' });
    await memory.remember({ user: 'A train.', assistant: 'Yes.' });
    const { search } = memory;
    const late = gate();
    // As an embedder of the page may: it answers although the signal has aborted.
    memory.search = async (query, { signal: _ignored, ...options } = {}) => {
      if (query === 'boat') await late.opened;
      return search(query, options);
    };
    const returned: [query: string, found: unknown][] = [];
    const Found = ({ query }: { query: string }): null => {
      returned.push([
        query,
        useSearch(query)
          .data?.map(({ message }) => message.content)
          .toSorted(),
      ]);
      return null;
    };
    const tree = mount(provide(memory, createElement(Found, { query: 'boat' })));
    tree.render(provide(memory, createElement(Found, { query: 'train' })));
    await expect.poll(() => returned.at(-1)).toEqual(['train', ['A train.']]);
    late.open();
    await memory.remember({ user: 'Another train.', assistant: 'Yes.' });
    await expect.poll(() => returned.at(-1)).toEqual(['train', ['A train.', 'Another train.']]);
    const different = new Set(returned.map((each) => JSON.stringify(each)));
    expect([...different].map((each) => JSON.parse(each))).toEqual([
      ['boat', null],
      ['train', null],
      ['train', ['A train.']],
      ['train', ['A train.', 'Another train.']],
    ]);
  });

  it('RCT-5: components with equal arguments share one read, and new objects or functions in a render read nothing', async () => {
    const memory = await memoryOf({ learning: false });
    await memory.remember({ user: 'A boat.', assistant: 'A boat it is.' });
    const search = vi.spyOn(memory, 'search');
    const facts = vi.spyOn(memory.facts, 'list');
    const listen = vi.spyOn(memory, 'addEventListener');
    const used: number[] = [];
    const returned: unknown[] = [];
    const Found = ({ render }: { render: number }): null => {
      returned.push(useSearch('boat', { limit: 5, metadata: {} }));
      returned.push(useSearch('boat', { metadata: {}, limit: 5 }));
      useFacts({ about: 'I', includeHistory: true });
      useFacts({ includeHistory: true, about: 'I' });
      const rerank = (_query: string, all: readonly unknown[]): number[] => {
        used.push(render);
        return all.map((_, index) => index);
      };
      returned.push(useSearch('boat', { rerank }));
      return null;
    };
    const both = (render: number): ReactNode =>
      provide(memory, createElement(Found, { render, key: 1 }), createElement(Found, { render, key: 2 }));
    const tree = mount(both(1));
    await expect
      .poll(() => returned.slice(-6))
      .toEqual(Array(6).fill(expect.objectContaining({ isLoading: false })));
    // The function is the component's own: it may use what only this component knows.
    expect(search).toHaveBeenCalledTimes(3);
    expect(facts).toHaveBeenCalledTimes(1);
    expect(listen).toHaveBeenCalledTimes(4);
    const before = returned.slice(-6);
    for (let render = 2; render < 10; render++) tree.render(both(render));
    returned.slice(-6).forEach((read, index) => expect(read).toBe(before[index]));
    expect(search).toHaveBeenCalledTimes(3);
    expect(listen).toHaveBeenCalledTimes(4);
    expect(used).toEqual([1, 1]);
    await memory.remember({ user: 'A second boat.', assistant: 'Yes.' });
    await expect.poll(() => used).toEqual([1, 1, 9, 9]);
  });

  it('RCT-6: a search for nothing reads nothing, before and after the memory is open', async () => {
    const name = newId();
    const blank = watchHook(() => [useSearch(''), useSearch(' \n')]);
    const memory = await memoryOf({ name, learning: false });
    const calls = [vi.spyOn(memory, 'search'), vi.spyOn(memory, 'addEventListener')];
    const tree = mount(provide(memory, blank.element));
    await memory.remember({ user: 'A boat.', assistant: 'Yes.' });
    tree.render(createElement(MemoryProvider, { options: { name, embedder: false } }, blank.element));
    const nothing = { data: [], error: undefined, isLoading: false };
    for (const each of blank.returned) expect(each).toEqual([nothing, nothing]);
    for (const call of calls) expect(call).not.toHaveBeenCalled();
  });

  it('RCT-7: a hook returns the same object in every render until something changes', async () => {
    const memory = await memoryOf({ learning: false });
    const all = watchHook(() => [
      useMemory(),
      useFacts(),
      useSessions(),
      useSearch('boat'),
      useSearch(''),
      useRecall('A boat?'),
    ]);
    const page = (render: number): ReactNode =>
      provide(
        memory,
        createElement('i', { key: 'i', title: String(render) }),
        createElement(all.type, { key: 'a' }),
      );
    const tree = mount(page(0));
    const isRead = (): boolean =>
      all.last()?.every((each) => !('isLoading' in each && each.isLoading)) ?? false;
    await expect.poll(isRead).toBe(true);
    const [before, renders] = [all.last() ?? [], all.returned.length];
    for (let render = 1; render <= 3; render++) tree.render(page(render));
    expect(all.returned).toHaveLength(renders + 3);
    expect(before).toHaveLength(6);
    all.last()?.forEach((each, index) => expect(each).toBe(before[index]));
  });
});

describe('what a read leaves behind', () => {
  it('RCT-8: the last component that is unmounted removes the listener and aborts the read', async () => {
    const memory = await memoryOf({ learning: false });
    const never = new Promise<never>(() => undefined);
    const signals: (AbortSignal | undefined)[] = [];
    memory.search = (_query, options) => {
      signals.push(options?.signal);
      return never;
    };
    const added = vi.spyOn(memory, 'addEventListener');
    const removed = vi.spyOn(memory, 'removeEventListener');
    const hooks = ['boat', 'boat', 'train'].map((query) => watchHook(() => useSearch(query)).element);
    const [one, two, three] = hooks.map((element, key) => createElement('i', { key }, element));
    const tree = mountStrictly(provide(memory, one, two, three));
    expect(signals).toHaveLength(2);
    tree.render(provide(memory, one, three));
    await expect.poll(() => removed.mock.calls).toEqual([]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
    tree.unmount();
    await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it('RCT-8: a component that mounts in the commit in which another leaves shows its answer at once', async () => {
    const memory = await memoryOf({ learning: false });
    await memory.remember({ user: 'A boat.', assistant: 'Yes.' });
    const search = vi.spyOn(memory, 'search');
    const first = watchHook(() => useSearch('boat'));
    const second = watchHook(() => useSearch('boat'));
    const tree = mount(provide(memory, createElement('i', { key: 1 }, first.element)));
    await expect.poll(first.last).toMatchObject({ isLoading: false });
    tree.render(provide(memory, createElement('i', { key: 2 }, second.element)));
    expect(second.returned).toEqual([first.last()]);
    expect(search).toHaveBeenCalledTimes(1);
  });

  it('RCT-8: a tree that renders and never commits reads nothing', async () => {
    const memory = await memoryOf({ learning: false });
    const calls = [vi.spyOn(memory, 'search'), vi.spyOn(memory, 'addEventListener')];
    const hook = watchHook(() => {
      useSearch('boat');
      throw new Error('Not rendered.');
    });
    const onUncaughtError = vi.fn<(error: unknown) => void>();
    mount(provide(memory, hook.element), { onUncaughtError });
    expect(onUncaughtError).toHaveBeenCalledTimes(1);
    for (const call of calls) expect(call).not.toHaveBeenCalled();
  });
});

describe('errors of reads', () => {
  it('RCT-13: a read that fails sets error and keeps the data, and the next change reads again', async () => {
    const memory = await memoryOf({ learning: false });
    const { sessions } = memory;
    const hook = watchHook(() => useSessions());
    mount(provide(memory, hook.element));
    await expect.poll(hook.last).toMatchObject({ data: [], isLoading: false });
    memory.sessions = () => Promise.reject('Out of order.');
    await memory.remember({ user: 'a', assistant: 'b' });
    await expect.poll(hook.last).toEqual({ data: [], error: new Error('Out of order.'), isLoading: false });
    memory.sessions = sessions;
    await memory.remember({ user: 'c', assistant: 'd' });
    const sessionId = memory.sessionId;
    await expect
      .poll(hook.last)
      .toMatchObject({ data: [{ id: sessionId }], error: undefined, isLoading: false });
  });

  it('RCT-14: what a method refuses is in error, with its code', async () => {
    const memory = await memoryOf({ learning: false });
    const { signal } = new AbortController();
    const wrong = watchHook(() =>
      [
        useFacts({ topic: 'I' } as object),
        useFacts({ signal } as object),
        useSearch(7 as unknown as string),
        useSearch('boat', { limit: -1 }),
        useSearch('boat', { rerank: 'best' as never }),
        useSearch('boat', { signal } as object),
        useRecall('boat', { maxTokens: 0 }),
        useRecall(undefined as unknown as string),
        useRecall('boat', { signal } as object),
      ].map(({ error, data }) => [error && 'code' in error && error.code, data]),
    );
    mount(provide(memory, wrong.element));
    await expect
      .poll(wrong.last)
      .toEqual(
        [
          'invalid-option',
          'invalid-option',
          'invalid-input',
          'invalid-input',
          'invalid-input',
          'invalid-option',
          'invalid-option',
          'invalid-input',
          'invalid-option',
        ].map((code) => [code, undefined]),
      );
  });
});
