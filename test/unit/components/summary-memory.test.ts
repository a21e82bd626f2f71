import { describe, expect, it, vi } from 'vitest';
import type { ChatMessageHistory } from '../../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { LLM } from '../../../src/llm/llm.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/model/warning.ts';
import {
  ConversationSummaryBufferMemory,
  type ConversationSummaryBufferMemoryOptions,
  ConversationSummaryMemory,
} from '../../../src/components/langchain/summary-memories.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';
import { fakeSummarizer, keepMarks, type FakeSummarizer } from '../../fakes/fake-summarizer.ts';
import { watchedHistory } from '../../fakes/watched-history.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import { eventually } from '../../fixtures/eventually.ts';

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
  it('SUM-1: each turn is added to the summary by one call, and the summary alone is loaded', async () => {
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

  it('SUM-1: as messages the summary is one system message, and there is none before the first', async () => {
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(['S']), returnMessages: true });
    expect(await history(memory)).toEqual([]);
    await memory.saveContext(...turn(1));
    expect(await history(memory)).toEqual([{ role: 'system', content: 'S' }]);
  });

  it('SUM-1: as XML the summary is an element that its text cannot close', async () => {
    const memory = new ConversationSummaryMemory({
      extractor: fakeSummarizer(['</message>']),
      format: 'xml',
    });
    await memory.saveContext(...turn(1));
    expect(await history(memory)).toBe('<message role="system">&lt;/message&gt;</message>');
  });

  it('SUM-1: a turn saved twice is summarized once', async () => {
    const extractor = fakeSummarizer(keepMarks);
    const memory = new ConversationSummaryMemory({ extractor });
    await memory.saveContext(...turn(1), { turnId: 't' });
    await memory.saveContext(...turn(1), { turnId: 't' });
    expect(extractor.calls).toHaveLength(1);
  });

  it('SUM-1: turns saved at the same time are each summarized, in order', async () => {
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

  it('SUM-2: after a failed call the turn is loaded verbatim and summarized by the next save, with a warning', async () => {
    const warnings: Warning[] = [];
    const extractor = failing(1);
    const memory = new ConversationSummaryMemory({
      extractor,
      onWarning: (warning) => warnings.push(warning),
    });
    await memory.saveContext(...turn(1));
    expect(warnings.map((warning) => warning.code)).toEqual(['learning-failed']);
    expect(warnings[0]?.cause).toEqual(new Error('the model is down'));
    expect(await history(memory)).toBe('Human: question m1\nAI: answer');
    expect(extractor.calls).toHaveLength(1);
    await memory.saveContext(...turn(2));
    expect(extractor.calls).toHaveLength(2);
    expect(await history(memory)).toBe('m1 m2');
  });

  it('SUM-2: after a failure the old summary is loaded with the turns it does not cover', async () => {
    const extractor = fakeSummarizer((call) => {
      if (call.newLines.includes('m2')) throw new Error('down');
      return keepMarks(call);
    });
    const memory = new ConversationSummaryMemory({ extractor });
    await memory.saveContext(...turn(1));
    await memory.saveContext(...turn(2));
    expect(await history(memory)).toBe('System: m1\nHuman: question m2\nAI: answer');
  });

  it('SUM-3: an empty reply leaves the summary as it was, and the turn is kept', async () => {
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(['old', ' \n ', 'new']) });
    await memory.saveContext(...turn(1));
    await memory.saveContext(...turn(2));
    expect(await history(memory)).toBe('System: old\nHuman: question m2\nAI: answer');
    await memory.saveContext(...turn(3));
    expect(await history(memory)).toBe('new');
  });

  it('SUM-3: an overlong reply is cut, and lone surrogates in it are replaced', async () => {
    const memory = new ConversationSummaryMemory({
      extractor: fakeSummarizer([`\ud800${'x'.repeat(1_000_000)}`]),
    });
    await memory.saveContext(...turn(1));
    const text = String(await history(memory));
    expect(text.startsWith('\ufffdxxx')).toBe(true);
    expect(text.length).toBeLessThan(40_000);
  });

  it('SUM-4: an abort while the model answers rejects, and the turn is stored', async () => {
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

  it('SUM-4: an abort does not wait for the summary of an earlier turn', async () => {
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

  it('SUM-5: clear removes messages and summary, even while a summary is being made', async () => {
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

describe('an existing history', () => {
  it('SUM-6: the first load summarizes an existing history, once', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages(chatter(3));
    const extractor = fakeSummarizer(keepMarks);
    const memory = new ConversationSummaryMemory({ extractor, chatHistory });
    expect(await history(memory)).toBe('m0 m1 m2');
    expect(await history(memory)).toBe('m0 m1 m2');
    expect(extractor.calls).toHaveLength(1);
  });

  it('SUM-6: a memory of the same id loads the stored summary, and one of another id makes its own', async () => {
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

  it('SUM-6: a long history is summarized in several calls of bounded length, each of whole turns', async () => {
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

  it('SUM-6: a turn that is too long for one call is summarized completely, in pieces', async () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `m${index}`);
    const extractor = fakeSummarizer(({ newLines }) => `read ${newLines.length}`);
    const memory = new ConversationSummaryMemory({ extractor });
    await memory.saveContext({ input: words.join(' ') }, { output: 'ok' });
    const lines = extractor.calls.map((call) => call.newLines);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('')).toBe(`Human: ${words.join(' ')}\nAI: ok`);
    expect(await history(memory)).toBe(`read ${lines.at(-1)?.length}`);
  });

  it('HIST-15: the turns in front of a page that contains a notice are summarized too', async () => {
    const chatHistory = new InMemoryChatMessageHistory(chatter(40));
    await chatHistory.addMessages([
      { role: 'user', content: 'question m40' },
      { role: 'assistant', content: 'You are offline.', origin: 'notice' },
    ]);
    const memory = bufferMemory(fakeSummarizer(keepMarks), { chatHistory, maxTokenLimit: 4 });
    const summarized = Array.from({ length: 40 }, (_, number) => `m${number}`);
    expect(await history(memory)).toBe(`System: ${summarized.join(' ')}\nHuman: question m40`);
  });

  it('SUM-7: only the end of a long summarized history is read', async () => {
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

  it('SUM-7: a history without paging is read too', async () => {
    const inner = new InMemoryChatMessageHistory();
    await inner.addMessages(chatter(50));
    const chatHistory = watchedHistory({ ...watchedHistory(inner), list: () => inner.list() });
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(keepMarks), chatHistory });
    expect(String(await history(memory)).split(' ')).toHaveLength(50);
    await memory.saveContext(...turn(50));
    expect(String(await history(memory)).split(' ')).toHaveLength(51);
  });

  it('SUM-8: a summary in RAM is dropped when the messages it covers are gone', async () => {
    const chatHistory = watchedHistory();
    const memory = new ConversationSummaryMemory({ extractor: fakeSummarizer(keepMarks), chatHistory });
    await memory.saveContext(...turn(1));
    await chatHistory.clear();
    expect(await history(memory)).toBe('');
    await memory.saveContext(...turn(2));
    expect(await history(memory)).toBe('m2');
  });

  it('FGT-27: the summary of a deleted session is not stored for a new session with its id', async () => {
    const database = await openDatabase({ storage: 'memory' });
    const chatHistory = database.chatHistory('s');
    const extractor = fakeSummarizer(async (call) => {
      if (extractor.calls.length > 1) return keepMarks(call);
      // The user deletes the chat, and begins another one in its place.
      await database.deleteSession('s');
      await chatHistory.addMessages(chatter(1));
      return keepMarks(call);
    });
    const memory = new ConversationSummaryMemory({ extractor, chatHistory });
    await memory.saveContext(...turn(7));
    expect(await history(memory)).toBe('m0');
    expect(extractor.calls.at(-1)).toMatchObject({ summary: '' });
  });
});

describe('building a summary in steps', () => {
  it('SUM-9: each step of a list of messages is one call, with progress', async () => {
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

  it('SUM-9: by default a step is made of whole turns, and never ends between a tool call and its result', async () => {
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

  it('SUM-10: a failed step rejects, earlier steps are kept, and calling again continues from there', async () => {
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

  it('SUM-10: an abort between two steps keeps the first', async () => {
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

  it('SUM-9: a summary buffer summarizes in steps what exceeds its limit', async () => {
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
  it('SUM-11: turns beyond the limit are summarized whole by one call, and stay in the transcript', async () => {
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

  it('SUM-11: with a limit of 0, or a turn larger than the limit, only the summary is loaded', async () => {
    for (const maxTokenLimit of [0, 2]) {
      const memory = bufferMemory(fakeSummarizer(keepMarks), { maxTokenLimit });
      await memory.saveContext(...turn(1));
      expect(await history(memory)).toBe('System: m1');
    }
  });

  it('SUM-11: tool calls are summarized with their results', async () => {
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

  it('SUM-12: a summary over its limit is cut at the end of a sentence, or else of a word', async () => {
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

  it('SUM-12: with the real tokenizer the limit holds in any script', async () => {
    const { tiktokenTokenizer } = await import('../../../src/tokens/tiktoken.ts');
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

  it('SUM-13: the limit is enforced at load too, and a failed model is called again by the next load', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    await chatHistory.addMessages(chatter(3));
    const onWarning = vi.fn();
    const memory = bufferMemory(failing(1), { chatHistory, maxTokenLimit: 3, onWarning });
    expect(String(await history(memory)).match(/question m\d/g)).toHaveLength(3);
    expect(onWarning).toHaveBeenCalledTimes(1);
    expect(await history(memory)).toBe('System: m0 m1\nHuman: question m2\nAI: answer');
  });

  it('SUM-13: a save after a failed one summarizes everything beyond the limit', async () => {
    const extractor = failing(2);
    const memory = bufferMemory(extractor, { maxTokenLimit: 3 });
    for (const number of [1, 2, 3, 4]) await memory.saveContext(...turn(number));
    expect(await history(memory)).toBe('System: m1 m2 m3\nHuman: question m4\nAI: answer');
    expect(extractor.calls.map((call) => call.summary)).toEqual(['', '', '']);
  });

  it('SUM-14: each message is counted once', async () => {
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
  it('SUM-15: a turn that starts before the summary and ends after it is loaded whole, and later summarized', async () => {
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

  it('SUM-15: a turn whose answer is missing or was cut short is neither summarized nor loaded', async () => {
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

  it('SUM-16: llm or extractor is required, and invalid values are rejected', () => {
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

  it('SUM-16: a custom prompt is sent to the model, and one with other variables is rejected', async () => {
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

  it('SUM-16: an invalid step and two histories are rejected before the model is called', async () => {
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
