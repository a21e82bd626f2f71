import { expect, it, vi } from 'vitest';
import type { LLMRequest } from '../../../src/llm/llm.ts';
import { promptApiLLM, type PromptApiLLMOptions } from '../../../src/llm/prompt-api.ts';
import { fakeLanguageModel } from '../../fakes/fake-language-model.ts';
import { eventually } from '../../fixtures/eventually.ts';

const hi: LLMRequest = { messages: [{ role: 'user', content: 'hi' }] };

it('LLM-29: a missing model, a weak device and a failed start are model-unavailable', async () => {
  await expect(promptApiLLM()(hi)).rejects.toMatchObject({ code: 'model-unavailable' });

  const weak = promptApiLLM({ languageModel: fakeLanguageModel({ availability: 'unavailable' }) });
  await expect(weak(hi)).rejects.toMatchObject({ code: 'model-unavailable' });

  const languageModel = fakeLanguageModel();
  const cause = new DOMException('out of memory', 'OperationError');
  languageModel.enqueue({ kind: 'refuse', error: cause });
  await expect(promptApiLLM({ languageModel })(hi)).rejects.toMatchObject({
    code: 'model-unavailable',
    cause,
  });
});

it('LLM-29: a download that needs a click says so', async () => {
  const languageModel = fakeLanguageModel();
  languageModel.enqueue({ kind: 'refuse', error: new DOMException('no', 'NotAllowedError') });
  await expect(promptApiLLM({ languageModel })(hi)).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringContaining('click'),
  });
});

it('LLM-29: the global LanguageModel is looked up at each call', async () => {
  const llm = promptApiLLM();
  vi.stubGlobal('LanguageModel', fakeLanguageModel());
  try {
    expect((await llm(hi)).text).toBe('hi');
  } finally {
    vi.unstubAllGlobals();
  }
});

it('LLM-30: the session starts with system texts and history, and is prompted with the last message', async () => {
  const languageModel = fakeLanguageModel();
  await promptApiLLM({ languageModel })({
    messages: [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'c', name: 'ann' },
    ],
    temperature: 0,
    maxTokens: 5,
  });
  const [asked] = languageModel.asked;
  expect(asked?.create).toEqual({
    initialPrompts: [
      { role: 'system', content: 'Be kind.\n\nBe brief.' },
      { role: 'user', content: 'a\nb' },
      { role: 'assistant', content: '' },
    ],
    signal: expect.any(AbortSignal),
  });
  expect(asked?.input).toEqual([{ role: 'user', content: 'c' }]);
  expect(asked).not.toHaveProperty('responseConstraint');
});

it('LLM-30: languages and session options are passed to availability and session, JSON to the prompt', async () => {
  const languageModel = fakeLanguageModel();
  const options = { languages: ['en', 'ja'], sessionOptions: { samplingMode: 'creative' } };
  await promptApiLLM({ languageModel, ...options })({ ...hi, responseFormat: 'json' });
  const text = [{ type: 'text', languages: ['en', 'ja'] }];
  const core = { expectedInputs: text, expectedOutputs: text, samplingMode: 'creative' };
  expect(languageModel.availabilityOptions).toEqual([core]);
  expect(languageModel.asked[0]).toMatchObject({
    create: core,
    responseConstraint: { type: 'object' },
  });
});

it('LLM-30: only the text of structured pieces is read', async () => {
  const languageModel = fakeLanguageModel();
  const tokens = [{ type: 'thought', value: 'hm' }, { type: 'text', value: 'a' }, 'b', 7];
  languageModel.enqueue({ kind: 'stream', tokens });
  const onToken = vi.fn();
  expect(await promptApiLLM({ languageModel })({ ...hi, onToken })).toEqual({ text: 'ab' });
  expect(onToken.mock.calls).toEqual([['a'], ['b']]);
});

it('LLM-31: the download is reported from 0 to 1', async () => {
  const onDownload = vi.fn();
  const languageModel = fakeLanguageModel({ availability: 'downloadable' });
  await promptApiLLM({ languageModel, onDownload })(hi);
  expect(onDownload.mock.calls).toEqual([[0], [0.5], [1]]);
});

it('LLM-31: every session is destroyed, however its answer ends', async () => {
  const languageModel = fakeLanguageModel();
  const llm = promptApiLLM({ languageModel });
  const controller = new AbortController();
  languageModel.enqueue(
    { kind: 'reply', text: 'a' },
    { kind: 'cut', tokens: ['a'] },
    { kind: 'stream', tokens: ['a', 'b'], delayMs: 5 },
    { kind: 'stream', tokens: ['a', 'b'], delayMs: 5 },
  );
  const stop = (): void => controller.abort();
  const fail = (): void => {
    throw new Error('mine');
  };
  await llm(hi);
  await expect(llm(hi)).rejects.toMatchObject({ code: 'llm-reply' });
  await expect(llm({ ...hi, signal: controller.signal, onToken: stop })).rejects.toBeInstanceOf(DOMException);
  await expect(llm({ ...hi, onToken: fail })).rejects.toThrow('mine');
  expect(languageModel.asked).toHaveLength(4);
  expect(languageModel.openSessions).toBe(0);
});

it('LLM-31: an abort ends the wait for a session that never starts', async () => {
  const controller = new AbortController();
  const never = new Promise<never>(() => undefined);
  const languageModel = { ...fakeLanguageModel(), create: vi.fn(() => never) };
  const call = promptApiLLM({ languageModel })({ ...hi, signal: controller.signal });
  await eventually(() => expect(languageModel.create).toHaveBeenCalled());
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
});

it('LLM-32: tool calls, tool results, images and an empty conversation are rejected before the model is called', async () => {
  const languageModel = fakeLanguageModel();
  const llm = promptApiLLM({ languageModel });
  const call = { id: 'x', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const refused: LLMRequest['messages'][] = [
    [...hi.messages, { role: 'assistant', content: 'a', tool_calls: [call] }],
    [...hi.messages, { role: 'tool', content: 'r', tool_call_id: 'x' }],
    [...hi.messages, { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }],
    [{ role: 'system', content: 's' }],
    [],
  ];
  const messages: string[] = [];
  for (const each of refused) {
    const error: unknown = await llm({ messages: each }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'invalid-input' });
    messages.push(String(error));
  }
  expect(messages.slice(0, 3).every((message) => message.includes('Message 1'))).toBe(true);
  expect(languageModel.availabilityOptions).toEqual([]);
});

it('LLM-32: unknown options are rejected', () => {
  expect(() => promptApiLLM({ language: 'en' } as PromptApiLLMOptions)).toThrowError(
    expect.objectContaining({ code: 'invalid-option' }),
  );
});

it("LLM-33: messages that do not fit the model's context are over-budget", async () => {
  const languageModel = fakeLanguageModel();
  const error = new DOMException('too much', 'QuotaExceededError');
  languageModel.enqueue({ kind: 'refuse', error }, { kind: 'cut', tokens: [], error });
  const llm = promptApiLLM({ languageModel });
  await expect(llm(hi)).rejects.toMatchObject({ code: 'over-budget', cause: error });
  await expect(llm(hi)).rejects.toMatchObject({ code: 'over-budget', cause: error });
});
