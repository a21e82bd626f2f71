import { AIMessageChunk } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import {
  CombinedMemory,
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
  ConversationChain,
  ConversationEntityMemory,
  ConversationKGMemory,
  InMemoryChatMessageHistory,
  trimMessages,
  VectorStoreRetrieverMemory,
  withMessageHistory,
  type ChatMessage,
} from '../../../src/langchain.ts';
import { MessageWindowChatMemory } from '../../../src/langchain4j.ts';
import { memoryRetriever } from '../../../src/search.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { ChunkedChatModel } from '../../fakes/chunked-chat-model.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const ai = (content: string): ChatMessage => ({ role: 'assistant', content });
const SESSION = { configurable: { sessionId: 's' } } as const;
const TURN = [{ input: 'I am Ada.' }, { output: 'Hello Ada!' }] as const;

describe('a chat model of LangChain', () => {
  it('CHN-60: its chunks are joined to the answer that it would give at once, tool calls included', async () => {
    const call = { name: 'find', id: 'c', index: 0, type: 'tool_call_chunk' } as const;
    const model = new ChunkedChatModel([
      new AIMessageChunk({ content: 'Let me ' }),
      new AIMessageChunk({ content: 'look.', tool_call_chunks: [{ ...call, args: '{"q":' }] }),
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [{ args: '"Ada"}', index: 0, type: 'tool_call_chunk' }],
      }),
    ]);
    const history = new InMemoryChatMessageHistory();
    const chat = withMessageHistory(
      {
        invoke: (input: ChatMessage[]) => model.invoke(input as never),
        stream: (input: ChatMessage[]) => model.stream(input as never),
      },
      { getSessionHistory: () => history },
    );
    let text = '';
    for await (const chunk of chat.stream('Who am I?', SESSION))
      text += typeof chunk === 'string' ? chunk : chunk.text;
    expect(text).toBe('Let me look.');
    expect(await history.getMessages()).toEqual([
      user('Who am I?'),
      {
        ...ai('Let me look.'),
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{"q":"Ada"}' } }],
      },
    ]);
  });
});

describe('mistakes in a call', () => {
  it('CHN-61: inputs of a chain that are not named values are rejected with invalid-input', async () => {
    const chain = new ConversationChain({ llm: async () => 'ok', memory: new ConversationBufferMemory() });
    for (const inputs of [undefined, null, 7, ['Hi.']])
      await expect(chain.predict(inputs as never)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('CHN-61: inputs of a combination that are not named values are rejected with invalid-input', async () => {
    const memory = new CombinedMemory({ memories: [new ConversationBufferMemory()] });
    for (const inputs of [null, 7, ['Hi.']] as never[]) {
      await expect(memory.loadMemoryVariables(inputs)).rejects.toMatchObject({ code: 'invalid-input' });
      await expect(memory.saveContext(inputs, { output: 'a' })).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
  });

  it('CHN-61: a misspelled option of a call of a chain is rejected before the model is called', async () => {
    let calls = 0;
    const llm = async (): Promise<string> => String((calls += 1));
    const chain = new ConversationChain({ llm, memory: new ConversationBufferMemory() });
    await expect(chain.predict('Hi.', { turnID: 'a' } as never)).rejects.toMatchObject({
      code: 'invalid-option',
    });
    expect(calls).toBe(0);
  });

  it('CHN-61: a session without a history is rejected, and the session is free afterwards', async () => {
    const histories = [undefined, new InMemoryChatMessageHistory()];
    const chat = withMessageHistory(() => 'ok', { getSessionHistory: () => histories.shift() as never });
    await expect(chat.invoke('Hi.', SESSION)).rejects.toMatchObject({ code: 'invalid-option' });
    expect(await chat.invoke('Hi.', SESSION)).toBe('ok');
  });

  it('CMP-82: a listener or a key that is none is rejected by each constructor', () => {
    const memory = new ConversationBufferMemory();
    const llm = async (): Promise<string> => 'ok';
    const getSessionHistory = (): InMemoryChatMessageHistory => new InMemoryChatMessageHistory();
    const wrong = 'warn' as never;
    const makers = [
      () => new ConversationChain({ llm, memory, onWarning: wrong }),
      () => new ConversationChain({ llm, memory, outputKey: 7 as never }),
      () => new MessageWindowChatMemory({ maxMessages: 1, onWarning: wrong }),
      () => withMessageHistory(llm, { getSessionHistory, onWarning: wrong }),
      () => withMessageHistory(llm, { getSessionHistory, inputMessagesKey: 7 as never }),
      () =>
        new VectorStoreRetrieverMemory({
          retriever: memoryRetriever({ embedder: false }),
          onWarning: wrong,
        }),
    ];
    for (const make of makers)
      expect(make).toThrow(expect.objectContaining({ code: 'invalid-option' }) as Error);
  });

  it('CMP-82: a listener of trimMessages that is none is rejected', async () => {
    const options = { maxTokens: 1, tokenizer: approximateTokenizer(), onWarning: 'warn' as never };
    await expect(trimMessages([], options)).rejects.toMatchObject({ code: 'invalid-option' });
  });

  it('CMP-83: any number of turns can be asked for', async () => {
    const k = Number.MAX_SAFE_INTEGER;
    const window = new ConversationBufferWindowMemory({ k });
    await window.saveContext(...TURN);
    expect(await window.loadMemoryVariables({})).toEqual({ history: 'Human: I am Ada.\nAI: Hello Ada!' });
    for (const Component of [ConversationEntityMemory, ConversationKGMemory]) {
      const memory = new Component({ llm: scriptedLLM().llm, k });
      await memory.saveContext(...TURN);
      expect(await memory.loadMemoryVariables({ input: 'Hi.' })).toHaveProperty('history');
    }
  });
});

describe('runTurn', () => {
  it('CHM-20: stores the question as it was given, whatever the caller changes while the model answers', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 10 });
    const question = { role: 'user' as const, content: 'Who am I?' };
    await memory.runTurn(question, async () => {
      question.content = '';
      return ai('You are Ada.');
    });
    expect(await memory.messages()).toEqual([user('Who am I?'), ai('You are Ada.')]);
  });

  it('CHM-20: an abort ends the wait for a model that ignores it, and stores nothing', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 10 });
    const signal = AbortSignal.timeout(10);
    const turn = memory.runTurn(user('Hi.'), () => new Promise(() => undefined), { signal });
    await expect(turn).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await memory.messages()).toEqual([]);
  });
});

