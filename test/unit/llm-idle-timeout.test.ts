import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { idleTimeout } from '../../src/llm/idle-timeout.ts';

const late = new Error('late');
const after = (milliseconds: number): Promise<number> =>
  new Promise((resolve) => setTimeout(() => resolve(milliseconds), milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('LLM-16: only single waits are limited, not their sum', async () => {
  const idle = idleTimeout({ timeoutMs: 100, timeoutError: () => late });
  for (let n = 0; n < 5; n += 1) {
    const wait = idle.wait(after(90));
    await vi.advanceTimersByTimeAsync(90);
    expect(await wait).toBe(90);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(idle.signal.aborted).toBe(false);
  const wait = idle.wait(after(200));
  const rejection = expect(wait).rejects.toBe(late);
  await vi.advanceTimersByTimeAsync(100);
  await rejection;
  expect(idle.signal.reason).toBe(late);
});

it('LLM-16: without a limit there is no timer, and no timer is left behind', async () => {
  const idle = idleTimeout({ timeoutMs: Infinity, timeoutError: () => late });
  const wait = idle.wait(after(2 ** 31 - 1));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2 ** 31 - 1);
  await wait;
  const limited = idleTimeout({ timeoutMs: 100, timeoutError: () => late });
  await limited.wait(Promise.resolve());
  await expect(limited.wait(Promise.reject(late))).rejects.toBe(late);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('LLM-15: an abort before or during a wait rejects with its reason', async () => {
  const controller = new AbortController();
  const options = { timeoutMs: 100, signal: controller.signal, timeoutError: () => late };
  const idle = idleTimeout(options);
  const closed = idleTimeout(options);
  closed.close();
  const wait = idle.wait(after(50));
  const rejection = expect(wait).rejects.toBe('stop');
  controller.abort('stop');
  await rejection;
  await expect(idle.wait(Promise.resolve())).rejects.toBe('stop');
  expect(closed.signal.aborted).toBe(false);
  expect(idleTimeout(options).signal.reason).toBe('stop');
});
