import { describe, expect, it } from 'vitest';
import { InMemoryEntityStore, type EntityStore } from '../../../src/sessions/entity-store.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { CombinedMemory } from '../../../src/components/langchain/composed-memories.ts';
import { ConversationBufferMemory } from '../../../src/components/langchain/buffer-memories.ts';
import { ConversationEntityMemory } from '../../../src/components/langchain/entity-memory.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

const badOption = expect.objectContaining({ code: 'invalid-option' }) as Error;
const each = { updateCalls: 'each' } as const;
const noNews: readonly Warning[] = [];

describe('ConversationEntityMemory', () => {
  it('ENT-1: a load returns the entities of an input with their summaries, and the recent turns', async () => {
    const { llm } = scriptedLLM('Sam, Acme', 'Sam is a friend.', 'UNCHANGED', 'Sam, Acme');
    const memory = new ConversationEntityMemory({ llm, ...each });
    expect(memory.memoryKeys).toEqual(['entities', 'history']);
    await memory.loadMemoryVariables({ input: 'Sam works at Acme' });
    await memory.saveContext({ input: 'Sam works at Acme' }, { output: 'ok' });
    expect(await memory.loadMemoryVariables({ input: 'Who is Sam at Acme?' })).toEqual({
      entities: { Sam: 'Sam is a friend.', Acme: '' },
      history: 'Human: Sam works at Acme\nAI: ok',
    });
  });

  it('ENT-1: chain variables that come back with the input are not read as the input', async () => {
    const { llm } = scriptedLLM();
    const memory = new ConversationEntityMemory({ llm, chatHistoryKey: 'turns', returnMessages: true });
    await memory.saveContext({ input: 'hi', entities: {}, turns: '' }, { output: 'hello' });
    expect(await memory.loadMemoryVariables({ input: 'x', entities: {}, turns: '' })).toEqual({
      entities: {},
      turns: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
    });
  });

  it('ENT-2: one call updates all entities of a turn', async () => {
    const batch = JSON.stringify({ Ann: 'Ann is the sister of Bob.', Bob: 'Bob lives in Rome.' });
    const { llm, prompts } = scriptedLLM('Ann, Bob, Rome', batch);
    const memory = new ConversationEntityMemory({ llm });
    const turn = { input: 'Ann is the sister of Bob, who lives in Rome' };
    await memory.loadMemoryVariables(turn);
    await memory.saveContext(turn, { output: 'I see' });
    expect(prompts).toHaveLength(2);
    expect(await memory.entityStore.get('Ann')).toBe('Ann is the sister of Bob.');
    expect(await memory.entityStore.get('Bob')).toBe('Bob lives in Rome.');
    expect(await memory.entityStore.has('Rome')).toBe(false);
  });

  it("ENT-2: updateCalls 'each' makes one call per entity, in the order found", async () => {
    const { llm, prompts } = scriptedLLM('Ann, Bob', 'A.', 'B.');
    const prompt = '{entity}|{summary}|{history}|{input}';
    const memory = new ConversationEntityMemory({
      llm,
      ...each,
      prompts: { entitySummarization: prompt, entityExtraction: '{history}|{input}' },
    });
    await memory.loadMemoryVariables({ input: 'Ann met Bob' });
    await memory.saveContext({ input: 'Ann met Bob' }, { output: 'ok' });
    expect(prompts).toEqual([
      '|Ann met Bob',
      'Ann||Human: Ann met Bob\nAI: ok|Ann met Bob',
      'Bob||Human: Ann met Bob\nAI: ok|Ann met Bob',
    ]);
  });

  it('ENT-3: a save without a load detects its entities itself, once', async () => {
    const { llm, prompts } = scriptedLLM('Sam', 'Sam is a friend.', 'NONE');
    const memory = new ConversationEntityMemory({ llm, ...each });
    await memory.saveContext({ input: 'sam is a friend' }, { output: 'okay' });
    expect(prompts).toHaveLength(2);
    expect(await memory.entityStore.get('sam')).toBe('Sam is a friend.');
    await memory.saveContext({ input: 'lovely weather' }, { output: 'indeed' });
    expect(prompts).toHaveLength(3);
  });

  it('ENT-4: a pronoun that the load resolved is updated by the save of that input', async () => {
    const { llm, prompts } = scriptedLLM('Sam', 'Sam is a friend.', 'Sam', 'Sam likes red.');
    const memory = new ConversationEntityMemory({ llm, ...each });
    const save = (input: string): Promise<void> => memory.saveContext({ input }, { output: 'okay' });
    await memory.loadMemoryVariables({ input: 'sam is a friend' });
    await save('sam is a friend');
    await memory.loadMemoryVariables({ input: 'her favorite color is red' });
    await save('her favorite color is red');
    expect(await memory.entityStore.get('Sam')).toBe('Sam likes red.');
    expect(prompts[3]).toContain('sam is a friend');
    expect(prompts).toHaveLength(4);
  });

  it('ENT-4: overlapping turns update their own entities', async () => {
    const { llm, prompts } = scriptedLLM('Ann', 'Bob', 'Bob has a dog.', 'Ann has a cat.');
    const memory = new ConversationEntityMemory({ llm, ...each });
    await memory.loadMemoryVariables({ input: 'Ann?' });
    await memory.loadMemoryVariables({ input: 'he has a dog' });
    await memory.saveContext({ input: 'he has a dog' }, { output: 'ok' });
    await memory.saveContext({ input: 'Ann?' }, { output: 'she has a cat' });
    expect(await memory.entityStore.get('Bob')).toBe('Bob has a dog.');
    expect(await memory.entityStore.get('Ann')).toBe('Ann has a cat.');
    expect(prompts).toHaveLength(4);
  });

  it('ENT-4: turns saved at the same time are all learned from', async () => {
    const { llm } = scriptedLLM(...Array.from({ length: 9 }, () => echoNames));
    const memory = new ConversationEntityMemory({ llm, detectOnLoad: 'known-names', ...each });
    const names = ['Ann', 'Bob', 'Cid'];
    await Promise.all(
      names.map((name) => memory.saveContext({ input: `${name} is here` }, { output: 'ok' })),
    );
    await memory.settled();
    const known = (await memory.entityStore.list?.()) ?? [];
    expect(known.map((entity) => entity.name).toSorted()).toEqual(names);
    expect(await memory.chatHistory.getMessages()).toHaveLength(6);
  });

  it('ENT-5: with known-names a load makes no call, and a save makes one', async () => {
    const reply = (name: string, note: string): string =>
      JSON.stringify({ entities: [{ name, note, message: 'm1' }], facts: [] });
    const { llm, prompts } = scriptedLLM(reply('Sam', 'Sam is a friend'), reply('Sam', 'Sam lives in Paris'));
    const memory = new ConversationEntityMemory({ llm, detectOnLoad: 'known-names' });
    const load = async (input: string): Promise<unknown> =>
      (await memory.loadMemoryVariables({ input }))['entities'];
    expect(await load('Sam is a friend')).toEqual({});
    await memory.saveContext({ input: 'Sam is a friend' }, { output: 'okay' });
    expect(await load("what is sam's name?")).toEqual({ Sam: 'Sam is a friend.' });
    await memory.saveContext({ input: 'Sam lives in Paris' }, { output: 'okay' });
    expect(await load('Sam?')).toEqual({ Sam: 'Sam is a friend. Sam lives in Paris.' });
    expect(prompts).toHaveLength(2);
  });

  it('ENT-6: case, possessive and a short name do not create another entity', async () => {
    const entityStore = new InMemoryEntityStore();
    await entityStore.set('Christopher Nolan', 'Nolan directs films.');
    await entityStore.set('Sam Smith', 'Sam is a friend.');
    await entityStore.set('Sam Jones', 'Sam is a cook.');
    const { llm } = scriptedLLM("NOLAN, christopher nolan's, Sam", 'I, me, Sam Smithson');
    const memory = new ConversationEntityMemory({ llm, entityStore });
    expect((await memory.loadMemoryVariables({ input: '?' }))['entities']).toEqual({
      'Christopher Nolan': 'Nolan directs films.',
      Sam: '',
    });
    expect((await memory.loadMemoryVariables({ input: '?' }))['entities']).toEqual({
      user: '',
      'Sam Smithson': '',
    });
    await entityStore.set('user', 'The user is called Jack.');
    expect((await memory.loadMemoryVariables({ input: 'what is my name' }))['entities']).toEqual({
      user: 'The user is called Jack.',
    });
  });

  it('ENT-7: after the model fails the turn is stored, and the next save processes both', async () => {
    const warnings: Warning[] = [];
    const { llm, prompts } = scriptedLLM(
      'Ann',
      new Error('down'),
      'Bob',
      '{"Ann": "A.", "Bob": "B."}',
      'NONE',
    );
    const memory = new ConversationEntityMemory({ llm, onWarning: (warning) => warnings.push(warning) });
    await memory.loadMemoryVariables({ input: 'Ann is tall' });
    await memory.saveContext({ input: 'Ann is tall' }, { output: 'ok' });
    expect(warnings.map((warning) => warning.code)).toEqual(['learning-failed']);
    expect(await memory.chatHistory.getMessages()).toHaveLength(2);
    await memory.loadMemoryVariables({ input: 'Bob is small' });
    await memory.saveContext({ input: 'Bob is small' }, { output: 'ok' });
    expect(prompts[3]).toContain('Ann is tall');
    expect(await memory.entityStore.get('Ann')).toBe('A.');
    expect(await memory.entityStore.get('Bob')).toBe('B.');
    await memory.saveContext({ input: 'hi' }, { output: 'ok' });
    expect(prompts.at(-1)).not.toContain('Ann is tall\nBob');
    expect([prompts.length, warnings.length]).toEqual([5, 1]);
  });

  it('ENT-7: a turn saved again under its id is not processed again', async () => {
    const { llm, prompts } = scriptedLLM('Sam', 'S.');
    const memory = new ConversationEntityMemory({ llm, ...each });
    for (let time = 0; time < 2; time++) {
      await memory.saveContext({ input: 'Sam' }, { output: 'ok' }, { turnId: 'one' });
    }
    expect(prompts).toHaveLength(2);
    expect(await memory.chatHistory.getMessages()).toHaveLength(2);
  });

  it('ENT-8: when the model fails during a load, known names in the input are used', async () => {
    const warnings: Warning[] = [];
    const { llm } = scriptedLLM(new Error('down'));
    const entityStore = new InMemoryEntityStore();
    await entityStore.set('Sam', 'S.');
    await entityStore.set('Ann', 'A.');
    const memory = new ConversationEntityMemory({
      llm,
      entityStore,
      onWarning: (warning) => warnings.push(warning),
    });
    const loaded = await memory.loadMemoryVariables({ input: "where is sam's car" });
    expect(loaded['entities']).toEqual({ Sam: 'S.' });
    expect(warnings.map((warning) => warning.code)).toEqual(['learning-failed']);
  });

  it('ENT-9: an abort leaves the turn stored for the next save to process', async () => {
    const controller = new AbortController();
    const { llm } = scriptedLLM(
      () => {
        controller.abort();
        throw controller.signal.reason;
      },
      'Ann',
      'A.',
    );
    const warnings: Warning[] = [];
    const memory = new ConversationEntityMemory({ llm, ...each, onWarning: (w) => warnings.push(w) });
    const { signal } = controller;
    const saving = memory.saveContext({ input: 'Ann' }, { output: 'ok' }, { signal });
    await expect(saving).rejects.toMatchObject({ name: 'AbortError' });
    expect(await memory.chatHistory.getMessages()).toHaveLength(2);
    await memory.saveContext({ input: 'go on' }, { output: 'ok' });
    expect(await memory.entityStore.get('Ann')).toBe('A.');
    expect(warnings).toEqual(noNews);
  });

  it('ENT-10: clear empties its own store, and removes from a shared one only what came from its turns', async () => {
    const own = new ConversationEntityMemory({ llm: scriptedLLM('Sam', 'S.').llm, ...each });
    await own.saveContext({ input: 'Sam' }, { output: 'ok' });
    await own.clear();
    expect(await own.entityStore.has('Sam')).toBe(false);
    expect(await own.chatHistory.getMessages()).toEqual([]);

    const entityStore = new InMemoryEntityStore();
    const first = new ConversationEntityMemory({
      llm: scriptedLLM('Sam, Ann', 'S.', 'A.').llm,
      entityStore,
      ...each,
    });
    const second = new ConversationEntityMemory({ llm: scriptedLLM('Sam', 'S2.').llm, entityStore, ...each });
    await entityStore.set('Rome', 'R.');
    await first.saveContext({ input: 'Sam and Ann' }, { output: 'ok' });
    await second.saveContext({ input: 'Sam' }, { output: 'ok' });
    await first.clear();
    expect((await entityStore.list()).map((entity) => entity.name)).toEqual(['Rome', 'Sam']);
  });

  it('ENT-10: from a store without sources, clear removes what the memory has written', async () => {
    const kept = new Map<string, string>([['other', 'O.']]);
    const entityStore: EntityStore = {
      get: async (name, fallback) => kept.get(name) ?? fallback,
      set: async (name, summary) => void kept.set(name, summary),
      has: async (name) => kept.has(name),
      delete: async (name) => void kept.delete(name),
      clear: async () => kept.clear(),
    };
    const { llm } = scriptedLLM('Sam', 'S.', 'NONE', 'S2.');
    const memory = new ConversationEntityMemory({ llm, entityStore, ...each });
    await memory.saveContext({ input: 'Sam' }, { output: 'ok' });
    await memory.loadMemoryVariables({ input: 'Sam again' });
    await memory.saveContext({ input: 'Sam again' }, { output: 'ok' });
    expect(kept.get('Sam')).toBe('S2.');
    await memory.clear();
    expect([...kept.keys()]).toEqual(['other']);
  });

  it('ENT-10: what the model is working on during clear is not stored', async () => {
    let answer: (text: string) => void = () => undefined;
    const reply = new Promise<string>((resolve) => (answer = resolve));
    let hasAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (hasAsked = resolve));
    const late = (): Promise<string> => {
      hasAsked();
      return reply;
    };
    const memory = new ConversationEntityMemory({ llm: scriptedLLM('Sam', late).llm, ...each });
    const saving = memory.saveContext({ input: 'Sam' }, { output: 'ok' });
    await asked;
    const clearing = memory.clear();
    answer('S.');
    await Promise.all([saving, clearing]);
    expect(await memory.entityStore.has('Sam')).toBe(false);
  });

  it('ENT-11: a reply updates nothing it was not asked about, whatever the names', async () => {
    const names = ['__proto__', 'constructor', ' ', 'Eve'];
    const updates = [...names, 'Mallory'].map((name) => ({ name, summary: `${name}.` }));
    const { llm } = scriptedLLM(JSON.stringify(names), JSON.stringify({ updates }), JSON.stringify(names));
    const memory = new ConversationEntityMemory({ llm });
    await memory.saveContext({ input: 'hi' }, { output: 'ok' });
    const { entities } = await memory.loadMemoryVariables({ input: 'hi' });
    expect(Object.entries(entities as object)).toEqual([
      ['__proto__', '__proto__.'],
      ['constructor', 'constructor.'],
      ['Eve', 'Eve.'],
    ]);
    expect(Object.getPrototypeOf(entities)).toBe(Object.prototype);
    expect(await memory.entityStore.has('Mallory')).toBe(false);
  });

  it('ENT-12: misspelled, missing and contradictory options are rejected', () => {
    const { llm } = scriptedLLM();
    const bad = [
      {},
      { llm, entitystore: new InMemoryEntityStore() },
      { llm, k: -1 },
      { llm, k: 1.5 },
      { llm, updateCalls: 'all' },
      { llm, detectOnLoad: 'never' },
      { llm, enrichment: 'later' },
      { llm, enrichment: 'background' },
      { llm, prompts: { kgExtraction: '{history}{input}' } },
      { llm, prompts: { entityExtraction: '{input}' } },
      { llm, entityStore: {} },
      { llm, chatHistoryKey: 'entities' },
      { llm, chatHistoryKey: 'a', memoryKey: 'b' },
      { llm, extractor: {} },
    ];
    for (const options of bad) {
      expect(
        () => new ConversationEntityMemory(options as { llm: typeof llm }),
        JSON.stringify(options),
      ).toThrow(badOption);
    }
    expect(new ConversationEntityMemory({ llm, memoryKey: 'turns' }).memoryKeys).toEqual([
      'entities',
      'turns',
    ]);
  });

  it('ENT-1: two memories share a history, which stores each turn once', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    const { llm } = scriptedLLM('Sam', 'S.', 'Sam');
    const memory = new CombinedMemory({
      memories: [
        new ConversationBufferMemory({ chatHistory, memoryKey: 'all' }),
        new ConversationEntityMemory({ llm, chatHistory, ...each }),
      ],
    });
    await memory.saveContext({ input: 'Sam' }, { output: 'ok' });
    expect(await memory.loadMemoryVariables({ input: 'Sam' })).toEqual({
      all: 'Human: Sam\nAI: ok',
      entities: { Sam: 'S.' },
      history: 'Human: Sam\nAI: ok',
    });
  });
});

describe('InMemoryEntityStore', () => {
  it('ENT-13: a store in RAM finds names regardless of case and possessive, keeps empty summaries, and ignores unknown deletes', async () => {
    const store = new InMemoryEntityStore();
    expect(await store.get('Sam')).toBeUndefined();
    expect(await store.get('Sam', 'nothing')).toBe('nothing');
    await store.set(' Sam’s ', '');
    expect(await store.list()).toEqual([{ name: 'Sam', aliases: [] }]);
    expect(await store.get('SAM', 'nothing')).toBe('');
    await store.delete('Bob');
    await store.delete("sam's");
    expect(await store.has('Sam')).toBe(false);
    for (const name of ['', '  ', 7]) {
      await expect(store.set(name as string, 'x')).rejects.toMatchObject({ code: 'invalid-input' });
    }
    await expect(store.set('Sam', 7 as unknown as string)).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

/** Answers with the capitalized names of the last line; a note with a sentence. */
function echoNames(prompt: string): string {
  const names = [...new Set(prompt.match(/Ann|Bob|Cid/gu) ?? [])];
  return names.join(', ');
}
