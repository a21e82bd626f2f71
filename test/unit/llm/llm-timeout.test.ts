import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchLLM } from '../../../src/llm/fetch-llm.ts';
import type { LLMRequest } from '../../../src/llm/llm.ts';

beforeEach(async () => {
  await fetchLLM({ url: '/v1', fetch: answerAfter(0) })(hi); // loads what the first call loads
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hi: LLMRequest = { messages: [{ role: 'user', content: 'hi' }] };
const streamed: LLMRequest = { ...hi, onToken: () => undefined };

/** A model that answers after a time, one letter in each of five pieces with this time between them if streamed. */
function answerAfter(milliseconds: number, seen: AbortSignal[] = []): typeof fetch {
  const time = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  return async (_url, init) => {
    if (init?.signal) seen.push(init.signal);
    await time();
    if (!String(init?.body).includes('"stream":true'))
      return Response.json({ choices: [{ message: { content: 'whole' } }] });
    const pieces = [...'abcde'].map((content) => JSON.stringify({ choices: [{ delta: { content } }] }));
    const lines = [...pieces, '[DONE]'].map((data) => new TextEncoder().encode(`data: ${data}\n\n`));
    return new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          await time();
          controller.enqueue(lines.shift() ?? new Uint8Array());
        },
      }),
    );
  };
}

it('LLM-16: only single waits are limited, not their sum', async () => {
  const patient = fetchLLM({ url: '/v1', timeoutMs: 100, fetch: answerAfter(90) })(streamed);
  await vi.advanceTimersByTimeAsync(90 * 7);
  expect((await patient).text).toBe('abcde');
  const late = fetchLLM({ url: '/v1', timeoutMs: 80, fetch: answerAfter(90) })(streamed);
  const rejection = expect(late).rejects.toMatchObject({ code: 'llm-timeout' });
  await vi.advanceTimersByTimeAsync(80);
  await rejection;
});

it('LLM-16: without a limit there is no timer, and no timer is left behind', async () => {
  const month = 2 ** 31 - 1;
  const limits = { timeoutMs: Infinity, totalTimeoutMs: Infinity };
  const unlimited = fetchLLM({ url: '/v1', ...limits, fetch: answerAfter(month) })(hi);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(month);
  expect((await unlimited).text).toBe('whole');
  const limited = fetchLLM({ url: '/v1', timeoutMs: 100, fetch: answerAfter(10) })(streamed);
  await vi.advanceTimersByTimeAsync(1000);
  await limited;
  const refused = async (): Promise<Response> => new Response('no', { status: 400 });
  await expect(fetchLLM({ url: '/v1', fetch: refused })(hi)).rejects.toMatchObject({ status: 400 });
  expect(vi.getTimerCount()).toBe(0);
});

it('LLM-16: a reply that arrives steadily, but is not whole in time, is llm-timeout', async () => {
  const seen: AbortSignal[] = [];
  const limits = { timeoutMs: 100, totalTimeoutMs: 300 };
  const slow = fetchLLM({ url: '/v1', ...limits, fetch: answerAfter(90, seen) })(streamed);
  const rejection = expect(slow).rejects.toMatchObject({
    code: 'llm-timeout',
    message: expect.stringContaining('totalTimeoutMs'),
  });
  await vi.advanceTimersByTimeAsync(300);
  await rejection;
  expect(seen.map((signal) => signal.aborted)).toEqual([true]);
});

it('LLM-36: the status of an error is told although its body never ends', async () => {
  const drip = async (_url: unknown, init?: RequestInit): Promise<Response> =>
    new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 30));
          if (!init?.signal?.aborted) controller.enqueue(new TextEncoder().encode('x'));
        },
      }),
      { status: 400 },
    );
  const llm = fetchLLM({ url: '/v1', timeoutMs: 100, fetch: drip as typeof fetch });
  const rejection = expect(llm(hi)).rejects.toMatchObject({
    code: 'llm-http',
    status: 400,
    message: expect.stringContaining('xxx'),
  });
  await vi.advanceTimersByTimeAsync(100);
  await rejection;
});

it('LLM-15: an abort rejects a wait with its reason, and a call that has ended is not aborted any more', async () => {
  const seen: AbortSignal[] = [];
  const llm = fetchLLM({ url: '/v1', fetch: answerAfter(50, seen) });
  const controller = new AbortController();
  const ended = llm({ ...hi, signal: controller.signal });
  await vi.advanceTimersByTimeAsync(50);
  await ended;
  const waiting = llm({ ...hi, signal: controller.signal });
  await vi.advanceTimersByTimeAsync(10);
  const rejection = expect(waiting).rejects.toBe('stop');
  controller.abort('stop');
  await rejection;
  expect(seen.map((signal) => signal.aborted)).toEqual([false, true]);
});
