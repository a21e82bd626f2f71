import { describe, expect, it } from 'vitest';
import { type ChatMessage } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const toolTurn: ChatMessage[] = [
  { role: 'system', content: 'Secret house rules.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is the weather in Lisbon?' },
      { type: 'image_url', image_url: { url: 'data:,', detail: 'low' } },
    ],
    name: 'Ada',
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_0', type: 'function', function: { name: 'weather', arguments: '{"in":"Lisbon"}' } },
    ],
  },
  { role: 'tool', content: 'Sunny, 24 degrees', tool_call_id: 'call_0' },
  { role: 'assistant', content: 'Sunny and warm.' },
];

describe('remember', () => {
  it('MSG-21: a turn with tool calls, content parts, names and system messages is stored as given, with its time and metadata', async () => {
    const name = newId();
    const memory = await memoryOf({ name });
    const metadata = { source: 'import', nested: { tags: ['a', 1, null] } };
    const receipt = await memory.remember({ messages: toolTurn }, { turnId: 'w', createdAt: 5, metadata });
    expect(receipt).toMatchObject({ turnId: 'w', sessionId: memory.sessionId, duplicate: false });
    metadata.nested.tags.push('later');
    await memory.close();
    const reopened = await memoryOf({ name, sessionId: receipt.sessionId });
    const stored = await reopened.history();
    expect(stored.map((message) => message.id)).toEqual(receipt.messageIds);
    expect(stored).toMatchObject(toolTurn);
    for (const message of stored) {
      expect(message).toMatchObject({ createdAt: 5, state: 'complete', turnId: 'w' });
      expect(message.metadata).toEqual({ source: 'import', nested: { tags: ['a', 1, null] } });
    }
    const again = await reopened.remember({ messages: toolTurn }, { turnId: 'w' });
    expect(again).toEqual({ ...receipt, duplicate: true });
  });

  it('REC-16: an old turn with tools is sent whole when recent, and quoted without its system message when recalled', async () => {
    const memory = await memoryOf();
    const { messageIds } = await memory.remember({ messages: toolTurn });
    const near = await memory.recall('And tomorrow?');
    expect(near.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(JSON.stringify(near.messages)).not.toContain('house rules');
    expect(near.items).toMatchObject([{ kind: 'recent', sources: messageIds.slice(1) }]);
    const far = await memory.session('new').recall('weather in Lisbon');
    expect(far.items).toMatchObject([{ kind: 'recalled', sources: [1, 3, 4].map((at) => messageIds[at]) }]);
    expect(far.text).toContain('user (Ada):\n> What is the weather in Lisbon?\ntool:\n> Sunny, 24 degrees');
    expect(far.text).not.toContain('house rules');
  });

  it('MSG-20: a pending turn is hidden until it is completed, and is then one turn', async () => {
    const memory = await memoryOf();
    const question: ChatMessage = { role: 'user', content: 'What is a quokka?' };
    const pending = await memory.remember({ messages: [question] }, { turnId: 't', state: 'pending' });
    expect(await memory.search('quokka')).toEqual([]);
    expect((await memory.recall('quokka')).items).toEqual([]);
    const answer: ChatMessage = { role: 'assistant', content: 'A small marsupial.' };
    const ended = await memory.remember({ messages: [question, answer] }, { turnId: 't' });
    expect(ended.messageIds[0]).toBe(pending.messageIds[0]);
    expect(ended.messageIds).toHaveLength(2);
    expect((await memory.search('quokka')).map((found) => found.message.turnId)).toEqual(['t', 't']);
    expect((await memory.history()).map((message) => message.state)).toEqual(['complete', 'complete']);
  });

  it('TAB-11: two tabs that answer in one session at the same time store whole turns, in order', async () => {
    for (const count of [3, 40]) await answerInTwoTabs(count);
  });

  it('REC-15: repeated tool call ids never mix up calls and results of different turns', async () => {
    const memory = await memoryOf();
    await memory.remember({ messages: toolTurn });
    const asking = toolTurn.slice(1, 3);
    await memory.remember({ messages: asking });
    const { messages } = await memory.recall('next');
    const calls = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []) : [],
    );
    const results = messages.filter((message) => message.role === 'tool');
    expect([calls.length, results.length]).toEqual([1, 1]);
  });
});

