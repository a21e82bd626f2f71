import { FakeChatModel, FakeListChatModel } from '@langchain/core/utils/testing';
import { expect, it, onTestFinished } from 'vitest';
import { conversation } from '../../../demo/examples/recipes/langchain-classic.ts';
import { withHistory } from '../../../demo/examples/recipes/langchain-history.ts';
import { ask } from '../../../demo/examples/recipes/langchain-recall.ts';
import { createMemory, openDatabase, type MemoryDatabase } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';

async function openNew(): Promise<MemoryDatabase> {
  const database = await openDatabase({ name: `langchain-recipe-${newId()}` });
  onTestFinished(() => database.delete());
  return database;
}

it('RCP-1: a conversation of @langchain/classic goes on when it is made again from its session', async () => {
  const database = await openNew();
  const llm = new FakeListChatModel({ responses: ['Hello Ada!', 'You are Ada.'] });
  await conversation(llm, database, 'today').invoke({ input: 'I am Ada.' });
  const again = conversation(llm, database, 'today');
  expect(await again.memory?.loadMemoryVariables({})).toEqual({
    history: 'Human: I am Ada.\nAI: Hello Ada!',
  });
  expect(await again.invoke({ input: 'Who am I?' })).toEqual({ response: 'You are Ada.' });
  expect(await database.chatHistory('today').list()).toHaveLength(4);
});

it('RCP-2: a model of @langchain/core receives the session that it is called with, and no other one', async () => {
  const chat = withHistory(new FakeChatModel({}), await openNew()); // answers with all that it was sent
  const inSession = (sessionId: string) => ({ configurable: { sessionId } });
  await chat.invoke({ input: 'I am Ada.' }, inSession('today'));
  const { text } = await chat.invoke({ input: 'Who am I?' }, inSession('today'));
  expect(text).toContain('I am Ada.');
  const other = await chat.invoke({ input: 'Who am I?' }, inSession('tomorrow'));
  expect(other.text).not.toContain('Ada');
});

it('RCP-3: a model of @langchain/core receives what memory recalls, and the turn is remembered', async () => {
  const name = `langchain-recipe-${newId()}`;
  const memory = await createMemory({ name, embedder: false });
  onTestFinished(async () => {
    await memory.close();
    indexedDB.deleteDatabase(name);
  });
  const told = { user: 'My sister Nora lives in Oslo.', assistant: 'Nice city.' };
  await memory.session('before').remember(told);
  const answer = await ask(new FakeChatModel({}), memory, 'Where does my sister live?');
  expect(answer).toContain('> My sister Nora lives in Oslo.');
  const history = await memory.history();
  expect(history.map(({ content }) => content)).toEqual(['Where does my sister live?', answer]);
});
