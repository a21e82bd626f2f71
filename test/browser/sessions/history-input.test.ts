import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { InMemoryChatMemoryStore, type ChatMemoryStore } from '../../../src/sessions/chat-memory-store.ts';
import type { AddMessagesOptions, ChatMessageHistory } from '../../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { newId } from '../../../src/model/id.ts';
import { MAX_MESSAGE_CHARACTERS, type ChatMessage } from '../../../src/model/message.ts';
import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import type { SearchRows } from '../../../src/storage/search-rows.ts';
import type { TranscriptStore } from '../../../src/storage/transcript/transcript-store.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const GOOD = { role: 'user', content: 'good' } as const;
const BAD: Readonly<Record<string, unknown>> = {
  'an unknown role': { role: 'robot', content: 'x' },
  'an unknown field': { role: 'user', content: 'x', colour: 'red' },
  'a NaN token count': { role: 'user', content: 'x', tokens: { e: Number.NaN } },
  'a negative token count': { role: 'user', content: 'x', tokens: { e: -1 } },
  'half a token': { role: 'user', content: 'x', tokens: { e: 0.5 } },
  'token counts that are no record': { role: 'user', content: 'x', tokens: 'many' },
  'over-long text': { role: 'user', content: 'x'.repeat(MAX_MESSAGE_CHARACTERS + 1) },
  'no content': { role: 'user' },
  'content of a wrong type': { role: 'system', content: 5 },
  'a tool result without a call id': { role: 'tool', content: 'x' },
  'a tool call without a function': { role: 'assistant', content: null, tool_calls: [{ id: 'c' }] },
  'a cyclic content part': { role: 'user', content: [cyclic()] },
  'a function in a content part': { role: 'user', content: [{ type: 'x', toJSON: () => undefined }] },
  null: null,
  'a string': 'hello',
};

interface Subject {
  history: ChatMessageHistory;
  memories: ChatMemoryStore;
  transcript: TranscriptStore;
  search: SearchRows;
  /** All that is stored, to compare. */
  state(): Promise<unknown>;
}

const subjects: Readonly<Record<string, () => Promise<Subject>>> = {
  IndexedDB: async () => {
    const name = newId();
    const database = await openDatabase({ name });
    return {
      history: database.chatHistory('s'),
      memories: database.chatMemoryStore(),
      transcript: rowsOf(database).transcript,
      search: rowsOf(database).search,
      state: () => dump(name),
    };
  },
  memory: async () => {
    const history = new InMemoryChatMessageHistory();
    const memories = new InMemoryChatMemoryStore();
    const transcript = new InMemoryTranscript();
    return {
      history,
      memories,
      transcript,
      search: transcript.search,
      state: async () => [
        await history.list(),
        await memories.getMessages('m'),
        await transcript.listSessions(),
      ],
    };
  },
};

