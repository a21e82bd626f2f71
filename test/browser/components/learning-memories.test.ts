import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { ScopeEntityStore } from '../../../src/sessions/scope-entity-store.ts';
import { runnerFor } from '../../../src/jobs/job-runner.ts';
import { scopeGraph, type StoredGraph } from '../../../src/learning/scope-graph.ts';
import type { LLM } from '../../../src/llm/llm.ts';
import { newId } from '../../../src/model/id.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { CombinedMemory } from '../../../src/components/langchain/composed-memories.ts';
import {
  ConversationEntityMemory,
  type ConversationEntityMemoryOptions,
} from '../../../src/components/langchain/entity-memory.ts';
import { ConversationKGMemory } from '../../../src/components/langchain/kg-memory.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { leave, open } from '../../fixtures/opened-databases.ts';

const SCOPE = 'user';
const background = { enrichment: 'background' } as const;

function entitiesOf(database: MemoryDatabase): ScopeEntityStore {
  return new ScopeEntityStore(rowsOf(database).connection, SCOPE);
}

function graphOf(database: MemoryDatabase): StoredGraph {
  return scopeGraph({ database, scope: SCOPE });
}

function entityMemory(
  database: MemoryDatabase,
  llm: LLM,
  options: Partial<ConversationEntityMemoryOptions> = {},
): ConversationEntityMemory {
  return new ConversationEntityMemory({
    llm,
    chatHistory: database.chatHistory('s'),
    entityStore: entitiesOf(database),
    ...options,
  });
}

async function sentences(database: MemoryDatabase): Promise<string[]> {
  const facts = (await graphOf(database).read()).triples();
  return facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);
}

