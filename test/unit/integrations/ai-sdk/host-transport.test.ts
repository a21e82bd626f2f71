import { Chat } from '@ai-sdk/react';
import { generateText, wrapLanguageModel, type ChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Memory, RecallEvent, Warning } from '../../../../src/index.ts';
import {
  loadUIMessages,
  memoryMiddleware,
  memoryTransport,
  takeRecalled,
  type RecallLimits,
} from '../../../../src/integrations/ai-sdk.ts';
import { scriptedAIModel } from '../../../fakes/scripted-ai-model.ts';
import { openTold, timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';
import { textChunks, type SentMessages } from '../../../fixtures/integrations/scripted-transport.ts';
import { eventually } from '../../../fixtures/eventually.ts';

let memory: Memory;
let warnings: Warning[];

beforeEach(async () => {
  warnings = [];
  memory = await openTold(warnings);
});

afterEach(async () => {
  vi.useRealTimers();
  await memory.close();
});

/** A transport of a page whose streams the test writes. */
class HandTransport implements ChatTransport<UIMessage> {
  readonly sent: SentMessages[] = [];
  stream: ReadableStreamDefaultController<UIMessageChunk> | undefined;
  isCalled: () => void = () => undefined;

  async sendMessages(send: SentMessages): Promise<ReadableStream<UIMessageChunk>> {
    this.sent.push(send);
    this.isCalled();
    return new ReadableStream({ start: (controller) => void (this.stream = controller) });
  }

  reconnectToStream(): Promise<null> {
    return Promise.resolve(null);
  }

  write(...chunks: UIMessageChunk[]): void {
    for (const chunk of chunks) this.stream?.enqueue(chunk);
  }

  say(text: string): void {
    this.write(...textChunks(text));
  }
}

function chatOver(
  options: RecallLimits = {},
  messages: UIMessage[] = [],
): { chat: Chat<UIMessage>; transport: HandTransport } {
  const transport = new HandTransport();
  const chat = new Chat({
    id: 'trip',
    messages,
    transport: memoryTransport(memory, { transport, timeoutMs, ...options }),
  });
  return { chat, transport };
}

/** Asks, and resolves when the transport was called. */
async function ask(
  { chat, transport }: ReturnType<typeof chatOver>,
  text: string,
): Promise<{ answered: Promise<void> }> {
  const called = new Promise<void>((resolve) => (transport.isCalled = resolve));
  const answered = chat.sendMessage({ text });
  await called;
  return { answered };
}

const textsOf = ({ parts }: UIMessage): string[] =>
  parts.flatMap((part) => (part.type === 'text' ? part.text : []));

const stored = async (): Promise<string[]> =>
  (await memory.history({ sessionId: 'trip' })).map(
    ({ role, content, state }) => `${state} ${role}: ${String(content)}`,
  );

describe('the stream of any transport', () => {
  it.each([
    ['names its message', { type: 'start', messageId: 'from-server' } as const, 'from-server'],
    ['has a start without an id', { type: 'start' } as const, undefined],
    ['has no start', undefined, undefined],
  ])('AIR-10: a stream that %s gives the page and the memory the same message', async (_, start, id) => {
    const over = chatOver();
    const { answered } = await ask(over, 'Where does my sister Hannah live?');
    if (start) over.transport.write(start);
    over.transport.say('In Oslo.');
    over.transport.write({ type: 'finish' });
    over.transport.stream?.close();
    await answered;
    expect(over.chat.error).toBeUndefined();
    if (id !== undefined) expect(over.chat.messages[1]?.id).toBe(id);
    expect(await loadUIMessages(memory, 'trip')).toEqual(over.chat.messages);
    expect(await stored()).toEqual([
      'complete user: Where does my sister Hannah live?',
      'complete assistant: In Oslo.',
    ]);
    const [asked] = over.transport.sent[0]?.messages ?? [];
    expect(textsOf(asked as UIMessage)[0]).toContain('My sister Hannah lives in Oslo.');
    expect(textsOf(over.chat.messages[0] as UIMessage)).toEqual(['Where does my sister Hannah live?']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['breaks off', (over: ReturnType<typeof chatOver>) => over.transport.stream?.error(new Error('gone'))],
    ['ends early', (over: ReturnType<typeof chatOver>) => over.transport.stream?.close()],
    [
      'reports an error',
      (over: ReturnType<typeof chatOver>) => {
        over.transport.write({ type: 'error', errorText: 'gone' });
        over.transport.stream?.close();
      },
    ],
    [
      'finishes after an error',
      (over: ReturnType<typeof chatOver>) => {
        over.transport.write({ type: 'error', errorText: 'gone' }, { type: 'finish' });
        over.transport.stream?.close();
      },
    ],
  ])('AIR-10: a stream that %s is a failed turn with what had arrived', async (_, end) => {
    const over = chatOver();
    const { answered } = await ask(over, 'Tell me a story.');
    over.transport.write({ type: 'start' });
    over.transport.say('Once upon');
    await eventually(() => expect(textsOf(over.chat.messages[1] as UIMessage)).toEqual(['Once upon']));
    end(over);
    await answered;
    await eventually(async () =>
      expect(await stored()).toEqual(['failed user: Tell me a story.', 'failed assistant: Once upon']),
    );
  });

  it('AIR-10: a transport that rejects leaves a failed question and its own error', async () => {
    const over = chatOver();
    over.transport.sendMessages = () => Promise.reject(new Error('offline'));
    await over.chat.sendMessage({ text: 'Are you there?' });
    expect(over.chat.error?.message).toBe('offline');
    expect(await stored()).toEqual(['failed user: Are you there?']);
  });

  it('AIR-10: reconnecting is up to the transport', async () => {
    const transport = new HandTransport();
    const stream = new ReadableStream<UIMessageChunk>();
    transport.reconnectToStream = () => Promise.resolve(stream as never);
    const over = memoryTransport(memory, { transport });
    expect(await over.reconnectToStream({ chatId: 'trip' })).toBe(stream);
  });

  it('AIR-11: what has arrived of an answer is kept while it arrives', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const over = chatOver();
    const { answered } = await ask(over, 'Tell me a story.');
    const shown = async (): Promise<string[]> =>
      (await loadUIMessages(memory, 'trip')).flatMap((message) => textsOf(message));
    over.transport.write({ type: 'start' }, { type: 'text-start', id: '0' });
    over.transport.write({ type: 'text-delta', id: '0', delta: 'Once' });
    await eventually(() => expect(textsOf(over.chat.messages[1] as UIMessage)).toEqual(['Once']));
    expect(await shown()).toEqual(['Tell me a story.']);
    vi.advanceTimersByTime(2001);
    over.transport.write({ type: 'text-delta', id: '0', delta: ' upon' });
    await eventually(async () => expect(await shown()).toEqual(['Tell me a story.', 'Once upon']));
    expect(await stored()).toEqual(['pending user: Tell me a story.']);
    over.transport.write({ type: 'text-delta', id: '0', delta: ' a time' }, { type: 'text-end', id: '0' });
    over.transport.write({ type: 'finish' });
    over.transport.stream?.close();
    await answered;
    expect(await shown()).toEqual(['Tell me a story.', 'Once upon a time']);
  });
});

it('AIR-10: a turn that goes on with what JSON does not have is stored without it', async () => {
  const over = chatOver();
  const { answered } = await ask(over, 'Measure it.');
  over.transport.write(
    { type: 'start' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'measure', input: {} },
    { type: 'finish' },
  );
  over.transport.stream?.close();
  await answered;
  const called = new Promise<void>((resolve) => (over.transport.isCalled = resolve));
  // A page may put anything into its messages.
  over.chat.messages = over.chat.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-measure' ? { ...part, state: 'output-available', output: { read: () => 1 } } : part,
    ),
  })) as UIMessage[];
  const goneOn = over.chat.sendMessage();
  await called;
  over.transport.write({ type: 'start' }, { type: 'start-step' });
  over.transport.say('Done.');
  over.transport.write({ type: 'finish' });
  over.transport.stream?.close();
  await goneOn;
  expect((await stored()).at(-1)).toBe('complete assistant: Done.');
});

