import { expect, it, vi } from 'vitest';
import {
  ConversationEntityMemory,
  ConversationKGMemory,
  ConversationSummaryMemory,
  openDatabase,
} from '../../../src/langchain.ts';

const TURN = [{ input: 'Sam is a friend.' }, { output: 'Good.' }] as const;
/** A model that never answers, whatever its signal says. */
const silent = () => vi.fn((): Promise<string> => new Promise(() => undefined));

it('CMP-85: closing a memory ends its wait for a model that does not answer', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  const chatHistory = database.chatHistory('s');
  await chatHistory.addUserMessage('Sam is a friend.');
  const llm = silent();
  const memory = new ConversationSummaryMemory({ llm, chatHistory, enrichment: 'background' });
  expect(await memory.loadMemoryVariables()).toEqual({ history: 'Human: Sam is a friend.' });
  await expect.poll(() => llm.mock.calls.length).toBe(1);
  await memory.close();
});

it.each([
  ['ConversationEntityMemory', ConversationEntityMemory],
  ['ConversationKGMemory', ConversationKGMemory],
])('CMP-85: clearing a %s does not wait for a model that does not answer', async (_name, Component) => {
  const llm = silent();
  const memory = new Component({ llm });
  void memory.saveContext(...TURN);
  await expect.poll(() => llm.mock.calls.length).toBe(1);
  await memory.clear();
  expect(await memory.chatHistory.getMessages()).toEqual([]);
});
