import { expect, it, vi } from 'vitest';
import {
  ConversationBufferMemory,
  ConversationTokenBufferMemory,
} from '../../../src/components/langchain/buffer-memories.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { slicesOf } from '../../../src/tokens/slices.ts';
import { tokenizerOf } from '../../../src/tokens/tokenizer.ts';
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

it('CMP-50: a buffer memory without a limit warns once that it loads a long history, and loads it', async () => {
  const onWarning = vi.fn<(warning: Warning) => void>();
  const memory = new ConversationBufferMemory({ onWarning });
  await memory.saveContext({ input: 'x'.repeat(99_900) }, { output: 'yes' });
  await memory.loadMemoryVariables();
  expect(onWarning).not.toHaveBeenCalled();
  await memory.saveContext({ input: 'y'.repeat(200) }, { output: 'yes' });
  for (let load = 0; load < 3; load += 1) {
    const { history } = await memory.loadMemoryVariables();
    expect(String(history)).toMatch(/^Human: x{99900}[^]*y{200}\nAI: yes$/);
  }
  expect(onWarning.mock.calls.map(([{ code }]) => code)).toEqual(['over-budget']);
  expect(onWarning.mock.calls[0]?.[0].message).toContain('ConversationTokenBufferMemory');
});

it.each([
  ['ConversationBufferMemory', ConversationBufferMemory],
  ['ConversationTokenBufferMemory', ConversationTokenBufferMemory],
])('TOK-15: %s counts a long message once, with pauses', async (_, BufferMemory) => {
  const counted = { inTask: 0, most: 0, all: 0, isOver: false };
  const countText = (text: string): number => {
    counted.inTask += text.length;
    counted.most = Math.max(counted.most, counted.inTask);
    counted.all += text.length;
    return text.length;
  };
  const tokenizer = { ...tokenizerOf('characters', countText), slices: slicesOf };
  const memory = new BufferMemory({ tokenizer, maxTokenLimit: 1_000_000 });
  const others = (async () => {
    for (; !counted.isOver; counted.inTask = 0) await yieldToEventLoop();
  })();
  const input = 'long '.repeat(20_000);
  await memory.saveContext({ input }, { output: 'yes' });
  for (let load = 0; load < 2; load += 1) await memory.loadMemoryVariables();
  counted.isOver = true;
  await others;
  expect(counted.all).toBe(input.length + 'yes'.length);
  expect(counted.most).toBeLessThanOrEqual(16_384);
});
