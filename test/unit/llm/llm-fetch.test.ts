import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchLLM, type FetchLLMOptions } from '../../../src/llm/fetch-llm.ts';
import type { LLMRequest } from '../../../src/llm/llm.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import { startScriptedLLMServer, type ScriptedLLMServer } from '../../fakes/scripted-llm-server.ts';
import { eventually } from '../../fixtures/eventually.ts';

const KEY = 'sk-secret/+"key 1234567';
let server: ScriptedLLMServer;
let waits: number[];

beforeAll(async () => {
  server = await startScriptedLLMServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  waits = [];
});

function llmWith(options: Partial<FetchLLMOptions> = {}): ReturnType<typeof fetchLLM> {
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  return fetchLLM({ url: server.url, model: 'm', sleep, ...options });
}

const hi: LLMRequest = { messages: [{ role: 'user', content: 'hi' }] };

function streaming(signal?: AbortSignal): { request: LLMRequest; tokens: string[] } {
  const tokens: string[] = [];
  const onToken = (text: string): void => void tokens.push(text);
  return { tokens, request: { ...hi, onToken, ...(signal ? { signal } : {}) } };
}

async function failure(promise: Promise<unknown>): Promise<MnemoraError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MnemoraError);
  return error as MnemoraError;
}

function base64(...texts: string[]): string[] {
  return texts.map((text) => Buffer.from(text).toString('base64'));
}

const chunk = (content: string): string => `data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`;

