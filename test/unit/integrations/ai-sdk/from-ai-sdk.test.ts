import { simulateReadableStream, type LanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { createMemory, withMemory } from '../../../../src/index.ts';
import { fromAISDK } from '../../../../src/integrations/ai-sdk.ts';
import { describeLLM, type ContractAnswer } from '../../../contracts/llm-contract.ts';
import { scriptedAIModel } from '../../../fakes/scripted-ai-model.ts';

for (const version of ['v2', 'v3', 'v4'] as const) {
  describeLLM(`fromAISDK, ${version},`, () => {
    const answers: ContractAnswer[] = [];
    let calls = 0;
    const next = (): ContractAnswer => {
      calls += 1;
      return answers.shift() ?? { kind: 'reply', text: '' };
    };
    const model = {
      specificationVersion: version,
      doGenerate: async () => {
        const answer = next();
        const text = answer.kind === 'reply' ? answer.text : answer.tokens.join('');
        return { content: text === '' ? [] : [{ type: 'text', text }], finishReason: 'stop' };
      },
      doStream: async () => {
        const answer = next();
        const tokens = answer.kind === 'reply' ? [answer.text] : answer.tokens;
        const parts = tokens.map((delta) => ({ type: 'text-delta', id: '0', delta }));
        const end = answer.kind === 'cut' ? [] : [{ type: 'finish', finishReason: 'stop' }];
        const chunkDelayInMs = answer.kind === 'stream' ? (answer.delayMs ?? null) : null;
        return { stream: simulateReadableStream({ chunks: [...parts, ...end], chunkDelayInMs }) };
      },
    };
    return {
      llm: fromAISDK(model as never),
      script: (...given) => void answers.push(...given),
      callCount: () => calls,
    };
  });
}

describe('fromAISDK', () => {
  it('AIL-1: a model of the AI SDK answers with memory, streamed or not', async () => {
    const { model, prompts } = scriptedAIModel([{ say: 'Nice to meet you.' }, { say: 'Ada.' }]);
    await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
    const chat = withMemory(fromAISDK(model), memory, { system: 'Be brief.' });
    const pieces: string[] = [];
    expect(await chat.send('I am Ada.', { onToken: (text) => pieces.push(text) })).toBe('Nice to meet you.');
    expect(pieces).toEqual(['Nice ', 'to ', 'meet ', 'you.']);
    expect(await chat.send('Who am I?')).toBe('Ada.');
    expect(prompts[1]).toEqual([
      { role: 'system', content: expect.stringMatching(/^Be brief\./) },
      { role: 'user', content: [{ type: 'text', text: 'I am Ada.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Nice to meet you.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Who am I?' }] },
    ]);
  });

  it('AIL-2: tool calls, their results, images and limits reach the model in the form of its specification', async () => {
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://host.example/a.png' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'sound' },
        ],
      },
      {
        role: 'assistant' as const,
        content: null,
        tool_calls: [{ id: 'c', type: 'function' as const, function: { name: 'see', arguments: '{"n":1}' } }],
      },
      { role: 'tool' as const, tool_call_id: 'c', content: 'a cat' },
    ];
    for (const version of [2, 3, 4] as const) {
      const { model, prompts } = scriptedAIModel([{ say: 'A cat.' }], version);
      const reply = await fromAISDK(model)({ messages, maxTokens: 5, temperature: 0 });
      expect(reply).toEqual({
        text: 'A cat.',
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1 },
      });
      const url = new URL('https://host.example/a.png');
      expect(prompts[0]).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/*', data: version === 4 ? { type: 'url', url } : url },
            {
              type: 'file',
              mediaType: 'image/png',
              data: version === 4 ? { type: 'data', data: 'AAAA' } : 'AAAA',
            },
            { type: 'text', text: '[sound]' },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'see', input: { n: 1 } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c',
              toolName: 'see',
              output: { type: 'text', value: 'a cat' },
            },
          ],
        },
      ]);
    }
  });

  it('AIL-5: the results of one step are joined in one message, and there are no empty texts', async () => {
    const called = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'see', arguments: '' },
    });
    const { model, prompts } = scriptedAIModel([{ say: 'Two cats.' }]);
    await fromAISDK(model)({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'What is this?' },
          ],
        },
        { role: 'assistant', content: '', tool_calls: [called('a'), called('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'a cat' },
        { role: 'tool', tool_call_id: 'b', content: 'another cat' },
        { role: 'assistant', content: '', tool_calls: [called('c')] },
        { role: 'tool', tool_call_id: 'c', content: 'nothing' },
      ],
    });
    const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'see', input: {} });
    const result = (id: string, value: string) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: 'see',
      output: { type: 'text', value },
    });
    expect(prompts[0]).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }] },
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', content: [result('a', 'a cat'), result('b', 'another cat')] },
      { role: 'assistant', content: [call('c')] },
      { role: 'tool', content: [result('c', 'nothing')] },
    ]);
  });

  it.each(['v2', 'v3', 'v4'])(
    'AIL-6: %s: a call that the provider has run already is not a call for the page',
    async (specificationVersion) => {
      const search = { toolCallId: 's', toolName: 'web_search', providerExecuted: true };
      const content = [
        { type: 'tool-call', ...search, input: '{"query":"Oslo"}' },
        { type: 'tool-result', ...search, result: { found: 1 } },
      ];
      const end = { finishReason: 'stop' };
      const deltas = ['Found ', 'one.'].map((delta) => ({ type: 'text-delta', id: '0', delta }));
      const chunks = [...content, ...deltas, { type: 'finish', ...end }];
      const llm = fromAISDK({
        specificationVersion,
        doGenerate: async () => ({ content: [...content, { type: 'text', text: 'Found one.' }], ...end }),
        doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
      } as never);
      const messages = [{ role: 'user', content: 'What is in Oslo?' }] as const;
      const expected = { text: 'Found one.', finishReason: 'stop' };
      expect(await llm({ messages })).toEqual(expected);
      expect(await llm({ messages, onToken: () => undefined })).toEqual(expected);
      await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
      expect(await withMemory(llm, memory).send('What is in Oslo?')).toBe('Found one.');
      const answer = (await memory.history()).at(-1);
      expect(answer).toMatchObject({ role: 'assistant', content: 'Found one.', state: 'complete' });
      expect(answer).not.toHaveProperty('tool_calls');
    },
  );

  it('AIL-6: a call for the page after the result of a tool of the provider is a call for the page', async () => {
    const content = [
      { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { found: 1 } },
      { type: 'text', text: 'Found one.' },
      { type: 'tool-call', toolCallId: 'p', toolName: 'weather', input: '{}' },
    ];
    const doGenerate = async () => ({ content, finishReason: { unified: 'tool-calls' }, usage: {} });
    const reply = await fromAISDK({ specificationVersion: 'v3', doGenerate } as never)({ messages: [] });
    expect(reply.text).toBe('Found one.');
    expect(reply.toolCalls).toMatchObject([{ id: 'p', function: { name: 'weather' } }]);
  });

  it('AIL-3: a status of the endpoint is llm-http, any other failure llm-network, and an odd answer llm-reply', async () => {
    const refused = Object.assign(new Error('no such key'), { statusCode: 401 });
    const ask = (model: unknown) => fromAISDK(model as LanguageModel & object)({ messages: [] });
    await expect(ask(scriptedAIModel([{ fail: refused }]).model)).rejects.toMatchObject({
      code: 'llm-http',
      status: 401,
    });
    await expect(ask(scriptedAIModel([{ fail: new Error('offline') }]).model)).rejects.toMatchObject({
      code: 'llm-network',
    });
    const odd = { specificationVersion: 'v4', doGenerate: async () => ({ text: 'hi' }) };
    await expect(ask(odd)).rejects.toMatchObject({ code: 'llm-reply' });
  });

  it.each([['openai/gpt-5'], [undefined], [{}], [{ specificationVersion: 'v9' }]])(
    'AIL-4: what is no model of a known specification is refused: %o',
    (model) => {
      expect(() => fromAISDK(model as never)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
    },
  );
});
