import { ConversationChain } from '@langchain/classic/chains';
import { BufferMemory } from '@langchain/classic/memory';
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage as GenericMessage,
  coerceMessageLikeToMessage,
  getBufferString,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts';
import { RunnableWithMessageHistory } from '@langchain/core/runnables';
import { fakeModel, type FakeBuiltModel } from '@langchain/core/testing';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createMemory,
  openDatabase,
  type ChatMessage,
  type MemoryDatabase,
  type Warning,
} from '../../../src/index.ts';
import {
  CombinedMemory,
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
  ConversationEntityMemory,
  ConversationKGMemory,
  ConversationSummaryBufferMemory,
  ConversationSummaryMemory,
  ConversationTokenBufferMemory,
  InMemoryChatMessageHistory,
  langChainHistory,
  langChainMessages,
  memoryRetriever,
  ReadOnlySharedMemory,
  SimpleMemory,
  VectorStoreRetrieverMemory,
  type BaseMemory,
  type LangChainHistory,
} from '../../../src/langchain.ts';
import { ChunkedChatModel } from '../../fakes/chunked-chat-model.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

let database: MemoryDatabase;

beforeEach(async () => {
  database = await openDatabase({ storage: 'memory' });
});

afterEach(() => {
  vi.restoreAllMocks();
  database.close();
});

const user = (content: string): ChatMessage => ({ role: 'user', content });
const ai = (content: string): ChatMessage => ({ role: 'assistant', content });
/** What most tests say, as it is stored. */
const CONVERSATION = [user('I am Ada.'), ai('Hello Ada!'), user('Who am I?'), ai('You are Ada.')];
const stored = (id = 's'): Promise<ChatMessage[]> => database.chatHistory(id).getMessages();
const historyOf = (id = 's'): LangChainHistory<BaseMessage> =>
  langChainHistory(database.chatHistory(id), coerceMessageLikeToMessage);
const turnsOf = async (id = 's'): Promise<number> =>
  new Set((await database.chatHistory(id).list()).map((message) => message.turnId)).size;
const session = (sessionId = 's'): { configurable: { sessionId: string } } => ({
  configurable: { sessionId },
});
const contents = (messages: readonly BaseMessage[]): [string, unknown][] =>
  messages.map((message) => [message.getType(), message.content]);

describe("memories in LangChain's ConversationChain", () => {
  const chatHistory = (): ReturnType<MemoryDatabase['chatHistory']> => database.chatHistory('s');
  const memories: [string, () => BaseMemory, string][] = [
    [
      'ConversationBufferMemory',
      () => new ConversationBufferMemory({ chatHistory: chatHistory() }),
      'Human: I am Ada.\nAI: Hello Ada!',
    ],
    [
      'ConversationTokenBufferMemory',
      () => new ConversationTokenBufferMemory({ chatHistory: chatHistory(), maxTokenLimit: 100 }),
      'Human: I am Ada.\nAI: Hello Ada!',
    ],
    [
      'ConversationSummaryMemory',
      () =>
        new ConversationSummaryMemory({
          chatHistory: chatHistory(),
          llm: scriptedLLM('The human is called Ada.', 'The human is called Ada and asked for her name.').llm,
        }),
      'The human is called Ada.',
    ],
  ];

  it.each(memories)(
    'LCH-1: %s is loaded into its prompt and saved after its answer',
    async (_name, make, told) => {
      const llm = new FakeListChatModel({ responses: ['Hello Ada!', 'You are Ada.'] });
      const asked = vi.spyOn(llm, '_generate');
      const chain = new ConversationChain({ llm, memory: make() });
      expect(await chain.invoke({ input: 'I am Ada.' })).toEqual({ response: 'Hello Ada!' });
      expect(await chain.invoke({ input: 'Who am I?' })).toEqual({ response: 'You are Ada.' });
      expect(String(asked.mock.calls[1]?.[0][0]?.content)).toContain(
        `Current conversation:\n${told}\nHuman: Who`,
      );
      expect(await stored()).toEqual(CONVERSATION);
      expect(await turnsOf()).toBe(2);
    },
  );

  it('LCH-1: messages fill a MessagesPlaceholder', async () => {
    const llm = new FakeListChatModel({ responses: ['Hello Ada!', 'You are Ada.'] });
    const asked = vi.spyOn(llm, '_generate');
    const prompt = ChatPromptTemplate.fromMessages([
      new MessagesPlaceholder('history'),
      ['human', '{input}'],
    ]);
    const memory = new ConversationBufferMemory({ chatHistory: chatHistory(), returnMessages: true });
    const chain = new ConversationChain({ llm, memory, prompt });
    await chain.invoke({ input: 'I am Ada.' });
    await chain.invoke({ input: 'Who am I?' });
    expect(contents(asked.mock.calls[1]?.[0] ?? [])).toEqual([
      ['human', 'I am Ada.'],
      ['ai', 'Hello Ada!'],
      ['human', 'Who am I?'],
    ]);
  });

  it('CMP-27: what a caller does to the memory keys changes no memory', () => {
    const { llm } = scriptedLLM();
    const buffer = new ConversationBufferMemory();
    const all: [BaseMemory, string[]][] = [
      [buffer, ['history']],
      [new ConversationBufferWindowMemory(), ['history']],
      [new ConversationTokenBufferMemory(), ['history']],
      [new ConversationSummaryMemory({ llm }), ['history']],
      [new ConversationSummaryBufferMemory({ llm }), ['history']],
      [new ConversationEntityMemory({ llm }), ['entities', 'history']],
      [new ConversationKGMemory({ llm }), ['history']],
      [
        new VectorStoreRetrieverMemory({ retriever: memoryRetriever({ embedder: hashEmbedder() }) }),
        ['history'],
      ],
      [new SimpleMemory({ memories: { name: 'Ada' } }), ['name']],
      [new ReadOnlySharedMemory({ memory: buffer }), ['history']],
      [
        new CombinedMemory({ memories: [buffer, new SimpleMemory({ memories: { name: 'Ada' } })] }),
        ['history', 'name'],
      ],
    ];
    for (const [memory, keys] of all) {
      expect(memory.memoryKeys).toEqual(keys);
      memory.memoryKeys.push('input');
      expect(memory.memoryKeys).toEqual(keys);
    }
  });
});