it('AIR-17: what the user says in the middle of an answer is stored as theirs', async () => {
  const over = chatOver();
  const { answered } = await ask(over, 'Plan a trip.');
  over.transport.write({ type: 'start' });
  over.transport.say('To Rome?');
  over.transport.write({
    type: 'steering-message',
    id: 's',
    parts: [{ type: 'text', text: 'Rather to Oslo, where my sister lives.' }],
  } as UIMessageChunk);
  over.transport.write({ type: 'start-step' });
  over.transport.say('To Oslo, then.');
  over.transport.write({ type: 'finish' });
  over.transport.stream?.close();
  await answered;
  expect(await stored()).toEqual([
    'complete user: Plan a trip.',
    'complete assistant: To Rome?',
    'complete user: Rather to Oslo, where my sister lives.',
    'complete assistant: To Oslo, then.',
  ]);
});

it('AIR-18: the error of an agent on the page is shown with its own message', async () => {
  const { model } = scriptedAIModel([{ fail: new Error('The key is wrong.') }]);
  const chat = new Chat({ id: 'trip', transport: memoryTransport(memory, { model, timeoutMs }) });
  await chat.sendMessage({ text: 'Hello?' });
  expect(chat.error?.message).toBe('The key is wrong.');
});

describe('what was used', () => {
  it('AIR-12: onRecall, the event and the metadata tell it, and sources reads it without what was forgotten', async () => {
    const told: RecallEvent[] = [];
    const heard: RecallEvent[] = [];
    memory.addEventListener('recall', ({ detail }) => heard.push(detail));
    const over = chatOver({ onRecall: (recall) => told.push(recall) });
    const { answered } = await ask(over, 'Where does my sister Hannah live?');
    over.transport.write({ type: 'start', messageMetadata: { model: 'x' } });
    over.transport.say('In Oslo.');
    over.transport.write({ type: 'finish', messageMetadata: { tokens: 3 } });
    over.transport.stream?.close();
    await answered;
    const [recall] = told;
    expect(recall).toMatchObject({ sessionId: 'trip', question: 'Where does my sister Hannah live?' });
    expect(heard).toEqual(told);
    const { id, metadata } = over.chat.messages[1] as UIMessage<{ mnemora: { sources: object[] } }>;
    expect(metadata).toMatchObject({ model: 'x', tokens: 3 });
    expect(JSON.stringify(metadata)).not.toMatch(/Hannah|Oslo/u);
    const sources = await memory.sources(id);
    expect(sources.map(({ text: _text, ...ids }) => ids)).toEqual(metadata?.mnemora.sources);
    expect(sources.map(({ text }) => text).join('\n')).toContain('My sister Hannah lives in Oslo.');
    await memory.forget({ turnId: 'told' });
    expect(JSON.stringify(await memory.sources(id))).not.toMatch(/Hannah|Oslo/u);
    await memory.forget({ turnId: recall?.turnId ?? '' });
    expect(await memory.sources(id)).toEqual([]);
  });

  it('AIR-12: the sources of an answer through the middleware are those of its stored message', async () => {
    const { model } = scriptedAIModel([{ say: 'In Oslo.' }]);
    const remembering = wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { timeoutMs }) });
    await generateText({ model: remembering, prompt: 'Where does my sister Hannah live?' });
    const last = (await memory.history()).at(-1);
    const texts = (await memory.sources(last?.id ?? '')).map(({ text }) => text);
    expect(texts.join('\n')).toContain('My sister Hannah lives in Oslo.');
    expect(await memory.sources('unknown')).toEqual([]);
    await expect(memory.sources('')).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('AIR-13: prompt puts its own words around what was recalled', async () => {
    const over = chatOver({ prompt: ({ text }) => `Known of this user:\n${text}` });
    const { answered } = await ask(over, 'Where does my sister Hannah live?');
    over.transport.say('In Oslo.');
    over.transport.write({ type: 'finish' });
    over.transport.stream?.close();
    await answered;
    const [fence] = textsOf(over.transport.sent[0]?.messages[0] as UIMessage);
    expect(fence).toMatch(/^Known of this user:\n<memory-[0-9a-f]+>[\s\S]*Hannah lives in Oslo/u);
  });

  it.each(['prompt', 'onRecall'])(
    'AIR-13: if %s throws, the question is sent without memory',
    async (name) => {
      const broken = (): never => {
        throw new Error('no words');
      };
      const over = chatOver({ [name]: broken });
      const { answered } = await ask(over, 'Where does my sister Hannah live?');
      over.transport.say('No idea.');
      over.transport.write({ type: 'finish' });
      over.transport.stream?.close();
      await answered;
      expect(textsOf(over.transport.sent[0]?.messages[0] as UIMessage)).toEqual([
        'Where does my sister Hannah live?',
      ]);
      expect(warnings.map(({ code }) => code)).toEqual(['memory-skipped']);
      expect((await stored()).at(-1)).toBe('complete assistant: No idea.');
    },
  );
});