describe('ConversationEntityMemory over a database', () => {
  it("ENT-14: entities are kept after closing, and tabs see each other's", async () => {
    const name = newId();
    const [first, second] = [await open(name), await open(name)];
    const other = entitiesOf(second);
    expect(await other.list()).toEqual([]);
    const memory = entityMemory(first, scriptedLLM('Sam', '{"Sam": "Sam is a friend."}').llm);
    await memory.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    expect(await other.get("sam's")).toBe('Sam is a friend.');
    await other.set('SAM', 'Sam is a cook.');
    expect(await memory.entityStore.get('Sam')).toBe('Sam is a cook.');
    first.close();
    second.close();
    const reopened = entityMemory(await open(name), scriptedLLM('Sam').llm);
    expect(await reopened.loadMemoryVariables({ input: 'Sam?' })).toEqual({
      entities: { Sam: 'Sam is a cook.' },
      history: 'Human: Sam is a friend\nAI: ok',
    });
  });

  it('ENT-14: forgetting a message removes every summary made from it and no other', async () => {
    const name = newId();
    const database = await open(name);
    const llm = scriptedLLM(
      'Sam',
      '{"Sam": "secret1"}',
      'Ann',
      '{"Ann": "A."}',
      'Sam',
      '{"Sam": "secret1 and 2"}',
    ).llm;
    const memory = entityMemory(database, llm);
    for (const input of ['Sam one', 'Ann', 'Sam two']) await memory.saveContext({ input }, { output: 'ok' });
    const [first] = await memory.chatHistory.list();
    await rowsOf(database).transcript.forget({ messageId: first?.id ?? '' }, SCOPE);
    const store = entitiesOf(database);
    expect((await store.list()).map((entity) => entity.name)).toEqual(['Ann']);
    expect(await memory.entityStore.has('Sam')).toBe(false);
    expect(JSON.stringify(await dump(name))).not.toContain('secret1');
    await memory.clear();
    expect(await store.list()).toEqual([]);
  });

  it('ENT-14: a store over a database keeps what a history in RAM teaches until the memory is cleared', async () => {
    const entityStore = entitiesOf(await open());
    await entityStore.set('Rome', 'R.');
    const { llm } = scriptedLLM('Sam', '{"Sam": "S."}');
    const memory = new ConversationEntityMemory({ llm, entityStore });
    await memory.saveContext({ input: 'Sam' }, { output: 'ok' });
    expect(await entityStore.get('Sam')).toBe('S.');
    await memory.clear();
    expect((await entityStore.list()).map((entity) => entity.name)).toEqual(['Rome']);
  });

  it('ENT-13: the store over a database works like the one in RAM', async () => {
    const store = entitiesOf(await open());
    expect(await store.get('Sam')).toBeUndefined();
    expect(await store.get('Sam', 'nothing')).toBe('nothing');
    await store.set(' Sam’s ', '');
    expect(await store.list()).toEqual([{ name: 'Sam', aliases: [] }]);
    expect(await store.get('SAM', 'nothing')).toBe('');
    await store.delete('Bob');
    await store.delete("sam's");
    expect(await store.has('Sam')).toBe(false);
    await store.setMany(
      new Map([
        ['Ann', 'A.'],
        ['Bob', 'B.'],
      ]),
    );
    await store.clear();
    expect(await store.list()).toEqual([]);
    await expect(store.set(' ', 'x')).rejects.toMatchObject({ code: 'invalid-input' });
    const foreign = store.set('Sam', 'x', { messageIds: ['nowhere'] });
    await expect(foreign).rejects.toMatchObject({ code: 'not-found' });
  });

  it('ENT-14: two tabs that set at the same time lose nothing, and an entity with facts is kept for them', async () => {
    const name = newId();
    const [first, second] = [await open(name), await open(name)];
    const stores = [entitiesOf(first), entitiesOf(second)];
    await Promise.all(
      stores.flatMap((store, tab) => [0, 1, 2].map((each) => store.set(`name ${tab}${each}`, 'x'))),
    );
    expect(await entitiesOf(first).list()).toHaveLength(6);
    await graphOf(first).update(({ graph }) => {
      graph.addTriple({ subject: 'name 00', predicate: 'is in', object: 'Rome' });
    });
    await stores[1]?.clear();
    expect(await entitiesOf(first).list()).toEqual([]);
    expect(await sentences(second)).toEqual(['name 00 is in Rome']);
  });

  it('ENT-15: in the background a save makes no call, and quick turns are processed together', async () => {
    const database = await open();
    const mention = (name: string): string => `{"name": "${name}", "note": "${name} came.", "message": "m1"}`;
    const reply = `{"entities": [${['Ann', 'Bob', 'Cid'].map(mention).join(', ')}], "facts": []}`;
    const { llm, prompts } = scriptedLLM(reply);
    const memory = entityMemory(database, llm, { ...background, detectOnLoad: 'known-names' });
    for (const name of ['Ann', 'Bob', 'Cid']) {
      await memory.saveContext({ input: `${name} came` }, { output: 'ok' });
    }
    expect(prompts).toEqual([]);
    await memory.settled();
    expect(prompts).toHaveLength(1);
    expect(await memory.entityStore.get('Cid')).toBe('Cid came.');
    expect(await rowsOf(database).jobs.list()).toEqual([]);
  });

  it('ENT-15: work queued by a closed page is done by the next one, with its model', async () => {
    const name = newId();
    const before = await open(name);
    const stuck = entityMemory(before, () => new Promise(() => undefined), background);
    await stuck.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    await leave(before);
    const database = await open(name);
    const { llm, prompts } = scriptedLLM('Sam', '{"Sam": "Sam is a friend."}');
    const memory = entityMemory(database, llm, background);
    await memory.settled();
    expect(await memory.entityStore.get('Sam')).toBe('Sam is a friend.');
    expect(prompts).toHaveLength(2);
  });

  it('ENT-15: a failed reply is tried again, with a warning', async () => {
    const warnings: Warning[] = [];
    const { llm } = scriptedLLM(new Error('down'), 'Sam', '{"Sam": "S."}');
    const memory = entityMemory(await open(), llm, {
      ...background,
      onWarning: (warning) => warnings.push(warning),
    });
    await memory.saveContext({ input: 'Sam' }, { output: 'ok' });
    await memory.settled();
    expect(await memory.entityStore.get('Sam')).toBe('S.');
    expect(warnings.map((warning) => warning.code)).toEqual(['learning-failed']);
  });
});

