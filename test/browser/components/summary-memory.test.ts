import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { runnerFor } from '../../../src/jobs/job-runner.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import { newId } from '../../../src/model/id.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { ConversationBufferMemory } from '../../../src/components/langchain/buffer-memories.ts';
import { CombinedMemory } from '../../../src/components/langchain/composed-memories.ts';
import {
  ConversationSummaryBufferMemory,
  type ConversationSummaryBufferMemoryOptions,
  ConversationSummaryMemory,
  type ConversationSummaryMemoryOptions,
} from '../../../src/components/langchain/summary-memories.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';
import { fakeSummarizer, keepMarks, type FakeSummarizer } from '../../fakes/fake-summarizer.ts';
import { leave, open } from '../../fixtures/opened-databases.ts';

function turn(number: number): [{ input: string }, { output: string }] {
  return [{ input: `question m${number}` }, { output: 'answer' }];
}

async function history(
  memory: ConversationSummaryMemory | ConversationSummaryBufferMemory,
): Promise<unknown> {
  return (await memory.loadMemoryVariables())['history'];
}

function summaryOver(
  database: MemoryDatabase,
  extractor: FakeSummarizer,
  options: Partial<ConversationSummaryMemoryOptions> = {},
): ConversationSummaryMemory {
  return new ConversationSummaryMemory({ extractor, chatHistory: database.chatHistory('s'), ...options });
}

function bufferOver(
  database: MemoryDatabase,
  extractor: FakeSummarizer,
  options: Partial<ConversationSummaryBufferMemoryOptions> = {},
): ConversationSummaryBufferMemory {
  const chatHistory = database.chatHistory('s');
  return new ConversationSummaryBufferMemory({
    extractor,
    chatHistory,
    tokenizer: countingTokenizer(),
    maxTokenLimit: 3,
    ...options,
  });
}

const background = { enrichment: 'background' } as const;

/** A summarizer that waits until it is let go. */
function gated(): { extractor: FakeSummarizer; release: () => void } {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const extractor = fakeSummarizer(async (call) => {
    await gate;
    return keepMarks(call);
  });
  return { extractor, release };
}

async function forget(database: MemoryDatabase, mark: string): Promise<void> {
  const rows = await database.chatHistory('s').list();
  const row = rows.find(({ content }) => content === `question ${mark}`);
  if (!row) throw new Error(`${mark} is not there`);
  await rowsOf(database).transcript.forget({ messageId: row.id }, 'user');
}

describe('a summary in a database', () => {
  it('SUM-21: a summary is loaded after a reload without calling a model', async () => {
    const name = newId();
    const before = await open(name);
    const buffer = bufferOver(before, fakeSummarizer(keepMarks));
    for (const number of [1, 2, 3]) await buffer.saveContext(...turn(number));
    await summaryOver(before, fakeSummarizer(['all'])).loadMemoryVariables();
    await leave(before);

    const after = await open(name);
    const extractor = fakeSummarizer(keepMarks);
    expect(await history(bufferOver(after, extractor))).toBe('System: m1 m2\nHuman: question m3\nAI: answer');
    expect(await history(summaryOver(after, extractor))).toBe('all');
    expect(extractor.calls).toEqual([]);
    await bufferOver(after, extractor).saveContext(...turn(4));
    expect(extractor.calls).toEqual([
      { summary: 'm1 m2', newLines: 'Human: question m3\nAI: answer', maxTokens: 500 },
    ]);
  });

  it('SUM-22: after forgetting, the summary is made again from what is left', async () => {
    const database = await open();
    const extractor = fakeSummarizer(keepMarks);
    const memory = summaryOver(database, extractor);
    for (const number of [1, 2, 3]) await memory.saveContext(...turn(number));
    await forget(database, 'm2');
    expect(await history(memory)).toBe('m1 m3');
    expect(extractor.calls.at(-1)?.summary).toBe('');
  });

  it('SUM-22: a summary of messages forgotten while the model answers is not stored, and the model is called again', async () => {
    const database = await open();
    const { extractor, release } = gated();
    const memory = summaryOver(database, extractor);
    const saving = memory.saveContext(...turn(1));
    await expect.poll(() => extractor.calls.length).toBe(1);
    await database.chatHistory('s').addMessages([{ role: 'user', content: 'question m2' }]);
    await forget(database, 'm1');
    release();
    await saving;
    expect(await history(memory)).toBe('m2');
    expect(extractor.calls.at(-1)).toEqual({ summary: '', newLines: 'AI: answer\nHuman: question m2' });
  });

  it('SUM-23: clear removes the summary from the database', async () => {
    const name = newId();
    const database = await open(name);
    const memory = summaryOver(database, fakeSummarizer(keepMarks));
    await memory.saveContext(...turn(1));
    await memory.clear();
    expect(await database.chatHistory('s').summaries?.load('summary')).toMatchObject({ summary: undefined });
    expect(await history(memory)).toBe('');
  });

  it('SUM-24: two tabs that summarize at the same time lose nothing', async () => {
    const name = newId();
    const memories = [];
    for (const database of [await open(name), await open(name)]) {
      memories.push(bufferOver(database, fakeSummarizer(keepMarks), { returnMessages: true }));
    }
    await Promise.all(memories.map((memory, tab) => memory.saveContext(...turn(tab))));
    await Promise.all(memories.map((memory, tab) => memory.saveContext(...turn(tab + 2))));
    for (const memory of memories) {
      const text = JSON.stringify(await history(memory));
      for (const mark of ['m0', 'm1', 'm2', 'm3']) expect(text).toContain(mark);
    }
  });
});

