import { describe, expect, it } from 'vitest';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import type { MemoryRetriever } from '../../../src/recall/memory-retriever.ts';
import {
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
} from '../../../src/components/langchain/buffer-memories.ts';
import {
  CombinedMemory,
  ReadOnlySharedMemory,
  SimpleMemory,
} from '../../../src/components/langchain/composed-memories.ts';
import { VectorStoreRetrieverMemory } from '../../../src/components/langchain/vector-store-memory.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';
import { watchedHistory } from '../../fakes/watched-history.ts';
import { lettersRetriever } from '../../fakes/watched-retriever.ts';

const badOption = expect.objectContaining({ code: 'invalid-option' }) as Error;

describe('CombinedMemory', () => {
  it('CMP-13: a history that members share is written once, and other histories once each', async () => {
    const shared = new InMemoryChatMessageHistory();
    const own = new InMemoryChatMessageHistory();
    const memory = new CombinedMemory({
      memories: [
        new ConversationBufferMemory({ chatHistory: shared, memoryKey: 'all' }),
        new ConversationBufferWindowMemory({ chatHistory: shared, memoryKey: 'newest', k: 1 }),
        new ConversationBufferMemory({ chatHistory: own, memoryKey: 'own' }),
      ],
    });
    await memory.saveContext({ input: 'a' }, { output: 'b' });
    await memory.saveContext({ input: 'c' }, { output: 'd' }, { turnId: 't' });
    await memory.saveContext({ input: 'c' }, { output: 'd' }, { turnId: 't' });
    expect(await memory.loadMemoryVariables()).toEqual({
      all: 'Human: a\nAI: b\nHuman: c\nAI: d',
      newest: 'Human: c\nAI: d',
      own: 'Human: a\nAI: b\nHuman: c\nAI: d',
    });
    expect(await shared.list()).toHaveLength(4);
  });

  it('CMP-21: a history shared with a member of a nested combination is written once', async () => {
    const shared = new InMemoryChatMessageHistory();
    const inner = new CombinedMemory({
      memories: [new ConversationBufferMemory({ chatHistory: shared, memoryKey: 'inner' })],
    });
    const outer = new ConversationBufferMemory({ chatHistory: shared, memoryKey: 'outer' });
    const memory = new CombinedMemory({ memories: [inner, outer] });
    await memory.saveContext({ input: 'a' }, { output: 'b' });
    expect(memory.memoryKeys).toEqual(['inner', 'outer']);
    expect(await memory.loadMemoryVariables()).toEqual({
      inner: 'Human: a\nAI: b',
      outer: 'Human: a\nAI: b',
    });
    expect(await shared.list()).toHaveLength(2);
  });

  it('CMP-14: input that one member rejects is saved by none', async () => {
    const first = watchedHistory();
    const memory = new CombinedMemory({
      memories: [
        new ConversationBufferMemory({ chatHistory: first, inputKey: 'a' }),
        new ConversationBufferMemory({ memoryKey: 'second' }),
      ],
    });
    await expect(memory.saveContext({ a: '1', b: '2' }, { output: 'x' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(first.writes()).toBe(0);
  });

  it('CMP-15: members that load the same variables and an empty list are rejected', () => {
    const simple = new SimpleMemory({ memories: { history: '' } });
    expect(() => new CombinedMemory({ memories: [simple, new ConversationBufferMemory()] })).toThrow(
      badOption,
    );
    expect(() => new CombinedMemory({ memories: [] })).toThrow(badOption);
    expect(() => new CombinedMemory({ memories: [{} as never] })).toThrow(badOption);
  });
});

describe('ReadOnlySharedMemory and SimpleMemory', () => {
  it('CMP-16: read-only and simple memories never write and never clear', async () => {
    const inner = new ConversationBufferMemory();
    await inner.saveContext({ input: 'a' }, { output: 'b' });
    const memory = new ReadOnlySharedMemory({ memory: inner });
    await memory.saveContext({ input: 'c' }, { output: 'd' });
    await memory.clear();
    expect(await memory.loadMemoryVariables()).toEqual({ history: 'Human: a\nAI: b' });
    const simple = new SimpleMemory({ memories: { a: 1 } });
    (await simple.loadMemoryVariables())['a'] = 2;
    await simple.clear();
    expect(await simple.loadMemoryVariables()).toEqual({ a: 1 });
  });
});

describe('VectorStoreRetrieverMemory', () => {
  const saved = async (options: object): Promise<VectorStoreRetrieverMemory> => {
    const memory = new VectorStoreRetrieverMemory({ retriever: lettersRetriever(3), ...options });
    await memory.saveContext({ q: 'aab b' }, { a: 'a a' });
    await memory.saveContext({ q: 'aaa a' }, { a: 'a a' });
    await memory.saveContext({ q: 'zzz z' }, { a: 'z z' });
    return memory;
  };

  it('CMP-17: whole exchanges are dropped, least relevant first, until they fit into maxTokens', async () => {
    const tokenizer = countingTokenizer();
    const memory = await saved({ maxTokens: 12, tokenizer });
    expect(await memory.loadMemoryVariables({ q: 'a' })).toEqual({
      history: 'q: aaa a\na: a a\n\nq: aab b\na: a a',
    });
    const tight = await saved({ maxTokens: 11, tokenizer });
    expect(await tight.loadMemoryVariables({ q: 'a' })).toEqual({ history: 'q: aaa a\na: a a' });
  });

  it('CMP-18: exchanges can be sorted by time, dated, and joined with a custom separator', async () => {
    const retriever = lettersRetriever(2);
    await retriever.add([
      { text: 'ab', createdAt: 0 },
      { text: 'aa', createdAt: 86_400_000 },
    ]);
    const memory = new VectorStoreRetrieverMemory({
      retriever,
      order: 'time',
      showTimes: true,
      separator: '\n--\n',
    });
    expect(await memory.loadMemoryVariables({ q: 'aa' })).toEqual({
      history: '[1970-01-01T00:00:00.000Z]\nab\n--\n[1970-01-02T00:00:00.000Z]\naa',
    });
  });

  it('CMP-19: clear removes what this memory added and nothing else, even if the retriever has no clear', async () => {
    const retriever = lettersRetriever(5);
    const threeMethods: MemoryRetriever = {
      search: (query, options) => retriever.search(query, options),
      add: (documents, options) => retriever.add(documents, options),
      delete: (ids) => retriever.delete(ids),
    };
    await retriever.add([{ text: 'of another' }]);
    const memory = new VectorStoreRetrieverMemory({ retriever: threeMethods });
    await memory.saveContext({ q: 'x' }, { a: 'y' });
    await memory.clear();
    await memory.clear();
    expect((await retriever.documents()).map((hit) => hit.document.text)).toEqual(['of another']);
  });

  it('CMP-8: saving the same turn id twice stores one exchange', async () => {
    const retriever = lettersRetriever(5);
    const memory = new VectorStoreRetrieverMemory({ retriever });
    await memory.saveContext({ q: 'x' }, { a: 'y' }, { turnId: 't' });
    await memory.saveContext({ q: 'x' }, { a: 'y' }, { turnId: 't' });
    expect(await retriever.documents()).toHaveLength(1);
  });

  it('CMP-20: documents keep their metadata, also from a function, and call settings are left out', async () => {
    const retriever = lettersRetriever(5);
    const memory = new VectorStoreRetrieverMemory({
      retriever,
      metadata: (inputs, outputs) => ({ said: inputs['q'], heard: outputs['a'] }),
      returnDocs: true,
    });
    await memory.saveContext({ q: 'x', signal: new AbortController().signal, stop: ['.'] }, { a: { b: 1 } });
    const { history } = await memory.loadMemoryVariables({ q: 'x' });
    expect(history).toMatchObject([{ text: 'q: x\na: {"b":1}', metadata: { said: 'x', heard: { b: 1 } } }]);
    await expect(memory.loadMemoryVariables({})).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('CMP-10: invalid options are rejected', () => {
    const retriever = lettersRetriever(1);
    expect(() => new VectorStoreRetrieverMemory({} as never)).toThrow(badOption);
    expect(() => new VectorStoreRetrieverMemory({ retriever: {} } as never)).toThrow(badOption);
    expect(() => new VectorStoreRetrieverMemory({ retriever, topK: 3 } as never)).toThrow(badOption);
    expect(() => new VectorStoreRetrieverMemory({ retriever, maxTokens: -1 })).toThrow(badOption);
    expect(() => new VectorStoreRetrieverMemory({ retriever, order: 'newest' as never })).toThrow(badOption);
  });
});