describe.each(Object.entries(subjects))('invalid input over %s', (_name, open) => {
  it.each(Object.entries(BAD))(
    'MSG-2: a message with %s is rejected with invalid-message and nothing changes',
    async (_what, bad) => {
      const { history, memories, state } = await open();
      await history.addMessages([GOOD]);
      await memories.updateMessages('m', [GOOD]);
      const before = await state();
      const messages = [GOOD, bad as ChatMessage];
      await expect(history.addMessages(messages)).rejects.toMatchObject({ code: 'invalid-message' });
      await expect(memories.updateMessages('m', messages)).rejects.toMatchObject({ code: 'invalid-message' });
      await expect(memories.changeMessages?.('m', () => messages)).rejects.toMatchObject({
        code: 'invalid-message',
      });
      expect(await state()).toEqual(before);
    },
  );

  it('MSG-3: a list that is not an array or has holes is rejected', async () => {
    const { history, state } = await open();
    const before = await state();
    for (const bad of [undefined, null, 'text', { length: 1 }, new Array<ChatMessage>(2)]) {
      await expect(history.addMessages(bad as ChatMessage[])).rejects.toMatchObject({
        code: 'invalid-message',
      });
    }
    expect(await state()).toEqual(before);
    await history.addMessages([]);
    expect(await state()).toEqual(before);
  });

  it('MSG-4: unknown turn states, empty turn ids and invalid times are rejected and nothing changes', async () => {
    const { history, transcript, state } = await open();
    const before = await state();
    const options: AddMessagesOptions[] = [
      { turnId: '' },
      { turnId: 5 as unknown as string },
      { turnId: null as unknown as string },
      { state: 'done' as unknown as 'complete' },
      { state: null as unknown as 'complete', turnId: 't' },
    ];
    for (const bad of options.slice(0, 4)) {
      await expect(history.addMessages([GOOD], bad)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    for (const createdAt of [Number.NaN, Infinity, '5' as unknown as number]) {
      await expect(
        transcript.append({ sessionId: 's', messages: [GOOD], state: 'complete', createdAt }),
      ).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect(await state()).toEqual(before);
  });

  it('MSG-5: metadata that cannot be stored is rejected with invalid-input and the turn is not stored', async () => {
    const { transcript, state } = await open();
    const before = await state();
    const metadata = { run: () => undefined };
    await expect(
      transcript.append({
        sessionId: 's',
        messages: [GOOD, GOOD],
        state: 'complete',
        createdAt: 1,
        metadata,
      }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await state()).toEqual(before);
  });

  it('HIST-5: list() rejects invalid limits and sequence numbers', async () => {
    const { history } = await open();
    await history.addMessages([GOOD, GOOD, GOOD]);
    for (const bad of [-1, 0.5, Number.NaN, '2' as unknown as number]) {
      await expect(history.list({ last: bad })).rejects.toMatchObject({ code: 'invalid-input' });
      await expect(history.list({ beforeSeq: bad })).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect(await history.list({ last: Number.MAX_SAFE_INTEGER })).toHaveLength(3);
    expect(await history.list({ last: Infinity, beforeSeq: Infinity })).toHaveLength(3);
    expect(await history.list({ beforeSeq: 0 })).toEqual([]);
  });

  it('MSG-7: lone surrogates are replaced with U+FFFD and complete pairs are kept', async () => {
    const { history, memories } = await open();
    const message: ChatMessage = { role: 'user', content: 'a\uD83D b😀' };
    await history.addMessages([message]);
    await memories.updateMessages('m', [message]);
    const kept = [{ role: 'user', content: 'a\uFFFD b😀' }];
    expect(await history.getMessages()).toEqual(kept);
    expect(await memories.getMessages('m')).toEqual(kept);
  });

  it('MSG-10: changing a passed or returned object does not change what is stored', async () => {
    const { history, memories } = await open();
    const given = { role: 'user' as const, content: [{ type: 'text' as const, text: 'a' }] };
    const list = [given];
    const [adding, updating] = [history.addMessages(list), memories.updateMessages('m', list)];
    given.content[0] = { type: 'text', text: 'changed' };
    list.push(given);
    await Promise.all([adding, updating]);
    const kept = [{ role: 'user', content: [{ type: 'text', text: 'a' }] }];
    for (const read of [() => history.getMessages(), () => memories.getMessages('m')]) {
      const got = await read();
      expect(got).toEqual(kept);
      got.pop();
      expect(await read()).toEqual(kept);
    }
  });

  it('CHM-14: an error thrown by an update of a chat memory is passed on, and nothing changes', async () => {
    const { memories } = await open();
    await memories.updateMessages('m', [GOOD]);
    const error = new TypeError('the tokenizer of the caller failed');
    await expect(
      memories.changeMessages?.('m', () => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(await memories.getMessages('m')).toEqual([GOOD]);
  });

  it('CHM-15: the id of a chat memory must be a string', async () => {
    const { memories, state } = await open();
    const before = await state();
    const bad = undefined as unknown as string;
    await expect(memories.getMessages(bad)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(memories.updateMessages(bad, [GOOD])).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(memories.deleteMessages(bad)).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await state()).toEqual(before);
  });

  it('VEC-6: vectors of one embedder must have the same length', async () => {
    const { transcript, search, state } = await open();
    const { messageIds } = await transcript.append({
      sessionId: 's',
      messages: [GOOD, { role: 'assistant', content: 'a' }],
      state: 'complete',
      createdAt: 1,
    });
    const [first = '', second = ''] = messageIds;
    await search.appendVectors('e', 'user', [{ id: first, vector: new Float32Array([1, 0]) }]);
    const before = await state();
    await expect(
      search.appendVectors('e', 'user', [{ id: second, vector: new Float32Array([1, 0, 0]) }]),
    ).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await state()).toEqual(before);
    await search.appendVectors('other', 'user', [{ id: second, vector: new Float32Array([1, 0, 0]) }]);
  });

  it('MSG-18: a turn id that many writers use at the same time is stored as one turn', async () => {
    const { history } = await open();
    const turn: ChatMessage[] = [GOOD, { role: 'assistant', content: 'a' }];
    await Promise.all(Array.from({ length: 20 }, () => history.addMessages(turn, { turnId: 't' })));
    expect((await history.list()).map((row) => row.seq)).toEqual([0, 1]);

    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        history.addMessages([{ ...GOOD, content: `${n}` }], { turnId: 'u' }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'turn-conflict' });
    }
    expect(await history.list()).toHaveLength(3);
  });
});

it('HIST-6: an empty session id or one that is not a string is rejected, and deleting an unknown session changes nothing', async () => {
  const name = newId();
  const database = await openDatabase({ name });
  await database.chatHistory('s').addMessages([GOOD]);
  const { changes: _before, ...before } = await dump(name);
  for (const bad of ['', undefined, 5]) {
    expect(() => database.chatHistory(bad as string)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
    await expect(database.deleteSession(bad as string)).rejects.toMatchObject({ code: 'invalid-option' });
  }
  await database.deleteSession('nobody');
  // The log says that documents of it are not to be stored which are still being embedded.
  const { changes: _after, ...after } = await dump(name);
  expect(after).toEqual(before);
});

it('HIST-7: deleting a session leaves only its tombstones and does not touch other sessions', async () => {
  const name = newId();
  const database = await openDatabase({ name });
  await database.chatHistory('other').addMessages([GOOD]);
  const other = await database.chatHistory('other').list();
  const secret = { role: 'user', content: 'the word is xyzzy' } as const;
  await database.chatHistory('s').addMessages([secret]);
  const [row] = await database.chatHistory('s').list();
  await rowsOf(database).search.appendVectors('e', 'user', [
    { id: row?.id ?? '', vector: new Float32Array([1]) },
  ]);
  await database.deleteSession('s');
  const rows = await dump(name);
  expect(JSON.stringify(rows)).not.toContain('xyzzy');
  expect(rows['vectors']).toEqual([]);
  expect(rows['sessions']).toHaveLength(1);
  expect(await database.chatHistory('other').list()).toEqual(other);
  expect((await database.sessions()).map((session) => session.id)).toEqual(['other']);
  await database.chatHistory('s').addMessages([GOOD]);
  expect(await database.chatHistory('s').list()).toHaveLength(1);
});

function cyclic(): object {
  const part: Record<string, unknown> = { type: 'x' };
  part['self'] = part;
  return part;
}