describe('a tool result whose call was forgotten', () => {
  const CALL = { id: 'c', type: 'function', function: { name: 'find', arguments: '{}' } } as const;
  const TURN_WITH_TOOL: ChatMessage[] = [
    user('Who am I?'),
    { role: 'tool', content: 'Ada', tool_call_id: 'c' },
    ai('You are Ada.'),
  ];

  it('CMP-84: is neither loaded by a memory of the whole history nor given to a runnable', async () => {
    const history = new InMemoryChatMessageHistory(TURN_WITH_TOOL);
    const memory = new ConversationBufferMemory({ chatHistory: history, returnMessages: true });
    const expected = [user('Who am I?'), ai('You are Ada.')];
    expect(await memory.loadMemoryVariables({})).toEqual({ history: expected });
    let seen: ChatMessage[] = [];
    const chat = withMessageHistory(
      (messages: ChatMessage[]) => {
        seen = messages;
        return 'ok';
      },
      { getSessionHistory: () => history },
    );
    await chat.invoke('Hi.', SESSION);
    expect(seen).toEqual([...expected, user('Hi.')]);
    const whole = new InMemoryChatMessageHistory([
      user('Who am I?'),
      { role: 'assistant', content: null, tool_calls: [CALL] },
      ...TURN_WITH_TOOL.slice(1),
    ]);
    const all = new ConversationBufferMemory({ chatHistory: whole, returnMessages: true });
    expect((await all.loadMemoryVariables({}))['history']).toHaveLength(4);
  });
});

describe('a combination', () => {
  it('CMP-14: an output that one member rejects is saved by none', async () => {
    const retriever = memoryRetriever({ embedder: false });
    const buffer = new ConversationBufferMemory({ memoryKey: 'all' });
    const memory = new CombinedMemory({ memories: [new VectorStoreRetrieverMemory({ retriever }), buffer] });
    await expect(memory.saveContext({ input: 'Hi.' }, { output: 42 })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(await retriever.search('Hi')).toEqual([]);
    const named = new VectorStoreRetrieverMemory({ retriever, inputKey: 'question' });
    const both = new CombinedMemory({
      memories: [new ConversationBufferMemory({ memoryKey: 'all' }), named],
    });
    await expect(both.saveContext({ input: 'Hi.' }, { output: 'Hello.' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(await both.loadMemoryVariables({ question: 'Hi.' })).toEqual({ all: '', history: '' });
  });

  it('CMP-9: a value that is neither text nor plain data is rejected with invalid-input, and nothing is stored', async () => {
    const retriever = memoryRetriever({ embedder: false });
    const memory = new VectorStoreRetrieverMemory({ retriever });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(memory.saveContext({ input: circle }, { output: 'Hello.' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(await retriever.search('Hello')).toEqual([]);
  });
});
