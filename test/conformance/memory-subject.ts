import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import {
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
  ConversationTokenBufferMemory,
} from '../../src/components/langchain/buffer-memories.ts';
import {
  CombinedMemory,
  ReadOnlySharedMemory,
  SimpleMemory,
} from '../../src/components/langchain/composed-memories.ts';
import type { BaseMemory, Values } from '../../src/components/langchain/base-memory.ts';
import { VectorStoreRetrieverMemory } from '../../src/components/langchain/vector-store-memory.ts';
import { lettersRetriever } from '../fakes/watched-retriever.ts';
import type { BuiltMemory, Operation, Subject } from './subject.ts';
import type { Given } from './case.ts';
import { buildEntityMemory, buildKGMemory } from './knowing-memories.ts';
import { buildSummaryBufferMemory, buildSummaryMemory } from './summarizing-memories.ts';
import { tokenCounter } from './token-counters.ts';
import { ScriptedFailure, type World } from './world.ts';

export async function buildMemory(given: Given, world: World): Promise<BuiltMemory> {
  const options = { ...given.options } as Record<string, never>;
  switch (given.component) {
    case 'SimpleMemory':
      return {
        memory: new SimpleMemory({ memories: given.memories, ...given.options } as { memories: Values }),
      };
    case 'FailingSave':
      return { memory: failingMemory('save') };
    case 'FailingLoad':
      return { memory: failingMemory('load') };
    case 'CombinedMemory': {
      const members = await Promise.all(
        ((given.memories ?? []) as readonly Given[]).map((member) => buildMemory(member, world)),
      );
      return { memory: new CombinedMemory({ memories: members.map((member) => member.memory) }) };
    }
    case 'ReadOnlySharedMemory': {
      const innerGiven = given.inner ?? given.memory;
      if (!innerGiven) throw new Error('ReadOnlySharedMemory needs given.inner');
      const { memory: inner } = await buildMemory(innerGiven, world);
      return { memory: new ReadOnlySharedMemory({ memory: inner }), inner };
    }
    case 'VectorStoreRetrieverMemory': {
      const { topK = 4, ...rest } = options;
      const { database } = world;
      const retriever = lettersRetriever(topK, database ? { database } : {});
      return {
        memory: new VectorStoreRetrieverMemory({ ...rest, retriever, onWarning: world.onWarning }),
        retriever,
      };
    }
    case 'ConversationSummaryMemory':
      return buildSummaryMemory(given, await world.prepareHistory(given), world);
    case 'ConversationSummaryBufferMemory':
      return buildSummaryBufferMemory(given, await world.prepareHistory(given), world);
    case 'ConversationEntityMemory':
      return buildEntityMemory(given, await world.prepareHistory(given), world);
    case 'ConversationKGMemory':
      return buildKGMemory(given, await world.prepareHistory(given), world);
    case 'ConversationBufferMemory':
    case 'ConversationBufferWindowMemory':
    case 'ConversationTokenBufferMemory':
      return buildHistoryMemory(given, await world.prepareHistory(given), world);
    default:
      throw new Error(`unknown component "${given.component}"`);
  }
}

function buildHistoryMemory(given: Given, chatHistory: ChatMessageHistory, world: World): BuiltMemory {
  const options = { ...given.options, chatHistory, onWarning: world.onWarning };
  const all = async (): Promise<number> => (await chatHistory.getMessages()).length;
  if (given.component === 'ConversationBufferMemory') {
    return { memory: new ConversationBufferMemory(options), history: chatHistory, stored: all };
  }
  if (given.component === 'ConversationBufferWindowMemory') {
    return { memory: new ConversationBufferWindowMemory(options), history: chatHistory, stored: all };
  }
  const tokenizer = tokenCounter(given.llm?.tokenCounter ?? given.tokenCounter ?? 'words');
  const memory = new ConversationTokenBufferMemory({ ...options, tokenizer });
  const { maxTokenLimit } = options as { maxTokenLimit?: number };
  const window = new ConversationTokenBufferMemory({
    chatHistory,
    tokenizer,
    returnMessages: true,
    ...(maxTokenLimit === undefined ? {} : { maxTokenLimit }),
  });
  const stored = async (): Promise<number> => {
    const { history } = await window.loadMemoryVariables({});
    return (history as unknown[]).length;
  };
  return { memory, history: chatHistory, stored };
}

export async function memorySubject(given: Given, world: World): Promise<Subject> {
  return { operations: memoryOperations(await buildMemory(given, world)), userName: 'human' };
}

export function memoryOperations(built: BuiltMemory): Record<string, Operation> {
  const { memory, history, retriever, inner, stored } = built;
  const kept = new Map<string, Record<string, unknown>>();
  const saveTo =
    (target: BaseMemory): Operation =>
    ({ inputs, outputs }) =>
      target.saveContext((inputs ?? {}) as Values, (outputs ?? {}) as Values);
  const loadFrom =
    (target: BaseMemory): Operation =>
    async ({ inputs, keep }) => {
      const loaded = await target.loadMemoryVariables((inputs ?? {}) as Values);
      if (typeof keep === 'string') kept.set(keep, loaded);
      return loaded;
    };
  const operations: Record<string, Operation> = {
    construct: () => undefined,
    save: saveTo(memory),
    asave: saveTo(memory),
    load: loadFrom(memory),
    aload: loadFrom(memory),
    memoryLoad: loadFrom(inner ?? memory),
    recheckLength: ({ of, key }) => {
      const loaded = kept.get(of as string)?.[key as string];
      return Array.isArray(loaded) ? loaded.length : undefined;
    },
    clear: () => memory.clear(),
    aclear: () => memory.clear(),
    memoryVariables: () => memory.memoryKeys,
    ...built.operations,
  };
  if (stored) operations['stored'] = stored;
  if (history) {
    const asXml = new ConversationBufferMemory({ chatHistory: history, format: 'xml' });
    operations['history'] = () => history.getMessages();
    operations['loadAsXml'] = () => asXml.loadMemoryVariables({});
  }
  if (inner) {
    operations['innerSave'] = saveTo(inner);
    operations['innerLoad'] = loadFrom(inner);
    operations['innerClear'] = () => inner.clear();
  }
  if (retriever) {
    operations['documents'] = async () => (await retriever.documents()).map((hit) => hit.document.text);
    operations['documentMetadata'] = async () => {
      const hits = await retriever.documents();
      return hits.map((hit) => hit.document.metadata ?? {});
    };
  }
  return operations;
}

function failingMemory(failing: 'save' | 'load'): BaseMemory {
  return {
    memoryKeys: ['history'],
    loadMemoryVariables: async () => {
      if (failing === 'load') throw new ScriptedFailure('disk full');
      return { history: '' };
    },
    saveContext: async () => {
      if (failing === 'save') throw new ScriptedFailure('disk full');
    },
    clear: async () => undefined,
  };
}
