import { describe, expect, it, vi } from 'vitest';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../src/sessions/in-memory-history.ts';
import type { LLM } from '../../src/llm/llm.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Warning } from '../../src/model/warning.ts';
import { ConversationSummaryBufferMemory } from '../../src/components/langchain/summary-buffer-memory.ts';
import type { ConversationSummaryBufferMemoryOptions } from '../../src/components/langchain/summary-options.ts';
import { ConversationSummaryMemory } from '../../src/components/langchain/summary-memory.ts';
import { countingTokenizer } from '../fakes/counting-tokenizer.ts';
import { fakeSummarizer, keepMarks, type FakeSummarizer } from '../fakes/fake-summarizer.ts';
import { watchedHistory } from '../fakes/watched-history.ts';
import { yieldToEventLoop } from '../../src/model/yield-to-event-loop.ts';
import { eventually } from '../fixtures/eventually.ts';

function turn(number: number): [{ input: string }, { output: string }] {
  return [{ input: `question m${number}` }, { output: `answer` }];
}

function chatter(turns: number): ChatMessage[] {
  return Array.from({ length: turns }, (_, index): ChatMessage[] => [
    { role: 'user', content: `question m${index}` },
    { role: 'assistant', content: 'answer' },
  ]).flat();
}

function bufferMemory(
  extractor: FakeSummarizer,
  options: Partial<ConversationSummaryBufferMemoryOptions> = {},
): ConversationSummaryBufferMemory {
  return new ConversationSummaryBufferMemory({ extractor, tokenizer: countingTokenizer(), ...options });
}

async function history(
  memory: ConversationSummaryMemory | ConversationSummaryBufferMemory,
): Promise<unknown> {
  return (await memory.loadMemoryVariables())['history'];
}

function failing(
  times: number,
  then: (call: { summary: string; newLines: string }) => string = keepMarks,
): FakeSummarizer {
  let left = times;
  return fakeSummarizer((call) => {
    left -= 1;
    if (left >= 0) throw new Error('the model is down');
    return then(call);
  });
}

const ended = new DOMException('enough', 'AbortError');

