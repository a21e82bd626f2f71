import { expect, it, vi } from 'vitest';
import { ConversationBufferMemory } from '../../../src/components/langchain/buffer-memories.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';

it('CMP-26: a buffer memory with a limit loads the whole history and warns over-budget at each load beyond it', async () => {
  const onWarning = vi.fn<(warning: Warning) => void>();
  const tokenizer = countingTokenizer();
  const memory = new ConversationBufferMemory({
    maxTokenLimit: 10,
    tokenizer,
    onWarning,
    returnMessages: true,
  });
  await memory.saveContext({ input: 'one' }, { output: 'two' });
  await memory.loadMemoryVariables();
  expect(onWarning).not.toHaveBeenCalled();
  await memory.saveContext({ input: 'three '.repeat(10) }, { output: 'four' });
  for (const times of [1, 2]) {
    expect(await memory.loadMemoryVariables()).toEqual({ history: await memory.chatHistory.getMessages() });
    expect(onWarning.mock.calls.map(([{ code }]) => code)).toEqual(Array(times).fill('over-budget'));
  }
});

it('CMP-26: with only a tokenizer, the limit is 2000 tokens', async () => {
  const onWarning = vi.fn<(warning: Warning) => void>();
  const memory = new ConversationBufferMemory({ tokenizer: countingTokenizer(), onWarning });
  await memory.saveContext({ input: 'word '.repeat(2100) }, { output: 'yes' });
  await memory.loadMemoryVariables();
  expect(onWarning.mock.calls.map(([{ code }]) => code)).toEqual(['over-budget']);
  expect(onWarning.mock.calls[0]?.[0].message).toContain('2000');
});
