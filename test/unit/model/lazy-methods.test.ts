import { expect, it } from 'vitest';
import { lazyMethods } from '../../../src/model/lazy-methods.ts';

interface Hall {
  greet(name: string): Promise<string>;
  leave(): Promise<void>;
}

it('MEM-95: a room is loaded by its first call, and a load that fails is tried again by the next call', async () => {
  let loads = 0;
  let isOffline = true;
  const room = lazyMethods<Hall>({ greet: true, leave: true }, () => {
    loads += 1;
    if (isOffline) return Promise.reject(new Error('offline'));
    return Promise.resolve({
      greet: (name) => Promise.resolve(`Hello ${name}`),
      leave: () => Promise.resolve(),
    });
  });
  expect(Object.keys(room)).toEqual(['greet', 'leave']);
  expect(loads).toBe(0);
  await expect(room.greet('Ada')).rejects.toThrow('offline');
  isOffline = false;
  expect(await room.greet('Ada')).toBe('Hello Ada');
  expect(await room.leave()).toBeUndefined();
});
