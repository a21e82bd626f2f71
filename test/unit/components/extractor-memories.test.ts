import { describe, expect, it } from 'vitest';
import { ConversationEntityMemory } from '../../../src/components/langchain/entity-memory.ts';
import { ConversationKGMemory } from '../../../src/components/langchain/kg-memory.ts';
import type { ExtractionInput, Extractor } from '../../../src/learning/extractor.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';

const extractor = offlineExtractor();

describe('LangChain memories with an extractor', () => {
  it('RULE-16: an entity memory keeps a summary of each entity, and resolves pronouns', async () => {
    const memory = new ConversationEntityMemory({ extractor });
    const turn = async (input: string): Promise<unknown> => {
      const { entities } = await memory.loadMemoryVariables({ input });
      await memory.saveContext({ input }, { output: 'Nice!' });
      return entities;
    };
    expect(await turn('Sam is a friend.')).toEqual({ Sam: '' });
    await turn('Her favorite color is red.');
    expect(await turn('What about Sam?')).toEqual({
      Sam: 'Sam is a friend. Sam has favorite color red.',
    });
  });

  it('RULE-16: a graph memory loads the facts about the entities of the input', async () => {
    const memory = new ConversationKGMemory({ extractor });
    await memory.saveContext({ input: 'Sam is a friend.' }, { output: 'Nice! My sister lives in Oslo.' });
    await memory.saveContext({ input: 'Her favorite color is red.' }, { output: 'Good.' });
    expect(await memory.loadMemoryVariables({ input: 'Who is Sam?' })).toEqual({
      history: 'On Sam: Sam is a friend. Sam has favorite color red.',
    });
    expect(await memory.getKnowledgeTriplets('Ann lives in Rome.')).toEqual([
      { subject: 'Ann', predicate: 'lives in', object: 'Rome' },
    ]);
    expect(await memory.getCurrentEntities('I met Sarah in Berlin.')).toEqual(
      expect.arrayContaining(['Sarah', 'Berlin']),
    );
  });

  it('RULE-17: a summary stays as it is if nothing new is said', async () => {
    const memory = new ConversationEntityMemory({ extractor });
    for (let time = 0; time < 2; time++) {
      await memory.saveContext({ input: 'Sam lives in Oslo.' }, { output: 'I see.' });
    }
    expect(await memory.entityStore.get('Sam')).toBe('Sam lives in Oslo.');
  });

  it('ENT-16: an extractor of three methods serves, is called once for each turn, and gets whole turns', async () => {
    const inputs: ExtractionInput[] = [];
    const own: Extractor = {
      id: 'own',
      extract: async (input) => {
        inputs.push(input);
        const mentions = input.messages.map(({ id }) => ({
          name: 'Sam',
          messageId: id,
          note: 'Sam is tall',
        }));
        return { mentions, triples: [], unreadable: 0 };
      },
      summarize: async () => 'unused',
    };
    const memory = new ConversationEntityMemory({ extractor: own, updateCalls: 'each' });
    await memory.saveContext({ input: 'Sam is tall' }, { output: 'I see.' });
    await memory.saveContext({ input: 'Really.' }, { output: 'Yes.' });
    expect(await memory.entityStore.get('Sam')).toBe('Sam is tall.');
    expect(
      inputs.map(({ messages, context }) => [messages, context].map((list) => list.map(({ text }) => text))),
    ).toEqual([
      [['Sam is tall', 'I see.'], []],
      [
        ['Really.', 'Yes.'],
        ['Sam is tall', 'I see.'],
      ],
    ]);
  });
});