describe('a summary made in the background', () => {
  it('SUM-25: ten quick turns do not wait for a model, are loaded verbatim and cost one call', async () => {
    const database = await open();
    const { extractor, release } = gated();
    const memory = summaryOver(database, extractor, background);
    for (let number = 1; number <= 10; number += 1) await memory.saveContext(...turn(number));
    expect(extractor.calls.length).toBeLessThanOrEqual(1);
    expect(String(await history(memory)).match(/question m\d+/g)).toHaveLength(10);
    release();
    await memory.settled();
    expect(await history(memory)).toBe('m1 m2 m3 m4 m5 m6 m7 m8 m9 m10');
    expect(extractor.calls).toHaveLength(1);
    expect(await rowsOf(database).jobs.list()).toEqual([]);
  });

  it('SUM-26: raw turns beyond the limit stay until the summary that covers them is stored', async () => {
    const database = await open();
    const { extractor, release } = gated();
    const memory = bufferOver(database, extractor, background);
    for (const number of [1, 2]) await memory.saveContext(...turn(number));
    expect(await history(memory)).toBe('Human: question m1\nAI: answer\nHuman: question m2\nAI: answer');
    release();
    await memory.settled();
    expect(await history(memory)).toBe('System: m1\nHuman: question m2\nAI: answer');
  });

  it('SUM-27: work left by a closed page is done by the next one, once', async () => {
    const name = newId();
    const before = await open(name);
    const stuck = gated();
    const memory = summaryOver(before, stuck.extractor, background);
    await memory.saveContext(...turn(1));
    await leave(before);

    const after = await open(name);
    const extractor = fakeSummarizer(keepMarks);
    const reopened = summaryOver(after, extractor, background);
    await reopened.settled();
    expect(await history(reopened)).toBe('m1');
    expect(extractor.calls).toHaveLength(1);
  });

  it('SUM-27: each step over a long history is stored, and the next page continues from there', async () => {
    const name = newId();
    const before = await open(name);
    const filler = 'blah '.repeat(4000);
    for (const number of [1, 2, 3]) {
      const content = `question m${number} ${filler}`;
      await before.chatHistory('s').addMessages([{ role: 'user', content }]);
    }
    const stuck = fakeSummarizer((call) =>
      call.summary === '' ? keepMarks(call) : new Promise<string>(() => undefined),
    );
    await summaryOver(before, stuck, background).saveContext(...turn(4));
    await expect.poll(() => stuck.calls.length).toBe(2);
    await leave(before);

    const after = await open(name);
    const extractor = fakeSummarizer(keepMarks);
    const memory = summaryOver(after, extractor, background);
    await memory.settled();
    expect(await history(memory)).toBe('m1 m2 m3 m4');
    expect(extractor.calls.map((call) => call.summary)).toEqual(['m1', 'm1 m2']);
    expect(await rowsOf(after).jobs.list()).toEqual([]);
  });

  it('SUM-28: work that failed too often is reported, and the next turn triggers all of it', async () => {
    const database = await open();
    runnerFor(rowsOf(database).jobs, { random: () => 1 });
    const warnings: string[] = [];
    let isDown = true;
    const extractor = fakeSummarizer((call) => (isDown ? '' : keepMarks(call)));
    const onWarning = ({ code }: Warning): void => void warnings.push(code);
    const memory = summaryOver(database, extractor, { ...background, onWarning });
    await memory.saveContext(...turn(1));
    await memory.settled();
    expect(new Set(warnings)).toEqual(new Set(['learning-failed', 'job-dead']));
    expect(warnings.filter((code) => code === 'job-dead')).toHaveLength(1);
    isDown = false;
    await memory.saveContext(...turn(2));
    await memory.settled();
    expect(await history(memory)).toBe('m1 m2');
  });

  it('SUM-28: a failed call raises a warning and is tried again, and nothing leaves the prompt meanwhile', async () => {
    const database = await open();
    const warnings: Warning[] = [];
    let isDown = true;
    const extractor = fakeSummarizer((call) => {
      if (isDown) throw new MnemoraError('llm-network', 'down');
      return keepMarks(call);
    });
    const onWarning = (warning: Warning): void => void warnings.push(warning);
    const memory = bufferOver(database, extractor, { ...background, onWarning, maxTokenLimit: 0 });
    await memory.saveContext(...turn(1));
    const settled = memory.settled();
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    expect(warnings[0]).toMatchObject({ code: 'learning-failed', cause: { code: 'llm-network' } });
    expect(await history(memory)).toBe('Human: question m1\nAI: answer');
    isDown = false;
    await settled;
    expect(await history(memory)).toBe('System: m1');
  });

  it('SUM-29: an erased summary is made again in the background', async () => {
    const database = await open();
    const extractor = fakeSummarizer(keepMarks);
    const memory = summaryOver(database, extractor, background);
    for (const number of [1, 2, 3]) await memory.saveContext(...turn(number));
    await memory.settled();
    await forget(database, 'm2');
    await memory.settled();
    const { summary } = (await database.chatHistory('s').summaries?.load('summary')) ?? {};
    expect(summary?.text).toBe('m1 m3');
    expect(await rowsOf(database).jobs.list()).toEqual([]);
  });

  it('SUM-29: messages forgotten while they were queued are not summarized', async () => {
    const database = await open();
    const extractor = fakeSummarizer(keepMarks);
    const memory = summaryOver(database, extractor, background);
    await memory.saveContext(...turn(1));
    await memory.clear();
    await memory.settled();
    expect(extractor.calls).toEqual([]);
    expect(await rowsOf(database).jobs.list()).toEqual([]);
  });

  it('SUM-30: of two tabs one does the work, and both load the result', async () => {
    const name = newId();
    const extractor = fakeSummarizer(keepMarks);
    const memories = [];
    for (const database of [await open(name), await open(name)]) {
      memories.push(summaryOver(database, extractor, background));
    }
    for (const [tab, memory] of memories.entries()) await memory.saveContext(...turn(tab));
    await Promise.all(memories.map((memory) => memory.settled()));
    for (const memory of memories) expect(await history(memory)).toBe('m0 m1');
    expect(extractor.calls.length).toBeLessThanOrEqual(2);
  });

  it('SUM-31: turns that another memory of the session stored are summarized too', async () => {
    const database = await open();
    const extractor = fakeSummarizer(keepMarks);
    const summary = summaryOver(database, extractor, { ...background, memoryKey: 'summary' });
    const plain = new ConversationBufferMemory({ chatHistory: database.chatHistory('s') });
    const combined = new CombinedMemory({ memories: [plain, summary] });
    await combined.saveContext(...turn(1));
    await summary.settled();
    expect(await summary.loadMemoryVariables()).toEqual({ summary: 'm1' });
    expect(extractor.calls).toHaveLength(1);
  });

  it('SUM-31: an existing history is summarized, and no load waits for it', async () => {
    const database = await open();
    for (const number of [1, 2]) {
      const messages = [{ role: 'user' as const, content: `question m${number}` }];
      await database.chatHistory('s').addMessages(messages);
    }
    const { extractor, release } = gated();
    const memory = summaryOver(database, extractor, background);
    expect(await history(memory)).toBe('Human: question m1\nHuman: question m2');
    release();
    await memory.settled();
    expect(await history(memory)).toBe('m1 m2');
    expect(extractor.calls).toHaveLength(1);
  });
});
