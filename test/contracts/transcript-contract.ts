import { describe, expect, it } from 'vitest';
import type { AppendInput, PendingTurn } from '../../src/storage/transcript/append-plan.ts';
import { endAbandonedTurns } from '../../src/storage/transcript/append-turn.ts';
import { splitTurns } from '../../src/model/turn.ts';
import { readSession } from '../../src/storage/transcript/read-session.ts';
import { storedVectors } from '../fixtures/databases/stored-vectors.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import type { SearchRows } from '../../src/storage/search-rows.ts';
import type { TranscriptStore } from '../../src/storage/transcript/transcript-store.ts';

const turn = (text: string, rest: Partial<AppendInput> = {}): AppendInput => ({
  sessionId: 's',
  scope: 'user',
  messages: [
    { role: 'user', content: text },
    { role: 'assistant', content: `re: ${text}` },
  ],
  state: 'complete',
  createdAt: 1,
  ...rest,
});

/** A transcript, and what search is made from. */
export type SearchedTranscript = TranscriptStore & {
  readonly search: SearchRows;
  readonly engine: StorageEngine;
};

/** What every {@link TranscriptStore} does alike. */
export function describeTranscript(name: string, open: () => Promise<SearchedTranscript>): void {
  describe(`${name} keeps the transcript contract`, () => {
    it('MSG-14: the messages of a session have sequence numbers without gaps, in the order of writing', async () => {
      const store = await open();
      await store.append(turn('a', { createdAt: 9 }));
      await store.append(turn('b', { createdAt: 2 }));
      const rows = await store.listMessages(['user', 's']);
      expect(rows.map((row) => [row.seq, row.turn, row.content])).toEqual([
        [0, 0, 'a'],
        [1, 0, 're: a'],
        [2, 1, 'b'],
        [3, 1, 're: b'],
      ]);
    });

    it('MSG-26: a clock is read when what is being stored has been stored', async () => {
      const store = await open();
      let now = 1;
      const before = store.engine.write(['sessions', 'messages'], async (transaction) => {
        for (let read = 0; read < 50; read += 1) await transaction.objectStore('sessions').get(['user', 's']);
        now = 2;
      });
      await Promise.all([before, store.append(turn('a', { createdAt: () => now }))]);
      expect((await store.listMessages(['user', 's'])).map((row) => row.createdAt)).toEqual([2, 2]);
    });

    it('MSG-15: without a turn id, a user message starts a turn that the following messages belong to', async () => {
      const store = await open();
      await store.append(turn('', { messages: [{ role: 'user', content: 'q' }] }));
      await store.append(turn('', { messages: [{ role: 'assistant', content: 'r' }] }));
      await store.append(turn('', { messages: [{ role: 'user', content: 'q2' }] }));
      const [q, r, q2] = await store.listMessages(['user', 's']);
      expect(r?.turnId).toBe(q?.turnId);
      expect(q2?.turnId).not.toBe(q?.turnId);
    });

    it('MSG-16: storing the same turn id with the same content twice stores one turn', async () => {
      const store = await open();
      const first = await store.append(turn('a', { turnId: 't' }));
      const second = await store.append(turn('a', { turnId: 't', createdAt: 5 }));
      expect(second).toEqual({ ...first, duplicate: true });
      expect(await store.listMessages(['user', 's'])).toHaveLength(2);
    });

    it('MSG-17: storing a known turn id with different content is rejected and nothing changes', async () => {
      const store = await open();
      await store.append(turn('a', { turnId: 't' }));
      await expect(store.append(turn('b', { turnId: 't' }))).rejects.toMatchObject({ code: 'turn-conflict' });
      await expect(store.append(turn('a', { turnId: 't', sessionId: 'other' }))).rejects.toMatchObject({
        code: 'turn-conflict',
      });
      expect(await store.listMessages(['user', 's'])).toHaveLength(2);
      expect(await store.listMessages(['user', 'other'])).toHaveLength(0);
    });

    it('MSG-19: the answer completes a pending turn in its original position', async () => {
      const store = await open();
      const question = { role: 'user', content: 'q' } as const;
      await store.append(turn('', { messages: [question], turnId: 't', state: 'pending' }));
      await store.append(turn('later'));
      const ended = await store.append(
        turn('', {
          messages: [question, { role: 'assistant', content: 'part' }],
          turnId: 't',
          state: 'cancelled',
        }),
      );
      expect(ended.messageIds).toHaveLength(2);
      const [rows] = await store.loadTurns('user', ['t']);
      expect(rows?.map((row) => [row.content, row.state, row.turn])).toEqual([
        ['q', 'cancelled', 0],
        ['part', 'cancelled', 0],
      ]);
    });

    it('MSG-19: a pending turn is completed by the whole turn or by its new messages alone', async () => {
      const store = await open();
      const question = { role: 'user', content: 'q' } as const;
      const begun = [question, { role: 'assistant', content: 'part' } as const];
      await store.append(turn('', { messages: begun, turnId: 't', state: 'pending' }));
      const other = [question, { role: 'assistant', content: 'whole' } as const];
      await expect(store.append(turn('', { messages: other, turnId: 't' }))).rejects.toMatchObject({
        code: 'turn-conflict',
      });
      await store.append(turn('', { messages: [{ role: 'assistant', content: 'rest' }], turnId: 't' }));
      expect((await store.listMessages(['user', 's'])).map((row) => [row.content, row.state])).toEqual([
        ['q', 'complete'],
        ['part', 'complete'],
        ['rest', 'complete'],
      ]);
    });

    it('HIST-8: pending turns of a scope whose tab is gone are marked as failed and can still be completed', async () => {
      const store = await open();
      const question = { role: 'user', content: 'q' } as const;
      const pending = { messages: [question], state: 'pending' } as const;
      await store.append(turn('before'));
      await store.append(turn('', { ...pending, turnId: 'dead', openedBy: 'gone' }));
      await store.append(turn('', { ...pending, turnId: 'alive', openedBy: 'here' }));
      await store.append(
        turn('', { ...pending, turnId: 'other', openedBy: 'gone', sessionId: 'o', scope: 'other' }),
      );
      const { cursor } = await store.search.readChanges('user', undefined, undefined);
      const seen: PendingTurn[] = [];
      expect(await endAbandonedTurns(store.engine, 'user', (each) => seen.push(each) < 0)).toBe(0);
      expect(seen.map(({ turnId, openedBy }) => [turnId, openedBy])).toEqual([
        ['dead', 'gone'],
        ['alive', 'here'],
      ]);
      expect((await store.search.readChanges('user', undefined, cursor)).messages).toEqual([]);

      const isGone = ({ openedBy }: PendingTurn): boolean => openedBy === 'gone';
      expect(await endAbandonedTurns(store.engine, 'user', isGone)).toBe(1);
      expect(await endAbandonedTurns(store.engine, 'user', isGone)).toBe(0);
      const states = async (): Promise<(string | undefined)[]> =>
        [
          ...(await store.loadTurns('user', ['dead', 'alive'])),
          ...(await store.loadTurns('other', ['other'])),
        ].map((rows) => rows[0]?.state);
      expect(await states()).toEqual(['failed', 'pending', 'pending']);
      const changes = await store.search.readChanges('user', undefined, cursor);
      expect(changes.messages.map((row) => [row.turnId, row.state])).toEqual([['dead', 'failed']]);

      const answer = { role: 'assistant', content: 'late' } as const;
      for (const turnId of ['dead', 'alive']) {
        await store.append(turn('', { messages: [question, answer], turnId }));
      }
      expect(await states()).toEqual(['complete', 'complete', 'pending']);
      const [late] = await store.loadTurns('user', ['dead']);
      expect(late?.map((row) => row.content)).toEqual(['q', 'late']);
      for (const row of late ?? [])
        for (const field of ['openedBy', 'isAbandoned']) expect(row).not.toHaveProperty(field);
    });

    it('HIST-8: a turn that failed while its tab was alive cannot be completed any more', async () => {
      const store = await open();
      const question = { role: 'user', content: 'q' } as const;
      await store.append(turn('', { messages: [question], turnId: 't', state: 'pending' }));
      await store.append(turn('', { messages: [question], turnId: 't', state: 'failed' }));
      expect(await endAbandonedTurns(store.engine, 'user', () => true)).toBe(0);
      const answer = { role: 'assistant', content: 'late' } as const;
      await expect(
        store.append(turn('', { messages: [question, answer], turnId: 't' })),
      ).rejects.toMatchObject({ code: 'turn-conflict' });
    });

    it('HIST-3: listMessages returns pages, newest first', async () => {
      const store = await open();
      for (const text of ['a', 'b', 'c']) await store.append(turn(text));
      const newest = await store.listMessages(['user', 's'], { last: 2 });
      expect(newest.map((row) => row.seq)).toEqual([4, 5]);
      const before = await store.listMessages(['user', 's'], { last: 3, beforeSeq: 4 });
      expect(before.map((row) => row.seq)).toEqual([1, 2, 3]);
      expect(await store.listMessages(['user', 's'], { last: 0 })).toEqual([]);
      expect(await store.listMessages(['user', 's'], { last: 99 })).toHaveLength(6);
      expect(await store.listMessages(['user', 'nobody'], { last: 5 })).toEqual([]);
    });

    it('HIST-4: the sessions of a scope are listed newest first, titled by their first user message', async () => {
      const store = await open();
      await store.append(turn('first words', { createdAt: 1 }));
      await store.append(turn('other', { sessionId: 's2', createdAt: 2 }));
      await store.append(turn('foreign', { sessionId: 's3', scope: 'guest', createdAt: 3 }));
      expect((await store.listSessions('user')).map((session) => [session.id, session.title])).toEqual([
        ['s2', 'other'],
        ['s', 'first words'],
      ]);
      expect(await store.listSessions()).toHaveLength(3);
    });

    it('REC-35: a session is read backwards until there is enough, with whole complete turns only', async () => {
      const store = await open();
      const read = (afterSeq: number, enough: number): Promise<string[]> =>
        readSession(store.engine, ['user', 's'], {
          memoryId: 'main',
          reach: () => ({ afterSeq, isEnough: (messages) => splitTurns(messages).length >= enough }),
        }).then(({ messages }) => messages.map(({ content }) => String(content)));
      expect(await read(-1, 1)).toEqual([]);
      for (let n = 0; n < 50; n++) await store.append(turn(`q${n}`, { turnId: `t${n}` }));
      await store.append(turn('waiting', { turnId: 'p', state: 'pending' }));
      const all = Array.from({ length: 50 }, (_, n) => [`q${n}`, `re: q${n}`]).flat();
      expect(await read(-1, 1)).toEqual(all.slice(2 * 19)); // a page of 64 messages, two of them waiting
      expect(await read(-1, 40)).toEqual(all);
      expect(await read(-1, 1000)).toEqual(all);
      expect(await read(2 * 40, 1000)).toEqual(all.slice(2 * 40)); // whole, where the summary ends within a turn
      const nothing = await readSession(store.engine, ['user', 'none'], {
        memoryId: 'main',
        reach: () => undefined,
      });
      expect(nothing).toEqual({ session: undefined, summary: undefined, erasures: 0, messages: [] });
      expect(await store.session(['user', 'none'])).toBeUndefined();
    });

    it('STO-16: each store has its own secret of 256 bits', async () => {
      const store = await open();
      const secret = await store.secret();
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.secret()).toBe(secret);
      expect(await (await open()).secret()).not.toBe(secret);
    });

    it('FGT-2: forgetting erases messages, vectors and a title that quoted them, and numbers are not used again', async () => {
      const store = await open();
      const { messageIds } = await store.append(turn('secret', { turnId: 't' }));
      await store.append(turn('harmless'));
      await store.search.appendVectors(
        'e',
        'user',
        messageIds.map((id) => ({ id, vector: new Float32Array([1, 0]) })),
      );
      const receipt = await store.forget({ turnIds: ['t'] }, 'user');
      expect(receipt).toEqual({
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
      expect((await store.session(['user', 's']))?.title).toBe('harmless');
      expect(await storedVectors(store.search, 'user', 'e')).toEqual([]);
      await store.append(turn('next'));
      expect((await store.listMessages(['user', 's'])).map((row) => row.seq)).toEqual([2, 3, 4, 5]);
    });

    it('FGT-1: messages are selected by message, turn, session, time or everything, within the scope', async () => {
      const store = await open();
      const { messageIds } = await store.append(turn('a', { createdAt: 1 }));
      await store.append(turn('b', { createdAt: 2 }));
      await store.append(turn('c', { sessionId: 's2', createdAt: 3 }));
      await store.append(turn('d', { sessionId: 's3', scope: 'guest', createdAt: 1 }));
      expect(await store.forget({ messageId: messageIds[0] ?? '' }, 'guest')).toMatchObject({ messages: 0 });
      expect(await store.forget({ messageId: messageIds[0] ?? '' }, 'user')).toMatchObject({ messages: 1 });
      expect(await store.forget({ before: 2 }, 'user')).toMatchObject({ messages: 1, turns: 1 });
      expect(await store.forget({ sessionId: 's2' }, 'user')).toMatchObject({ messages: 2, sessions: 1 });
      expect(await store.forget({ everything: true }, 'user')).toMatchObject({ messages: 2, sessions: 1 });
      expect((await store.listSessions()).map((session) => session.id)).toEqual(['s3']);
    });

    it('TAB-1: a reader gets what was written, embedded and removed since its cursor', async () => {
      const store = await open();
      const empty = await store.search.readChanges('user', 'e', undefined);
      const { messageIds } = await store.append(turn('a'));
      await store.search.appendVectors('e', 'user', [
        { id: messageIds[0] ?? '', vector: new Float32Array([3, 4]) },
      ]);
      const added = await store.search.readChanges('user', 'e', empty.cursor);
      expect(added).toMatchObject({
        reset: false,
        removed: [],
        messages: [{ content: 'a' }, { content: 're: a' }],
      });
      expect(added.vectors).toEqual([{ id: messageIds[0], vector: new Float32Array([3, 4]) }]);
      await store.forget({ messageId: messageIds[0] ?? '' }, 'user');
      const removed = await store.search.readChanges('user', 'e', added.cursor);
      expect(removed).toMatchObject({ reset: false, removed: [messageIds[0]], messages: [], vectors: [] });
      const nothing = await store.search.readChanges('user', 'e', removed.cursor);
      expect(nothing).toMatchObject({ reset: false, removed: [], messages: [], vectors: [] });
    });

    it('TAB-2: a reader without a cursor, or with one of another database, gets the whole state', async () => {
      const store = await open();
      await store.append(turn('a'));
      await store.append(turn('foreign', { sessionId: 'x', scope: 'guest' }));
      const all = await store.search.readChanges('user', undefined, { generation: 'gone', revision: 7 });
      expect(all).toMatchObject({ reset: true, messages: [{ content: 'a' }, { content: 're: a' }] });
    });

    it('FGT-11: vectors that arrive after their messages were forgotten are not stored', async () => {
      const store = await open();
      const { messageIds } = await store.append(turn('a', { turnId: 't' }));
      await store.forget({ turnIds: ['t'] }, 'user');
      await store.search.appendVectors(
        'e',
        'user',
        messageIds.map((id) => ({ id, vector: new Float32Array([1]) })),
      );
      expect(await storedVectors(store.search, 'user', 'e')).toEqual([]);
    });

    it('MSG-22: token counts are stored with the messages', async () => {
      const store = await open();
      await store.append(turn('', { messages: [{ role: 'user', content: 'q', tokens: { a: 4 } }] }));
      const [row] = await store.listMessages(['user', 's']);
      await store.recordTokens('b', new Map([[row?.id ?? '', 7]]));
      expect((await store.listMessages(['user', 's']))[0]?.tokens).toEqual({ a: 4, b: 7 });
    });
  });
}
