import { ConversationChain } from '@langchain/classic/chains';
import { BufferMemory } from '@langchain/classic/memory';
import {
  type AIMessage,
  AIMessageChunk,
  coerceMessageLikeToMessage,
  HumanMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts';
import { RunnableWithMessageHistory } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, type MemoryDatabase } from '../../../src/index.ts';
import { ConversationTokenBufferMemory, langChainHistory } from '../../../src/langchain.ts';
import { newId } from '../../../src/model/id.ts';
import { ChunkedChatModel } from '../../fakes/chunked-chat-model.ts';

const name = `langchain-${newId()}`;
let database: MemoryDatabase;

beforeEach(async () => {
  database = await openDatabase({ name });
});

afterEach(() => database.delete());

/** As a page finds them that opens the database later. */
async function reopened(sessionId: string): Promise<unknown[]> {
  database.close();
  database = await openDatabase({ name });
  const rows = await database.chatHistory(sessionId).list();
  return rows.map(({ role, content, turn }) => [turn, role, content]);
}

it("LCH-2: LangChain's chain over its BufferMemory stores two turns in IndexedDB", async () => {
  const chatHistory = langChainHistory(database.chatHistory('s'), coerceMessageLikeToMessage);
  const memory = new BufferMemory({ chatHistory });
  const llm = new FakeListChatModel({ responses: ['Hello Ada!', 'You are Ada.'] });
  const chain = new ConversationChain({ llm, memory });
  await chain.invoke({ input: 'I am Ada.' });
  expect(await chain.invoke({ input: 'Who am I?' })).toEqual({ response: 'You are Ada.' });
  expect(await memory.loadMemoryVariables({})).toEqual({
    history: 'Human: I am Ada.\nAI: Hello Ada!\nHuman: Who am I?\nAI: You are Ada.',
  });
  expect(await reopened('s')).toEqual([
    [0, 'user', 'I am Ada.'],
    [0, 'assistant', 'Hello Ada!'],
    [1, 'user', 'Who am I?'],
    [1, 'assistant', 'You are Ada.'],
  ]);
});

it("LCH-1: LangChain's chain takes a token buffer over IndexedDB as its memory", async () => {
  const memory = new ConversationTokenBufferMemory({ chatHistory: database.chatHistory('s') });
  const llm = new FakeListChatModel({ responses: ['Hello Ada!'] });
  await new ConversationChain({ llm, memory }).invoke({ input: 'I am Ada.' });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: 'Human: I am Ada.\nAI: Hello Ada!' });
  expect(await reopened('s')).toEqual([
    [0, 'user', 'I am Ada.'],
    [0, 'assistant', 'Hello Ada!'],
  ]);
});

it('LCH-3: a tool call, its result and a streamed answer are one turn in IndexedDB', async () => {
  const withModel = (...chunks: AIMessageChunk[]) =>
    new RunnableWithMessageHistory({
      runnable: ChatPromptTemplate.fromMessages([
        new MessagesPlaceholder('history'),
        new MessagesPlaceholder('input'),
      ]).pipe(new ChunkedChatModel(chunks)),
      getMessageHistory: (id: string) =>
        langChainHistory(database.chatHistory(id), coerceMessageLikeToMessage),
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    });
  const ask = async (chain: ReturnType<typeof withModel>, input: BaseMessage[]): Promise<void> => {
    const stream = await chain.stream({ input }, { configurable: { sessionId: 's' } });
    for await (const _chunk of stream) continue;
  };
  const call = { index: 0, id: 'c1', name: 'clock', args: '{"zone":"UTC"}' };
  await ask(withModel(new AIMessageChunk({ content: '', tool_call_chunks: [call] })), [
    new HumanMessage('Time?'),
  ]);
  await ask(withModel(new AIMessageChunk('It is '), new AIMessageChunk('noon.')), [
    new ToolMessage({ content: 'noon', tool_call_id: 'c1' }),
  ]);
  expect(await reopened('s')).toEqual([
    [0, 'user', 'Time?'],
    [0, 'assistant', null],
    [0, 'tool', 'noon'],
    [0, 'assistant', 'It is noon.'],
  ]);
  const history = langChainHistory(database.chatHistory('s'), coerceMessageLikeToMessage);
  const [, called, result] = await history.getMessages();
  expect((called as AIMessage).tool_calls).toEqual([
    { id: 'c1', name: 'clock', args: { zone: 'UTC' }, type: 'tool_call' },
  ]);
  expect(result).toMatchObject({ tool_call_id: 'c1', name: 'clock' });
});