describe('options that are the same for the middleware', () => {
  it('AIR-9: with remember: false a call recalls and stores nothing', async () => {
    const { model, prompts } = scriptedAIModel([{ say: 'Hannah in Oslo' }]);
    const remembering = wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { timeoutMs }) });
    const before = await memory.sessions();
    await generateText({
      model: remembering,
      prompt: 'Where does my sister Hannah live?',
      providerOptions: { mnemora: { remember: false, sessionId: 'title' } },
    });
    expect(JSON.stringify(prompts[0])).toContain('My sister Hannah lives in Oslo.');
    expect(await memory.sessions()).toEqual(before);
  });

  it('AIR-6: with history only the latest whole turns of a prompt are sent, after its system text', async () => {
    const { model, prompts } = scriptedAIModel([{ say: 'Fine.' }]);
    const remembering = wrapLanguageModel({
      model,
      middleware: memoryMiddleware(memory, { timeoutMs, history: { maxTokens: 60 } }),
    });
    const long = 'and so on '.repeat(30);
    await generateText({
      model: remembering,
      system: 'You are brief.',
      messages: [
        { role: 'user', content: `First? ${long}` },
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: 'Second?' },
        { role: 'assistant', content: 'Two.' },
        { role: 'user', content: 'How are you?' },
      ],
    });
    const roles = (prompts[0] as { role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(prompts[0])).not.toContain('First?');
  });

  it('AIR-6: turns that are left out are summarized and can be recalled', async () => {
    const messages: UIMessage[] = [];
    for (let n = 0; n < 12; n += 1) {
      const user = n === 0 ? 'My brother Anton keeps alpacas in Bern.' : `Question ${n}?`;
      await memory.remember(
        { user, assistant: `Answer ${n}. ${'and so on '.repeat(20)}` },
        { sessionId: 'trip' },
      );
    }
    messages.push(...(await loadUIMessages(memory, 'trip')));
    const over = chatOver({ history: { maxTokens: 200 } }, messages);
    const { answered } = await ask(over, 'Where does my brother Anton keep alpacas?');
    over.transport.say('In Bern.');
    over.transport.write({ type: 'finish' });
    over.transport.stream?.close();
    await answered;
    const sent = over.transport.sent[0]?.messages ?? [];
    expect(sent.length).toBeLessThan(8);
    expect(textsOf(sent.at(-1) as UIMessage).join('\n')).toContain('My brother Anton keeps alpacas in Bern.');
  });
});

