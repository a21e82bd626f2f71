import { describe, expect, it } from 'vitest';
import { InMemoryChatMemoryStore, type ChatMemoryStore } from '../../../src/sessions/chat-memory-store.ts';
import type { ChatMessage, CountedMessage } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/model/warning.ts';
import {
  MessageWindowChatMemory,
  TokenWindowChatMemory,
} from '../../../src/components/langchain4j/window-chat-memories.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const ai = (content: string): ChatMessage => ({ role: 'assistant', content });
const system = (content: string): ChatMessage => ({ role: 'system', content });
const call = (id: string): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
});
const result = (id: string): ChatMessage => ({ role: 'tool', content: 'r', tool_call_id: id });

/** A store with the three required methods only, which gives way between reading and writing. */
function plainStore(): ChatMemoryStore {
  const inner = new InMemoryChatMemoryStore();
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return {
    getMessages: async (id) => {
      await pause();
      return inner.getMessages(id);
    },
    updateMessages: async (id, messages) => {
      await pause();
      await inner.updateMessages(id, messages);
    },
    deleteMessages: (id) => inner.deleteMessages(id),
  };
}

describe('changes of one list', () => {
  it('CHM-1: changes are made one at a time, even through two memories and a store without transactions', async () => {
    const store = plainStore();
    const one = new MessageWindowChatMemory({ store, maxMessages: 100 });
    const two = new MessageWindowChatMemory({ store, maxMessages: 100 });
    const adds = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : two).add(user(`m${index}`)),
    );
    await Promise.all(adds);
    const messages = await one.messages();
    expect(messages.map((message) => message.content)).toEqual(
      Array.from({ length: 40 }, (_, index) => `m${index}`),
    );
  });

  it('CHM-1: a failed change does not stop the next', async () => {
    const store = plainStore();
    let failures = 1;
    const flaky: ChatMemoryStore = {
      ...store,
      updateMessages: (id, messages) =>
        failures-- > 0 ? Promise.reject(new Error('disk full')) : store.updateMessages(id, messages),
    };
    const memory = new MessageWindowChatMemory({ store: flaky, maxMessages: 5 });
    const [first, second] = await Promise.allSettled([memory.add(user('a')), memory.add(user('b'))]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
    expect(await memory.messages()).toEqual([user('b')]);
  });

  it('CHM-2: a store that can change a list in one transaction is used that way', async () => {
    const inner = new InMemoryChatMemoryStore();
    let changes = 0;
    const store: ChatMemoryStore = {
      getMessages: (id) => inner.getMessages(id),
      updateMessages: () => Promise.reject(new Error('not to be called')),
      deleteMessages: (id) => inner.deleteMessages(id),
      changeMessages: (id, change) => {
        changes += 1;
        return inner.changeMessages(id, change);
      },
    };
    const memory = new MessageWindowChatMemory({ store, maxMessages: 5 });
    await memory.addAll([user('a'), ai('b')]);
    expect(await memory.messages()).toEqual([user('a'), ai('b')]);
    expect(changes).toBe(1);
  });

  it('CHM-3: a list with an invalid message is rejected and none of it is added', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 5 });
    await expect(memory.addAll([user('a'), { role: 'bot', content: 'b' } as never])).rejects.toMatchObject({
      code: 'invalid-message',
    });
    await expect(memory.set([])).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(memory.set(undefined as never)).rejects.toMatchObject({ code: 'invalid-message' });
    expect(await memory.messages()).toEqual([]);
  });
});

