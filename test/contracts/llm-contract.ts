import { afterEach, describe, expect, it } from 'vitest';
import type { FetchLLMOptions } from '../../src/llm/endpoint.ts';
import type { LLMReply, LLMRequest } from '../../src/llm/llm.ts';
import type { ToolCall } from '../../src/model/message.ts';
import { wireShapeOf } from '../fakes/llm-wire-shapes.ts';
import type { ScriptedLLMServer } from '../fakes/scripted-llm-server.ts';

/** An adapter whose model answers from a script. */
export interface LLMSubject {
  llm: EndpointLLM;
  script(...answers: ContractAnswer[]): void;
  /** Calls that have reached the model. */
  callCount(): number;
}

export type ContractAnswer =
  | { kind: 'reply'; text: string }
  | { kind: 'stream'; tokens: readonly string[]; delayMs?: number }
  | { kind: 'cut'; tokens: readonly string[] };

const hi: LLMRequest = { messages: [{ role: 'user', content: 'hi' }] };

function listening(request: LLMRequest = hi): { request: LLMRequest; tokens: string[] } {
  const tokens: string[] = [];
  return { tokens, request: { ...request, onToken: (text) => void tokens.push(text) } };
}

/** A model of this library, whose replies are never plain strings. */
type EndpointLLM = (request: LLMRequest) => Promise<LLMReply>;

