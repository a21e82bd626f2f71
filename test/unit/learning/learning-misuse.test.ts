import { describe, expect, it } from 'vitest';
import type { LLM } from '../../../src/llm/llm.ts';
import { ConversationEntityMemory } from '../../../src/components/langchain/entity-memory.ts';
import { ConversationKGMemory } from '../../../src/components/langchain/kg-memory.ts';
import type { SaveContextOptions, Values } from '../../../src/components/langchain/base-memory.ts';
import {
  ConversationSummaryBufferMemory,
  ConversationSummaryMemory,
} from '../../../src/components/langchain/summary-memories.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

const makers = [
  ['ConversationSummaryMemory', (llm: LLM) => new ConversationSummaryMemory({ llm })],
  [
    'ConversationSummaryBufferMemory',
    (llm: LLM) =>
      new ConversationSummaryBufferMemory({ llm, maxTokenLimit: 0, tokenizer: countingTokenizer() }),
  ],
  ['ConversationEntityMemory', (llm: LLM) => new ConversationEntityMemory({ llm })],
  ['ConversationKGMemory', (llm: LLM) => new ConversationKGMemory({ llm })],
] as const;

describe.each(makers)('%s', (_name, make) => {
  it.each([
    ['no inputs', undefined, { output: 'b' }],
    ['inputs that are null', null, { output: 'b' }],
    ['a text for inputs', 'a', { output: 'b' }],
    ['a list for inputs', ['a'], { output: 'b' }],
    ['no outputs', { input: 'a' }, undefined],
    ['a text for outputs', { input: 'a' }, 'b'],
    ['an input that is a number', { input: 3 }, { output: 'b' }],
    ['an output that is a list', { input: 'a' }, { output: ['b'] }],
  ])(
    'CMP-9: %s: rejected before anything is written or a model is called',
    async (_what, inputs, outputs) => {
      const { llm, prompts } = scriptedLLM();
      const memory = make(llm);
      const saving = (async () => memory.saveContext(inputs as Values, outputs as unknown as Values))();
      await expect(saving).rejects.toMatchObject({ code: 'invalid-input' });
      expect(await memory.chatHistory.getMessages()).toEqual([]);
      expect(prompts).toEqual([]);
    },
  );

  it.each([{ turnID: 'misspelt' }, { signal: 'none' }, { jobs: [] }])(
    'CMP-22: a save with the options %j is rejected before anything is written',
    async (options) => {
      const { llm, prompts } = scriptedLLM();
      const memory = make(llm);
      const saving = (async () =>
        memory.saveContext({ input: 'a' }, { output: 'b' }, options as SaveContextOptions))();
      await expect(saving).rejects.toMatchObject({ code: 'invalid-option' });
      expect(await memory.chatHistory.getMessages()).toEqual([]);
      expect(prompts).toEqual([]);
    },
  );

  it('CMP-23: an abort ends the wait for a model that ignores it, and the next save processes the turn', async () => {
    const controller = new AbortController();
    const late: (() => void)[] = [];
    const prompts: string[] = [];
    const llm: LLM = async ({ messages }) => {
      prompts.push(JSON.stringify(messages));
      if (prompts.length > 1) return { text: '(Ann, likes, tea)' };
      controller.abort();
      return new Promise((resolve) => {
        late.push(() => resolve({ text: '(Bob, likes, tea)' }));
      });
    };
    const memory = make(llm);
    const { signal } = controller;
    const saving = memory.saveContext({ input: 'Ann likes tea' }, { output: 'ok' }, { signal });
    await expect(saving).rejects.toMatchObject({ name: 'AbortError' });
    expect(await memory.chatHistory.getMessages()).toHaveLength(2);
    for (const answer of late) answer();
    await memory.saveContext({ input: 'go on' }, { output: 'ok' });
    expect(prompts[1]).toContain('Ann likes tea');
    expect(JSON.stringify(await memory.loadMemoryVariables({ input: 'Ann and Bob' }))).not.toContain(
      'Bob likes',
    );
  });
});
