import { describe, expect, it } from 'vitest';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { messageText } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { ConversationKGMemory } from '../../../src/components/langchain/kg-memory.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

const badOption = expect.objectContaining({ code: 'invalid-option' }) as Error;

async function load(memory: ConversationKGMemory, input: string): Promise<unknown> {
  return (await memory.loadMemoryVariables({ input }))['history'];
}

/** What facts hold, with who stated them and the texts of the messages that they name. */
async function provenance(memory: ConversationKGMemory): Promise<unknown[]> {
  const texts = new Map((await memory.chatHistory.list()).map((row) => [row.id, messageText(row)]));
  return graphOf(memory)
    .triples()
    .map((fact) => [
      `${fact.subject} ${fact.predicate} ${fact.object}`,
      fact.attributes['statedBy'],
      ...fact.sources.map((source) => texts.get(source.messageId)),
    ]);
}

function graphOf({ graph }: ConversationKGMemory): KnowledgeGraph {
  if (graph instanceof KnowledgeGraph) return graph;
  throw new Error('the graph is not one of this page');
}

describe('ConversationKGMemory', () => {
  it('KG-2: "her favorite color" belongs to Sam, who was named two turns before', async () => {
    const { llm, prompts } = scriptedLLM(
      'NONE',
      '(sam, is a, friend)',
      '(sam, has favorite color, red)',
      '(sam, has favorite color, red)',
      'sam',
    );
    const memory = new ConversationKGMemory({ llm });
    await memory.saveContext({ input: 'say hi to sam' }, { output: 'who is sam' });
    await memory.saveContext({ input: 'sam is a friend' }, { output: 'okay' });
    expect(await memory.getKnowledgeTriplets('her favorite color is red')).toEqual([
      { subject: 'sam', predicate: 'has favorite color', object: 'red' },
    ]);
    expect(prompts[2]).toContain('Human: say hi to sam\nAI: who is sam\nHuman: sam is a friend\nAI: okay');
    await memory.saveContext({ input: 'her favorite color is red' }, { output: 'nice' });
    expect(await load(memory, 'what do I know of Sam')).toBe(
      'On sam: sam is a friend. sam has favorite color red.',
    );
    expect(prompts).toHaveLength(5);
  });

  it('KG-2: the model gets k turns with the saved one, and none if k is 0', async () => {
    for (const k of [0, 1, 2]) {
      const { llm, prompts } = scriptedLLM();
      const memory = new ConversationKGMemory({ llm, k, prompts: { kgExtraction: '{history}|{input}' } });
      for (const turn of ['1', '2', '3']) {
        await memory.saveContext({ input: `i${turn}` }, { output: `o${turn}` });
      }
      const turns = ['Human: i2\nAI: o2', 'Human: i3\nAI: o3'];
      expect(prompts[2]).toBe(`${k === 0 ? '' : turns.slice(-k).join('\n')}|i3`);
    }
  });

  it('KG-1: each known entity has one line with the facts of both directions', async () => {
    const { llm } = scriptedLLM(
      '(Sam, is a, friend)<|>(Sam, lives in, Paris)<|>(Paris, is in, France)',
      'sam, PARIS, Sam, Unknown',
      'Unknown',
      'Sam',
    );
    const memory = new ConversationKGMemory({ llm });
    await memory.saveContext({ input: 'a' }, { output: 'b' });
    expect(await load(memory, 'q')).toBe(
      'On Sam: Sam is a friend. Sam lives in Paris.\nOn Paris: Sam lives in Paris. Paris is in France.',
    );
    expect(await load(memory, 'q')).toBe('');
    const asMessages = new ConversationKGMemory({
      llm: scriptedLLM('Sam').llm,
      graph: memory.graph,
      returnMessages: true,
      memoryKey: 'facts',
    });
    expect(await asMessages.loadMemoryVariables({ input: 'q', facts: '' })).toEqual({
      facts: [{ role: 'system', content: 'On Sam: Sam is a friend. Sam lives in Paris.' }],
    });
  });

  it('KG-3: after a correction the old fact no longer holds and stays in the history', async () => {
    const { llm } = scriptedLLM('(I, am, handsome)', '(I, am not, handsome)', 'me');
    const memory = new ConversationKGMemory({ llm });
    const praise = 'Daniel Wu, Andy Lau, and you, who are handsome!';
    await memory.saveContext({ input: 'Name three of the most handsome men' }, { output: praise });
    expect(graphOf(memory).entityFacts('user')).toEqual(['user is handsome']);
    await memory.saveContext(
      { input: "You're wrong, be humble; I'm not." },
      { output: 'Sorry, you are not.' },
    );
    expect(await load(memory, 'am I handsome?')).toBe('On user: user is not handsome.');
    expect(graphOf(memory).entityFacts('I')).toEqual(['user is not handsome']);
    const [wrong] = graphOf(memory).triples({ includeHistory: true });
    expect(wrong).toMatchObject({
      predicate: 'is',
      validTo: expect.any(Number),
      retractedAt: expect.any(Number),
    });
  });

  it('KG-5: a question about Nolan loads the facts of two turns', async () => {
    const { llm } = scriptedLLM(
      '(Christopher Nolan, directed, Interstellar)<|>(Christopher Nolan, directed, Inception)',
      '(Christopher Nolan, directed, Memento)',
      'Nolan',
    );
    const memory = new ConversationKGMemory({ llm });
    await memory.saveContext(
      { input: 'Can you recommend any good movies?' },
      { output: 'Interstellar and Inception, both directed by Christopher Nolan.' },
    );
    await memory.saveContext({ input: 'What other films has he directed?' }, { output: 'Memento, for one.' });
    expect(await load(memory, 'What films has Nolan directed?')).toBe(
      'On Christopher Nolan: Christopher Nolan directed Interstellar. Christopher Nolan directed Inception. ' +
        'Christopher Nolan directed Memento.',
    );
    expect(await provenance(memory)).toEqual([
      ['Christopher Nolan directed Interstellar', 'assistant', expect.stringContaining('Interstellar and')],
      ['Christopher Nolan directed Inception', 'assistant', expect.stringContaining('Interstellar and')],
      ['Christopher Nolan directed Memento', 'assistant', 'Memento, for one.'],
    ]);
  });

  it("KG-4: a fact refers to the messages that say it, or for a pronoun to the user's message", async () => {
    const { llm } = scriptedLLM('(Sam, lives in, Paris)<|>(Ann, knows, Bob)');
    const memory = new ConversationKGMemory({ llm });
    await memory.saveContext({ input: 'She lives in Paris' }, { output: 'Paris is lovely' });
    expect(await provenance(memory)).toEqual([
      ['Sam lives in Paris', 'user', 'She lives in Paris', 'Paris is lovely'],
      ['Ann knows Bob', 'user', 'She lives in Paris'],
    ]);
  });

  it('KG-6: getKnowledgeTriplets and getCurrentEntities change nothing', async () => {
    const { llm } = scriptedLLM('(I, like, tea)', 'Sam, I, me');
    const memory = new ConversationKGMemory({ llm });
    expect(await memory.getKnowledgeTriplets('I like tea')).toEqual([
      { subject: 'I', predicate: 'like', object: 'tea' },
    ]);
    expect(await memory.getCurrentEntities('Sam and I')).toEqual(['Sam', 'user']);
    expect(graphOf(memory).entities()).toEqual([]);
    expect(await memory.chatHistory.getMessages()).toEqual([]);
  });

  it('KG-7: after the model fails the turn is stored, and the next save processes both', async () => {
    const warnings: Warning[] = [];
    const { llm, prompts } = scriptedLLM(
      new Error('down'),
      '(Ann, is, tall)<|>(Bob, is, small)',
      new Error('down'),
    );
    const memory = new ConversationKGMemory({ llm, onWarning: (warning) => warnings.push(warning) });
    await memory.saveContext({ input: 'Ann is tall' }, { output: 'ok' });
    expect(await memory.chatHistory.getMessages()).toHaveLength(2);
    await memory.saveContext({ input: 'Bob is small' }, { output: 'ok' }, { turnId: 'b' });
    await memory.saveContext({ input: 'Bob is small' }, { output: 'ok' }, { turnId: 'b' });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('Ann is tall\nBob is small');
    expect(await provenance(memory)).toEqual([
      ['Ann is tall', 'user', 'Ann is tall'],
      ['Bob is small', 'user', 'Bob is small'],
    ]);
    // Nor does a load fail: the names that are known serve.
    expect(await load(memory, 'how is bob')).toBe('On Bob: Bob is small.');
    expect(warnings.map((warning) => warning.code)).toEqual(['learning-failed', 'learning-failed']);
  });

  it('KG-8: an invalid fact, or one about the assistant, is left out with a warning', async () => {
    const warnings: Warning[] = [];
    const { llm } = scriptedLLM('(you, are, kind)<|>(Sam, is a, friend)');
    const memory = new ConversationKGMemory({ llm, onWarning: (warning) => warnings.push(warning) });
    await memory.saveContext({ input: 'you are kind, Sam is a friend' }, { output: 'ok' });
    expect(await provenance(memory)).toHaveLength(1);
    expect(warnings.map((warning) => warning.code)).toEqual(['extraction-rejected']);
  });

  it('KG-9: clear empties its own graph, and removes from a shared one only what came from its turns', async () => {
    const own = new ConversationKGMemory({ llm: scriptedLLM('(Sam, is a, friend)').llm });
    await own.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    await own.clear();
    expect(graphOf(own).entities()).toEqual([]);
    expect(await own.chatHistory.getMessages()).toEqual([]);

    const graph = new KnowledgeGraph();
    graph.addTriple({ subject: 'Rome', predicate: 'is in', object: 'Italy', source: 'user' });
    const both = '(Sam, is a, friend)<|>(Ann, is, tall)';
    const first = new ConversationKGMemory({ llm: scriptedLLM(both).llm, graph });
    const second = new ConversationKGMemory({ llm: scriptedLLM('(Sam, is a, friend)').llm, graph });
    for (const memory of [first, second]) {
      await memory.saveContext({ input: 'Sam is a friend, Ann is tall' }, { output: 'ok' });
    }
    await first.clear();
    expect(graph.triples().map((fact) => fact.subject)).toEqual(['Rome', 'Sam']);
  });

  it('KG-10: misspelled, missing and contradictory options are rejected', () => {
    const { llm } = scriptedLLM();
    const bad = [
      {},
      { llm, kg: new KnowledgeGraph() },
      { llm, k: -1 },
      { llm, enrichment: 'later' },
      { llm, enrichment: 'background' },
      { llm, prompts: { summary: '{summary}{new_lines}' } },
      { llm, prompts: { kgExtraction: '{history}' } },
      { llm, graph: {} },
      { llm, graph: new KnowledgeGraph(), singleValued: ['drives'] },
      { llm, singleValued: 'drives' },
      { llm, extractor: {} },
    ];
    for (const options of bad) {
      const make = (): unknown => new ConversationKGMemory(options as unknown as { llm: typeof llm });
      expect(make, JSON.stringify(options)).toThrow(badOption);
    }
  });

  it('KG-3: "my name" loads the facts about the user, even if the model names nobody', async () => {
    const { llm } = scriptedLLM('(I, am named, Jack)', 'NONE', 'Jack', 'NONE');
    const memory = new ConversationKGMemory({ llm });
    await memory.saveContext({ input: 'Hello, I am Jack.' }, { output: 'Hi Jack!' });
    expect(await load(memory, "what's my name?")).toBe('On user: user is named Jack.');
    expect(await load(memory, 'who is Jack?')).toBe('On Jack: user is named Jack.');
    expect(await load(memory, 'who is there?')).toBe('');
  });

  it('KG-3: the caller chooses the single-valued predicates', async () => {
    const { llm } = scriptedLLM('(Sam, drives, a van)', '(Sam, drives, a bus)');
    const memory = new ConversationKGMemory({ llm, singleValued: ['drives'] });
    await memory.saveContext({ input: 'Sam drives a van' }, { output: 'ok' });
    await memory.saveContext({ input: 'Sam drives a bus' }, { output: 'ok' });
    expect(graphOf(memory).entityFacts('Sam')).toEqual(['Sam drives a bus']);
  });

  it('KG-4: over a history without turn ids, a fact refers to the newest turn', async () => {
    const inner = new InMemoryChatMessageHistory();
    const chatHistory = new Proxy(inner, {
      get: (target, name) =>
        name === 'addMessages'
          ? (messages: Parameters<typeof inner.addMessages>[0]) => target.addMessages(messages)
          : Reflect.get(target, name, target)?.bind?.(target),
    });
    const memory = new ConversationKGMemory({
      llm: scriptedLLM('NONE', '(Sam, is a, friend)').llm,
      chatHistory,
    });
    await memory.saveContext({ input: 'hi' }, { output: 'ok' });
    await memory.saveContext({ input: 'Sam is a friend' }, { output: 'ok' });
    expect(await provenance(memory)).toEqual([['Sam is a friend', 'user', 'Sam is a friend']]);
  });
});
