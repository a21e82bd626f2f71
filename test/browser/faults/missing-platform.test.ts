import { afterEach, describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const restore: (() => void)[] = [];

afterEach(() => {
  for (const undo of restore.splice(0).toReversed()) undo();
});

/** Replaces a property of the page until the test ends. */
function replace(target: object, name: string, value: PropertyDescriptor): void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { ...value, configurable: true });
  restore.push(() => {
    if (own) Object.defineProperty(target, name, own);
    else Reflect.deleteProperty(target, name);
  });
}

const never = (): Promise<never> => new Promise(() => undefined);
/** A request for a lock, which ends only by its own signal. */
const neverGranted = (_name: string, { signal }: LockOptions): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
const refuse = (): Promise<never> => Promise.reject(new DOMException('played by the test', 'SecurityError'));
const explode = (): never => {
  throw new DOMException('played by the test', 'SecurityError');
};

/** Lives the whole life of a memory, in two openings of its database. */
async function everythingWorks(): Promise<void> {
  const name = newId();
  const memory = await memoryOf({ name, sessionId: 's', learning: { delayMs: 0 } });
  const other = await memoryOf({ name, sessionId: 's', learning: { delayMs: 0 } });
  await memory.remember(
    { messages: [{ role: 'user', content: 'I live in Oslo.' }] },
    { turnId: 't', state: 'pending' },
  );
  await memory.remember({ user: 'I live in Oslo.', assistant: 'Good.' }, { turnId: 't' });
  expect(await other.history()).toHaveLength(2);
  await Promise.all([memory.work.settled(), other.work.settled()]);
  expect(await objectsOf(other)).toEqual(['Oslo']);
  expect(JSON.stringify((await other.recall('Where do I live?')).messages)).toContain('Oslo');
  const copy = await memoryOf({ name: newId(), sessionId: 's' });
  await copy.backup.import(await memory.backup.export());
  expect(await objectsOf(copy)).toEqual(['Oslo']);
  await memory.forget({ entity: 'Oslo', turns: true });
  expect(await other.history()).toEqual([]);
  expect((await memory.backup.verify()).problems).toEqual([]);
}

async function objectsOf(memory: Memory): Promise<string[]> {
  return (await memory.facts.list()).map(({ object }) => object);
}

describe('a memory works where the platform lacks something', () => {
  it.each([
    ['missing', undefined],
    ['refused', { request: refuse, query: refuse }],
    ['never answered', { request: neverGranted, query: never }],
  ])('FLT-3: Web Locks are %s', async (_how, locks) => {
    replace(navigator, 'locks', { value: locks });
    await everythingWorks();
  });

  it.each([
    ['missing', undefined],
    ['throwing', explode],
  ])('FLT-4: BroadcastChannel is %s', async (_how, channel) => {
    replace(window, 'BroadcastChannel', { value: channel });
    await everythingWorks();
  });

  it('FLT-5: crypto.subtle and crypto.randomUUID are missing, as on an insecure origin', async () => {
    replace(crypto, 'subtle', { value: undefined });
    replace(crypto, 'randomUUID', { value: undefined });
    await everythingWorks();
  });

  it('FLT-6: without a storage manager, the storage in use is unknown and nothing is persistent', async () => {
    const memory = await memoryOf();
    replace(navigator, 'storage', { value: undefined });
    expect(await memory.device.usage()).toEqual({ usedBytes: 0 });
    expect(await memory.device.persist()).toBe(false);
  });
});