const chunkEndedBy = (content: string, reason: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] })}\n\n`;

/** A piece of a tool call. */
const delta = (call: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;

describe('request', () => {
  it('LLM-3: messages are sent in the shape of the API, with the settings that were given', async () => {
    const stored = {
      role: 'user',
      content: 'hi',
      id: 'x',
      seq: 3,
      tokens: { a: 1 },
    } as LLMRequest['messages'][number];
    await llmWith({ apiKey: 'k', headers: { 'X-Mine': 'y' } })({
      messages: [stored],
      temperature: 0,
      maxTokens: 9,
      responseFormat: 'json',
    });
    expect(server.requests[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0,
      max_tokens: 9,
      response_format: { type: 'json_object' },
    });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'x-mine': 'y',
      'content-type': 'application/json',
    });
  });

  it('LLM-4: the URL can be a base ending in /v1 or the full address', async () => {
    for (const url of [server.url, `${server.url}/`, `${server.url}/chat/completions`, `${server.url}?a=b`]) {
      expect((await llmWith({ url })(hi)).text).toBe('hi');
    }
    expect(new Set(server.requests.map((request) => request.path))).toEqual(
      new Set(['/v1/chat/completions']),
    );
  });

  it('LLM-5: buildRequest changes the body, and parseReply reads the reply and disables streaming', async () => {
    const { request, tokens } = streaming();
    const reply = await llmWith({
      buildRequest: (_request, body) => ({ ...body, extra: true }),
      parseReply: (body) => ({ text: `parsed ${typeof body}` }),
    })(request);
    expect(reply).toEqual({ text: 'parsed object' });
    expect(tokens).toEqual(['parsed object']);
    expect(server.requests[0]?.body).toMatchObject({ extra: true });
    expect(server.requests[0]?.body.stream).toBeUndefined();
  });

  it('LLM-6: invalid options are rejected without repeating secrets', () => {
    const bad: Partial<FetchLLMOptions>[] = [
      { url: '' },
      { url: undefined as unknown as string },
      { url: 'ftp://x/v1' },
      { url: 'http://me:password1@x/v1' },
      { api: 'smoke-signals' } as unknown as Partial<FetchLLMOptions>,
      { retries: -1 },
      { retries: 1.5 },
      { timeoutMs: 0 },
      { totalTimeoutMs: 0 },
      { maxReplyBytes: 0 },
      { apiKey: 'password1\nx\u0000' },
      { headers: { 'x-key': 'password1\u{1F600}' } },
      { modle: 'm' } as Partial<FetchLLMOptions>,
    ];
    for (const options of bad) {
      let error: unknown;
      try {
        llmWith(options);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, JSON.stringify(options)).toMatchObject({ code: 'invalid-option' });
      expect((error as MnemoraError).message).not.toContain('password1');
    }
  });

  it.each([
    ['a key that is a number', { apiKey: 5 }],
    ['a key in a list', { apiKey: ['password1'] }],
    ['headers that are a text', { headers: 'x-key: password1' }],
    ['headers that are a list', { headers: [['x-key', 'password1']] }],
    ['headers that are a Headers object', { headers: new Headers({ 'x-key': 'password1' }) }],
    ['headers in a map', { headers: new Map([['x-key', 'password1']]) }],
    ['a header that is a number', { headers: { 'x-key': 5 } }],
    ['a header that is a list', { headers: { 'x-key': ['password1'] } }],
    ['a fetch that is a number', { fetch: 5 }],
    ['a buildRequest that is a text', { buildRequest: 'x' }],
    ['a parseReply that is an object', { parseReply: {} }],
    ['a sleep that is a number', { sleep: 5 }],
  ])('LLM-42: %s is refused, and the error does not contain a key or header', (_name, options) => {
    const [name = ''] = Object.keys(options);
    const made = vi.fn(() => llmWith(options as never));
    expect(made).toThrow(MnemoraError);
    const error = made.mock.results[0]?.value as MnemoraError;
    expect(error.code).toBe('invalid-option');
    expect(error.message).toContain(`${name} must be `);
    expect(error.message).not.toContain('password1');
  });

  it('LLM-42: a key that is null is no key', async () => {
    await llmWith({ apiKey: null as never })(hi);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('LLM-6: a request without messages is rejected, and the error says what to write', async () => {
    await expect(llmWith()([] as unknown as LLMRequest)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('{ messages: ['),
    });
  });

  it('LLM-7: the global fetch is looked up at each call', async () => {
    const llm = llmWith();
    vi.stubGlobal('fetch', async () => Response.json({ choices: [{ message: { content: 'stub' } }] }));
    try {
      expect((await llm(hi)).text).toBe('stub');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('reply', () => {
  it('LLM-8: text, tool calls, usage and finish reason are read; null content is empty text', async () => {
    server.enqueue({
      kind: 'reply',
      text: null,
      toolCalls: [{ id: 'c1', name: 'look', arguments: '{"a":1}' }],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
      finishReason: 'tool_calls',
    });
    expect(await llmWith()(hi)).toEqual({
      text: '',
      toolCalls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      usage: { inputTokens: 3, outputTokens: 4 },
      finishReason: 'tool_calls',
    });
  });

  it('LLM-8: invalid JSON, no choices and an error object with status 200 are llm-reply and not tried again', async () => {
    server.enqueue(
      { kind: 'broken-json' },
      { kind: 'error', status: 200, body: { choices: [] } },
      { kind: 'error', status: 200, body: { error: { message: `bad key ${KEY}` } } },
      { kind: 'error', status: 200, body: [] },
    );
    for (let n = 0; n < 4; n += 1) {
      const error = await failure(llmWith({ apiKey: KEY })(hi));
      expect(error.code).toBe('llm-reply');
      expect(error.message).not.toContain('sk-secret');
    }
    expect(server.requests).toHaveLength(4);
  });

  it('LLM-9: onToken gets each token in order and the reply contains the whole', async () => {
    server.enqueue({ kind: 'stream', tokens: ['a', 'ü', '😀', ' b'] });
    const { request, tokens } = streaming();
    expect(await llmWith()(request)).toEqual({ text: 'aü😀 b', finishReason: 'stop' });
    expect(tokens).toEqual(['a', 'ü', '😀', ' b']);
    expect(server.requests[0]?.body.stream).toBe(true);
  });

  it('LLM-9: a stream split anywhere, even inside a character or a byte order mark, gives the same text', async () => {
    const bytes = Buffer.from(`\uFEFF${chunk('aü')}${chunk('😀')}data: [DONE]\r\n\r\n`);
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte).toString('base64'));
    server.enqueue({ kind: 'raw', pieces });
    const { request, tokens } = streaming();
    expect((await llmWith()(request)).text).toBe('aü😀');
    expect(tokens).toEqual(['aü', '😀']);
  });

  it('LLM-9: tool calls that arrive in pieces are joined, and usage is read', async () => {
    const pieces = base64(
      delta({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
      delta({ index: 1, id: 'b', function: { name: 'g', arguments: '{' } }),
      delta({ index: 0, function: { arguments: '{"x"' } }),
      delta({ index: 0, function: { arguments: ':1}' } }) + delta({ index: 1, function: { arguments: '}' } }),
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
      'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n',
    );
    server.enqueue({ kind: 'raw', pieces });
    expect(await llmWith()(streaming().request)).toEqual({
      text: '',
      toolCalls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
      usage: { inputTokens: 1, outputTokens: 2 },
      finishReason: 'tool_calls',
    });
  });

  it('LLM-9: an endpoint that answers a stream request in one piece is supported', async () => {
    server.enqueue({
      kind: 'error',
      status: 200,
      body: { choices: [{ message: { content: 'whole' } }] },
    });
    const { request, tokens } = streaming();
    expect((await llmWith()(request)).text).toBe('whole');
    expect(tokens).toEqual(['whole']);
  });

  it('LLM-10: a stream that ends or breaks early is llm-reply', async () => {
    server.enqueue(
      { kind: 'stream', tokens: ['a'], isFinished: false },
      { kind: 'cut', tokens: ['a'] },
      { kind: 'raw', pieces: base64(chunk('a'), 'data: {"choices":[{"del') },
      { kind: 'raw', pieces: base64(chunk('a'), `data: {"error":{"message":"no more, ${KEY}"}}\n\n`) },
    );
    for (let n = 0; n < 4; n += 1) {
      const { request, tokens } = streaming();
      const error = await failure(llmWith({ apiKey: KEY })(request));
      expect(error.code).toBe('llm-reply');
      expect(error.message).not.toContain('sk-secret');
      expect(tokens).toEqual(['a']);
    }
    expect(server.requests).toHaveLength(4);
  });

  it('LLM-10: a connection that breaks after the finish is not a failure', async () => {
    const finish = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
    server.enqueue({ kind: 'raw', pieces: base64(chunk('a'), finish), isCut: true });
    expect((await llmWith()(streaming().request)).text).toBe('a');
  });

  it.each(['', 'null'])(
    'LLM-82: the finish reason %j does not end a reply: one that breaks off or ends there is not complete',
    async (reason) => {
      for (const isCut of [true, false]) {
        server.enqueue({ kind: 'raw', pieces: base64(chunkEndedBy('The dose is', reason)), isCut });
        const { request, tokens } = streaming();
        expect((await failure(llmWith()(request))).code).toBe('llm-reply');
        expect(tokens).toEqual(['The dose is']);
      }
      expect(server.requests).toHaveLength(2);
    },
  );

  it.each(['', 'null'])('LLM-82: the finish reason %j does not replace one that was sent', async (reason) => {
    const pieces = base64(chunkEndedBy('a', reason), chunkEndedBy('b', 'length'), chunkEndedBy('', reason));
    server.enqueue({ kind: 'raw', pieces });
    expect(await llmWith()(streaming().request)).toEqual({ text: 'ab', finishReason: 'length' });
  });

  it('LLM-82: a whole reply with an empty finish reason has none', async () => {
    const choices = [{ message: { content: 'Hello.' }, finish_reason: '' }];
    server.enqueue({ kind: 'error', status: 200, body: { choices } });
    expect(await llmWith()(hi)).toEqual({ text: 'Hello.' });
  });

  it.each([
    ['without positions', {}],
    ['all at position 0', { index: 0 }],
  ])('LLM-83: streamed tool calls %s stay separate calls', async (_where, position) => {
    server.enqueue({
      kind: 'raw',
      pieces: base64(
        delta({ ...position, id: 'a', function: { name: 'f', arguments: '{"x"' } }),
        delta({ ...position, function: { arguments: ':1}' } }),
        delta({ ...position, id: 'b', function: { name: 'g', arguments: '{"y"' } }),
        delta({ ...position, id: 'b', function: { name: 'g', arguments: ':2}' } }),
        delta({ ...position, id: 'c', function: { name: 'f', arguments: '{}' } }),
        chunkEndedBy('', 'tool_calls'),
      ),
    });
    expect((await llmWith()(streaming().request)).toolCalls).toEqual([
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":2}' } },
      { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
    ]);
  });

  it('LLM-83: streamed tool calls of other functions stay separate calls also without ids', async () => {
    server.enqueue({
      kind: 'raw',
      pieces: base64(
        delta({ index: 0, function: { name: 'f', arguments: '{"x"' } }),
        delta({ index: 0, function: { name: 'f', arguments: ':1}' } }),
        delta({ index: 0, function: { name: 'g', arguments: '{}' } }),
        chunkEndedBy('', 'tool_calls'),
      ),
    });
    const { toolCalls = [] } = await llmWith()(streaming().request);
    expect(toolCalls.map((call) => call.function)).toEqual([
      { name: 'f', arguments: '{"x":1}' },
      { name: 'g', arguments: '{}' },
    ]);
  });

  it('LLM-11: if onToken throws, the call rejects with that error and closes the connection', async () => {
    server.enqueue({ kind: 'stream', tokens: ['a', 'b', 'c'], delayMs: 5 });
    const mine = new Error('mine');
    const onToken = vi.fn(() => {
      throw mine;
    });
    await expect(llmWith()({ ...hi, onToken })).rejects.toBe(mine);
    expect(onToken).toHaveBeenCalledTimes(1);
    await eventually(() => expect(server.requests[0]?.wasAborted).toBe(true));
    expect(server.requests).toHaveLength(1);
  });
});

describe('retry', () => {
  it('LLM-12: 408, 429 and 5xx are tried again, with growing pauses', async () => {
    server.enqueue(
      { kind: 'error', status: 429 },
      { kind: 'error', status: 503 },
      { kind: 'error', status: 408 },
    );
    expect((await llmWith({ retries: 3 })(hi)).text).toBe('hi');
    expect(server.requests).toHaveLength(4);
    expect(waits).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = waits;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(third).toBeGreaterThanOrEqual(1000);
    expect(third).toBeLessThanOrEqual(2000);
  });

  it('LLM-12: after the last attempt the error contains status and reason', async () => {
    server.enqueue(
      ...Array.from({ length: 3 }, () => ({
        kind: 'error' as const,
        status: 500,
        body: { error: { message: 'on fire' } },
      })),
    );
    const error = await failure(llmWith()(hi));
    expect(error).toMatchObject({ code: 'llm-http', status: 500 });
    expect(error.message).toContain('on fire');
    expect(server.requests).toHaveLength(3);
  });

  it('LLM-12: other 4xx are not tried again', async () => {
    for (const status of [400, 401, 403, 404, 422]) {
      server.requests.length = 0;
      server.enqueue({ kind: 'error', status });
      expect(await failure(llmWith()(hi))).toMatchObject({ code: 'llm-http', status });
      expect(server.requests).toHaveLength(1);
    }
  });

  it('LLM-13: Retry-After is respected, in seconds or as a date, up to a minute', async () => {
    server.enqueue(
      { kind: 'error', status: 429, headers: { 'retry-after': '7' } },
      { kind: 'error', status: 503, headers: { 'retry-after': '86400' } },
      { kind: 'error', status: 503, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
      { kind: 'error', status: 503, headers: { 'retry-after': 'soon' } },
    );
    await llmWith({ retries: 4 })(hi);
    expect(waits.slice(0, 3)).toEqual([7000, 60_000, 0]);
    expect(waits[3]).toBeGreaterThan(0);
  });

  it('LLM-14: a lost connection is tried again only if no token was passed on', async () => {
    server.enqueue({ kind: 'drop' }, { kind: 'cut', tokens: [] }, { kind: 'stream', tokens: ['a'] });
    const early = streaming();
    expect((await llmWith()(early.request)).text).toBe('a');
    expect(early.tokens).toEqual(['a']);
    expect(server.requests).toHaveLength(3);

    server.requests.length = 0;
    server.enqueue({ kind: 'cut', tokens: ['a', 'b'] }, { kind: 'stream', tokens: ['never'] });
    const late = streaming();
    expect((await failure(llmWith()(late.request))).code).toBe('llm-reply');
    expect(late.tokens).toEqual(['a', 'b']);
    expect(server.requests).toHaveLength(1);
    await llmWith()(hi);
  });

  it('LLM-14: an unreachable endpoint is llm-network', async () => {
    const gone = await startScriptedLLMServer();
    await gone.close();
    const error = await failure(llmWith({ url: gone.url })(hi));
    expect(error.code).toBe('llm-network');
    expect(waits).toHaveLength(2);
  });
});

describe('abort and timeout', () => {
  it("LLM-15: an abort rejects with the signal's reason, closes the connection and is not tried again", async () => {
    const controller = new AbortController();
    const reason = new DOMException('stop', 'AbortError');
    const tokens: string[] = [];
    server.enqueue({ kind: 'stream', tokens: Array.from({ length: 200 }, () => 'x'), delayMs: 5 });
    const call = llmWith()({
      ...hi,
      signal: controller.signal,
      onToken: (text) => {
        tokens.push(text);
        controller.abort(reason);
      },
    });
    await expect(call).rejects.toBe(reason);
    expect(tokens).toEqual(['x']);
    await eventually(() => expect(server.requests[0]?.wasAborted).toBe(true));
    expect(server.requests).toHaveLength(1);
  });

  it('LLM-15: an abort ends the wait for the first byte and the pause between attempts', async () => {
    server.enqueue({ kind: 'hang' });
    const first = new AbortController();
    const hanging = llmWith()({ ...hi, signal: first.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    first.abort();
    await expect(hanging).rejects.toBe(first.signal.reason);

    server.enqueue({ kind: 'error', status: 503, headers: { 'retry-after': '60' } });
    const second = new AbortController();
    const waiting = fetchLLM({ url: server.url })({ ...hi, signal: second.signal });
    await eventually(() => expect(server.requests).toHaveLength(2));
    second.abort();
    await expect(waiting).rejects.toBe(second.signal.reason);
    expect(server.requests).toHaveLength(2);
  });

  it('LLM-15: an aborted signal sends nothing', async () => {
    await expect(llmWith()({ ...hi, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(server.requests).toHaveLength(0);
  });

  it('LLM-16: silence longer than timeoutMs is llm-timeout, before and after the first byte', async () => {
    server.enqueue({ kind: 'hang' });
    expect((await failure(llmWith({ timeoutMs: 50 })(hi))).code).toBe('llm-timeout');
    server.enqueue({ kind: 'stream', tokens: ['a', 'b'], delayMs: 10_000 });
    expect((await failure(llmWith({ timeoutMs: 50 })(streaming().request))).code).toBe('llm-timeout');
    expect(server.requests).toHaveLength(2);
  });
});

describe('secrets', () => {
  function everything(error: unknown): string {
    const seen: string[] = [];
    for (let each: unknown = error; each instanceof Error; each = each.cause) {
      seen.push(each.message, String(each.stack), JSON.stringify(each), String(each));
      seen.push(JSON.stringify(Object.getOwnPropertyDescriptors(each)));
    }
    return seen.join('\n');
  }

  it("LLM-17: no error contains the key or a header's value, whatever the endpoint or fetch quotes", async () => {
    const secret = 'tokenvalue-98765';
    const quoted = `${'x'.repeat(288)}${KEY} and ${encodeURIComponent(KEY)} ${secret.toUpperCase()}`;
    const options = { apiKey: KEY, headers: { 'x-auth': secret }, retries: 0 };
    server.enqueue(
      { kind: 'error', status: 401, body: { error: { message: quoted } } },
      { kind: 'error', status: 400, body: quoted },
      { kind: 'error', status: 200, body: { error: { message: quoted } } },
      { kind: 'raw', contentType: 'application/json', pieces: base64(quoted) },
    );
    const broken = async (): Promise<never> => {
      throw new TypeError(`failed for ${quoted}`, { cause: new Error(quoted) });
    };
    const errors = [
      await failure(llmWith(options)(hi)),
      await failure(llmWith(options)(hi)),
      await failure(llmWith(options)(hi)),
      await failure(llmWith(options)(hi)),
      await failure(llmWith({ ...options, fetch: broken })(hi)),
      await failure(
        llmWith({
          ...options,
          parseReply: () => {
            throw new Error(quoted);
          },
        })(hi),
      ),
    ];
    for (const error of errors) {
      expect(everything(error)).not.toMatch(/sk-secret|tokenvalue-98765/i);
    }
    expect(errors.map((error) => error.code)).toEqual([
      'llm-http',
      'llm-http',
      'llm-reply',
      'llm-reply',
      'llm-network',
      'llm-reply',
    ]);
  });
});
