import { expect, it, vi } from 'vitest';
import {
  createMemory,
  live,
  type Memory,
  type MemoryRead,
  type StoredMessage,
} from '../../../../src/index.ts';
import { eventually } from '../../../fixtures/eventually.ts';
import { collectUncaught } from '../../../fixtures/faults/uncaught-errors.ts';

const open = (): Promise<Memory> =>
  createMemory({ storage: 'memory', embedder: false, learning: false, onWarning: () => undefined });

it('LIVE-1: live reads at once and after each change, and stops when it is told to', async () => {
  await using memory = await open();
  const states: MemoryRead<StoredMessage[]>[] = [];
  let signal: AbortSignal | undefined;
  const stop = live(
    memory,
    (from, given) => {
      signal = given;
      return from.history();
    },
    (state) => states.push(state),
  );
  expect(states).toEqual([{ data: undefined, error: undefined, isLoading: true }]);
  await eventually(() => expect(states.at(-1)).toMatchObject({ data: [], isLoading: false }));
  await memory.remember({ user: 'Hello.', assistant: 'Hi.' });
  await eventually(() => expect(states.at(-1)?.data).toHaveLength(2));
  expect(signal?.aborted).toBe(false);
  stop();
  await eventually(() => expect(signal?.aborted).toBe(true));
  const count = states.length;
  await memory.remember({ user: 'Again.', assistant: 'Hi.' });
  expect(states).toHaveLength(count);
});

it('LIVE-1: an error of the read is in the state, and the next change reads again', async () => {
  await using memory = await open();
  const states: MemoryRead<number>[] = [];
  let count = 0;
  const stop = live(
    memory,
    () => {
      count += 1;
      if (count === 1) throw new Error('not yet');
      return Promise.resolve(count);
    },
    (state) => states.push(state),
  );
  await eventually(() => expect(states.at(-1)?.error?.message).toBe('not yet'));
  await memory.remember({ user: 'Hello.', assistant: 'Hi.' });
  await eventually(() => expect(states.at(-1)).toEqual({ data: 2, error: undefined, isLoading: false }));
  stop();
});

const nothing = (): undefined => undefined;

const REFUSED: readonly (readonly [string, unknown, unknown, unknown, string])[] = [
  ['a value that is not a memory', undefined, nothing, nothing, 'invalid-option'],
  ['a read that is not a function', 'memory', 'read', nothing, 'invalid-input'],
  ['a listener that is not a function', 'memory', nothing, undefined, 'invalid-input'],
];

it.each(REFUSED)('LIVE-2: %s is refused', async (_, from, read, listener, code) => {
  await using memory = await open();
  const given = from === 'memory' ? memory : from;
  expect(() => live(given as never, read as never, listener as never)).toThrow(
    expect.objectContaining({ code }) as Error,
  );
});

it('LIVE-3: a listener that throws gets the next state all the same, and its error is reported as uncaught', async () => {
  using uncaught = collectUncaught();
  await using memory = await open();
  const error = new Error('The page cannot show it.');
  const lengths: (number | undefined)[] = [];
  const stop = live(
    memory,
    (from) => from.history(),
    ({ data }) => {
      lengths.push(data?.length);
      if (lengths.length === 2) throw error;
    },
  );
  await eventually(() => expect(uncaught.errors).toEqual([error]));
  await memory.remember({ user: 'Hello.', assistant: 'Hi.' });
  await eventually(() => expect(lengths.at(-1)).toBe(2));
  stop();
  expect(uncaught.errors).toEqual([error]);
});

it('LIVE-3: if the listener throws at the first state, live throws, and nothing is read again', async () => {
  await using memory = await open();
  const error = new Error('The page cannot show it.');
  let signal: AbortSignal | undefined;
  const listener = vi.fn(() => {
    throw error;
  });
  const start = (): unknown =>
    live(
      memory,
      (from, given) => {
        signal = given;
        return from.history();
      },
      listener,
    );
  expect(start).toThrow(error);
  await eventually(() => expect(signal?.aborted).toBe(true));
  await memory.remember({ user: 'Hello.', assistant: 'Hi.' });
  expect(listener).toHaveBeenCalledTimes(1);
});
