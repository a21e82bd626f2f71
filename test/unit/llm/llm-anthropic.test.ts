import { expect, it } from 'vitest';
import { anthropicMessages } from '../../../src/llm/anthropic-messages.ts';
import { readEndpoint } from '../../../src/llm/endpoint.ts';
import type { LLMRequest } from '../../../src/llm/llm.ts';
import { ReplyParts } from '../../../src/llm/wire-format.ts';

function bodyOf(request: LLMRequest): Record<string, unknown> {
  return anthropicMessages.requestBody(request, { model: 'm', stream: false });
}

it('LLM-27: system texts are separate, and there is a token limit and only the settings that were given', () => {
  expect(
    bodyOf({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hi', name: 'ann' },
        { role: 'system', content: ' ' },
        { role: 'system', content: 'Be brief.' },
      ],
    }),
  ).toEqual({
    model: 'm',
    max_tokens: 4096,
    system: 'Be kind.\n\nBe brief.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  });
  expect(
    anthropicMessages.requestBody(
      { messages: [{ role: 'user', content: 'hi' }], temperature: 0, maxTokens: 9 },
      { stream: true },
    ),
  ).toEqual({
    max_tokens: 9,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    temperature: 0,
    stream: true,
  });
});

it("LLM-27: JSON is requested in the system text, after the caller's own", () => {
  const { system } = bodyOf({
    messages: [{ role: 'system', content: 'Be kind.' }],
    responseFormat: 'json',
  });
  expect(system).toMatch(/^Be kind\.\n\n.*JSON/s);
});

it('LLM-27: neighbors of one role are joined, and blank texts and empty messages are left out', () => {
  const { messages } = bodyOf({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'user', content: ' \n' },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: null, tool_calls: [call('x', '{}'), call('y', '')] },
      { role: 'tool', content: 'one', tool_call_id: 'x' },
      { role: 'tool', content: '', tool_call_id: 'y' },
      { role: 'user', content: 'd' },
    ],
  });
  expect(messages).toEqual([
    { role: 'user', content: ['a', 'b', 'c'].map((text) => ({ type: 'text', text })) },
    {
      role: 'assistant',
      content: ['x', 'y'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'x', content: 'one' },
        { type: 'tool_result', tool_use_id: 'y' },
        { type: 'text', text: 'd' },
      ],
    },
  ]);
});

it('LLM-27: ids of other APIs and arguments that are not objects are converted', () => {
  const { messages } = bodyOf({
    messages: [
      { role: 'assistant', content: 'hm', tool_calls: [call('functions.f:0', '{"a":'), call('b', '[1]')] },
      { role: 'tool', content: 'r', tool_call_id: 'functions.f:0' },
    ],
  });
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hm' },
        { type: 'tool_use', id: 'functions_f_0', name: 'f', input: { arguments: '{"a":' } },
        { type: 'tool_use', id: 'b', name: 'f', input: { arguments: '[1]' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions_f_0', content: 'r' }] },
  ]);
});

it("LLM-27: images are converted, and parts in the API's own form are kept", () => {
  const own = { type: 'document', source: { type: 'url', url: 'https://x/y.pdf' } };
  const { messages } = bodyOf({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          own,
        ],
      },
    ],
  });
  expect(messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
        own,
      ],
    },
  ]);
});

it('LLM-27: the origin of a part is not sent', () => {
  const { messages } = bodyOf({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'The itinerary.', origin: 'document' }] }],
  });
  expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'The itinerary.' }] }]);
});

it('LLM-27: the address is completed, and the key goes into its own header', () => {
  const urlOf = (url: string): string => readEndpoint({ api: 'anthropic', url }).url;
  for (const url of [
    'https://api.anthropic.com',
    'https://api.anthropic.com/',
    'https://api.anthropic.com/v1',
    'https://api.anthropic.com/v1/',
    'https://api.anthropic.com/v1/messages',
  ]) {
    expect(urlOf(url)).toBe('https://api.anthropic.com/v1/messages');
  }
  expect(urlOf('https://x?a=b')).toBe('https://x/v1/messages?a=b');
  expect(urlOf('/proxy/v1')).toBe('/proxy/v1/messages');
  const { headers } = readEndpoint({ api: 'anthropic', url: 'https://x', apiKey: 'k' });
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'application/json',
    'x-api-key': 'k',
    'anthropic-version': '2023-06-01',
    'anthropic-dangerous-direct-browser-access': 'true',
  });
  expect(readEndpoint({ api: 'anthropic', url: 'https://x' }).headers.has('x-api-key')).toBe(false);
});

it('LLM-27: cached input counts as input, thinking is not text, and unknown events are skipped', () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 100,
    output_tokens: 7,
  };
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ];
  const whole = new ReplyParts();
  anthropicMessages.addReply(whole, { content, stop_reason: 'end_turn', usage });
  expect(whole.toReply()).toEqual({
    text: 'ab',
    usage: { inputTokens: 111, outputTokens: 7 },
    finishReason: 'stop',
  });
  const streamed = new ReplyParts();
  for (const event of [
    { type: 'message_start', message: { content: [], usage: { ...usage, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: content[0] },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
    { type: 'content_block_start', index: 1, content_block: content[1] },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'b' } },
    { type: 'news_of_tomorrow', index: 1, text: 'no' },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ]) {
    expect(streamed.isClosed).toBe(false);
    anthropicMessages.addData(streamed, JSON.stringify(event));
  }
  expect(streamed.isClosed).toBe(true);
  expect(streamed.toReply()).toEqual(whole.toReply());
});

it('LLM-84: a streamed call of a tool that the API itself runs is not a call for the page', () => {
  const block = (index: number, content: object): object => ({
    type: 'content_block_start',
    index,
    content_block: content,
  });
  const input = (index: number, json: string): object => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json: json },
  });
  const reply = new ReplyParts();
  for (const event of [
    block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
    input(0, '{"query":"Oslo"}'),
    block(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
    block(2, { type: 'text', text: 'Found.' }),
    block(3, { type: 'tool_use', id: 'x', name: 'f', input: {} }),
    input(3, '{"a":1}'),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ])
    anthropicMessages.addData(reply, JSON.stringify(event));
  expect(reply.toReply()).toEqual({
    text: 'Found.',
    toolCalls: [call('x', '{"a":1}')],
    finishReason: 'tool_calls',
  });
});

function call(
  id: string,
  text: string,
): { id: string; type: 'function'; function: { name: string; arguments: string } } {
  return { id, type: 'function', function: { name: 'f', arguments: text } };
}