describe('ConversationKGMemory over a database', () => {
  it('KG-11: facts are kept after closing, and removed with the messages they came from', async () => {
    const name = newId();
    const before = await open(name);
    const { llm } = scriptedLLM('(Sam, is a, friend)', '(Sam, is a, friend)<|>(I, live in, Paris)', 'Sam, I');
    const options = { llm, chatHistory: before.chatHistory('s'), graph: graphOf(before) };
    const memory = new ConversationKGMemory(options);
    await memory.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    await memory.saveContext({ input: 'I live in Paris, as my friend Sam does' }, { output: 'ok' });
    before.close();
    const database = await open(name);
    const reopened = new ConversationKGMemory({
      llm,
      chatHistory: database.chatHistory('s'),
      graph: graphOf(database),
    });
    expect((await reopened.loadMemoryVariables({ input: 'Sam and me?' }))['history']).toBe(
      'On Sam: Sam is a friend.\nOn user: user lives in Paris.',
    );
    const [first, , third] = await reopened.chatHistory.list();
    await rowsOf(database).transcript.forget({ messageId: first?.id ?? '' }, SCOPE);
    expect(await sentences(database)).toEqual(['Sam is a friend', 'user lives in Paris']);
    await rowsOf(database).transcript.forget({ messageId: third?.id ?? '' }, SCOPE);
    expect(await sentences(database)).toEqual([]);
  });

  it('KG-9: clearing a history in a database removes only the facts that came from it', async () => {
    const database = await open();
    const graph = graphOf(database);
    await graph.update((draft) => {
      draft.graph.addTriple({ subject: 'Rome', predicate: 'is in', object: 'Italy', source: 'user' });
    });
    const { llm } = scriptedLLM('(Sam, is a, friend)');
    const memory = new ConversationKGMemory({ llm, chatHistory: database.chatHistory('s'), graph });
    await memory.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    expect(await sentences(database)).toHaveLength(2);
    await memory.clear();
    expect(await sentences(database)).toEqual(['Rome is in Italy']);
  });

  it('KG-12: in the background a save makes no call, and the next page does the queued work once', async () => {
    const name = newId();
    const before = await open(name);
    const never: LLM = () => new Promise(() => undefined);
    const stuck = new ConversationKGMemory({
      llm: never,
      chatHistory: before.chatHistory('s'),
      graph: graphOf(before),
      ...background,
    });
    await stuck.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    await stuck.saveContext({ input: 'Ann too' }, { output: 'ok' });
    await leave(before);
    const database = await open(name);
    const { llm, prompts } = scriptedLLM('(Sam, is a, friend)<|>(Ann, is a, friend)');
    const memory = new ConversationKGMemory({
      llm,
      chatHistory: database.chatHistory('s'),
      graph: graphOf(database),
      ...background,
    });
    await memory.settled();
    expect(await sentences(database)).toEqual(['Sam is a friend', 'Ann is a friend']);
    expect(prompts).toHaveLength(1);
    expect(await rowsOf(database).jobs.list()).toEqual([]);
  });

  it('KG-12: memories combined over one history each get their own job', async () => {
    const database = await open();
    const chatHistory = database.chatHistory('s');
    const memory = new CombinedMemory({
      memories: [
        entityMemory(database, scriptedLLM('Sam', '{"Sam": "S."}').llm, background),
        new ConversationKGMemory({
          llm: scriptedLLM('(Sam, is a, friend)').llm,
          chatHistory,
          graph: graphOf(database),
          memoryKey: 'facts',
          ...background,
        }),
      ],
    });
    await memory.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    await runnerFor(rowsOf(database).jobs).settled();
    expect(await entitiesOf(database).get('Sam')).toBe('S.');
    expect(await sentences(database)).toEqual(['Sam is a friend']);
    expect(await chatHistory.list()).toHaveLength(2);
  });
});