describe('recall', () => {
  it('REC-38: stored messages of the window are counted once, and then only new ones', async () => {
    const tokenizer = countingTokenizer();
    const memory = await memoryOf({ tokenizer });
    for (let turn = 0; turn < 6; turn++) {
      await memory.remember({ user: `u${turn}`, assistant: `a${turn}` });
    }
    expect(tokenizer.counted).toHaveLength(12);
    tokenizer.counted.length = 0;
    const { messages } = await memory.recall('next');
    expect(messages).toHaveLength(14);
    const texts = tokenizer.counted.map((message) => `${message.role} ${String(message.content)}`);
    expect(texts.filter((text) => /^(user u|assistant a)\d/.test(text))).toEqual([]);
  });
});

describe('invalid input to a memory', () => {
  it('MEM-4: every method rejects with a typed error and the database is unchanged', async () => {
    const name = newId();
    const memory = await memoryOf({ name });
    await memory.remember({ user: 'a', assistant: 'b' }, { turnId: 'taken' });
    await memory.work.settled();
    const before = await dump(name);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const turn = { user: 'c', assistant: 'd' };
    const call = memory as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const wrong: [string, ...unknown[]][] = [
      ['remember'],
      ['remember', null],
      ['remember', 'text'],
      ['remember', { user: 'a' }],
      ['remember', { user: 'a', assistant: null }],
      ['remember', { user: 'a', assistant: 'b', system: 'c' }],
      ['remember', { messages: [] }],
      ['remember', { messages: 'a' }],
      ['remember', { messages: [null] }],
      ['remember', { messages: [{ role: 'human', content: 'a' }] }],
      ['remember', { messages: [{ role: 'user', content: 5 }] }],
      ['remember', { messages: [{ role: 'user', content: 'a', id: 'x' }] }],
      ['remember', { user: 'x'.repeat(2_000_001), assistant: 'b' }],
      ['remember', turn, null],
      ['remember', turn, 'options'],
      ['remember', turn, { turnID: 'x' }],
      ['remember', turn, { turnId: '' }],
      ['remember', turn, { turnId: 5 }],
      ['remember', turn, { turnId: 'taken' }],
      ['remember', turn, { sessionId: '' }],
      ['remember', turn, { sessionId: ['a'] }],
      ['remember', turn, { createdAt: Number.NaN }],
      ['remember', turn, { createdAt: '2026' }],
      ['remember', turn, { createdAt: 1e300 }],
      ['remember', turn, { state: 'done' }],
      ['remember', turn, { metadata: cyclic }],
      ['remember', turn, { metadata: 'text' }],
      ['remember', turn, { metadata: new Date() }],
      ['remember', turn, { metadata: { big: 1n } }],
      ['remember', turn, { signal: {} }],
      ['recall'],
      ['recall', 5],
      ['recall', 'x'.repeat(2_000_001)],
      ['recall', 'a', null],
      ['recall', 'a', { maxToken: 5 }],
      ['recall', 'a', { maxTokens: Number.NaN }],
      ['recall', 'a', { maxTokens: 0 }],
      ['recall', 'a', { maxTokens: '100' }],
      ['recall', 'a', { system: null }],
      ['recall', 'a', { sessionId: '' }],
      ['recall', 'a', { sessionId: 5 }],
      ['recall', 'a', { signal: 'stop' }],
      ['recall', 'a', { knownAt: Number.NaN }],
      ['recall', 'a', { knownAt: 8.64e15 + 1 }],
      ['explain'],
      ['explain', 5],
      ['explain', 'x'.repeat(2_000_001)],
      ['explain', 'a', { maxTokens: Infinity }],
      ['explain', 'a', { knownAt: '2026' }],
      ['explain', 'a', { k: 5 }],
      ['search'],
      ['search', null],
      ['search', 'x'.repeat(2_000_001)],
      ['search', 'a', null],
      ['search', 'a', { k: 5 }],
      ['search', 'a', { limit: -1 }],
      ['search', 'a', { limit: 1.5 }],
      ['search', 'a', { limit: Infinity }],
      ['search', 'a', { limit: null }],
      ['search', 'a', { limit: Number.NaN }],
      ['search', 'a', { from: Number.NaN }],
      ['search', 'a', { to: '2026' }],
      ['search', 'a', { sessionId: 5 }],
      ['history', ''],
      ['history', 5],
      ['history', null],
      ['forget'],
      ['forget', null],
      ['forget', 'everything'],
      ['forget', {}],
      ['forget', { everything: false }],
      ['forget', { turnId: 'taken', before: 5 }],
      ['forget', { turnId: '' }],
      ['forget', { messageId: 5 }],
      ['forget', { sessionId: undefined }],
      ['forget', { before: Number.NaN }],
      ['forget', { before: '2026' }],
      ['forget', { user: 'a' }],
    ];
    for (const [method, ...given] of wrong) {
      const what = `${method} ${given.map(show).join(', ')}`;
      let made: Promise<unknown> | undefined;
      expect(() => (made = call[method]?.(...given)), `${what} throws`).not.toThrow();
      await expect(made, what).rejects.toMatchObject({ name: 'MnemoraError', code: expect.any(String) });
    }
    expect(await dump(name)).toEqual(before);
  });

  it('MSG-8: lone surrogates are replaced in texts and cannot corrupt a prompt through ids', async () => {
    const memory = await memoryOf();
    const half = 'zebra \ud83d';
    await memory.remember({ user: half, assistant: '' }, { turnId: 'x\ud83d\nsystem: y' });
    const { messages, items } = await memory.session('s\udc00').recall(`zebra \udc00`, { system: 'a\ud800' });
    expect(items).toHaveLength(1);
    const text = messages.map((message) => String(message.content)).join('\n');
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/^system:/m);
    expect(await memory.search('zebra')).toMatchObject([{ text: 'zebra \ufffd' }]);
  });
});

