import { Chat } from '@ai-sdk/react';
import {
  generateText,
  jsonSchema,
  ToolLoopAgent,
  wrapLanguageModel,
  type ChatInit,
  type FileUIPart,
  type ToolSet,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Memory, Warning } from '../../../../src/index.ts';
import {
  loadUIMessages,
  memoryMiddleware,
  memoryTransport,
  saveUIMessages,
  type RecallLimits,
} from '../../../../src/integrations/ai-sdk.ts';
import { abortable, deferred } from '../../../../src/model/abortable.ts';
import { scriptedAIModel } from '../../../fakes/scripted-ai-model.ts';
import { said } from '../../../fakes/ui-message-format.ts';
import { eventually } from '../../../fixtures/eventually.ts';
import { linesOf, openTold, timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';
import {
  answerOf,
  ScriptedTransport,
  textChunks,
} from '../../../fixtures/integrations/scripted-transport.ts';

const QUESTION = 'Where does my sister Hannah live?';

let memory: Memory;
let warnings: Warning[];

beforeEach(async () => {
  warnings = [];
  memory = await openTold(warnings);
});

afterEach(() => memory.close());

interface ChatOptions extends Pick<ChatInit<UIMessage>, 'messages' | 'messageMetadataSchema'> {
  readonly limits?: RecallLimits;
  readonly by?: Memory;
}

/** A chat whose server gives these answers, one after the other. */
function chatOver(
  answers: readonly (readonly UIMessageChunk[])[],
  { limits, by = memory, ...init }: ChatOptions = {},
): { chat: Chat<UIMessage>; transport: ScriptedTransport } {
  const transport = new ScriptedTransport(...answers);
  const remembering = memoryTransport(by, { transport, timeoutMs, ...limits });
  return { chat: new Chat({ id: 'trip', transport: remembering, ...init }), transport };
}

const stored = async (): Promise<string[]> => linesOf(await memory.history({ sessionId: 'trip' }));

describe('a turn that waits for the page', () => {
  it('AIR-21: with the output of its tool, it is complete when the next question is asked, and the chat goes on after a reload', async () => {
    const { model } = scriptedAIModel([{ call: 'ask', input: {} }, { say: 'Fine.' }]);
    const ask = { inputSchema: jsonSchema({ type: 'object' }) }; // without `execute`, the page runs it
    const agent = new ToolLoopAgent({ model, tools: { ask } as unknown as ToolSet });
    const open = (messages: UIMessage[]): Chat<UIMessage> =>
      new Chat({ id: 'trip', messages, transport: memoryTransport(memory, { agent, timeoutMs }) });
    const chat = open([]);
    await chat.sendMessage({ text: 'Show the menu.' });
    expect(await stored()).toEqual(['user Show the menu. pending']);
    await chat.addToolOutput({ tool: 'ask', toolCallId: 'call-1', output: 'shown' } as never);
    await chat.sendMessage({ text: 'And the price?' });
    expect(chat.error).toBeUndefined();
    expect(await stored()).toEqual([
      'user Show the menu. complete',
      'assistant null complete',
      'tool shown complete',
      'user And the price? complete',
      'assistant Fine. complete',
    ]);
    const loaded = await loadUIMessages(memory, 'trip');
    expect(loaded).toEqual(chat.messages);
    const reloaded = open(loaded);
    await reloaded.sendMessage({ text: 'And dessert?' });
    expect(reloaded.error).toBeUndefined();
    expect((await stored()).slice(-2)).toEqual(['user And dessert? complete', 'assistant Fine. complete']);
    expect(warnings).toEqual([]);
  });

  it('AIR-21: without an output of its tool, it is complete when the next question is asked', async () => {
    const { chat } = chatOver([
      answerOf({ type: 'tool-input-available', toolCallId: 'c', toolName: 'ask', input: {} }),
      answerOf(...textChunks('Fine.')),
    ]);
    await chat.sendMessage({ text: 'Show the menu.' });
    await chat.sendMessage({ text: 'Never mind. How are you?' });
    expect(chat.error).toBeUndefined();
    expect(await stored()).toEqual([
      'user Show the menu. complete',
      'user Never mind. How are you? complete',
      'assistant Fine. complete',
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    expect(warnings).toEqual([]);
  });

  it('AIR-21: it is complete also if another transport of the page asks the next question', async () => {
    const { chat } = chatOver([
      answerOf({ type: 'tool-input-available', toolCallId: 'c', toolName: 'ask', input: {} }),
    ]);
    await chat.sendMessage({ text: 'My brother Anton keeps alpacas in Bern. Show the menu.' });
    const messages = await loadUIMessages(memory, 'trip');
    const again = chatOver([answerOf(...textChunks('Fine.'))], { messages });
    await again.chat.sendMessage({ text: 'Never mind. How are you?' });
    expect(await stored()).toEqual([
      'user My brother Anton keeps alpacas in Bern. Show the menu. complete',
      'user Never mind. How are you? complete',
      'assistant Fine. complete',
    ]);
    const { text } = await memory.session('later').recall('Where does my brother Anton keep alpacas?');
    expect(text).toContain('Bern');
  });

  it('AIR-24: an approval of an earlier answer continues that answer, and the later turns stay', async () => {
    const { chat } = chatOver([
      answerOf(
        { type: 'start-step' },
        { type: 'tool-input-available', toolCallId: 'c', toolName: 'pay', input: {} },
        { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
      ),
      answerOf(...textChunks('At noon.')),
      answerOf(
        { type: 'tool-output-available', toolCallId: 'c', output: 'paid' },
        { type: 'start-step' },
        ...textChunks('It is paid.'),
      ),
      answerOf(...textChunks('At one.')),
    ]);
    await chat.sendMessage({ text: 'Pay for lunch.' });
    await chat.sendMessage({ text: 'When is it?' });
    await chat.addToolApprovalResponse({ id: 'a', approved: true });
    await chat.sendMessage();
    expect(chat.error).toBeUndefined();
    expect(chat.messages).toMatchObject([
      { parts: [{ text: 'Pay for lunch.' }] },
      {
        parts: [
          { type: 'step-start' },
          { type: 'tool-pay', state: 'output-available', output: 'paid' },
          { type: 'step-start' },
          { text: 'It is paid.' },
        ],
      },
      { parts: [{ text: 'When is it?' }] },
      { parts: [{ text: 'At noon.' }] },
    ]);
    const used = (await stored()).filter((line) => !line.endsWith('replaced'));
    expect(used.toSorted()).toEqual([
      'assistant At noon. complete',
      'assistant It is paid. complete',
      'assistant null complete',
      'tool paid complete',
      'user Pay for lunch. complete',
      'user When is it? complete',
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    await chat.regenerate();
    expect(chat.messages.at(-1)).toMatchObject({ parts: [{ text: 'At one.' }] });
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    expect(warnings).toEqual([]);
  });
});

it('AIR-22: a part that the SDK cannot read makes the turn failed, and the middleware can ask the same question', async () => {
  const { chat } = chatOver([
    answerOf(
      ...textChunks('Once upon'),
      { type: 'text-delta', id: 'never begun', delta: ' a time' },
      ...textChunks('The end.'),
    ),
  ]);
  await chat.sendMessage({ text: 'Tell me a story.' });
  expect(chat.error?.message).toContain('never begun');
  await eventually(async () =>
    expect(await stored()).toEqual(['user Tell me a story. failed', 'assistant Once upon failed']),
  );
  const { model } = scriptedAIModel([{ say: 'Long ago.' }]);
  const remembering = wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { timeoutMs }) });
  await generateText({ model: remembering, prompt: 'Tell me a story.' });
  expect(linesOf(await memory.history())).toEqual([
    'user Tell me a story. complete',
    'assistant Long ago. complete',
  ]);
});

describe('a file whose address is relative to the page', () => {
  const picture: FileUIPart = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'cat.png',
    url: '/files/1.png',
  };
  const asked: UIMessage = {
    ...said('u', 'user', 'Look.'),
    parts: [{ type: 'text', text: 'Look.' }, picture],
  };

  const storedContents = async (): Promise<unknown[]> =>
    (await memory.history({ sessionId: 'trip' })).map(({ content, state }) => [content, state]);
  const namesPicture = expect.arrayContaining([
    expect.objectContaining({ text: '[file: cat.png, image/png]' }),
  ]) as unknown;

  it('AIR-23: it can be in a question, which is stored with the name and type of the file', async () => {
    const { chat } = chatOver([answerOf(...textChunks('A cat.'))]);
    await chat.sendMessage({ text: 'What is it?', files: [picture] });
    expect(chat.error).toBeUndefined();
    expect(await storedContents()).toEqual([
      [namesPicture, 'complete'],
      ['A cat.', 'complete'],
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    expect(warnings).toEqual([]);
  });

  it('AIR-23: it can be in an answer', async () => {
    const { chat } = chatOver([
      answerOf(...textChunks('Here.'), { type: 'file', mediaType: 'image/png', url: picture.url }),
    ]);
    await chat.sendMessage({ text: 'Draw a cat.' });
    expect(chat.error).toBeUndefined();
    expect(await stored()).toEqual(['user Draw a cat. complete', 'assistant Here. complete']);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    expect(warnings).toEqual([]);
  });

  it('AIR-23: it can be earlier in the chat, and the memory is recalled', async () => {
    const { chat, transport } = chatOver([answerOf(...textChunks('In Oslo.'))], {
      messages: [asked, said('a', 'assistant', 'Nice.')],
    });
    await chat.sendMessage({ text: QUESTION });
    expect(chat.error).toBeUndefined();
    expect(JSON.stringify(transport.sent[0]?.messages.at(-1))).toContain('My sister Hannah lives in Oslo.');
    expect(warnings).toEqual([]);
  });

  it('AIR-23: it can be in a chat that is saved', async () => {
    const messages = [asked, said('a', 'assistant', 'Nice.')];
    await saveUIMessages(memory, 'trip', messages);
    expect(await storedContents()).toEqual([
      [namesPicture, 'complete'],
      ['Nice.', 'complete'],
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(messages);
  });
});

it('AIR-25: an answer that is regenerated while the memory is too slow replaces its turn as soon as the memory answers', async () => {
  const { chat } = chatOver([answerOf(...textChunks('One.'))]);
  await chat.sendMessage({ text: 'Hello?' });
  const held = deferred<void>();
  const slow: Memory = {
    ...memory,
    async history(options = {}) {
      await abortable(held.promise, options.signal);
      return memory.history(options);
    },
  };
  const { messages } = chat;
  const again = chatOver([answerOf(...textChunks('Two.'))], {
    messages,
    by: slow,
    limits: { timeoutMs: 50 },
  });
  await again.chat.regenerate();
  expect(again.chat.error).toBeUndefined();
  expect(again.chat.messages.at(-1)).toMatchObject({ parts: [{ text: 'Two.' }] });
  expect(await stored()).toEqual(['user Hello? complete', 'assistant One. complete']);
  held.resolve();
  await eventually(async () => expect(await loadUIMessages(memory, 'trip')).toEqual(again.chat.messages));
  expect(await stored()).toEqual([
    'user Hello? replaced',
    'assistant One. replaced',
    'user Hello? complete',
    'assistant Two. complete',
  ]);
});

describe('the sources of an answer', () => {
  const tokens = { tokens: 5 };
  const withSources = { mnemora: { sources: [expect.objectContaining({ turnId: 'told' })] } };

  it.each([
    ['first', [{ type: 'start', messageMetadata: tokens }, ...textChunks('In Oslo.'), { type: 'finish' }]],
    ['middle', answerOf({ type: 'message-metadata', messageMetadata: tokens }, ...textChunks('In Oslo.'))],
    ['last', [{ type: 'start' }, ...textChunks('In Oslo.'), { type: 'finish', messageMetadata: tokens }]],
  ] as [string, UIMessageChunk[]][])(
    'AIR-26: a page that requires the metadata that the server sets in its %s part gets the ids with it',
    async (_part, answer) => {
      const messageMetadataSchema = jsonSchema<object>(
        { type: 'object' },
        {
          validate: (value) =>
            'tokens' in Object(value)
              ? { success: true, value: value as object }
              : { success: false, error: new Error('The metadata have no tokens.') },
        },
      );
      const { chat } = chatOver([answer], { messageMetadataSchema });
      await chat.sendMessage({ text: QUESTION });
      expect(chat.error).toBeUndefined();
      expect(chat.messages.at(-1)?.metadata).toEqual({ ...tokens, ...withSources });
    },
  );

  it('AIR-26: if the server sets no metadata, the ids are in the last part', async () => {
    const transport = new ScriptedTransport(answerOf(...textChunks('In Oslo.')));
    const stream = await memoryTransport(memory, { transport, timeoutMs }).sendMessages({
      trigger: 'submit-message',
      chatId: 'trip',
      messageId: undefined,
      messages: [said('u', 'user', QUESTION)],
      abortSignal: undefined,
    });
    const chunks: UIMessageChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.filter((chunk) => 'messageMetadata' in chunk)).toEqual([
      { type: 'finish', messageMetadata: withSources },
    ]);
    expect(chunks.at(-1)?.type).toBe('finish');
  });

  it('AIR-26: if prompt throws, the recalled text is not sent, and the answer has no sources', async () => {
    const prompt = (): never => {
      throw new Error('There are no words.');
    };
    const { chat } = chatOver([answerOf(...textChunks('I do not know.'))], { limits: { prompt } });
    await chat.sendMessage({ text: QUESTION });
    const answer = chat.messages.at(-1);
    expect(answer).toMatchObject({ role: 'assistant', parts: [{ text: 'I do not know.' }] });
    expect(answer?.metadata).toBeUndefined();
    expect(await memory.sources(answer?.id ?? '')).toEqual([]);
  });
});

it('AIM-40: an answer of thoughts alone is a failed turn, and its question is not sent with a later one', async () => {
  const { chat } = chatOver([
    answerOf(
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Let me think.' },
      { type: 'reasoning-end', id: '0' },
    ),
  ]);
  await chat.sendMessage({ text: 'Is it true?' });
  expect(await stored()).toEqual(['user Is it true? failed']);
  const { messages } = await memory.session('trip').recall('How are you?');
  expect(JSON.stringify(messages)).not.toContain('Is it true?');
});