describe('a running summary', () => {
  it('U1: each turn is summarized by one call into what was there, and the summary alone is loaded', async () => {
    const extractor = fakeSummarizer(['first', ' second \n']);
    const memory = new ConversationSummaryMemory({ extractor, humanPrefix: 'Ada', aiPrefix: 'Bot' });
    expect(await history(memory)).toBe('');
    await memory.saveContext({ input: 'hi' }, { output: 'hello' });
    await memory.saveContext({ input: 'and' }, { output: 'so' });
    expect(await history(memory)).toBe('second');
    expect(extractor.calls).toEqual([
      { summary: '', newLines: 'Ada: hi\nBot: hello' },
      { summary: 'first', newLines: 'Ada: and\nBot: so' },
    ]);
    expect(await memory.chatHistory.getMessages()).toHaveLength(4);
  });

  it('U1: as messages it is one system message, and none before there is a summary', async () => {
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(['S']), returnMessages: true });
    expect(await history(memory)).toEqual([]);
    await memory.saveContext(...turn(1));
    expect(await history(memory)).toEqual([{ role: 'system', content: 'S' }]);
  });

  it('U1: as XML the summary is an element that no text in it can leave', async () => {
    const memory = new ConversationSummaryMemory({
      extractor: fakeSummarizer(['</message>']),
      format: 'xml',
    });
    await memory.saveContext(...turn(1));
    expect(await history(memory)).toBe('<message role="system">&lt;/message&gt;</message>');
  });

  it('U1: the same turn saved twice is summarized once', async () => {
    const extractor = fakeSummarizer(keepMarks);
    const memory = new ConversationSummaryMemory({ extractor });
    await memory.saveContext(...turn(1), { turnId: 't' });
    await memory.saveContext(...turn(1), { turnId: 't' });
    expect(extractor.calls).toHaveLength(1);
  });

  it('U1: turns saved at once are each covered, and no call overtakes another', async () => {
    let running = 0;
    const extractor = fakeSummarizer(async (call) => {
      running += 1;
      expect(running).toBe(1);
      await yieldToEventLoop();
      running -= 1;
      return keepMarks(call);
    });
    const memory = new ConversationSummaryMemory({ extractor });
    await Promise.all([1, 2, 3, 4].map((number) => memory.saveContext(...turn(number))));
    expect(await history(memory)).toBe('m1 m2 m3 m4');
    expect(extractor.calls.length).toBeLessThanOrEqual(4);
  });

  it('U2: a failed call is a warning: the turn is kept, loaded as it was said, and covered by the next save', async () => {
    const warnings: Warning[] = [];
    const extractor = failing(1);
    const memory = new ConversationSummaryMemory({
      extractor,
      onWarning: (warning) => warnings.push(warning),
    });
    await memory.saveContext(...turn(1));
    expect(warnings.map((warning) => warning.code)).toEqual(['enrichment-failed']);
    expect(warnings[0]?.cause).toEqual(new Error('the model is down'));
    expect(await history(memory)).toBe('Human: question m1\nAI: answer');
    expect(extractor.calls).toHaveLength(1);
    await memory.saveContext(...turn(2));
    expect(extractor.calls).toHaveLength(2);
    expect(await history(memory)).toBe('m1 m2');
  });

  it('U2: after a failure the old summary is loaded with the turns that it lacks', async () => {
    const extractor = fakeSummarizer((call) => {
      if (call.newLines.includes('m2')) throw new Error('down');
      return keepMarks(call);
    });
    const memory = new ConversationSummaryMemory({ extractor });
    await memory.saveContext(...turn(1));
    await memory.saveContext(...turn(2));
    expect(await history(memory)).toBe('System: m1\nHuman: question m2\nAI: answer');
  });

  it('U3: an empty reply keeps the old summary, and the turn stays', async () => {
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(['old', ' \n ', 'new']) });
    await memory.saveContext(...turn(1));
    await memory.saveContext(...turn(2));
    expect(await history(memory)).toBe('System: old\nHuman: question m2\nAI: answer');
    await memory.saveContext(...turn(3));
    expect(await history(memory)).toBe('new');
  });

  it('U3: a reply without end is cut, and half characters in it are mended', async () => {
    const memory = new ConversationSummaryMemory({
      extractor: fakeSummarizer([`\ud800${'x'.repeat(1_000_000)}`]),
    });
    await memory.saveContext(...turn(1));
    const text = String(await history(memory));
    expect(text.startsWith('\ufffdxxx')).toBe(true);
    expect(text.length).toBeLessThan(40_000);
  });

  it('U4: an abort while the model answers rejects, and the turn is stored', async () => {
    const controller = new AbortController();
    const extractor = fakeSummarizer(() => {
      controller.abort(ended);
      return new Promise(() => undefined);
    });
    const onWarning = vi.fn();
    const memory = new ConversationSummaryMemory({ extractor, onWarning });
    await expect(memory.saveContext(...turn(1), { signal: controller.signal })).rejects.toBe(ended);
    expect(await memory.chatHistory.getMessages()).toHaveLength(2);
    expect(onWarning).not.toHaveBeenCalled();
  });

  it('U4: an abort while an earlier turn is being summarized does not wait for it', async () => {
    const controller = new AbortController();
    const extractor = fakeSummarizer(() => new Promise(() => undefined));
    const memory = new ConversationSummaryMemory({ extractor });
    void memory.saveContext(...turn(1));
    await eventually(() => expect(extractor.calls).toHaveLength(1));
    const second = memory.saveContext(...turn(2), { signal: controller.signal });
    await eventually(async () => expect(await memory.chatHistory.getMessages()).toHaveLength(4));
    controller.abort(ended);
    await expect(second).rejects.toBe(ended);
  });

  it('U5: clearing removes messages and summary, also while a summary is being made', async () => {
    let release: (text: string) => void = () => undefined;
    const extractor = fakeSummarizer(() => new Promise<string>((resolve) => (release = resolve)));
    const memory = new ConversationSummaryMemory({ extractor });
    const saving = memory.saveContext(...turn(1));
    await eventually(() => expect(extractor.calls).toHaveLength(1));
    await memory.clear();
    release('what was forgotten');
    await saving;
    await memory.settled();
    expect(await history(memory)).toBe('');
    expect(await memory.chatHistory.getMessages()).toEqual([]);
    expect(extractor.calls).toHaveLength(1);
  });
});