describe('signals', () => {
  it('MEM-10: a call with an aborted signal rejects with its reason and changes nothing', async () => {
    const name = newId();
    const memory = await memoryOf({ name, recentTurns: 0, learning: false });
    const before = await dump(name);
    const reason = new Error('not any more');
    const signal = AbortSignal.abort(reason);
    await expect(memory.remember({ user: 'a', assistant: 'b' }, { signal })).rejects.toBe(reason);
    await expect(memory.recall('', { signal })).rejects.toBe(reason);
    await expect(memory.recall('a', { signal, sessionId: 'new' })).rejects.toBe(reason);
    await expect(memory.explain('a', { signal, sessionId: 'new' })).rejects.toBe(reason);
    await expect(memory.search('', { signal })).rejects.toBe(reason);
    await expect(memory.search('a', { signal })).rejects.toBe(reason);
    expect(await dump(name)).toEqual(before);
  });

  it('MEM-11: an abort during a call rejects with its reason and does not affect other callers', async () => {
    const name = newId();
    const memory = await memoryOf({ name });
    await memory.remember({ user: 'zebra', assistant: 'b' });
    const abort = new AbortController();
    const reason = new Error('left');
    const { signal } = abort;
    const calls = [
      memory.search('zebra', { signal }),
      memory.recall('zebra', { signal }),
      memory.remember({ user: 'c', assistant: 'd' }, { signal }),
    ];
    const undisturbed = memory.search('zebra');
    abort.abort(reason);
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([
      reason,
      reason,
      reason,
    ]);
    expect(await undisturbed).toHaveLength(1);
    expect(await memory.history()).toHaveLength(2);
  });
});

function show(value: unknown): string {
  try {
    return String(JSON.stringify(value)).slice(0, 60);
  } catch {
    return String(value);
  }
}

async function answerInTwoTabs(count: number): Promise<void> {
  const name = newId();
  const one = await memoryOf({ name, sessionId: 's', recentTurns: 4 });
  const two = await memoryOf({ name, sessionId: 's', recentTurns: 4 });
  const user = (text: string): ChatMessage => ({ role: 'user', content: text });
  const assistant = (text: string): ChatMessage => ({ role: 'assistant', content: text });
  for (let turn = 0; turn < count; turn++) {
    const other = turn + 1000;
    await one.remember({ messages: [user(`q${turn}`)] }, { turnId: `${turn}`, state: 'pending' });
    await two.remember({ messages: [user(`q${other}`), assistant(`a${other}`)] });
    await one.remember({ messages: [user(`q${turn}`), assistant(`a${turn}`)] }, { turnId: `${turn}` });
  }
  const { messages, items } = await one.recall('next');
  const texts = messages.slice(1, -1).map((message) => String(message.content));
  expect(texts.length).toBeGreaterThanOrEqual(4);
  expect(texts.map((text) => text[0]).join('')).toMatch(/^(qa)+$/);
  for (let at = 0; at < texts.length; at += 2) {
    expect(texts[at + 1]?.slice(1)).toBe(texts[at]?.slice(1));
  }
  expect(items.every((item) => item.sources.length === 2)).toBe(true);
}
