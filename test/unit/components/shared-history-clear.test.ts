import { expect, it } from 'vitest';
import { KnowledgeGraph } from '../../../src/graph.ts';
import {
  CombinedMemory,
  ConversationBufferMemory,
  ConversationEntityMemory,
  ConversationKGMemory,
  InMemoryChatMessageHistory,
  InMemoryEntityStore,
} from '../../../src/langchain.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

it('CMP-81: clearing a combination removes what its members have learned, whichever member clears the history', async () => {
  const chatHistory = new InMemoryChatMessageHistory();
  const entityStore = new InMemoryEntityStore();
  await entityStore.set('Ida', 'Ida is from another conversation.');
  const graph = new KnowledgeGraph();
  graph.addTriple({ subject: 'Ida', predicate: 'lives in', object: 'Rome' });
  const entities = new ConversationEntityMemory({
    llm: scriptedLLM('Sam', JSON.stringify({ Sam: 'Sam is a friend.' })).llm,
    ...{ chatHistory, entityStore, memoryKey: 'turns' },
  });
  const facts = new ConversationKGMemory({
    llm: scriptedLLM('(Sam, is a, friend)').llm,
    ...{ chatHistory, graph, memoryKey: 'facts' },
  });
  const buffer = new ConversationBufferMemory({ chatHistory });
  const memory = new CombinedMemory({ memories: [buffer, entities, facts] });
  await memory.saveContext({ input: 'Sam is a friend.' }, { output: 'Good.' });
  expect((await entityStore.list()).map(({ name }) => name)).toEqual(['Ida', 'Sam']);
  expect(graph.entityFacts('Sam')).toHaveLength(1);
  await memory.clear();
  expect((await entityStore.list()).map(({ name }) => name)).toEqual(['Ida']);
  expect(graph.entityFacts('Sam')).toEqual([]);
  expect(graph.entityFacts('Ida')).toHaveLength(1);
});