const QUESTIONS = [
  'What is 2 + 2?',
  'Where does my sister Hannah live?',
  'Tell me a joke about cats.',
  'Is Oslo, where my sister Hannah lives, cold?',
];

/** Returns how many messages of each request have the same bytes as in the request before. */
function cachedMessages(requests: readonly (readonly unknown[])[]): number[] {
  return requests.slice(1).map((request, at) => {
    const before = (requests[at] ?? []).map((message) => JSON.stringify(message));
    const differing = request.findIndex((message, index) => JSON.stringify(message) !== before[index]);
    return differing < 0 ? request.length : differing;
  });
}

it('AIR-16: a prompt cache sees the same bytes up to the question before, whatever is recalled, with the middleware', async () => {
  const { model, prompts } = scriptedAIModel(QUESTIONS.map(() => ({ say: 'Fine.' })));
  const remembering = wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { timeoutMs }) });
  const messages: { role: 'user' | 'assistant'; content: string }[] = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Hi.' },
  ];
  for (const question of QUESTIONS) {
    messages.push({ role: 'user', content: question });
    await generateText({ model: remembering, system: 'You are brief.', messages });
    messages.push({ role: 'assistant', content: 'Fine.' });
  }
  const texts = prompts.map((prompt) => JSON.stringify(prompt).includes('Hannah lives in Oslo'));
  expect(texts).toEqual([false, true, false, true]);
  // All messages of the request before but a question that was sent with memory.
  expect(cachedMessages(prompts as unknown[][])).toEqual([4, 5, 8]);
});

