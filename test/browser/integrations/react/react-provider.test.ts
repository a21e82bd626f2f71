import { createElement, type ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createMemory, type CreateMemoryOptions, openDatabase } from '../../../../src/index.ts';
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
import { type CountedResources, countResources } from '../../../fixtures/counted-resources.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';
import { mount, mountStrictly, watchHook } from '../../../fixtures/integrations/react-root.ts';

const ASSETS = new URL('/mnemora-assets/', location.origin).href;

function open(options: CreateMemoryOptions, ...children: ReactNode[]): ReactNode {
  return createElement(MemoryProvider, { options }, ...children);
}

/** What of a closed memory is left; empty if nothing is. */
async function leftOf(name: string, { connections, workers, channels, listeners }: CountedResources) {
  const { held = [], pending = [] } = await navigator.locks.query();
  const locks = [...held, ...pending].map((lock) => lock.name ?? '').filter((lock) => lock.includes(name));
  const counts = Object.entries({ connections, workers, channels, listeners });
  return [...locks, ...counts.flatMap(([what, count]) => (count.open === 0 ? [] : [what]))];
}

/** Deletes a database. Returns whether an open connection was in the way. */
function deleteDatabase(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    let isBlocked = false;
    request.addEventListener('blocked', () => (isBlocked = true));
    request.addEventListener('success', () => resolve(isBlocked));
    request.addEventListener('error', () => reject(request.error));
  });
}

