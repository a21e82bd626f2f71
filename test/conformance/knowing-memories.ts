import type { FactGraph } from '../../src/graph/fact-graph.ts';
import { KnowledgeGraph } from '../../src/graph/knowledge-graph.ts';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import { messageText } from '../../src/model/message.ts';
import { ConversationEntityMemory } from '../../src/components/langchain/entity-memory.ts';
import { ConversationKGMemory } from '../../src/components/langchain/kg-memory.ts';
import type { Given } from './case.ts';
import { entityStoreOperations, graphOperations } from './graph-subject.ts';
import type { BuiltMemory, Operation } from './subject.ts';
import type { World } from './world.ts';

const GRAPH_READS = ['knowledge', 'triples', 'hasNode', 'hasEdge', 'nodeCount'];

/** Upstream's calls: one to find entities on each load, one for each entity on each save. */
export function buildEntityMemory(given: Given, chatHistory: ChatMessageHistory, world: World): BuiltMemory {
  const memory = new ConversationEntityMemory({
    updateCalls: 'each',
    detectOnLoad: 'model',
    ...given.options,
    ...world.promptsOption(['entityExtraction', 'entitySummarization']),
    llm: world.newLLM(given),
    chatHistory,
    entityStore: world.newEntityStore(),
    onWarning: world.onWarning,
  });
  return {
    memory,
    history: chatHistory,
    stored: async () => (await chatHistory.getMessages()).length,
    operations: entityStoreOperations(memory.entityStore),
  };
}

export function buildKGMemory(given: Given, chatHistory: ChatMessageHistory, world: World): BuiltMemory {
  const graph = world.newGraph();
  const readGraph = async (): Promise<FactGraph> => (graph instanceof KnowledgeGraph ? graph : graph.read());
  const readWith =
    (op: string): Operation =>
    async (step, isAnswerWanted) =>
      graphOperations(await readGraph())[op]?.(step, isAnswerWanted);
  const memory = new ConversationKGMemory({
    ...given.options,
    ...world.promptsOption(['entityExtraction', 'kgExtraction']),
    llm: world.newLLM(given),
    graph,
    chatHistory,
    onWarning: world.onWarning,
  });
  return {
    memory,
    history: chatHistory,
    stored: async () => (await chatHistory.getMessages()).length,
    operations: {
      ...Object.fromEntries(GRAPH_READS.map((op) => [op, readWith(op)])),
      entities: ({ text }) => memory.getCurrentEntities(text as string),
      parse: async ({ text }) => {
        const found = await memory.getKnowledgeTriplets(text as string);
        return found.map(({ subject, predicate, object }) => [subject, predicate, object]);
      },
      sources: async () => {
        const said = new Map((await chatHistory.list()).map((row) => [row.id, messageText(row)]));
        return (await readGraph()).triples().map(({ subject, predicate, object, attributes, sources }) => ({
          fact: `${subject} ${predicate} ${object}`,
          statedBy: attributes['statedBy'],
          messages: sources.map((source) => said.get(source.messageId)),
        }));
      },
    },
  };
}