it('AIR-16: a prompt cache sees the same bytes up to the question before, whatever is recalled, with a route', async () => {
  const over = chatOver();
  for (const question of QUESTIONS) {
    const { answered } = await ask(over, question);
    over.transport.say('Fine.');
    over.transport.write({ type: 'finish' });
    over.transport.stream?.close();
    await answered;
  }
  const sent = over.transport.sent.map(({ messages }) =>
    messages.map(({ role, parts }) => ({ role, texts: textsOf({ id: '', role, parts }) })),
  );
  expect(cachedMessages(sent)).toEqual([1, 2, 5]);
});

it('AIR-15: a server can take what was recalled out of the messages, and place it itself', async () => {
  const over = chatOver();
  const { answered } = await ask(over, 'Where does my sister Hannah live?');
  const { recalled, messages } = takeRecalled(over.transport.sent[0]?.messages ?? []);
  expect(recalled).toContain('My sister Hannah lives in Oslo.');
  expect(messages.flatMap(textsOf)).toEqual(['Where does my sister Hannah live?']);
  expect(takeRecalled(messages)).toEqual({ recalled: '', messages });
  expect(takeRecalled([])).toEqual({ recalled: '', messages: [] });
  over.transport.say('In Oslo.');
  over.transport.write({ type: 'finish' });
  over.transport.stream?.close();
  await answered;
});

it.each([
  [{ transport: {} }, 'transport must be a transport of the AI SDK'],
  [{ transport: new HandTransport(), model: 'x' }, 'needs one of agent, model and transport'],
  [{ transport: new HandTransport(), sendReasoning: true }, 'sendReasoning is an option for an agent'],
  [{ transport: new HandTransport(), history: 5 }, 'history'],
  [{ transport: new HandTransport(), history: { maxToken: 5 } }, 'maxToken'],
  [{ transport: new HandTransport(), history: {} }, 'history.maxTokens'],
  [{ transport: new HandTransport(), remember: 'no' }, 'remember'],
  [{ transport: new HandTransport(), onRecall: 'x' }, 'onRecall'],
])('AIR-14: memoryTransport(memory, %j) is refused', (options, words) => {
  expect(() => memoryTransport(memory, options as never)).toThrow(words);
});