describe("histories in LangChain's BufferMemory", () => {
  it('LCH-2: two turns are stored and loaded as text, over a database and in memory', async () => {
    for (const history of [database.chatHistory('s'), new InMemoryChatMessageHistory()]) {
      const memory = new BufferMemory({ chatHistory: langChainHistory(history, coerceMessageLikeToMessage) });
      const llm = new FakeListChatModel({ responses: ['Hello Ada!', 'You are Ada.'] });
      const chain = new ConversationChain({ llm, memory });
      await chain.invoke({ input: 'I am Ada.' });
      await chain.invoke({ input: 'Who am I?' });
      expect(await memory.loadMemoryVariables({})).toEqual({
        history: 'Human: I am Ada.\nAI: Hello Ada!\nHuman: Who am I?\nAI: You are Ada.',
      });
      const rows = await history.list();
      expect(rows.map((row) => [row.turn, row.role, row.content])).toEqual([
        [0, 'user', 'I am Ada.'],
        [0, 'assistant', 'Hello Ada!'],
        [1, 'user', 'Who am I?'],
        [1, 'assistant', 'You are Ada.'],
      ]);
      await memory.clear();
      expect(await history.list()).toEqual([]);
    }
  });

  it('LCH-2: with returnMessages they are messages of its classes, with the ids under which they are stored', async () => {
    const memory = new BufferMemory({ chatHistory: historyOf(), returnMessages: true });
    await memory.saveContext({ input: 'I am Ada.' }, { output: 'Hello Ada!' });
    await memory.chatHistory.addMessage(new HumanMessage('Who am I?'));
    const loaded = (await memory.loadMemoryVariables({})) as { history: BaseMessage[] };
    expect(loaded.history[0]).toBeInstanceOf(HumanMessage);
    expect(loaded.history[1]).toBeInstanceOf(AIMessage);
    expect(contents(loaded.history)).toEqual([
      ['human', 'I am Ada.'],
      ['ai', 'Hello Ada!'],
      ['human', 'Who am I?'],
    ]);
    const rows = await database.chatHistory('s').list();
    expect(loaded.history.map((message) => message.id)).toEqual(rows.map((row) => row.id));
  });
});

