import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchLLM, type FetchLLMOptions } from '../../../src/llm/fetch-llm.ts';
import type { LLMRequest } from '../../../src/llm/llm.ts';
import { growth, MOST_GROWTH } from '../../fixtures/growth.ts';

const hi: LLMRequest = { messages: [{ role: 'user', content: 'hi' }] };
const streamed: LLMRequest = { ...hi, onToken: () => undefined };

/** A `fetch` whose replies consist of these pieces, and the number of pieces that were taken. */
function replies(
  contentType: string,
  pieces: Iterable<string>,
): { fetch: typeof fetch; taken: () => number } {
  let taken = 0;
  const encoder = new TextEncoder();
  const each = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = each.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
        taken += 1;
      },
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { headers: { 'content-type': contentType } });
  return { fetch: async () => response, taken: () => taken };
}

function* forever(text: string): Generator<string> {
  for (;;) yield text;
}

describe('redirects', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it.each([301, 302, 303, 307, 308])(
    'LLM-34: no other address gets a request after status %i, whatever the API',
    async (status) => {
      const asked: string[] = [];
      const start = async (name: string, location: () => string): Promise<string> => {
        const server = createServer((_request, response) => {
          asked.push(name);
          response.writeHead(status, { location: location() }).end();
        });
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      };
      const other = await start('other', () => '/');
      const url = await start('endpoint', () => `${other}/v1/chat/completions`);
      const headers = { 'api-key': 'secret-of-the-page' };
      for (const api of ['openai', 'anthropic', 'ollama'] as const) {
        await expect(fetchLLM({ api, url, apiKey: 'sk-1234567890', headers })(hi)).rejects.toMatchObject({
          code: 'llm-http',
          message: expect.stringMatching(/redirects .* Set url to the final address/),
        });
      }
      expect(asked).toEqual(['endpoint', 'endpoint', 'endpoint']);
    },
  );
});

describe('sizes', () => {
  it.each([
    [
      'a stream of tokens',
      'openai',
      'text/event-stream',
      'data: {"choices":[{"delta":{"content":"x"}}]}\n\n',
    ],
    ['a stream of comments', 'openai', 'text/event-stream', `: ${'x'.repeat(100)}\n`],
    ['an event that never ends', 'openai', 'text/event-stream', `data: ${'x'.repeat(100)}\n`],
    ['a line that never ends', 'ollama', 'application/x-ndjson', 'x'.repeat(100)],
    ['a whole reply', 'openai', 'application/json', ' '.repeat(100)],
  ] as const)('LLM-35: %s is taken up to maxReplyBytes', async (_name, api, type, piece) => {
    const { fetch, taken } = replies(type, forever(piece));
    await expect(fetchLLM({ api, url: '/v1', fetch, maxReplyBytes: 10_000 })(streamed)).rejects.toMatchObject(
      { code: 'llm-reply', message: expect.stringContaining('maxReplyBytes') },
    );
    expect(taken()).toBeLessThanOrEqual(10_000 / piece.length + 2);
  });

  it('LLM-35: a line of a stream has 8,000,000 characters at most', async () => {
    for (const [api, type] of [
      ['openai', 'text/event-stream'],
      ['ollama', 'application/x-ndjson'],
    ] as const) {
      const { fetch, taken } = replies(type, forever('x'.repeat(1_000_000)));
      await expect(fetchLLM({ api, url: '/v1', fetch })(streamed)).rejects.toMatchObject({
        code: 'llm-reply',
      });
      expect(taken()).toBeLessThan(12);
    }
  });

  it('LLM-35: a reply just within the limit is read', async () => {
    const text = JSON.stringify({ choices: [{ message: { content: 'whole' } }] });
    const { fetch } = replies('application/json', [text]);
    expect((await fetchLLM({ url: '/v1', fetch, maxReplyBytes: text.length })(hi)).text).toBe('whole');
  });
});

describe('time', () => {
  const event = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  it.each([
    ['a long event', 'openai', 'text/event-stream', (size: number) => event('x'.repeat(size))],
    [
      'a long line',
      'ollama',
      'application/x-ndjson',
      (size: number) => `${JSON.stringify({ message: { content: 'x'.repeat(size) } })}\n`,
    ],
    ['many events', 'openai', 'text/event-stream', (size: number) => event('xy').repeat(size / 40)],
  ] as const)('LLM-37: %s in pieces of 64 bytes takes linear time', async (_name, api, type, textOf) => {
    const run = async (size: number): Promise<void> => {
      const text = textOf(size);
      const end = api === 'ollama' ? '{"done":true}\n' : 'data: [DONE]\n\n';
      const pieces = [...(text.match(/[^]{1,64}/g) ?? []), end];
      const options: FetchLLMOptions = { api, url: '/v1', fetch: replies(type, pieces).fetch };
      expect((await fetchLLM(options)(streamed)).text.length).toBeGreaterThan(0);
    };
    expect(await growth(run, 250_000)).toBeLessThan(MOST_GROWTH);
  });
});