describe('kept messages', () => {
  it('CHM-4: memories of two ids in one store are independent', async () => {
    const store = new InMemoryChatMemoryStore();
    const one = new MessageWindowChatMemory({ store, id: 'one', maxMessages: 5 });
    const two = new MessageWindowChatMemory({ store, id: 'two', maxMessages: 5 });
    await one.add(user('a'));
    await two.add(user('b'));
    await two.clear();
    expect([await one.messages(), await two.messages()]).toEqual([[user('a')], []]);
  });

  it('CHM-5: a running tool loop is kept whole until the next turn begins', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 6 });
    const loop = [user('q'), call('1'), result('1'), call('2'), result('2'), ai('done')];
    await memory.addAll([user('old'), ai('old')]);
    for (const message of loop) await memory.add(message);
    expect(await memory.messages()).toEqual(loop);
    await memory.add(user('next'));
    expect(await memory.messages()).toEqual([user('next')]);
  });

  it('CHM-5: a turn too large to return is still in the store, and returned when the limit allows', async () => {
    const warnings: Warning[] = [];
    let max = 2;
    const memory = new MessageWindowChatMemory({
      maxMessages: () => max,
      onWarning: (warning) => warnings.push(warning),
    });
    const turn = [user('q'), call('1'), result('1'), ai('done')];
    await memory.addAll(turn);
    expect(await memory.messages()).toEqual([user('q')]);
    expect(warnings.map((warning) => warning.code)).toEqual(['over-budget', 'over-budget']);
    max = 4;
    expect(await memory.messages()).toEqual(turn);
  });

  it('CHM-6: with alwaysKeepSystemMessageFirst the system message comes first, also after set', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 5, alwaysKeepSystemMessageFirst: true });
    await memory.set([user('a'), system('s1'), system('s2'), ai('b')]);
    expect(await memory.messages()).toEqual([system('s2'), user('a'), ai('b')]);
    await memory.add(system('s3'));
    expect(await memory.messages()).toEqual([system('s3'), user('a'), ai('b')]);
  });

  it('CHM-7: an invalid limit is rejected, by the constructor or at the next use', async () => {
    const badOption = expect.objectContaining({ code: 'invalid-option' }) as Error;
    const tokenizer = countingTokenizer();
    for (const max of [0, -1, 1.5, Number.NaN, '3' as never]) {
      expect(() => new MessageWindowChatMemory({ maxMessages: max })).toThrow(badOption);
      expect(() => new TokenWindowChatMemory({ maxTokens: max, tokenizer })).toThrow(badOption);
      expect(() => new MessageWindowChatMemory({ maxMessages: () => max })).toThrow(badOption);
      expect(() => new TokenWindowChatMemory({ maxTokens: () => max, tokenizer })).toThrow(badOption);
      let current = 3;
      const memory = new MessageWindowChatMemory({ maxMessages: () => current });
      current = max;
      await expect(memory.add(user('a'))).rejects.toMatchObject({ code: 'invalid-option' });
    }
    expect(() => new MessageWindowChatMemory({} as never)).toThrow(badOption);
    expect(() => new MessageWindowChatMemory({ maxMessages: 3, maxTokens: 5 } as never)).toThrow(badOption);
    expect(() => new MessageWindowChatMemory({ maxMessages: 3, id: '' })).toThrow(badOption);
    expect(() => new MessageWindowChatMemory({ maxMessages: 3, evictionUnit: 'pair' as never })).toThrow(
      badOption,
    );
    expect(() => new TokenWindowChatMemory({ maxTokens: 3 } as never)).toThrow(badOption);
  });
});

describe('counting', () => {
  it('CHM-9: each message is counted once, and its count is stored but not returned', async () => {
    const tokenizer = countingTokenizer();
    const store = new InMemoryChatMemoryStore();
    const memory = new TokenWindowChatMemory({ maxTokens: 1000, tokenizer, store });
    for (let index = 0; index < 50; index += 1) await memory.add(user(`message ${index}`));
    const [first] = await memory.messages();
    expect(tokenizer.counted).toHaveLength(50);
    expect(first).toEqual(user('message 0'));
    const stored: CountedMessage[] = await store.getMessages('default');
    expect(stored[0]?.tokens).toEqual({ 'test/words': 2 });
  });
});

describe('runTurn', () => {
  it('CHM-11: the answer function gets the list with the question, and both are stored together', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 10 });
    await memory.addAll([user('a'), ai('b')]);
    const seen: ChatMessage[][] = [];
    const after = await memory.runTurn(user('c'), async (messages) => {
      seen.push(messages);
      expect(await memory.messages()).toEqual([user('a'), ai('b')]);
      return [call('1'), result('1'), ai('d')];
    });
    expect(seen).toEqual([[user('a'), ai('b'), user('c')]]);
    expect(after).toEqual([user('a'), ai('b'), user('c'), call('1'), result('1'), ai('d')]);
  });

  it('CHM-11: a turn that fails or is aborted stores nothing', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 2 });
    await memory.addAll([user('a'), ai('b')]);
    await expect(memory.runTurn(user('c'), () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    const controller = new AbortController();
    const aborted = memory.runTurn(
      user('c'),
      async () => {
        controller.abort();
        return ai('late');
      },
      { signal: controller.signal },
    );
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(await memory.messages()).toEqual([user('a'), ai('b')]);
  });
});

it('STO-70: the clock of a database gives the times of what chat memories leave to the history', async () => {
  const database = await openDatabase({ storage: 'memory', clock: () => 1000 });
  const memory = new MessageWindowChatMemory({
    id: 'chat',
    store: database.chatMemoryStore(),
    maxMessages: 2,
  });
  for (const text of ['one', 'two', 'three']) await memory.add(user(text));
  const history = database.chatHistory('chat');
  await history.addUserMessage('four');
  expect((await history.list()).map(({ content, createdAt }) => [content, createdAt])).toEqual(
    (await history.list()).map(({ content }) => [content, 1000]),
  );
  expect((await history.list()).length).toBeGreaterThan(1);
});