describe("histories in LangChain's RunnableWithMessageHistory", () => {
  const TIME = { id: 'c1', name: 'clock', args: { zone: 'UTC' } };
  const CALL = {
    id: 'c1',
    type: 'function',
    function: { name: 'clock', arguments: '{"zone":"UTC"}' },
  };

  function withHistory(model: FakeBuiltModel | ChunkedChatModel, keyed: boolean) {
    const getMessageHistory = (id: string): LangChainHistory<BaseMessage> => historyOf(id);
    if (!keyed) return new RunnableWithMessageHistory({ runnable: model, getMessageHistory });
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'Be kind.'],
      new MessagesPlaceholder('history'),
      new MessagesPlaceholder('input'),
    ]);
    return new RunnableWithMessageHistory({
      runnable: prompt.pipe(model),
      getMessageHistory,
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    });
  }

  it.each([
    ['alone', false],
    ['behind a prompt', true],
  ])('LCH-3: a model %s sees what was said; each turn is stored once', async (_how, keyed) => {
    const model = fakeModel().respond(new AIMessage('Hello Ada!')).respond(new AIMessage('You are Ada.'));
    const chain = withHistory(model, keyed);
    const input = (text: string): unknown =>
      keyed ? { input: [new HumanMessage(text)] } : [new HumanMessage(text)];
    await chain.invoke(input('I am Ada.'), session());
    const answer = (await chain.invoke(input('Who am I?'), session())) as BaseMessage;
    expect(answer.content).toBe('You are Ada.');
    expect(contents(model.calls[1]?.messages ?? []).filter(([type]) => type !== 'system')).toEqual([
      ['human', 'I am Ada.'],
      ['ai', 'Hello Ada!'],
      ['human', 'Who am I?'],
    ]);
    expect(await stored()).toEqual(CONVERSATION);
    expect(await turnsOf()).toBe(2);
  });

  it('LCH-3: sessions do not meet, and a model that fails stores nothing', async () => {
    const model = fakeModel()
      .respond(new AIMessage('a'))
      .respond(new AIMessage('b'))
      .respond(new Error('down'));
    const chain = withHistory(model, false);
    await chain.invoke('1', session('one'));
    await chain.invoke('2', session('two'));
    await expect(chain.invoke('3', session('one'))).rejects.toThrow('down');
    expect(await stored('one')).toEqual([user('1'), ai('a')]);
    expect(await stored('two')).toEqual([user('2'), ai('b')]);
  });

  it('LCH-3: of two calls at once each is stored as a turn of its own', async () => {
    const model = fakeModel().respond(([...said]) => new AIMessage(`re: ${said.at(-1)?.text}`));
    model.respond(([...said]) => new AIMessage(`re: ${said.at(-1)?.text}`));
    const chain = withHistory(model, true);
    const ask = (text: string): Promise<unknown> =>
      chain.invoke({ input: [new HumanMessage(text)] }, session());
    await Promise.all([ask('one'), ask('two')]);
    const messages = await stored();
    expect(new Set([messages.slice(0, 2), messages.slice(2)])).toEqual(
      new Set([
        [user('one'), ai('re: one')],
        [user('two'), ai('re: two')],
      ]),
    );
    expect(await turnsOf()).toBe(2);
  });

  it.each([
    ['alone', false],
    ['behind a prompt', true],
  ])('LCH-3: the stream of a model %s is stored whole when it ends', async (_how, keyed) => {
    const chunks = ['Hel', 'lo ', 'Ada!'].map((content) => new AIMessageChunk({ content }));
    const chain = withHistory(new ChunkedChatModel(chunks), keyed);
    const input = [new HumanMessage('I am Ada.')];
    const seen: unknown[] = [];
    for await (const chunk of await chain.stream(keyed ? { input } : input, session())) {
      seen.push((chunk as BaseMessage).content);
    }
    expect(seen).toEqual(['Hel', 'lo ', 'Ada!']);
    expect(await stored()).toEqual([user('I am Ada.'), ai('Hello Ada!')]);
    expect(await turnsOf()).toBe(1);
  });

  it('LCH-3: a tool call, its result and the answer are one turn, called and streamed', async () => {
    const model = fakeModel()
      .respond(new AIMessage({ content: '', tool_calls: [TIME] }))
      .respond(new AIMessage('It is noon.'));
    const chain = withHistory(model, true);
    const call = (await chain.invoke(
      { input: [new HumanMessage('What time is it?')] },
      session(),
    )) as AIMessage;
    expect(call.tool_calls).toMatchObject([TIME]);
    const result = new ToolMessage({ content: 'noon', tool_call_id: 'c1', name: 'clock' });
    await chain.invoke({ input: [result] }, session());
    const turn = [
      user('What time is it?'),
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', content: 'noon', tool_call_id: 'c1' },
      ai('It is noon.'),
    ];
    expect(await stored()).toEqual(turn);
    expect(await turnsOf()).toBe(1);
    const sent = model.calls[1]?.messages ?? [];
    expect(contents(sent)).toEqual([
      ['system', 'Be kind.'],
      ['human', 'What time is it?'],
      ['ai', ''],
      ['tool', 'noon'],
    ]);
    expect((sent[2] as AIMessage).tool_calls).toMatchObject([TIME]);

    const chunks = [
      { tool_call_chunks: [{ index: 0, id: 'c1', name: 'clock', args: '{"zone"' }] },
      { tool_call_chunks: [{ index: 0, args: ':"UTC"}' }] },
    ].map((piece) => new AIMessageChunk({ content: '', ...piece }));
    const streaming = withHistory(new ChunkedChatModel(chunks), true);
    const input = [new HumanMessage('What time is it?')];
    for await (const _chunk of await streaming.stream({ input }, session('streamed'))) continue;
    const answering = withHistory(
      new ChunkedChatModel([new AIMessageChunk('It is '), new AIMessageChunk('noon.')]),
      true,
    );
    for await (const _chunk of await answering.stream({ input: [result] }, session('streamed'))) continue;
    expect(await stored('streamed')).toEqual(turn);
    expect(await turnsOf('streamed')).toBe(1);
  });
});