describe('a provider with options', () => {
  it.each([
    ['is opened', () => undefined],
    ['is being opened', (counts: CountedResources) => expect(counts.connections.opened).toBe(1)],
    ['starts to read', (counts: CountedResources) => expect(counts.listeners.opened).toBe(4)],
    ['loads its model', (counts: CountedResources) => expect(counts.workers.opened).toBe(1)],
    [
      'has answered',
      (_counts: CountedResources, isLoading: boolean | undefined) => expect(isLoading).toBe(false),
    ],
  ])(
    'RCT-9: unmounting while the memory %s leaves no listener, lock, worker or connection',
    async (_name, isReached) => {
      const name = newId();
      const before = await createMemory({ name, embedder: false });
      await before.remember({ user: 'I live in Lisbon.', assistant: 'Nice.' });
      await before.close();
      const counts = countResources();
      const all = watchHook(() => [useFacts(), useSessions(), useSearch('town'), useRecall('Which town?')]);
      const tree = mountStrictly(open({ name, assetsUrl: ASSETS }, all.element));
      await vi.waitFor(
        () =>
          isReached(
            counts,
            all.last()?.some(({ isLoading }) => isLoading),
          ),
        {
          timeout: 60_000,
          interval: 1,
        },
      );
      tree.unmount();
      await expect.poll(() => leftOf(name, counts)).toEqual([]);
      expect(counts.connections.opened).toBeLessThanOrEqual(1);
      expect(await deleteDatabase(name)).toBe(false);
      const renders = all.returned.length;
      await expect.poll(() => leftOf(name, counts)).toEqual([]);
      expect(all.returned).toHaveLength(renders);
    },
  );

  it('RCT-10: under StrictMode one memory is opened, and React reports nothing', async () => {
    const counts = countResources();
    const reported = vi.spyOn(console, 'error');
    const name = newId();
    const all = watchHook(() => [useMemory().status, useFacts().data, useSearch('boat').data]);
    const tree = mountStrictly(open({ name, embedder: false }, all.element));
    await expect.poll(all.last).toEqual(['ready', [], []]);
    expect(counts.connections).toEqual({ opened: 1, open: 1 });
    expect(counts.listeners).toEqual({ opened: 2, open: 2 });
    tree.unmount();
    await expect.poll(() => leftOf(name, counts)).toEqual([]);
    expect(reported).not.toHaveBeenCalled();
  });

  it('RCT-11: a new options object opens nothing; another name, scope or database opens another memory and closes the former', async () => {
    const counts = countResources();
    const [name, other] = [newId(), newId()];
    for (const [database, scope, user] of [
      [name, 'user', 'I live in Lisbon.'],
      [name, 'guest', 'I live in Porto.'],
      [other, 'user', 'I live in Faro.'],
    ] as const) {
      const memory = await createMemory({ name: database, scope, embedder: false, learning: false });
      await memory.remember({ user, assistant: 'Nice.' });
      await memory.close();
    }
    counts.connections.opened = 0;
    const towns = watchHook(() => {
      const { status, memory } = useMemory();
      const { data } = useSearch('live');
      return { status, memory, town: data?.find(({ message }) => message.role === 'user')?.text };
    });
    const page = (options: CreateMemoryOptions): ReactNode =>
      open({ embedder: false, learning: false, clock: () => Date.now(), ...options }, towns.element);
    const tree = mount(page({ name }));
    await expect.poll(towns.last).toMatchObject({ status: 'ready', town: 'I live in Lisbon.' });
    const { memory: first } = towns.last() ?? {};
    for (let render = 0; render < 5; render++) tree.render(page({ name, maxTokens: 1000 + render }));
    expect(towns.last()?.memory).toBe(first);
    expect(counts.connections).toEqual({ opened: 1, open: 1 });

    for (const [options, town] of [
      [{ name, scope: 'guest' }, 'I live in Porto.'],
      [{ name: other }, 'I live in Faro.'],
      [{ name }, 'I live in Lisbon.'],
    ] as const) {
      towns.returned.length = 0;
      tree.render(page(options));
      expect(towns.returned.at(0)).toEqual({ status: 'opening', memory: undefined, town: undefined });
      await expect.poll(towns.last).toMatchObject({ status: 'ready', town });
      expect(new Set(towns.returned.map((each) => each.town))).toEqual(new Set([undefined, town]));
      await expect.poll(() => counts.connections.open).toBe(1);
    }
    await expect(first?.facts.list()).rejects.toMatchObject({ code: 'storage-closed' });

    const database = await openDatabase({ name: other });
    tree.render(page({ database }));
    await expect.poll(towns.last).toMatchObject({ status: 'ready', town: 'I live in Faro.' });
    tree.unmount();
    await expect.poll(() => counts.connections.open).toBe(1);
    expect(await database.sessions()).toHaveLength(1);
    database.close();
  });

  it('RCT-40: a sessionId that is not valid leaves the memory open, and the next one shows it', async () => {
    const counts = countResources();
    const name = newId();
    const seen = watchHook(() => {
      const { status, memory } = useMemory();
      return { status, sessionId: memory?.sessionId };
    });
    const page = (sessionId: string): ReactNode => open({ name, embedder: false, sessionId }, seen.element);
    const tree = mount(page(''));
    await expect.poll(seen.last).toEqual({ status: 'failed', sessionId: undefined });
    tree.render(page('a'));
    expect(seen.last()).toEqual({ status: 'ready', sessionId: 'a' });
    expect(counts.connections).toEqual({ opened: 1, open: 1 });
  });

  it('RCT-11: another sessionId shows the same memory from that session, and what all sessions share stays in view', async () => {
    const counts = countResources();
    const name = newId();
    const seen = watchHook(() => {
      const { memory } = useMemory();
      const context = useRecall('What now?').data;
      return {
        id: memory?.sessionId,
        sessions: useSessions().data?.length,
        recent: context?.items.filter(({ kind }) => kind === 'recent').map(({ sessionId }) => sessionId),
        memory,
      };
    });
    const page = (sessionId?: string): ReactNode => {
      const common = { name, embedder: false, learning: false } as const;
      return open(sessionId === undefined ? common : { ...common, sessionId }, seen.element);
    };
    const tree = mount(page('a'));
    await expect.poll(() => seen.last()?.memory).toBeDefined();
    const opened = seen.last()?.memory;
    await opened?.remember({ user: 'One.', assistant: 'Yes.' });
    await opened?.remember({ user: 'Two.', assistant: 'Yes.' }, { sessionId: 'b' });
    await expect.poll(seen.last).toMatchObject({ id: 'a', sessions: 2, recent: ['a'] });
    seen.returned.length = 0;
    tree.render(page('b'));
    await expect.poll(seen.last).toMatchObject({ id: 'b', sessions: 2, recent: ['b'] });
    expect(seen.returned.map(({ id, sessions }) => [id, sessions])).toEqual(
      seen.returned.map(() => ['b', 2]),
    );
    tree.render(page());
    await expect.poll(seen.last).toMatchObject({ id: 'a', sessions: 2, recent: ['a'], memory: opened });
    expect(counts.connections).toEqual({ opened: 1, open: 1 });
    tree.render(page(''));
    expect(seen.last()).toMatchObject({ id: undefined, sessions: undefined, recent: undefined });
    tree.unmount();
    await expect.poll(() => leftOf(name, counts)).toEqual([]);
  });
});

