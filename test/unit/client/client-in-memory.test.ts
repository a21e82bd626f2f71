import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createMemory,
  withMemory,
  type Memory,
  type CreateMemoryOptions,
  type LLM,
  type LLMReply,
  type LLMRequest,
} from '../../../src/index.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { memoryOf as openMemory } from '../../fixtures/open-memory.ts';
import { collectUncaught } from '../../fixtures/faults/uncaught-errors.ts';

function memoryOf(options: CreateMemoryOptions = {}): Promise<Memory> {
  return openMemory({ storage: 'memory', ...options });
}

describe('createMemory without IndexedDB', () => {
  it("MEM-1: createMemory rejects with storage-unavailable, and works in RAM with storage: 'memory'", async () => {
    await expect(createMemory({ embedder: false })).rejects.toMatchObject({ code: 'storage-unavailable' });
    const memory = await memoryOf({ embedder: hashEmbedder(), recentTurns: 1, learning: false });
    const first = await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
    await memory.remember({ user: 'The car is red.', assistant: 'Noted.' }, { turnId: 'car' });
    await memory.work.settled();
    const [best] = await memory.search('what is my dog called');
    expect(best).toMatchObject({ message: { turnId: first.turnId }, why: { vector: expect.any(Number) } });
    const context = await memory.recall('What is my dog called?');
    expect(context.items.map((item) => [item.kind, item.turnId])).toEqual([
      ['recent', 'car'],
      ['recalled', first.turnId],
    ]);
    expect(await memory.sessions()).toMatchObject([{ id: memory.sessionId, title: 'My dog is called Max.' }]);
    expect(await memory.history()).toHaveLength(4);
    expect(await memory.forget({ turnId: first.turnId })).toEqual({
      messages: 2,
      turns: 1,
      sessions: 0,
      documents: 0,
      vectors: 2,
      facts: 0,
      entities: 0,
      summaries: 0,
      turnsStillNaming: 0,
    });
    expect(await memory.sessions()).toMatchObject([{ title: 'The car is red.' }]);
    expect((await memory.search('dog')).map((found) => found.message.turnId)).not.toContain(first.turnId);
    const other = memory.session('other');
    await other.remember({ user: 'a', assistant: 'b' });
    expect(await memory.forget({ everything: true })).toMatchObject({ messages: 4, sessions: 2 });
    expect(await memory.sessions()).toEqual([]);
    expect(await memory.device.usage()).toEqual({ usedBytes: 0 });
    expect(await memory.device.persist()).toBe(false);
  });

  it('MEM-8: without workers, the default embedder raises a warning and search uses keywords only', async () => {
    const warnings: string[] = [];
    const memory = await createMemory({ storage: 'memory', onWarning: ({ code }) => warnings.push(code) });
    onTestFinished(() => memory.close());
    await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
    await memory.work.settled();
    expect(await memory.search('dog')).toHaveLength(1);
    expect(warnings).toContain('model-unavailable');
  });
});

describe('a closed memory', () => {
  it('MEM-14: every call rejects with storage-closed, also in RAM, and closing again does nothing', async () => {
    const memory = await memoryOf();
    await memory.remember({ user: 'a', assistant: 'b' });
    await memory.close();
    await memory.close();
    const calls = [
      memory.remember({ user: 'c', assistant: 'd' }),
      memory.recall('a'),
      memory.search('a'),
      memory.history(),
      memory.sessions(),
      memory.forget({ everything: true }),
      memory.session('x').history(),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
      calls.map(() => 'storage-closed'),
    );
    await memory.work.settled();
  });
});