describe('what cannot be stored', () => {
  const unstorable = new GenericMessage('hi', 'critic');
  const chainOver = (history: () => LangChainHistory<BaseMessage>) =>
    new RunnableWithMessageHistory({
      runnable: fakeModel().respond(unstorable).respond(new AIMessage('two')).respond(new AIMessage('three')),
      getMessageHistory: history,
    });

  beforeEach(() => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
  });

  it("LCH-4: is refused whole, with a reason, by a history and by LangChain's memories", async () => {
    const history = historyOf();
    const messages = [new HumanMessage('hi'), unstorable];
    await expect(history.addMessages(messages)).rejects.toMatchObject({
      code: 'invalid-message',
      message: expect.stringMatching(/^Message 1: .*generic.*HumanMessage/) as string,
    });
    await expect(
      history.addMessage(new ToolMessage({ content: [{ type: 'image' }], tool_call_id: 'c' })),
    ).rejects.toMatchObject({ code: 'invalid-message' });
    expect(await stored()).toEqual([]);
    const memory = new BufferMemory({ chatHistory: historyOf('another') });
    await expect(memory.saveContext({ input: 7 }, { output: 'x' })).rejects.toMatchObject({
      code: 'invalid-message',
    });
    expect(await stored('another')).toEqual([]);
  });

  it("LCH-5: the session's next call rejects with the reason, once", async () => {
    const chain = chainOver(() => historyOf());
    await chain.invoke('one', session());
    await expect(chain.invoke('two', session())).rejects.toMatchObject({
      code: 'invalid-message',
      message: expect.stringMatching(/not stored.*generic/) as string,
      cause: { code: 'invalid-message' },
    });
    await chain.invoke('two', session());
    await chain.invoke('three', session());
    expect(await stored()).toEqual([user('two'), ai('two'), user('three'), ai('three')]);
  });

  it('LCH-5: clearing the history drops the failure', async () => {
    await expect(historyOf().addMessage(unstorable)).rejects.toMatchObject({ code: 'invalid-message' });
    await historyOf().clear();
    expect(await historyOf().getMessages()).toEqual([]);
  });

  it('LCH-5: a failure of the store is reported too', async () => {
    await using other = await openDatabase({ storage: 'memory' });
    const history = langChainHistory(other.chatHistory('s'), coerceMessageLikeToMessage);
    vi.spyOn(other.chatHistory('s'), 'addMessages').mockRejectedValueOnce(new Error('disk'));
    await expect(history.addMessage(new HumanMessage('hi'))).rejects.toThrow('disk');
    const error: unknown = await history.getMessages().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'storage-failed', message: expect.stringMatching(/disk/) as string });
  });

  it('LCH-6: onWarning is called at once instead, and the next call goes on', async () => {
    const warnings: Warning[] = [];
    const chain = chainOver(() =>
      langChainHistory(database.chatHistory('s'), coerceMessageLikeToMessage, {
        onWarning: (warning) => void warnings.push(warning),
      }),
    );
    await chain.invoke('one', session());
    expect(warnings).toMatchObject([{ code: 'save-failed', cause: { code: 'invalid-message' } }]);
    await chain.invoke('two', session());
    expect(await stored()).toEqual([user('two'), ai('two')]);
    expect(warnings).toHaveLength(1);
  });

  it('LCH-4: a wrong history, function or option is refused', () => {
    const history = database.chatHistory('s');
    for (const make of [
      () => langChainHistory({} as never, coerceMessageLikeToMessage),
      () => langChainHistory(history, undefined as never),
      () => langChainHistory(history, coerceMessageLikeToMessage, { onwarning: () => undefined } as never),
    ]) {
      expect(make).toThrow(expect.objectContaining({ code: 'invalid-option' }) as Error);
    }
  });
});

