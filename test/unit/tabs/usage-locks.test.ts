import { afterEach, expect, it, vi } from 'vitest';
import { holdInUse, namesInUse } from '../../../src/tabs/presence.ts';
import { eventually } from '../../fixtures/eventually.ts';

const { signal } = new AbortController();

afterEach(() => {
  vi.unstubAllGlobals();
});

it('TAB-13: without Web Locks nothing counts as in use and nobody waits', async () => {
  const refuse = (): Promise<never> => Promise.reject(new DOMException('sandboxed', 'SecurityError'));
  for (const navigator of [{}, { locks: { request: refuse, query: refuse } }]) {
    vi.stubGlobal('navigator', navigator);
    await holdInUse('a:b', signal);
    expect(await namesInUse('a:')).toBeUndefined();
  }
});

it('TAB-13: a name in use is listed once, until its last signal aborts', async () => {
  const held: { name: string }[] = [];
  vi.stubGlobal('navigator', {
    locks: {
      query: async () => ({ held: [...held, { name: 'other:b' }, {}] }),
      request: async (name: string, options: LockOptions, hold: () => Promise<void>) => {
        expect(options.mode).toBe('shared');
        const lock = { name };
        held.push(lock);
        await hold();
        held.splice(held.indexOf(lock), 1);
      },
    },
  });
  const controllers = [new AbortController(), new AbortController(), new AbortController()];
  controllers[2]?.abort();
  for (const controller of controllers) await holdInUse('a:b', controller.signal);
  expect(await namesInUse('a:')).toEqual(new Set(['b']));
  controllers[0]?.abort();
  await eventually(() => expect(held).toHaveLength(1));
  expect(await namesInUse('a:')).toEqual(new Set(['b']));
  controllers[1]?.abort();
  await eventually(() => expect(held).toHaveLength(0));
  expect(await namesInUse('a:')).toEqual(new Set());
});
