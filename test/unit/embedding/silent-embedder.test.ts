import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import type { Memory } from '../../../src/client/memory.ts';
import type { Embedder } from '../../../src/embedding/embedder.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
const MINUTE_MS = 60_000;

let memory: Memory;
let warnings: Warning[] = [];

beforeEach(() => {
  warnings = [];
  vi.useFakeTimers({ toFake: [...FAKED] });
});
afterEach(async () => {
  const closed = new AbortController();
  const closing = memory.close().then(() => closed.abort());
  while (!closed.signal.aborted) await pass(1000);
  await closing;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    await vi.advanceTimersByTimeAsync(1000);
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Waits for code that is being loaded, while hardly any time passes. */
async function settles(isSettled: () => boolean): Promise<void> {
  while (!isSettled()) {
    await vi.advanceTimersByTimeAsync(1);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

async function memoryWith(embedder: Embedder): Promise<() => boolean> {
  const onWarning = (warning: Warning): void => void warnings.push(warning);
  memory = await createMemory({ storage: 'memory', learning: false, embedder, onWarning });
  await memory.remember({ user: 'The boat is blue.', assistant: 'Noted.' });
  let isSettled = false;
  void memory.work.settled().then(() => (isSettled = true));
  return () => isSettled;
}

it.each(['ready', 'embed'] as const)(
  'EMB-74: an embedder whose %s once does not settle is tried again',
  async (method) => {
    const answers: (() => void)[] = [];
    let isStuck = true;
    const hang = (): unknown => (isStuck ? new Promise<void>((resolve) => answers.push(resolve)) : undefined);
    const embedder = hashEmbedder(method === 'ready' ? { ready: hang } : { before: hang });
    const isSettled = await memoryWith(embedder);
    await pass(4 * MINUTE_MS);
    expect({ isSettled: isSettled(), warnings }).toEqual({ isSettled: false, warnings: [] });
    await pass(8 * MINUTE_MS);
    await settles(isSettled);
    expect(warnings.map(({ code }) => code)).toEqual(['model-unavailable']);
    expect(warnings[0]?.message).toContain('did not answer within 5 minutes');
    isStuck = false;
    for (const answer of answers) answer();
    await memory.remember({ user: 'The car is red.', assistant: 'Noted.' });
    await pass(12 * MINUTE_MS);
    expect(embedder.documents).toContain('User: The car is red.');
    expect(warnings).toHaveLength(1);
  },
);

it('EMB-74: a model that is loaded for an hour and reports each part is waited for', async () => {
  const plain = hashEmbedder();
  const ready: Embedder['ready'] = async ({ onProgress } = {}) => {
    for (let minute = 0; minute < 60; minute++) {
      await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
      onProgress?.({ file: 'model.onnx', loadedBytes: minute, totalBytes: 60 });
    }
    return { dimensions: 64 };
  };
  const isSettled = await memoryWith({ ...plain, ready });
  await pass(59 * MINUTE_MS);
  expect(isSettled()).toBe(false);
  await pass(2 * MINUTE_MS);
  await settles(isSettled);
  expect(warnings).toEqual([]);
  expect(plain.documents).toHaveLength(2);
});

it('EMB-75: being online again tries a failed embedder at once, and does not disturb one that works', async () => {
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  let attempts = 0;
  let isOffline = true;
  const embedder = hashEmbedder({
    ready: () => {
      attempts += 1;
      if (isOffline) throw new TypeError('Failed to fetch');
    },
  });
  await memoryWith(embedder);
  await pass(60 * MINUTE_MS);
  isOffline = false;
  const before = attempts;
  target.dispatchEvent(new Event('online'));
  await pass(1000);
  expect(embedder.documents).toHaveLength(2);
  const after = attempts;
  target.dispatchEvent(new Event('online'));
  await pass(1000);
  expect(attempts).toBe(after);
  expect(after).toBeGreaterThan(before);
});