describe('a history that was there before', () => {
  it('U6: the first load summarizes it, once', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages(chatter(3));
    const extractor = fakeSummarizer(keepMarks);
    const memory = new ConversationSummaryMemory({ extractor, chatHistory });
    expect(await history(memory)).toBe('m0 m1 m2');
    expect(await history(memory)).toBe('m0 m1 m2');
    expect(extractor.calls).toHaveLength(1);
  });

  it('U6: another memory of the same id restores the summary, one of another id makes its own', async () => {
    for (const chatHistory of [new InMemoryChatMessageHistory(), watchedHistory()]) {
      const first = fakeSummarizer(['S']);
      await new ConversationSummaryMemory({ extractor: first, chatHistory }).saveContext(...turn(1));
      const second = fakeSummarizer(['other']);
      expect(await history(new ConversationSummaryMemory({ extractor: second, chatHistory }))).toBe('S');
      expect(second.calls).toHaveLength(0);
      const own = new ConversationSummaryMemory({ extractor: second, chatHistory, memoryId: 'own' });
      expect(await history(own)).toBe('other');
    }
  });

  it('U6: a long history is summarized in several calls, each of whole turns and bounded length', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    const long: ChatMessage[] = chatter(60).map((message) =>
      message.role === 'assistant' ? { role: 'assistant', content: 'blah '.repeat(400) } : message,
    );
    await chatHistory.addMessages(long);
    const extractor = fakeSummarizer(keepMarks);
    const memory = new ConversationSummaryMemory({ extractor, chatHistory });
    expect(String(await history(memory)).split(' ')).toHaveLength(60);
    expect(extractor.calls.length).toBeGreaterThan(3);
    for (const { newLines } of extractor.calls) {
      expect(newLines.length).toBeLessThanOrEqual(24_000);
      expect(newLines.startsWith('Human: question')).toBe(true);
    }
  });

  it('U6: a turn that is too long for one call is read in pieces, and all of it', async () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `m${index}`);
    const extractor = fakeSummarizer(({ newLines }) => `read ${newLines.length}`);
    const memory = new ConversationSummaryMemory({ extractor });
    await memory.saveContext({ input: words.join(' ') }, { output: 'ok' });
    const lines = extractor.calls.map((call) => call.newLines);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('')).toBe(`Human: ${words.join(' ')}\nAI: ok`);
    expect(await history(memory)).toBe(`read ${lines.at(-1)?.length}`);
  });

  it('U7: of a long history that is covered only the end is read', async () => {
    const inner = new InMemoryChatMessageHistory();
    await inner.addMessages(chatter(2000));
    const chatHistory = watchedHistory(inner);
    const extractor = fakeSummarizer(() => 'S');
    await ConversationSummaryMemory.fromMessages(chatHistory, { extractor, summarizeStep: 1000 });
    const memory = new ConversationSummaryMemory({ extractor, chatHistory });
    await memory.saveContext(...turn(1));
    const before = chatHistory.rowsRead();
    expect(await history(memory)).toBe('S');
    expect(chatHistory.rowsRead() - before).toBeLessThanOrEqual(70);
  });

  it('U7: a history that knows no paging is read all the same', async () => {
    const inner = new InMemoryChatMessageHistory();
    await inner.addMessages(chatter(50));
    const chatHistory = watchedHistory({ ...watchedHistory(inner), list: () => inner.list() });
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(keepMarks), chatHistory });
    expect(String(await history(memory)).split(' ')).toHaveLength(50);
    await memory.saveContext(...turn(50));
    expect(String(await history(memory)).split(' ')).toHaveLength(51);
  });

  it('U8: a summary in RAM does not outlive the messages that it covers', async () => {
    const chatHistory = watchedHistory();
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(keepMarks), chatHistory });
    await memory.saveContext(...turn(1));
    await chatHistory.clear();
    expect(await history(memory)).toBe('');
    await memory.saveContext(...turn(2));
    expect(await history(memory)).toBe('m2');
  });
});