/** What every model of this library does alike. */
export function describeLLM(name: string, open: () => LLMSubject): void {
  describe(`${name} keeps the contract of a model`, () => {
    it('LLM-19: a reply is the same in one piece and streamed, and its pieces joined are its text', async () => {
      const { llm, script } = open();
      script(
        { kind: 'reply', text: 'a ü 😀\n\n b' },
        { kind: 'stream', tokens: ['a ', 'ü ', '😀', '\n\n b'] },
      );
      const whole = await llm(hi);
      const { request, tokens } = listening();
      expect(whole.text).toBe('a ü 😀\n\n b');
      expect(await llm(request)).toEqual(whole);
      expect(tokens).toEqual(['a ', 'ü ', '😀', '\n\n b']);
    });

    it('LLM-19: an empty reply is an empty text without tokens', async () => {
      const { llm, script } = open();
      script({ kind: 'reply', text: '' }, { kind: 'reply', text: '' });
      expect((await llm(hi)).text).toBe('');
      const { request, tokens } = listening();
      expect((await llm(request)).text).toBe('');
      expect(tokens).toEqual([]);
    });

    it('LLM-20: an abort during a stream rejects with its reason, and no token follows', async () => {
      const { llm, script, callCount } = open();
      script({ kind: 'stream', tokens: Array.from({ length: 200 }, () => 'x'), delayMs: 5 });
      const controller = new AbortController();
      const reason = new Error('enough');
      const tokens: string[] = [];
      const onToken = (text: string): void => {
        tokens.push(text);
        controller.abort(reason);
      };
      await expect(llm({ ...hi, signal: controller.signal, onToken })).rejects.toBe(reason);
      expect(tokens).toEqual(['x']);
      expect(callCount()).toBe(1);
    });

    it('LLM-20: an aborted signal never reaches the model', async () => {
      const { llm, callCount } = open();
      const reason = new Error('too late');
      await expect(llm({ ...hi, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(callCount()).toBe(0);
    });

    it('LLM-20: if onToken throws, the call rejects with that error', async () => {
      const { llm, script } = open();
      script({ kind: 'stream', tokens: ['a', 'b'], delayMs: 5 });
      const mine = new Error('mine');
      const onToken = (): void => {
        throw mine;
      };
      await expect(llm({ ...hi, onToken })).rejects.toBe(mine);
    });

    it('LLM-21: a stream that breaks after a token is llm-reply and not tried again', async () => {
      const { llm, script, callCount } = open();
      script({ kind: 'cut', tokens: ['a', 'b'] });
      const { request, tokens } = listening();
      await expect(llm(request)).rejects.toMatchObject({ name: 'MnemoraError', code: 'llm-reply' });
      expect(tokens).toEqual(['a', 'b']);
      expect(callCount()).toBe(1);
    });

    it('LLM-21: a list of messages instead of a request is rejected, and the error says what to write', async () => {
      await expect(open().llm([] as unknown as LLMRequest)).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('{ messages: ['),
      });
    });
  });
}

export interface HttpLLMSubject {
  server: () => ScriptedLLMServer;
  /** The path of the API, without the slash. */
  path: Parameters<typeof wireShapeOf>[0];
  open(options: Pick<FetchLLMOptions, 'apiKey' | 'retries' | 'sleep'>): EndpointLLM;
}

/** What every API that `fetchLLM` speaks does alike, beside {@link describeLLM}. */
export function describeHttpLLM(name: string, { server, path, open }: HttpLLMSubject): void {
  const key = 'sk-very-secret-1234';
  const shape = wireShapeOf(path);

  describe(`${name} keeps the contract of an HTTP API`, () => {
    afterEach(() => void (server().requests.length = 0));

    it('LLM-22: an error status is llm-http with status and reason, without the key', async () => {
      server().enqueue({ kind: 'error', status: 400, body: shape.error(`no such thing, ${key}`) });
      const error: unknown = await open({ apiKey: key })(hi).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'llm-http',
        status: 400,
        message: expect.stringContaining('no such thing'),
      });
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(key);
      expect(JSON.stringify(server().requests[0]?.headers)).toContain(key);
    });

    it('LLM-23: status 429 is tried again after the pause that the server asks for', async () => {
      const waits: number[] = [];
      const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
      server().enqueue(
        { kind: 'error', status: 429, headers: { 'retry-after': '7' } },
        { kind: 'cut', tokens: [] },
        { kind: 'stream', tokens: ['ok'] },
      );
      expect((await open({ sleep })(listening().request)).text).toBe('ok');
      expect(waits[0]).toBe(7000);
      expect(server().requests.map((request) => request.path)).toEqual([`/${path}`, `/${path}`, `/${path}`]);
    });

    it('LLM-24: invalid JSON, a missing reply and an error object with status 200 are llm-reply', async () => {
      server().enqueue(
        { kind: 'broken-json' },
        { kind: 'error', status: 200, body: {} },
        { kind: 'error', status: 200, body: [] },
        { kind: 'error', status: 200, body: shape.error(`overloaded, ${key}`) },
      );
      for (let n = 0; n < 4; n += 1) {
        const error: unknown = await open({ apiKey: key })(hi).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: 'llm-reply' });
        expect(String(error)).not.toContain(key);
        if (n === 3) expect(String(error)).toContain('overloaded');
      }
      expect(server().requests).toHaveLength(4);
    });

    it('LLM-24: a stream that ends unfinished, or contains invalid JSON or an error object, is llm-reply', async () => {
      const token = shape.token('a');
      const frame = (json: string): string => token.replace(/\{.*\}/, () => json);
      const failing = [
        { rest: [], says: 'broke off' },
        { rest: [frame('{"a":')], says: 'JSON' },
        { rest: [frame(JSON.stringify(shape.error(`overloaded, ${key}`)))], says: 'overloaded' },
      ];
      for (const { rest, says } of failing) {
        const pieces = [token, ...rest].map((text) => Buffer.from(text).toString('base64'));
        server().enqueue({ kind: 'raw', pieces });
        const { request, tokens } = listening();
        const error: unknown = await open({ apiKey: key })(request).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: 'llm-reply', message: expect.stringContaining(says) });
        expect(String(error)).not.toContain(key);
        expect(tokens).toEqual(['a']);
      }
      expect(server().requests).toHaveLength(failing.length);
    });

    it('LLM-24: bytes split anywhere, even inside a character, give the same reply', async () => {
      const ending = shape.ending({ text: null });
      const bytes = Buffer.from(`${shape.token('aü')}${shape.token('😀')}${ending}`);
      server().enqueue({
        kind: 'raw',
        pieces: Array.from(bytes, (byte) => Buffer.of(byte).toString('base64')),
      });
      const { request, tokens } = listening();
      expect(await open({})(request)).toEqual({ text: 'aü😀', finishReason: 'stop' });
      expect(tokens).toEqual(['aü', '😀']);
    });

    it('LLM-25: tool calls are whole and can be sent back with their results, streamed or not', async () => {
      const calls = [
        { id: 'call_1', name: 'look_up', arguments: '{"city":"Zürich","deep":{"n":[1,2]}}' },
        { id: 'call_2', name: 'now', arguments: '{}' },
      ];
      for (const ask of [hi, listening().request]) {
        server().enqueue({
          kind: 'reply',
          text: 'Let me see.',
          toolCalls: calls,
          finishReason: 'tool_calls',
        });
        const reply = await open({})(ask);
        expect(reply).toEqual({
          text: 'Let me see.',
          toolCalls: calls.map(({ id, ...called }): ToolCall => ({ id, type: 'function', function: called })),
          finishReason: 'tool_calls',
        } satisfies LLMReply);
        await open({})({
          messages: [
            ...hi.messages,
            { role: 'assistant', content: reply.text, tool_calls: reply.toolCalls ?? [] },
            { role: 'tool', content: 'rainy', tool_call_id: 'call_1' },
            { role: 'tool', content: 'noon', tool_call_id: 'call_2' },
          ],
        });
        const body = server().requests.at(-1)?.body;
        expect(shape.callsIn(body)).toEqual(calls);
        expect(shape.resultsIn(body)).toEqual([
          { id: 'call_1', content: 'rainy' },
          { id: 'call_2', content: 'noon' },
        ]);
      }
    });

    it('LLM-26: usage and finish reason are reported in the same terms, streamed or not', async () => {
      const usage = { prompt_tokens: 11, completion_tokens: 5 };
      for (const ask of [hi, listening().request]) {
        for (const finishReason of ['stop', 'length', 'something-new']) {
          server().enqueue({ kind: 'reply', text: 'cut sh', usage, finishReason });
          expect(await open({})(ask)).toEqual({
            text: 'cut sh',
            usage: { inputTokens: 11, outputTokens: 5 },
            finishReason,
          });
        }
      }
    });

    it('LLM-26: a reply in one piece to a streaming request is one token', async () => {
      server().enqueue({ kind: 'error', status: 200, body: shape.whole({ text: 'whole' }) });
      const { request, tokens } = listening();
      expect((await open({})(request)).text).toBe('whole');
      expect(tokens).toEqual(['whole']);
    });
  });
}
