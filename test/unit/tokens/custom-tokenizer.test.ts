import { describe, expect, it } from 'vitest';
import { createMemory, openDatabase, type Memory, type Tokenizer } from '../../../src/index.ts';
import { ConversationTokenBufferMemory } from '../../../src/langchain.ts';
import { TokenWindowChatMemory } from '../../../src/langchain4j.ts';
import { engineOf } from '../../../src/sessions/memory-database.ts';
import { forge, recordsOf } from '../../fixtures/backup-file.ts';

const tokenizer = (count: (text: string) => number): Tokenizer => ({
  id: 'mine/1',
  countText: count,
  countMessage: ({ content }) => count(JSON.stringify(content)),
});
const QUARTERS = tokenizer((text) => text.length / 4);
const NOT_COUNTS = [
  ['NaN', Number.NaN],
  ['infinity', Infinity],
  ['less than 0', -3],
  ['nothing', undefined as never],
] as const;

const open = (own?: Tokenizer): Promise<Memory> =>
  createMemory({ storage: 'memory', embedder: false, learning: false, ...(own ? { tokenizer: own } : {}) });

async function remembered(own: Tokenizer): Promise<Memory> {
  const memory = await open(own);
  await memory.remember({ user: 'The boat is blue and old.', assistant: 'A nice boat.' });
  return memory;
}

/** Exports a memory, imports the file into a new one, and returns the stored counts there. */
async function movedCounts(memory: Memory, change = (file: string): string => file): Promise<unknown[]> {
  const file = change(await (await memory.backup.export()).text());
  await using other = await open();
  await other.backup.import(new Blob([file]));
  return (await other.history({ sessionId: memory.sessionId })).map(({ tokens }) => tokens);
}

it('TOK-17: what a custom tokenizer estimates is stored as a whole number, and its backup can be imported', async () => {
  await using memory = await remembered(QUARTERS);
  const { tokens } = await memory.recall('What about the boat?');
  expect(Number.isSafeInteger(tokens)).toBe(true);
  await memory.work.settled();
  expect(await movedCounts(memory)).toEqual([{ 'mine/1': 7 }, { 'mine/1': 4 }]);
});

it('TOK-17: components store whole numbers, too', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  const chatHistory = database.chatHistory('buffer');
  const buffer = new ConversationTokenBufferMemory({
    chatHistory,
    tokenizer: QUARTERS,
  });
  await buffer.saveContext({ input: 'I row.' }, { output: 'Nice.' });
  expect((await chatHistory.list()).map(({ tokens }) => tokens)).toEqual([{ 'mine/1': 2 }, { 'mine/1': 2 }]);
  const store = database.chatMemoryStore();
  const window = new TokenWindowChatMemory({ id: 'window', store, maxTokens: 3, tokenizer: QUARTERS });
  await window.add({ role: 'user', content: 'I row.' });
  await window.add({ role: 'user', content: 'I sail.' });
  expect(await window.messages()).toEqual([{ role: 'user', content: 'I sail.' }]);
});

describe.each(NOT_COUNTS)('a custom tokenizer that returns %s', (_, count) => {
  const broken = tokenizer(() => count);

  it('TOK-18: the turn is stored without tokens, and a budget rejects with `invalid-option`', async () => {
    await using memory = await remembered(broken);
    await expect(memory.recall('What about the boat?')).rejects.toMatchObject({
      code: 'invalid-option',
      message: `The tokenizer "mine/1" must return a number of tokens from 0; got ${count}.`,
    });
    expect(await movedCounts(memory)).toEqual([undefined, undefined]);
  });

  it('TOK-18: an empty memory rejects, too', async () => {
    await using memory = await open(broken);
    await expect(memory.recall('What about the boat?')).rejects.toMatchObject({ code: 'invalid-option' });
  });

  it('TOK-18: components reject what they cannot count', async () => {
    const window = new TokenWindowChatMemory({ maxTokens: 100, tokenizer: broken });
    const adding = window.add({ role: 'user', content: 'I row.' });
    await expect(adding).rejects.toMatchObject({ code: 'invalid-option' });
  });
});

it('TOK-18: a turn is stored even if the tokenizer throws, and `recall` rejects with its error', async () => {
  const broken = tokenizer(() => {
    throw new RangeError('no vocabulary');
  });
  await using memory = await remembered(broken);
  expect(await memory.history()).toHaveLength(2);
  await expect(memory.recall('What about the boat?')).rejects.toThrow('no vocabulary');
});

it('BAK-84: token counts that earlier versions stored as a tokenizer returned them are left out of a backup', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  await using memory = await createMemory({ database, embedder: false, learning: false });
  await memory.remember({ user: 'The boat is blue.', assistant: 'A nice boat.' });
  await engineOf(database).write(['messages', 'chatMemories'], async (transaction) => {
    const store = transaction.objectStore('messages');
    for (const row of await store.getAll())
      await store.put({ ...row, tokens: { mine: Number.NaN, other: 5 } });
    const tokens = { mine: -1 };
    await transaction
      .objectStore('chatMemories')
      .put({ id: 'list', messages: [{ role: 'user', content: 'Hi.', tokens }] });
  });
  expect(await movedCounts(memory)).toEqual([{ other: 5 }, { other: 5 }]);
});

it('BAK-84: token counts in a file that are not whole numbers are not imported, and its messages are', async () => {
  await using memory = await remembered(QUARTERS);
  const fractional = (file: string): string =>
    forge(file, (record) => {
      if (record.store === 'messages') record.row['tokens'] = { mine: 6.25, 'mine/1': 7, below: -3 };
      return record;
    });
  expect(
    recordsOf(fractional(await (await memory.backup.export()).text())).records[1]?.row['tokens'],
  ).toEqual({
    mine: 6.25,
    'mine/1': 7,
    below: -3,
  });
  expect(await movedCounts(memory, fractional)).toEqual([{ 'mine/1': 7 }, { 'mine/1': 7 }]);
  await expect(
    movedCounts(memory, (file) =>
      forge(file, (record) => {
        if (record.store === 'messages') record.row['tokens'] = 7;
        return record;
      }),
    ),
  ).rejects.toMatchObject({ code: 'backup-invalid' });
});