describe('building a summary in steps', () => {
  it('U9: one call a step, with progress, of a list of messages', async () => {
    const extractor = fakeSummarizer(['A', 'B', 'C']);
    const onProgress = vi.fn();
    const messages = chatter(3).slice(0, 5);
    const memory = await ConversationSummaryMemory.fromMessages(messages, {
      extractor,
      summarizeStep: 2,
      onProgress,
    });
    expect(extractor.calls.map((call) => call.summary)).toEqual(['', 'A', 'B']);
    expect(extractor.calls[2]?.newLines).toBe('Human: question m2');
    expect(onProgress.mock.calls).toEqual([2, 4, 5].map((summarized) => [{ summarized, total: 5 }]));
    expect(await history(memory)).toBe('C');
  });

  it('U9: by default a step is whole turns, and no step ends between a tool call and its result', async () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
    const messages: ChatMessage[] = [
      { role: 'user', content: 'm1' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', content: 'm2', tool_call_id: 'c' },
      { role: 'assistant', content: 'm3' },
      { role: 'user', content: 'm4' },
    ];
    const marks = async (summarizeStep?: number): Promise<string[]> => {
      const extractor = fakeSummarizer(keepMarks);
      await ConversationSummaryMemory.fromMessages(messages, {
        extractor,
        ...(summarizeStep === undefined ? {} : { summarizeStep }),
      });
      return extractor.calls.map(({ newLines }) => keepMarks({ summary: '', newLines }));
    };
    expect(await marks()).toEqual(['m1 m2 m3', 'm4']);
    expect(await marks(2)).toEqual(['m1 m2', 'm3 m4']);
    expect(await marks(1)).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  it('U10: a step that fails rejects, the steps before are kept, and calling again goes on from there', async () => {
    for (const chatHistory of [new InMemoryChatMessageHistory(), watchedHistory()]) {
      await chatHistory.addMessages(chatter(4));
      const options = { summarizeStep: 2 };
      const down = fakeSummarizer((call) => {
        if (call.newLines.includes('m2')) throw new Error('down');
        return keepMarks(call);
      });
      await expect(
        ConversationSummaryMemory.fromMessages(chatHistory, { ...options, extractor: down }),
      ).rejects.toThrow('down');
      const up = fakeSummarizer(keepMarks);
      const memory = await ConversationSummaryMemory.fromMessages(chatHistory, { ...options, extractor: up });
      expect(up.calls.map((call) => call.summary)).toEqual(['m0 m1', 'm0 m1 m2']);
      expect(await history(memory)).toBe('m0 m1 m2 m3');
    }
  });

  it('U10: an abort between two steps keeps the first', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages(chatter(3));
    const controller = new AbortController();
    const extractor = fakeSummarizer(keepMarks);
    const onProgress = (): void => controller.abort(ended);
    const building = ConversationSummaryMemory.fromMessages(chatHistory, {
      extractor,
      signal: controller.signal,
      onProgress,
    });
    await expect(building).rejects.toBe(ended);
    expect(extractor.calls).toHaveLength(1);
    expect(await history(new ConversationSummaryMemory({ extractor, chatHistory }))).toBe('m0 m1 m2');
    expect(extractor.calls[1]?.summary).toBe('m0');
  });

  it('U9: a buffer summarizes in steps what is beyond its limit', async () => {
    const extractor = fakeSummarizer(keepMarks);
    const memory = await ConversationSummaryBufferMemory.fromMessages(chatter(5), {
      extractor,
      tokenizer: countingTokenizer(),
      maxTokenLimit: 6,
    });
    expect(extractor.calls).toHaveLength(3);
    expect(await history(memory)).toBe(
      'System: m0 m1 m2\nHuman: question m3\nAI: answer\nHuman: question m4\nAI: answer',
    );
  });
});

describe('a summary and the newest turns', () => {
  it('U11: turns beyond the limit are summarized whole and by one call; the transcript keeps them', async () => {
    const extractor = fakeSummarizer(keepMarks);
    const memory = bufferMemory(extractor, { maxTokenLimit: 6 });
    for (const number of [1, 2]) await memory.saveContext(...turn(number));
    expect(extractor.calls).toHaveLength(0);
    await memory.saveContext({ input: 'question m3 with five words' }, { output: 'x' });
    expect(extractor.calls).toEqual([
      {
        summary: '',
        newLines: 'Human: question m1\nAI: answer\nHuman: question m2\nAI: answer',
        maxTokens: 500,
      },
    ]);
    expect(await history(memory)).toBe('System: m1 m2\nHuman: question m3 with five words\nAI: x');
    expect(await memory.chatHistory.getMessages()).toHaveLength(6);
  });

  it('U11: a limit of 0, and a turn larger than the limit, leave the summary alone', async () => {
    for (const maxTokenLimit of [0, 2]) {
      const memory = bufferMemory(fakeSummarizer(keepMarks), { maxTokenLimit });
      await memory.saveContext(...turn(1));
      expect(await history(memory)).toBe('System: m1');
    }
  });

  it('U11: tool calls leave with their results', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    const call = { id: 'c', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
    await chatHistory.addMessages([
      { role: 'user', content: 'm1' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', content: 'm2', tool_call_id: 'c' },
      { role: 'assistant', content: 'm3' },
      { role: 'user', content: 'm4' },
    ]);
    const memory = bufferMemory(fakeSummarizer(keepMarks), { chatHistory, maxTokenLimit: 3 });
    expect(await history(memory)).toBe('System: m1 m2 m3\nHuman: m4');
  });

  it('U12: a summary over its own cap is cut at the end of a sentence, else of a word', async () => {
    const cut = async (reply: string): Promise<unknown> => {
      const memory = bufferMemory(fakeSummarizer([reply]), { maxTokenLimit: 0, maxSummaryTokens: 6 });
      await memory.saveContext(...turn(1));
      return history(memory);
    };
    expect(await cut('one two three four five six')).toBe('System: one two three four five six');
    expect(await cut('One two three four. Five six seven eight.')).toBe('System: One two three four.');
    expect(await cut('One. Two three four five six seven eight.')).toBe(
      'System: One. Two three four five six',
    );
  });

  it('U12: with the real tokenizer the cap holds, whatever the script', async () => {
    const { tiktokenTokenizer } = await import('../../src/tokens/tiktoken.ts');
    const tokenizer = await tiktokenTokenizer();
    for (const reply of [
      'The user likes tea. '.repeat(40),
      '利用者は紅茶が好きです。'.repeat(40),
      '😀'.repeat(300),
      'x'.repeat(5000),
    ]) {
      const memory = bufferMemory(fakeSummarizer([reply]), {
        tokenizer,
        maxTokenLimit: 0,
        maxSummaryTokens: 30,
        returnMessages: true,
      });
      await memory.saveContext(...turn(1));
      const [summary] = (await history(memory)) as { content: string }[];
      const tokens = tokenizer.countText(summary?.content ?? '');
      expect(tokens).toBeLessThanOrEqual(30);
      expect(tokens).toBeGreaterThan(14);
      expect(reply.startsWith(summary?.content ?? '-')).toBe(true);
    }
  });

  it('U13: the limit is kept at a load, too, and a model that fails there is asked again by the next', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages(chatter(3));
    const onWarning = vi.fn();
    const memory = bufferMemory(failing(1), { chatHistory, maxTokenLimit: 3, onWarning });
    expect(String(await history(memory)).match(/question m\d/g)).toHaveLength(3);
    expect(onWarning).toHaveBeenCalledTimes(1);
    expect(await history(memory)).toBe('System: m0 m1\nHuman: question m2\nAI: answer');
  });

  it('U13: a save after a failed one summarizes all that is beyond the limit', async () => {
    const extractor = failing(2);
    const memory = bufferMemory(extractor, { maxTokenLimit: 3 });
    for (const number of [1, 2, 3, 4]) await memory.saveContext(...turn(number));
    expect(await history(memory)).toBe('System: m1 m2 m3\nHuman: question m4\nAI: answer');
    expect(extractor.calls.map((call) => call.summary)).toEqual(['', '', '']);
  });

  it('U14: messages are counted once in their life', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages(chatter(3));
    const tokenizer = countingTokenizer();
    const memory = bufferMemory(fakeSummarizer(keepMarks), { chatHistory, tokenizer, maxTokenLimit: 100 });
    await history(memory);
    await memory.saveContext(...turn(3));
    await history(memory);
    expect(tokenizer.counted).toHaveLength(8);
  });
});