describe('events of a memory', () => {
  it('MEM-15: a listener that throws affects neither the call nor the other listeners', async () => {
    using uncaught = collectUncaught();
    const heard: string[] = [];
    const memory = await memoryOf({
      maxTokens: 5,
      onWarning: () => {
        throw new Error('from the listener');
      },
    });
    memory.addEventListener('change', ({ detail }) => {
      heard.push(detail.source);
      throw new Error('from another');
    });
    memory.addEventListener('warning', ({ detail }) => heard.push(detail.code));
    await memory.remember({ user: 'a', assistant: 'b' });
    expect((await memory.recall('a')).overBudget).toBe(true);
    await new Promise((resolve) => setTimeout(resolve));
    expect(heard).toEqual(['local', 'over-budget']);
    expect(uncaught.errors).toHaveLength(2);
    // Its work in the background would raise the event again when nothing collects the error any more.
    await memory.close();
  });

  it('MEM-16: a removed listener is not called, and a duplicate turn raises no change event', async () => {
    const memory = await memoryOf();
    const heard: string[] = [];
    const listener = (): void => void heard.push('change');
    memory.addEventListener('change', listener);
    await memory.remember({ user: 'a', assistant: 'b' }, { turnId: 't' });
    await memory.remember({ user: 'a', assistant: 'b' }, { turnId: 't' });
    memory.removeEventListener('change', listener);
    await memory.forget({ turnId: 't' });
    expect(heard).toEqual(['change']);
  });
});