describe('messages that go there and back', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const EXCHANGE = [
    new SystemMessage('Be kind.'),
    new HumanMessage({ content: [{ type: 'text', text: 'What is this?' }, image], name: 'Ada' }),
    new AIMessage({
      content: 'I will look.',
      name: 'bot',
      tool_calls: [{ id: 'c1', name: 'look', args: { at: ['it', { deep: 1 }] }, type: 'tool_call' }],
      invalid_tool_calls: [
        { id: 'c2', name: 'zoom', args: '{"by": ', error: 'Malformed args.', type: 'invalid_tool_call' },
      ],
    }),
    new ToolMessage({ content: 'a cat', tool_call_id: 'c1', name: 'look' }),
    new AIMessage({ content: [{ type: 'text', text: 'A cat:' }, image] }),
    new HumanMessage(''),
    new AIMessage(''),
  ];

  function fields(message: BaseMessage): object {
    const { content, name, tool_calls, invalid_tool_calls, tool_call_id } = message as AIMessage &
      ToolMessage;
    return { type: message.getType(), content, name, tool_calls, invalid_tool_calls, tool_call_id };
  }

  it('LCH-7: keep role, content parts, name, tool calls (malformed ones too) and the call that a result is of', async () => {
    const history = historyOf();
    await history.addMessages(EXCHANGE);
    const back = await history.getMessages();
    expect(back.map(fields)).toEqual(EXCHANGE.map(fields));
    expect(back.map((message) => message.constructor)).toEqual(
      EXCHANGE.map((message) => message.constructor),
    );
    expect(getBufferString(back)).toBe(getBufferString(EXCHANGE));
    await historyOf('again').addMessages(back);
    expect(await stored('again')).toEqual(await stored());
  });

  it('LCH-7: a call without arguments, from any endpoint, has an empty object of them', async () => {
    const call = (text: string) => ({
      id: text,
      type: 'function' as const,
      function: { name: 'f', arguments: text },
    });
    await database
      .chatHistory('s')
      .addMessages([
        { role: 'assistant', content: null, tool_calls: [call(''), call('{}'), call('[]'), call('"{}"')] },
      ]);
    const [message] = (await historyOf().getMessages()) as AIMessage[];
    expect(message?.tool_calls?.map((each) => [each.id, each.args])).toEqual([
      ['', {}],
      ['{}', {}],
    ]);
    expect(message?.invalid_tool_calls?.map((each) => each.args)).toEqual(['[]', '"{}"']);
  });

  it('LCH-8: a context of recall is what a model takes, with its tool calls', async () => {
    await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
    await memory.remember({
      messages: [
        user('What time is it?'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } },
          ],
        },
        { role: 'tool', content: 'noon', tool_call_id: 'c1' },
        ai('It is noon.'),
      ],
    });
    const { messages } = await memory.recall('And now?');
    const model = fakeModel().respond(new AIMessage('Later.'));
    await model.invoke(langChainMessages(messages, coerceMessageLikeToMessage));
    const sent = model.calls[0]?.messages ?? [];
    expect(sent.map((message) => message.getType())).toEqual(
      messages.map(({ role }) => ({ user: 'human', assistant: 'ai', system: 'system', tool: 'tool' })[role]),
    );
    expect(sent.find((message) => message.getType() === 'tool')).toMatchObject({
      name: 'clock',
      content: 'noon',
    });
    expect(sent.flatMap((message) => (message as AIMessage).tool_calls ?? [])).toMatchObject([
      { id: 'c1', name: 'clock', args: { zone: 'UTC' } },
    ]);
  });
});

describe('messages that are added twice', () => {
  it('LCH-9: one that was loaded is not stored again, however its call was written', async () => {
    await database.chatHistory('s').addMessages([
      user('What time is it?'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'clock', arguments: '{ "zone": "UTC" }' } },
        ],
      },
      { role: 'tool', content: 'noon', tool_call_id: 'c' },
    ]);
    const before = await stored();
    const history = historyOf();
    await history.addMessages([...(await history.getMessages()), new AIMessage('It is noon.')]);
    expect(await stored()).toEqual([...before, ai('It is noon.')]);
  });

  it('LCH-9: one that was added is not stored again; one without an id, or that says something else, is', async () => {
    const history = historyOf();
    const hi = new HumanMessage({ id: 'm1', content: 'hi' });
    await history.addMessages([hi, hi]);
    await history.addMessage(hi);
    expect(await stored()).toEqual([user('hi')]);
    await history.addMessages([
      new HumanMessage({ id: 'm1', content: 'ho' }),
      new HumanMessage('hi'),
      new HumanMessage('hi'),
    ]);
    expect(await stored()).toEqual(['hi', 'ho', 'hi', 'hi'].map(user));
  });
});
