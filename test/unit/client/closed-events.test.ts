import { afterEach, expect, it, vi } from 'vitest';
import { createMemory, withMemory, type Memory, type MemoryEventMap } from '../../../src/index.ts';

const TYPES = ['change', 'progress', 'warning', 'recall', 'job', 'error'] as const;

afterEach(() => vi.useRealTimers());

/** Opens a memory that calls `onCount` whenever it counts, and notes its events. */
async function watched(): Promise<{ memory: Memory; events: string[]; onCount: (call: () => void) => void }> {
  let count = (): void => undefined;
  const tokenizer = {
    id: 'mine/1',
    countText: (text: string) => (count(), text.length),
    countMessage: () => (count(), 5),
    slices: (text: string) => [text],
  };
  const memory = await createMemory({ storage: 'memory', learning: false, embedder: false, tokenizer });
  const events: string[] = [];
  for (const type of TYPES)
    memory.addEventListener(type, ({ detail }) => {
      events.push(type === 'warning' ? (detail as MemoryEventMap['warning']).code : type);
    });
  return { memory, events, onCount: (call) => (count = call) };
}

it('MEM-19: a recall that is under way when the memory is closed raises no event afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { memory, events, onCount } = await watched();
  // Long texts are not counted before they are stored.
  for (const boat of ['red', 'blue', 'green'])
    await memory.remember({ user: `${boat} boat `.repeat(5000), assistant: 'Noted.' });
  let closing: Promise<void> | undefined;
  onCount(() => {
    closing ??= memory.close().then(() => void events.splice(0));
  });
  await memory.recall('Which boats?').catch(() => undefined);
  expect(closing).toBeDefined();
  await closing;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(events).toEqual([]);
});

it('MEM-19: an answer that could not be stored, because the memory was closed, is warned of', async () => {
  const { memory, events } = await watched();
  const chat = withMemory(async () => {
    await memory.close();
    events.splice(0);
    return { text: 'Hello.' };
  }, memory);
  expect(await chat.send('Hi.')).toBe('Hello.');
  expect(events).toEqual(['save-failed']);
});

it('MEM-19: events of an open memory are raised', async () => {
  const { memory, events } = await watched();
  await memory.remember({ user: 'The boat is blue.', assistant: 'Noted.' });
  await memory.recall('Which boat?');
  expect(events).toEqual(['change', 'recall']);
  await memory.close();
});