describe('options', () => {
  it('MEM-2: createMemory rejects unknown options and invalid values', async () => {
    const embedder = hashEmbedder();
    const wrong: unknown[] = [
      null,
      'mnemora',
      { nmae: 'x' },
      { name: '' },
      { name: 5 },
      { scope: '' },
      { sessionId: '' },
      { sessionId: 7 },
      { embedder: true },
      { embedder: {} },
      { embedder: { ...embedder, id: '' } },
      { tokenizer: { id: 'x' } },
      { analyzer: { id: 'x' } },
      { analyzer: { id: '', analyze: (text: string) => [text] } },
      { analyzer: { id: 'x', analyze: (text: string) => [text], stopWords: ['the'] } },
      { maxTokens: 0 },
      { maxTokens: Number.NaN },
      { maxTokens: '2000' },
      { recentTurns: -1 },
      { recentTurns: 1.5 },
      { history: 'disk' },
      { clock: 5 },
      { onWarning: 'log' },
      { assetsUrl: 5 },
    ];
    for (const each of wrong) {
      const options =
        typeof each === 'object' && each ? { storage: 'memory', embedder: false, ...each } : each;
      const made = createMemory(options as CreateMemoryOptions);
      await expect(made, JSON.stringify(each)).rejects.toMatchObject({ code: 'invalid-option' });
    }
  });

  it('KEY-16: an analyzer that returns anything but strings is rejected when it reads a text', async () => {
    for (const wrong of [undefined, 'boat', [1], [undefined]]) {
      const analyzer = { id: 'x', analyze: (text: string) => (text === 'boat' ? wrong : [text]) as string[] };
      const memory = await createMemory({ storage: 'memory', embedder: false, learning: false, analyzer });
      await memory.remember({ user: 'a ship', assistant: 'a dinghy' });
      await expect(memory.search('boat')).rejects.toMatchObject({ code: 'invalid-input' });
      await memory.close();
    }
  });

  it('CHAT-1: withMemory rejects invalid models, memories and options', async () => {
    const memory = await memoryOf();
    const llm = async (): Promise<{ text: string }> => ({ text: '' });
    const wrong: (() => unknown)[] = [
      () => withMemory(undefined as never, memory),
      () => withMemory(llm, {} as never),
      () => withMemory(llm, memory, { sytem: 'x' } as never),
      () => withMemory(llm, memory, { onAbort: 'drop' as never }),
      () => withMemory(llm, memory, { system: 5 as never }),
      () => memory.session(''),
    ];
    for (const make of wrong.slice(0, -1)) {
      expect(make).toThrow(expect.objectContaining({ code: 'invalid-option' }));
    }
    expect(wrong.at(-1)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('MEM-3: a clock without a valid time is rejected before anything is written', async () => {
    const memory = await memoryOf({ clock: () => 1e300 });
    await expect(memory.remember({ user: 'a', assistant: 'b' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await expect(memory.recall('a')).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await memory.history()).toEqual([]);
  });
});

describe('withMemory without IndexedDB', () => {
  it('CHAT-14: an abort ends the turn even if the model ignores it, and later output is dropped', async () => {
    const memory = await memoryOf();
    const controller = new AbortController();
    let talk: (text: string) => void = () => undefined;
    let answer: (reply: LLMReply) => void = () => undefined;
    const deaf: LLM = ({ onToken }) => {
      talk = (text) => onToken?.(text);
      talk('half');
      queueMicrotask(() => controller.abort());
      return new Promise((resolve) => (answer = resolve));
    };
    const heard: string[] = [];
    const chat = withMemory(deaf, memory);
    const sent = chat.send('hi', { signal: controller.signal, onToken: (text) => heard.push(text) });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    talk(' and half');
    answer({ text: 'half and half' });
    await Promise.resolve();
    expect(heard).toEqual(['half']);
    expect((await memory.history()).map(({ content, state }) => [content, state])).toEqual([
      ['hi', 'cancelled'],
      ['half', 'cancelled'],
    ]);
  });

  it('CHAT-15: streaming from a model that does not stream returns its answer as one piece', async () => {
    const memory = await memoryOf();
    const pieces: string[] = [];
    const chat = withMemory(async () => ({ text: 'whole' }), memory);
    for await (const piece of chat.stream('hi')) pieces.push(piece);
    expect(pieces).toEqual(['whole']);
    expect((await memory.history()).map(({ content }) => content)).toEqual(['hi', 'whole']);
  });

  it('CHAT-17: sessions of different databases do not wait for each other, even with the same id', async () => {
    const [slow, quick] = [await memoryOf({ sessionId: 's' }), await memoryOf({ sessionId: 's' })];
    let answer: (reply: LLMReply) => void = () => undefined;
    let hasAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (hasAsked = resolve));
    const held: LLM = () => {
      hasAsked();
      return new Promise((resolve) => (answer = resolve));
    };
    const waiting = withMemory(held, slow).send('a');
    await asked;
    expect(await withMemory(async () => ({ text: 'at once' }), quick).send('b')).toBe('at once');
    let isSecondAnswered = false;
    const second = withMemory(async () => ({ text: 'second' }), slow.session('s'))
      .send('c')
      .then(() => (isSecondAnswered = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSecondAnswered).toBe(false);
    answer({ text: 'first' });
    expect(await waiting).toBe('first');
    await second;
    expect((await slow.history()).map(({ content }) => content)).toEqual(['a', 'first', 'c', 'second']);
  });

  it('CHAT-16: a model that returns no text rejects with llm-reply and the turn is failed', async () => {
    const memory = await memoryOf();
    const chat = withMemory((async () => undefined) as unknown as LLM, memory);
    await expect(chat.send('hi')).rejects.toMatchObject({ code: 'llm-reply' });
    expect((await memory.history()).map(({ content, state }) => [content, state])).toEqual([
      ['hi', 'failed'],
    ]);
  });

  it('CHAT-40: a reply that is empty or only a tool call fails its turn, whose question is not sent again', async () => {
    const memory = await memoryOf();
    const call = { id: '1', type: 'function', function: { name: 'clock', arguments: '{}' } } as const;
    const replies: LLMReply[] = [
      { text: '' },
      { text: ' \n\u200B\u2060' },
      { text: '', toolCalls: [call] },
      { text: 'Yes.' },
    ];
    const requests: LLMRequest[] = [];
    const llm: LLM = async (request) => {
      requests.push(request);
      return replies[requests.length - 1] ?? { text: '' };
    };
    const chat = withMemory(llm, memory, { onFailure: (error) => ({ reason: (error as Error).message }) });
    for (const question of ['one?', 'two?'])
      await expect(chat.send(question)).rejects.toMatchObject({
        code: 'llm-reply',
        message: expect.stringContaining('empty answer') as string,
      });
    await expect(chat.send('three?')).rejects.toThrow('only a call of clock');
    expect(await chat.send('four?')).toBe('Yes.');
    expect(requests.at(-1)?.messages.slice(1)).toEqual([{ role: 'user', content: 'four?' }]);
    const stored = await memory.history();
    expect(stored.map(({ role, state }) => `${role} ${state}`)).toEqual([
      ...Array.from({ length: 3 }, () => ['user failed', 'assistant failed']).flat(),
      'user complete',
      'assistant complete',
    ]);
    expect(stored[5]).toMatchObject({
      tool_calls: [call],
      metadata: { reason: expect.anything() as string },
    });
  });
});