describe('turns that other tabs write in between', () => {
  it('U15: a turn that was begun before the summary and ends after it is loaded whole, and then covered', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages([{ role: 'user', content: 'm0' }], { turnId: 'late', state: 'pending' });
    const extractor = failing(0, (call) => {
      if (call.newLines.includes('m0')) throw new Error('down');
      return keepMarks(call);
    });
    const memory = new ConversationSummaryMemory({ extractor, chatHistory });
    for (let number = 1; number <= 70; number += 1) await memory.saveContext(...turn(number));
    await chatHistory.addMessages([{ role: 'assistant', content: 'late' }], { turnId: 'late' });
    expect(String(await history(memory)).endsWith('m70\nHuman: m0\nAI: late')).toBe(true);
  });

  it('U15: a turn whose answer has not come, or was cut short, is neither summarized nor loaded', async () => {
    const chatHistory: ChatMessageHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages([{ role: 'user', content: 'm8' }], { turnId: 'a', state: 'pending' });
    await chatHistory.addMessages([{ role: 'user', content: 'm9' }], { turnId: 'b', state: 'cancelled' });
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(keepMarks), chatHistory });
    await memory.saveContext(...turn(1));
    expect(await history(memory)).toBe('m1');
  });
});

describe('options', () => {
  const extractor = fakeSummarizer([]);

  it('U16: one of llm and extractor is needed, and wrong values are refused', () => {
    const bad: object[] = [
      {},
      { extractor, llm: async () => ({ text: '' }) },
      { extractor, prompts: { summary: '{summary} {new_lines}' } },
      { extractor, memoryId: '' },
      { extractor, enrichment: 'later' },
      { extractor, maxTokenLimits: 1 },
      { extractor, enrichment: 'background' },
    ];
    for (const options of bad) {
      expect(() => new ConversationSummaryMemory(options)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
      expect(() => new ConversationSummaryBufferMemory(options)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    }
    for (const options of [{ maxTokenLimit: -1 }, { maxSummaryTokens: 0 }, { tokenizer: {} as never }]) {
      expect(() => new ConversationSummaryBufferMemory({ extractor, ...options })).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    }
  });

  it('U16: a template of its own is what the model gets, and one with other variables is refused', async () => {
    const asked: unknown[] = [];
    const llm: LLM = async ({ messages }) => {
      asked.push(messages);
      return { text: 'S' };
    };
    const memory = new ConversationSummaryMemory({ llm, prompts: { summary: '[{summary}] {new_lines}' } });
    await memory.saveContext({ input: 'a' }, { output: 'b' });
    expect(asked).toEqual([[{ role: 'user', content: '[] Human: a\nAI: b' }]]);
    expect(() => new ConversationSummaryMemory({ llm, prompts: { summary: '{lines}' } })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  it('U16: a step that is none, and a history given twice, are refused before the model is asked', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    for (const options of [{ summarizeStep: 0 }, { summarizeStep: 1.5 }, { chatHistory }]) {
      await expect(
        ConversationSummaryMemory.fromMessages(chatter(1), { extractor, ...options }),
      ).rejects.toMatchObject({
        code: 'invalid-option',
      });
    }
    expect(extractor.calls).toHaveLength(0);
  });
});
