import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEndpoint } from '../../../src/llm/endpoint.ts';
import type { LLMRequest } from '../../../src/llm/llm.ts';
import { filledLines } from '../../../src/llm/lines.ts';
import { ollamaChat } from '../../../src/llm/ollama-chat.ts';
import { ReplyParts } from '../../../src/llm/wire-format.ts';

function bodyOf(request: LLMRequest): Record<string, unknown> {
  return ollamaChat.requestBody(request, { model: 'm', stream: false });
}

it('LLM-28: settings are options, and streaming and the JSON format are requested', () => {
  const messages: LLMRequest['messages'] = [
    { role: 'system', content: 's' },
    { role: 'user', content: 'hi', name: 'ann' },
  ];
  const plain = [
    { role: 'system', content: 's' },
    { role: 'user', content: 'hi' },
  ];
  expect(bodyOf({ messages })).toEqual({ model: 'm', messages: plain, stream: false });
  expect(
    ollamaChat.requestBody(
      { messages, temperature: 0, maxTokens: 9, responseFormat: 'json' },
      { stream: true },
    ),
  ).toEqual({
    messages: plain,
    stream: true,
    format: 'json',
    options: { temperature: 0, num_predict: 9 },
  });
});

it('LLM-28: a result names its tool, and arguments that are not an object are wrapped', () => {
  const { messages } = bodyOf({
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: 'oops' } }],
      },
      { role: 'tool', content: 'r', tool_call_id: 'x' },
      { role: 'tool', content: 'lost', tool_call_id: 'unknown' },
    ],
  });
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'x', function: { name: 'f', arguments: { arguments: 'oops' } } }],
    },
    { role: 'tool', content: 'r', tool_call_id: 'x', tool_name: 'f' },
    { role: 'tool', content: 'lost', tool_call_id: 'unknown' },
  ]);
});

it('LLM-28: a result gets the name of the call before it, also if a later call has the same id', () => {
  const use = (name: string, content: string): LLMRequest['messages'] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_0', type: 'function', function: { name, arguments: '{}' } }],
    },
    { role: 'tool', content, tool_call_id: 'call_0' },
  ];
  const { messages } = bodyOf({ messages: [...use('weather', 'Rain.'), ...use('clock', 'Noon.')] });
  expect(messages).toMatchObject([
    { role: 'assistant' },
    { role: 'tool', content: 'Rain.', tool_name: 'weather' },
    { role: 'assistant' },
    { role: 'tool', content: 'Noon.', tool_name: 'clock' },
  ]);
});

it('LLM-28: texts are joined, inline images are separate, and other parts are rejected', () => {
  const withPart = (part: { type: string; [field: string]: unknown }): LLMRequest => ({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, part, { type: 'text', text: 'b' }] }],
  });
  const image = (url: string): LLMRequest => withPart({ type: 'image_url', image_url: { url } });
  expect(bodyOf(image('data:image/png;base64,AAAA'))['messages']).toEqual([
    { role: 'user', content: 'a\nb', images: ['AAAA'] },
  ]);
  for (const request of [image('https://x/y.png'), image(''), withPart({ type: 'input_audio' })]) {
    expect(() => bodyOf(request)).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  }
});

it('LLM-28: the address is completed', () => {
  const urlOf = (url: string): string => readEndpoint({ api: 'ollama', url }).url;
  for (const url of ['', '/', '/api', '/api/', '/api/chat'].map((path) => `http://localhost:11434${path}`)) {
    expect(urlOf(url)).toBe('http://localhost:11434/api/chat');
  }
  expect(urlOf('/proxy/api?a=b')).toBe('/proxy/api/chat?a=b');
});

it('LLM-28: calls without ids get their own, even if each chunk restarts its numbering', () => {
  const reply = new ReplyParts();
  const add = (data: string): void => ollamaChat.addData(reply, data);
  const chunk = (name: string): string =>
    JSON.stringify({
      message: { content: '', tool_calls: [{ function: { index: 0, name, arguments: { a: 1 } } }] },
    });
  add(chunk('f'));
  add(chunk('g'));
  add('{"message":{"content":"","thinking":"hm"},"done":true}');
  expect(reply.isClosed).toBe(true);
  const { toolCalls = [], ...rest } = reply.toReply();
  expect(rest).toEqual({ text: '', finishReason: 'tool_calls' });
  expect(toolCalls.map((call) => call.function)).toEqual([
    { name: 'f', arguments: '{"a":1}' },
    { name: 'g', arguments: '{"a":1}' },
  ]);
  expect(new Set(toolCalls.map((call) => call.id)).size).toBe(2);
  expect(toolCalls.every((call) => call.id !== '')).toBe(true);
});

it('LLM-2: values are the same wherever the text is split and whatever the line endings', async () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('ü 😀\n')).map((text) => ({ text }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(value, fc.constantFrom('\n', '\r\n', '\n\n', '\n \n'))),
      fc.boolean(),
      fc.array(fc.nat()),
      async (lines, isClosed, cuts) => {
        const text = lines.map(([each, ending]) => JSON.stringify(each) + ending).join('');
        const sent = isClosed ? text : text.trimEnd();
        const ends = [...cuts.map((cut) => cut % (sent.length + 1)), sent.length].toSorted((a, b) => a - b);
        async function* pieces(): AsyncGenerator<string> {
          for (const [index, end] of ends.entries()) yield sent.slice(ends[index - 1] ?? 0, end);
        }
        const read: string[] = [];
        for await (const data of filledLines(pieces())) read.push(data);
        expect(read.map((each) => JSON.parse(each) as unknown)).toEqual(
          lines.map(([each]) => ({ text: each.text })),
        );
      },
    ),
  );
});
