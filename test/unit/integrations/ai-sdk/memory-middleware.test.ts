import {
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  wrapLanguageModel,
  type FilePart,
  type ImagePart,
  type ToolResultPart,
  type ToolSet,
} from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Memory, type Warning } from '../../../../src/index.ts';
import { memoryMiddleware, type RecallLimits } from '../../../../src/integrations/ai-sdk.ts';
import { scriptedAIModel, type ScriptedStep } from '../../../fakes/scripted-ai-model.ts';
import {
  LOOP,
  askedIn,
  linesOf,
  openTold,
  timeoutMs,
  weather,
} from '../../../fixtures/integrations/ai-sdk-chat.ts';

let memory: Memory;
let warnings: Warning[];

beforeEach(async () => {
  warnings = [];
  memory = await openTold(warnings, { sessionId: 'now' });
});

afterEach(() => memory.close());

function wrapped(
  steps: readonly ScriptedStep[],
  options: RecallLimits = { timeoutMs },
  version: 2 | 3 | 4 = 4,
) {
  const scripted = scriptedAIModel(steps, version);
  const middleware = memoryMiddleware(memory, options);
  return { ...scripted, model: wrapLanguageModel({ model: scripted.model, middleware }) };
}

describe('a tool loop', () => {
  it.each([2, 3, 4] as const)(
    'AIM-1: V%i: three steps recall once, read the same bytes and are one turn',
    async (version) => {
      const { model, prompts } = wrapped(LOOP, { timeoutMs }, version);
      const prompt = 'What should Hannah wear in Oslo?';
      const { text } = await generateText({ model, prompt, tools: { weather }, stopWhen: isStepCount(5) });
      expect(text).toBe('Bring a coat.');
      const asked = prompts.map(askedIn);
      expect(asked[0]).toEqual([expect.stringContaining('My sister Hannah lives in Oslo.'), prompt]);
      expect(asked).toEqual([asked[0], asked[0], asked[0]]);
      const stored = await memory.history({ sessionId: 'now' });
      expect(new Set(stored.map(({ turnId }) => turnId)).size).toBe(1);
      expect(stored).toMatchObject([
        { role: 'user', content: prompt, state: 'complete' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
        },
        { role: 'tool', tool_call_id: 'call-1', content: 'Snow in Oslo.' },
        { role: 'assistant', tool_calls: [{ id: 'call-2' }] },
        { role: 'tool', content: 'Snow in Bergen.' },
        { role: 'assistant', content: 'Bring a coat.', state: 'complete' },
      ]);
      expect(warnings).toEqual([]);
    },
  );

  it('AIM-1: a streamed tool loop does the same, and is stored when the stream has been read', async () => {
    const { model, prompts } = wrapped(LOOP);
    const prompt = 'What should Hannah wear in Oslo?';
    const result = streamText({ model, prompt, tools: { weather }, stopWhen: isStepCount(5) });
    expect(await result.text).toBe('Bring a coat.');
    const asked = prompts.map(askedIn);
    expect(asked[0]).toEqual([expect.stringContaining('Oslo'), prompt]);
    expect(asked).toEqual([asked[0], asked[0], asked[0]]);
    expect(await memory.history({ sessionId: 'now' })).toMatchObject([
      { content: prompt, state: 'complete' },
      {},
      {},
      {},
      {},
      { content: 'Bring a coat.', state: 'complete' },
    ]);
  });

  it('AIM-2: a loop that is stopped after a tool call is complete when the next question begins', async () => {
    const { model } = wrapped([{ call: 'weather', input: { city: 'Oslo' } }, { say: 'Hello.' }]);
    await generateText({ model, prompt: 'I moved to Oslo. Weather?', tools: { weather } });
    expect(await memory.history({ sessionId: 'now' })).toMatchObject([{ state: 'pending' }]);
    await generateText({ model, prompt: 'Hello!', tools: { weather } });
    expect(await memory.history({ sessionId: 'now' })).toMatchObject([
      { content: 'I moved to Oslo. Weather?', state: 'complete' },
      { tool_calls: [{ id: 'call-1' }], state: 'complete' },
      { content: 'Hello!', state: 'complete' },
      { content: 'Hello.', state: 'complete' },
    ]);
  });
});

