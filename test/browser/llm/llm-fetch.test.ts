import { beforeEach, expect, inject, it } from 'vitest';
import { fetchLLM } from '../../../src/llm/fetch-llm.ts';
import type { RecordedRequest, ScriptedReply } from '../../fakes/scripted-llm-server.ts';
import { eventually } from '../../fixtures/eventually.ts';

const channel = `${inject('llmServerOrigin')}/llm-fetch`;
const hi = [{ role: 'user' as const, content: 'hi' }];

async function script(...replies: ScriptedReply[]): Promise<void> {
  await fetch(`${channel}/__script`, { method: 'POST', body: JSON.stringify(replies) });
}

async function requests(): Promise<RecordedRequest[]> {
  return (await fetch(`${channel}/__requests`)).json();
}

beforeEach(async () => {
  await fetch(`${channel}/__reset`, { method: 'POST' });
});

it('LLM-18: a page calls an endpoint of another origin with its key, with and without streaming', async () => {
  const llm = fetchLLM({ url: `${channel}/v1`, model: 'm', apiKey: 'k' });
  await script({ kind: 'reply', text: 'whole' }, { kind: 'stream', tokens: ['a', 'ü', '😀'] });
  expect(await llm({ messages: hi })).toEqual({ text: 'whole', finishReason: 'stop' });
  const tokens: string[] = [];
  const reply = await llm({ messages: hi, onToken: (text) => void tokens.push(text) });
  expect(reply.text).toBe('aü😀');
  expect(tokens).toEqual(['a', 'ü', '😀']);
  expect((await requests()).map((request) => request.headers['authorization'])).toEqual([
    'Bearer k',
    'Bearer k',
  ]);
});

it("LLM-18: an abort during a stream rejects with the signal's reason and closes the connection", async () => {
  const llm = fetchLLM({ url: `${channel}/v1` });
  await script({ kind: 'stream', tokens: Array.from({ length: 500 }, () => 'x'), delayMs: 5 });
  const controller = new AbortController();
  const reason = new Error('stopped by the user');
  const call = llm({
    messages: hi,
    signal: controller.signal,
    onToken: () => controller.abort(reason),
  });
  await expect(call).rejects.toBe(reason);
  await eventually(async () => expect((await requests())[0]?.wasAborted).toBe(true));
});

it('LLM-18: Retry-After is respected and a connection that breaks before any token is tried again', async () => {
  const waits: number[] = [];
  const llm = fetchLLM({
    url: `${channel}/v1`,
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  await script(
    { kind: 'error', status: 429, headers: { 'retry-after': '3' } },
    { kind: 'cut', tokens: [] },
    { kind: 'stream', tokens: ['ok'] },
  );
  expect((await llm({ messages: hi, onToken: () => undefined })).text).toBe('ok');
  expect(waits[0]).toBe(3000);
  expect(await requests()).toHaveLength(3);
});

it('LLM-18: a stream that breaks after a token is llm-reply, and an unreachable endpoint is llm-network', async () => {
  await script({ kind: 'cut', tokens: ['a'], waits: true });
  const options = { sleep: async () => undefined, apiKey: 'sk-secret-key' };
  const cut = fetchLLM({ url: `${channel}/v1`, ...options });
  const onToken = (): void => void fetch(`${channel}/__cut`, { method: 'POST' });
  await expect(cut({ messages: hi, onToken })).rejects.toMatchObject({ code: 'llm-reply' });
  const gone = fetchLLM({ url: 'http://127.0.0.1:9/v1', ...options });
  await expect(gone({ messages: hi })).rejects.toMatchObject({ code: 'llm-network' });
});

it('LLM-18: the APIs of Anthropic and Ollama are called and streamed across origins', async () => {
  const url = { anthropic: `${channel}/v1`, ollama: `${channel}/api` };
  for (const api of ['anthropic', 'ollama'] as const) {
    const llm = fetchLLM({ api, url: url[api], model: 'm', apiKey: 'k' });
    await script({ kind: 'reply', text: 'whole' }, { kind: 'stream', tokens: ['a', 'ü', '😀'] });
    expect(await llm({ messages: hi })).toEqual({ text: 'whole', finishReason: 'stop' });
    const tokens: string[] = [];
    const reply = await llm({ messages: hi, onToken: (text) => void tokens.push(text) });
    expect(reply.text).toBe('aü😀');
    expect(tokens).toEqual(['a', 'ü', '😀']);
  }
  const headers = (await requests()).map((request) => request.headers);
  expect(headers.map((each) => each['x-api-key'] ?? each['authorization'])).toEqual([
    'k',
    'k',
    'Bearer k',
    'Bearer k',
  ]);
});

it('LLM-34: a page follows no redirect and says so, whether the other address is of the same origin or not', async () => {
  const other = `${channel}/elsewhere`;
  for (const target of [other, other.replace('127.0.0.1', 'localhost')]) {
    for (const status of [302, 307, 308]) {
      const location = `${target}/v1/chat/completions`;
      await script({ kind: 'error', status, headers: { location } });
      const call = fetchLLM({ url: `${channel}/v1`, apiKey: 'sk-12345678', retries: 0 })({ messages: hi });
      await expect(call).rejects.toMatchObject({
        code: 'llm-http',
        message: expect.stringContaining('redirects'),
      });
    }
  }
  expect(await requests()).toHaveLength(6);
  expect(await (await fetch(`${other}/__requests`)).json()).toEqual([]);
});