describe('a provider with a memory', () => {
  it('RCT-12: it gives that memory at once, gives another one instead, and leaves both open', async () => {
    const [one, two] = await Promise.all([memoryOf({ learning: false }), memoryOf({ learning: false })]);
    await two.remember({ user: 'A boat.', assistant: 'Yes.' });
    const seen = watchHook(() => [useMemory(), useSessions().data?.length] as const);
    const tree = mountStrictly(createElement(MemoryProvider, { memory: one }, seen.element));
    expect(seen.returned[0]).toEqual([{ status: 'ready', memory: one }, undefined]);
    await expect.poll(() => seen.last()?.[1]).toBe(0);
    seen.returned.length = 0;
    tree.render(createElement(MemoryProvider, { memory: two }, seen.element));
    await expect.poll(() => seen.last()?.[1]).toBe(1);
    for (const [state, sessions] of seen.returned) {
      expect(state.memory).toBe(two);
      expect([undefined, 1]).toContain(sessions);
    }
    tree.unmount();
    expect(await one.sessions()).toEqual([]);
    expect(await two.sessions()).toHaveLength(1);
  });
});

describe('errors of a provider', () => {
  it('RCT-13: if the memory cannot be opened, every hook returns why', async () => {
    const all = watchHook(() => [useMemory(), useFacts(), useSearch('boat'), useSearch(''), useRecall('x')]);
    const tree = mount(open({ name: newId(), maxToken: 7 } as object, all.element));
    const error = expect.objectContaining({ code: 'invalid-option' });
    const failed = { data: undefined, error, isLoading: false };
    await expect.poll(all.last).toEqual([{ status: 'failed', error }, failed, failed, failed, failed]);
    const shown = all.last();
    tree.render(open({ name: newId(), embedder: false, learning: false }, all.element));
    expect(all.last()).not.toEqual(shown);
    await expect.poll(() => all.last()?.[0]).toMatchObject({ status: 'ready' });
  });

  it('RCT-14: a hook outside of a provider, and a provider without or with both of memory and options, throw invalid-option', async () => {
    const memory = await memoryOf({ learning: false });
    const thrown: unknown[] = [];
    const options = { onUncaughtError: (error: unknown) => thrown.push(error) };
    const hooks = [useMemory, useFacts, useSessions, () => useSearch(''), () => useRecall('x')];
    for (const useHook of hooks) mount(watchHook<unknown>(useHook).element, options);
    const wrong: unknown[] = [
      {},
      { memory, options: {} },
      { memory: undefined },
      { memory: {} },
      { memory: createMemory },
      { memory: null },
      { options: null },
      { options: 'notes' },
    ];
    for (const props of wrong) mount(createElement(MemoryProvider, props as MemoryProviderProps), options);
    expect(thrown).toHaveLength(hooks.length + wrong.length);
    for (const error of thrown) expect(error).toMatchObject({ name: 'MnemoraError', code: 'invalid-option' });
    expect(String(thrown[0])).toContain('<MemoryProvider>');
  });
});