describe('a call', () => {
  it('AIM-3: without earlier messages, the recent turns of the session are sent', async () => {
    const { model, prompts } = wrapped([{ say: 'Hi Ada.' }, { say: 'Ada.' }]);
    await generateText({ model, instructions: 'Be brief.', prompt: 'My name is Ada.' });
    await generateText({ model, instructions: 'Be brief.', prompt: 'What is my name?' });
    const roles = (prompts[1] as { role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(prompts[1])).toContain('Hi Ada.');
    expect((prompts[1] as { content: string }[])[0]?.content).toMatch(/^Be brief\./);
  });

  it('AIM-3: with earlier messages, they are sent as they are, and nothing that they contain is recalled', async () => {
    await memory.remember({ user: 'My sister Hannah likes skiing.', assistant: 'Great.' });
    const { model, prompts } = wrapped([{ say: 'Skiing.' }]);
    const messages = [
      { role: 'user' as const, content: 'My sister Hannah likes skiing.' },
      { role: 'assistant' as const, content: 'Great.' },
      { role: 'user' as const, content: 'Where does my sister Hannah live and what does she like?' },
    ];
    await generateText({ model, messages });
    const text = JSON.stringify(prompts[0]);
    expect(text).toContain('lives in Oslo');
    expect(text.split('likes skiing')).toHaveLength(2);
    expect((prompts[0] as { role: string }[]).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('AIM-4: the ids of providerOptions.mnemora name session and turn, and the turn to replace', async () => {
    const { model } = wrapped([{ say: 'One.' }, { say: 'Two.' }]);
    const ask = (mnemora: Record<string, string>) =>
      generateText({ model, prompt: 'Count.', providerOptions: { mnemora } });
    await ask({ sessionId: 'other', turnId: 'a' });
    await ask({ sessionId: 'other', turnId: 'b', replaces: 'a' });
    expect(await memory.history({ sessionId: 'now' })).toEqual([]);
    const stored = await memory.history({ sessionId: 'other' });
    expect(stored.map(({ turnId, state }) => [turnId, state])).toEqual([
      ['a', 'replaced'],
      ['a', 'replaced'],
      ['b', 'complete'],
      ['b', 'complete'],
    ]);
  });

  it('AIM-4: ids that are no ids reject the call, and nothing is stored', async () => {
    const { model, prompts } = wrapped([{ say: 'One.' }]);
    for (const mnemora of [{ sessionId: 5 }, { turnId: '' }, { replaces: [null] }, { session: 'x' }]) {
      const call = generateText({ model, prompt: 'Count.', providerOptions: { mnemora: mnemora as never } });
      await expect(call).rejects.toMatchObject({ code: 'invalid-option' });
    }
    expect(prompts).toEqual([]);
    expect(await memory.history({ sessionId: 'now' })).toEqual([]);
  });

  it('AIM-1: generateObject stores the object that the model has written', async () => {
    const { model, prompts } = wrapped([{ say: '{"city":"Oslo"}' }]);
    const schema = jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } });
    const { object } = await generateObject({ model, schema, prompt: 'Where does my sister Hannah live?' });
    expect(object).toEqual({ city: 'Oslo' });
    expect(askedIn(prompts[0])[0]).toContain('My sister Hannah lives in Oslo.');
    expect(await memory.history({ sessionId: 'now' })).toMatchObject([
      {},
      { content: '{"city":"Oslo"}', state: 'complete' },
    ]);
  });

  it('AIM-5: a call that fails is a failed turn, which another attempt replaces', async () => {
    const { model } = wrapped([{ fail: new Error('broken') }, { say: 'Fine.' }]);
    await expect(generateText({ model, prompt: 'Hello!', maxRetries: 0 })).rejects.toThrow('broken');
    expect(await memory.history({ sessionId: 'now' })).toMatchObject([{ state: 'failed' }]);
    await generateText({ model, prompt: 'Hello!' });
    expect((await memory.history({ sessionId: 'now' })).map(({ state }) => state)).toEqual([
      'replaced',
      'complete',
      'complete',
    ]);
  });

  it('AIM-5: an aborted stream is a cancelled turn with what had arrived', async () => {
    const { model } = wrapped([{ say: 'One two three four five six seven eight.' }]);
    const abort = new AbortController();
    const result = streamText({ model, prompt: 'Count.', abortSignal: abort.signal });
    for await (const piece of result.textStream) if (piece.includes('two')) abort.abort();
    await expect
      .poll(() => memory.history({ sessionId: 'now' }))
      .toMatchObject([
        { content: 'Count.', state: 'cancelled' },
        { content: expect.stringMatching(/^One two /), state: 'cancelled' },
      ]);
  });
});

describe('a question that failed', () => {
  const prompt = 'Where does my sister Hannah live?';

  it.each([
    ['was forgotten', {}, (): Promise<unknown> => memory.forget({ sessionId: 'now' })],
    ['was not stored', { mnemora: { remember: false } }, (): undefined => undefined],
  ])('AIM-8: a question whose turn %s is asked again with memory', async (_how, providerOptions, then) => {
    const { model, prompts } = wrapped([{ fail: new Error('broken') }, { say: 'In Oslo.' }]);
    const failed = generateText({ model, prompt, maxRetries: 0, providerOptions });
    await expect(failed).rejects.toThrow('broken');
    await then();
    await generateText({ model, prompt });
    expect(askedIn(prompts[1])).toEqual([expect.stringContaining('My sister Hannah lives in Oslo.'), prompt]);
    expect(linesOf(await memory.history({ sessionId: 'now' }))).toEqual([
      `user ${prompt} complete`,
      'assistant In Oslo. complete',
    ]);
    expect(warnings).toEqual([]);
  });
});

it('AIM-10: a call that the SDK tries again is answered with the same memory, whose sources are known', async () => {
  const busy = new APICallError({
    ...{ message: 'busy', url: 'https://llm.example', requestBodyValues: {}, statusCode: 503 },
    ...{ isRetryable: true, responseHeaders: { 'retry-after-ms': '1' } },
  });
  const { model, prompts } = wrapped([{ fail: busy }, { say: 'In Oslo.' }]);
  await generateText({ model, prompt: 'Where does my sister Hannah live?' });
  expect(prompts).toHaveLength(2);
  expect(askedIn(prompts[1])).toEqual(askedIn(prompts[0]));
  const answer = (await memory.history({ sessionId: 'now' })).at(-1);
  expect(answer?.content).toBe('In Oslo.');
  expect(await memory.sources(answer?.id ?? '')).toMatchObject([{ turnId: 'told' }]);
});

describe('an earlier message of the user that nobody has answered', () => {
  const prompt = 'Where does my sister Hannah live?';
  const recalled = [expect.stringContaining('My sister Hannah lives in Oslo.'), prompt];

  it.each([2, 3, 4] as const)(
    'AIM-41: V%i: a document does not keep memory and recent turns from a question',
    async (version) => {
      await memory.remember({ user: 'Hello!', assistant: 'Hi there.' });
      const document = { type: 'text', text: 'The itinerary.', origin: 'document' } as const;
      await memory.remember({ messages: [{ role: 'user', content: [document] }] });
      const { model, prompts } = wrapped([{ say: 'In Oslo.' }], { timeoutMs }, version);
      await generateText({ model, prompt });
      expect(askedIn(prompts[0])).toEqual(recalled);
      expect(JSON.stringify(prompts[0])).toContain('Hi there.');
      expect(JSON.stringify(prompts[0])).toContain('The itinerary.');
      expect(warnings).toEqual([]);
    },
  );

  it('AIM-41: a question with a file that waits for a tool of the page does not keep memory from a question', async () => {
    const { model, prompts } = wrapped([{ call: 'pick', input: {} }, { say: 'In Oslo.' }]);
    const tools: ToolSet = { pick: { inputSchema: jsonSchema({ type: 'object' }) } };
    const file: FilePart = { type: 'file', data: 'AAAA', mediaType: 'image/png', filename: 'a.png' };
    const content = [{ type: 'text' as const, text: 'Look.' }, file];
    await generateText({ model, tools, messages: [{ role: 'user', content }] });
    await generateText({ model, prompt });
    expect(askedIn(prompts[1])).toEqual(recalled);
    expect(warnings).toEqual([]);
  });
});

describe('the data of files', () => {
  const BASE64 = 'A'.repeat(100_000);
  const mediaType = 'image/png';

  it.each([
    ['base64', { type: 'file', mediaType, data: BASE64 }],
    ['a data URL', { type: 'file', mediaType, data: `data:${mediaType};base64,${BASE64}` }],
    ['bytes', { type: 'file', mediaType, data: new Uint8Array(100_000) }],
    ['an image part', { type: 'image', mediaType, image: BASE64 }],
  ] as [string, FilePart | ImagePart][])('AIM-9: history does not count %s', async (_form, file) => {
    for (const version of [2, 3, 4] as const) {
      const { model, prompts } = wrapped(
        [{ say: 'Red.' }],
        { timeoutMs, history: { maxTokens: 500 } },
        version,
      );
      await generateText({
        model,
        messages: [
          { role: 'user', content: 'My dog is called Max.' },
          { role: 'assistant', content: 'Nice.' },
          { role: 'user', content: [{ type: 'text', text: 'What is this?' }, file] },
          { role: 'assistant', content: 'A kite.' },
          { role: 'user', content: 'Which color is it?' },
        ],
      });
      expect(rolesIn(prompts[0])).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    }
  });

  it.each([
    ['a file', { type: 'file', mediaType, data: { type: 'data', data: BASE64 } }],
    ['file data', { type: 'file-data', mediaType, data: BASE64 }],
    ['image data', { type: 'image-data', mediaType, data: BASE64 }],
    ['media', { type: 'media', mediaType, data: BASE64 }],
  ])('AIM-9: history does not count %s that a tool has returned', async (_form, file) => {
    const { model, prompts } = wrapped([{ say: 'Red.' }], { timeoutMs, history: { maxTokens: 500 } });
    const call = { toolCallId: 'c', toolName: 'look' };
    const output = { type: 'content', value: [file] } as ToolResultPart['output'];
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'What is in the garden?' },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
        { role: 'assistant', content: 'A kite.' },
        { role: 'user', content: 'Which color is it?' },
      ],
    });
    expect(rolesIn(prompts[0])).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  /** Roles of the messages after the system texts. */
  function rolesIn(prompt: unknown): string[] {
    return (prompt as { role: string }[]).map(({ role }) => role).filter((role) => role !== 'system');
  }
});

