import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { newId } from '../../../src/model/id.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import {
  ConversationBufferWindowMemory,
  ConversationTokenBufferMemory,
} from '../../../src/components/langchain/buffer-memories.ts';
import { TokenWindowChatMemory } from '../../../src/components/langchain4j/window-chat-memories.ts';
import type { Tokenizer } from '../../../src/tokens/tokenizer.ts';
import { watchIdb } from '../../fixtures/faults/idb-spy.ts';

const MESSAGES = 10_000;
const TURN: readonly ChatMessage[] = [
  { role: 'user', content: 'one more' },
  { role: 'assistant', content: 'noted' },
];

let database: MemoryDatabase;
/** Every message costs ten. */
const counting = (): Tokenizer & { counted: number } => ({
  id: 'ten',
  counted: 0,
  countText: () => 10,
  countMessage() {
    this.counted += 1;
    return 10;
  },
});

beforeAll(async () => {
  database = await openDatabase({ name: newId() });
  const turns = Array.from({ length: MESSAGES / 2 }, (_, n): ChatMessage[] => [
    { role: 'user', content: `question ${n}` },
    { role: 'assistant', content: `answer ${n}` },
  ]);
  await database.chatHistory('long').addMessages(turns.flat());
  await database.chatHistory('neighbor').addMessages(turns.slice(0, 50).flat());
  await rowsOf(database).connection.losses?.last(); // reads a row when the database was opened
});

it('HIST-11: list({ last }) over 10,000 messages reads only the rows it returns, in one transaction', async () => {
  const history = database.chatHistory('long');
  let listed: readonly { content: unknown }[] = [];
  const traffic = await watchIdb(async () => (listed = await history.list({ last: 20 })));
  expect(listed.map((row) => row.content).slice(-2)).toEqual(['question 4999', 'answer 4999']);
  expect(listed).toHaveLength(20);
  expect(traffic.rows).toBe(20);
  expect(traffic.keys).toBeLessThanOrEqual(5);
  expect([traffic.readonly.length, traffic.readwrite.length]).toEqual([1, 0]);

  const page = await watchIdb(async () => (listed = await history.list({ last: 20, beforeSeq: 5_000 })));
  expect(listed.map((row) => row.content).slice(-2)).toEqual(['question 2499', 'answer 2499']);
  expect(page.rows).toBe(20);
});

it('HIST-12: adding the 10,001st message reads at most three rows and writes three in one transaction', async () => {
  const history = database.chatHistory('long');
  const traffic = await watchIdb(() => history.addUserMessage('one more'));
  expect(traffic.readwrite).toEqual([['changes', 'messages', 'sessions']]);
  expect(traffic.readonly).toEqual([]);
  expect(traffic.writes).toBe(3); // the message, its session, the log of changes
  expect(traffic.rows).toBeLessThanOrEqual(3);

  const turn = await watchIdb(() => history.addMessages(TURN, { turnId: newId() }));
  expect([turn.readwrite.length, turn.readonly.length, turn.writes]).toEqual([1, 0, 4]);
  expect(turn.rows).toBeLessThanOrEqual(3);
});

it('CMP-3: a window of five turns over 10,000 messages reads those turns and a small margin', async () => {
  const memory = new ConversationBufferWindowMemory({
    chatHistory: database.chatHistory('long'),
    k: 5,
    returnMessages: true,
  });
  let loaded: Record<string, unknown> = {};
  const traffic = await watchIdb(async () => (loaded = await memory.loadMemoryVariables({})));
  expect((loaded['history'] as unknown[]).length).toBeGreaterThanOrEqual(9);
  expect(traffic.rows).toBeLessThanOrEqual(100);
  const saving = await watchIdb(() => memory.saveContext({ input: 'a' }, { output: 'b' }));
  expect(saving.readwrite).toHaveLength(1);
  expect(saving.rows).toBeLessThanOrEqual(3);
});

it('CMP-4: a token window over 10,000 messages reads what it returns and a small margin, and counts each message once', async () => {
  const tokenizer = counting();
  const memory = new ConversationTokenBufferMemory({
    chatHistory: database.chatHistory('long'),
    maxTokenLimit: 205,
    tokenizer,
    returnMessages: true,
  });
  let loaded: Record<string, unknown> = {};
  const traffic = await watchIdb(async () => (loaded = await memory.loadMemoryVariables({})));
  expect((loaded['history'] as unknown[]).length).toBeGreaterThanOrEqual(18);
  // Those read, and again to write their counts down beside them.
  expect(traffic.rows).toBeLessThanOrEqual(150);
  expect(tokenizer.counted).toBeLessThanOrEqual(64);
  const counted = tokenizer.counted;
  const again = await watchIdb(() => memory.loadMemoryVariables({}));
  expect(tokenizer.counted).toBe(counted);
  expect(again.rows).toBeLessThanOrEqual(100);
  expect(again.readwrite).toEqual([]);
});

it('CHM-10: adding a message to a token window counts it and writes the list and one message of the transcript', async () => {
  const tokenizer = counting();
  const memory = new TokenWindowChatMemory({
    id: newId(),
    maxTokens: 1_000_000,
    tokenizer,
    store: database.chatMemoryStore(),
  });
  const messages = Array.from({ length: 500 }, (_, n): ChatMessage => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `${n}`,
  }));
  await memory.addAll(messages);
  expect(await memory.messages()).toHaveLength(500);
  tokenizer.counted = 0;
  const traffic = await watchIdb(() => memory.add({ role: 'user', content: 'the 501st' }));
  expect(tokenizer.counted).toBe(1);
  expect(traffic.readwrite.flat()).toContain('chatMemories');
  expect(traffic.readonly).toEqual([]);
  // The list, and in the transcript the message, its session and the change.
  expect(traffic.writes).toBe(4);
  expect(traffic.rows).toBeLessThanOrEqual(4);
  expect((await memory.messages()).at(-1)).toEqual({ role: 'user', content: 'the 501st' });
  expect(tokenizer.counted).toBe(1);
});

it('TAB-3: the change log is compacted, and a reader that is too far behind gets the whole state', async () => {
  const small = await openDatabase({ name: newId() });
  const history = small.chatHistory('s');
  await history.addUserMessage('first');
  const { cursor } = await rowsOf(small).search.readChanges('user', undefined, undefined);
  // Removing nothing writes a change and nothing else.
  for (let n = 0; n < 4_700; n += 1) await rowsOf(small).documents.remove('c', []);
  const late = await rowsOf(small).search.readChanges('user', undefined, cursor);
  expect(late).toMatchObject({ reset: true, messages: [{ content: 'first' }] });
  await history.addUserMessage('second');
  const next = await rowsOf(small).search.readChanges('user', undefined, late.cursor);
  expect(next).toMatchObject({ reset: false, messages: [{ content: 'second' }] });
  const traffic = await watchIdb(() =>
    rowsOf(small).search.readChanges('user', undefined, { ...cursor, revision: 0 }),
  );
  expect(traffic.rows).toBeLessThanOrEqual(4_096 + 512 + 10);
});