describe('memory that is broken', () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const broken = (): Promise<never> => Promise.reject(new Error('gone'));

  it.each([
    ['throws', { recall: broken, remember: broken }],
    ['hangs', { recall: never, remember: never }],
    ['hangs when it recalls', { recall: never }],
    ['fails when it stores', { remember: broken }],
  ])('AIM-6: memory that %s never fails a call, and a warning says so', async (_name, methods) => {
    const scripted = scriptedAIModel([{ say: 'Hello.' }]);
    const middleware = memoryMiddleware(Object.assign(memory, methods), { timeoutMs: 20 });
    const model = wrapLanguageModel({ model: scripted.model, middleware });
    expect((await generateText({ model, prompt: 'Hi!' })).text).toBe('Hello.');
    expect(await streamText({ model, prompt: 'Hi again!' }).text).toBe('Hello.');
    expect(askedIn(scripted.prompts[0])).toEqual(['Hi!']);
    expect(new Set(warnings.map(({ code }) => code))).toContain('memory-skipped');
  });

  it('AIM-6: memory that was closed never fails a call', async () => {
    const { model } = wrapped([{ say: 'Hello.' }]);
    await memory.close();
    expect((await generateText({ model, prompt: 'Hi!' })).text).toBe('Hello.');
  });

  it('AIM-7: what is no memory, and an unknown option, are refused at once', () => {
    expect(() => memoryMiddleware({} as never)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
    expect(() => memoryMiddleware(memory, { budget: 5 } as never)).toThrow(/no option budget/);
  });
});
