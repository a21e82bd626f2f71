import { NO_CHANGE } from '../../src/storage/knowledge-store.ts';
import { documentTombstone } from '../../src/storage/document-tombstone.ts';
import { rowsOf } from '../fixtures/rows-of.ts';
import { describe, expect, it } from 'vitest';
import { exportBackup } from '../../src/backup/export-backup.ts';
import { importBackup } from '../../src/backup/import-backup.ts';
import { verifyDerived } from '../../src/backup/verify-derived.ts';
import type { MemoryDatabase } from '../../src/sessions/memory-database.ts';
import { readMissed, recordChange } from '../../src/storage/change-log.ts';
import { recordStore } from '../../src/storage/record-store.ts';
import type { Change, StoreName } from '../../src/storage/schema.ts';
import { BACKUP_STORES } from '../../src/storage/store-rules.ts';
import { STORE_NAMES } from '../../src/storage/schema.ts';
import type { ErasureSelector } from '../../src/storage/erasure.ts';
import type { ChangeCursor } from '../../src/storage/change-log.ts';
import { anyStore } from '../fixtures/any-store.ts';
import {
  contentsOf,
  goes,
  seed,
  SEEDS,
  textOf,
  type Erased,
  type Seeded,
} from '../fixtures/seeded-storage.ts';

/** Reads the claims of the turn again that continues an erased one. */
const RESTATED = 'restate/user s b';
const OF_A = ['question-a', 'answer-a'];
const OF_S = [...OF_A, 'question-b', 'answer-b'];
const OF_USER = [...OF_S, 'question-c', 'answer-c'];

interface Erasing {
  readonly name: string;
  readonly erase: (seeded: Seeded) => Promise<object>;
  readonly erased: Erased;
  /** Work that it queues. */
  readonly queued?: readonly string[];
  readonly counts: object;
}

function forgetting(select: (ids: Seeded['ids']) => ErasureSelector): Erasing['erase'] {
  return ({ database, ids }) => rowsOf(database).transcript.forget(select(ids), 'user');
}

const ERASINGS: readonly Erasing[] = [
  {
    name: 'a message',
    erase: forgetting((ids) => ({ messageId: ids['question-a'] ?? '' })),
    erased: { messages: ['question-a'] },
    queued: ['summary s *', RESTATED],
    counts: {
      messages: 1,
      turns: 1,
      sessions: 0,
      documents: 0,
      vectors: 2,
      facts: 3,
      entities: 2,
      summaries: 2,
    },
  },
  {
    name: 'turns',
    erase: forgetting(() => ({ turnIds: ['a', 'none'] })),
    erased: { messages: OF_A },
    queued: ['summary s *', RESTATED],
    counts: { messages: 2, turns: 1, vectors: 3, facts: 3, entities: 2, summaries: 2, records: 2 },
  },
  {
    name: 'turns of several sessions',
    erase: forgetting(() => ({ turnIds: ['b', 'c'] })),
    erased: { messages: ['question-b', 'answer-b', 'question-c', 'answer-c'] },
    counts: { messages: 4, turns: 2, vectors: 2, facts: 2, entities: 0, summaries: 2, records: 2 },
  },
  {
    name: 'a session',
    erase: forgetting(() => ({ sessionId: 's' })),
    erased: { messages: OF_S, sessions: ['s'] },
    counts: {
      messages: 4,
      turns: 2,
      sessions: 1,
      documents: 2,
      vectors: 4,
      facts: 4,
      entities: 3,
      summaries: 2,
    },
  },
  {
    name: 'what is earlier than a time',
    erase: forgetting(() => ({ before: 20 })),
    erased: { messages: OF_A, before: 20 },
    queued: ['summary s *', RESTATED],
    counts: { messages: 2, turns: 1, sessions: 0, documents: 2 },
  },
  {
    name: 'everything',
    erase: forgetting(() => ({ everything: true })),
    erased: { messages: OF_USER, sessions: ['s', 's2'], wholeScope: 'user' },
    counts: {
      messages: 6,
      turns: 3,
      sessions: 2,
      documents: 3,
      vectors: 5,
      facts: 7,
      entities: 5,
      summaries: 3,
    },
  },
  {
    name: 'the messages of a session',
    erase: ({ database }) => rowsOf(database).transcript.clearSession(['user', 's'], 'keep-row'),
    erased: { messages: OF_S },
    counts: { messages: 4, turns: 2, sessions: 0, documents: 0 },
  },
  {
    name: 'a session that is deleted',
    erase: ({ database }) => rowsOf(database).transcript.clearSession(['user', 's'], 'drop-row'),
    erased: { messages: OF_S, sessions: ['s'] },
    counts: { messages: 4, turns: 2, sessions: 1, documents: 2 },
  },
  {
    name: 'nothing that is there',
    erase: forgetting(() => ({ messageId: 'none' })),
    erased: { messages: [] },
    counts: { messages: 0, turns: 0, sessions: 0, facts: 0, summaries: 0 },
  },
];

type Rows = Partial<Record<StoreName, readonly string[]>>;

/** Session ids may be used again, so that sessions have no tombstones; those without messages are in no list. */
const EMPTY_SESSION: Rows = { sessions: ['s'], jobs: ['all s *'] };
/** What a list of a chat memory elsewhere holds besides the erased messages: lists have no tombstones. */
const LIST_OF_S = ['s: be kind'];
/** The seeded documents by their texts. */
const DOCUMENTS: Readonly<Record<string, { collection: string; id: string }>> = {
  'of s': { collection: 'user', id: 'd1' },
  'of s2': { collection: 'user', id: 'd2' },
  'of s, elsewhere': { collection: 'elsewhere', id: 'd3' },
  'of the other s': { collection: 'other', id: 'd1' },
};
const BY_HAND = ['user sam', 'user sam: by hand', 'user tea'];

/**
 * What has no tombstone, by what is erased: it comes back with an earlier backup, or stays where a later one is read.
 * The lists are to become shorter, never longer.
 */
const WITHOUT_TOMBSTONE: Readonly<Record<string, { comesBack?: Rows; stays?: Rows }>> = {
  'a session': { stays: { ...EMPTY_SESSION, chatMemories: LIST_OF_S } },
  'a session that is deleted': { stays: { ...EMPTY_SESSION, chatMemories: LIST_OF_S } },
  everything: {
    comesBack: { entities: BY_HAND },
    stays: {
      chatMemories: LIST_OF_S,
      sessions: ['s', 's2'],
      jobs: ['all s *', 'all s2 *'],
      entities: BY_HAND,
    },
  },
};

/** What is left of {@link SEEDS}, and what was made. */
function leftAfter({ erased, queued = [] }: Pick<Erasing, 'erased' | 'queued'>): Record<StoreName, string[]> {
  const left = {} as Record<StoreName, string[]>;
  for (const name of STORE_NAMES) {
    const rows = Object.entries(SEEDS[name]);
    left[name] = rows.filter(([, tie]) => !goes(tie, erased)).map(([row]) => row);
  }
  left.jobs.push(...queued);
  const gone = (name: StoreName): string[] =>
    Object.keys(SEEDS[name]).filter((row) => !left[name].includes(row));
  left.tombstones.push(
    ...erased.messages,
    ...gone('records').map((key) => `id of record ${key}`),
    ...gone('documents').map((text) => documentTombstone(DOCUMENTS[text] ?? { collection: '', id: '' })),
    ...gone('triples').filter((id) => id.startsWith('by hand')),
  );
  for (const name of STORE_NAMES) left[name].sort();
  return left;
}

/** Messages that refer to what is not there, by the store that they are in. */
const DAMAGES: Readonly<Record<StoreName, ((seeded: Seeded) => Promise<unknown>) | 'refers to no message'>> =
  {
    sessions: damaged('sessions', ['user', 's'], { messageCount: 9 }),
    messages: ({ database }) => write(database, 'sessions', (store) => store.delete(['user', 's'])),
    summaries: damaged('summaries', ['user', 's', 'late'], { coversSeq: 99 }),
    records: damaged('records', ['user', 'n', 'with nothing'], { messageIds: ['gone'] }),
    triples: damaged('triples', 'of question-c', { sources: [{ messageId: 'gone' }], messageIds: ['gone'] }),
    entities: damaged('entities', ['user', 'ann'], {
      mentions: [{ messageIds: ['gone'], note: '', aliases: [], recordedAt: 1 }],
      messageIds: ['gone'],
    }),
    vectors: damaged('vectors', ['f', 'user', 0], { ids: ['gone'] }),
    jobs: ({ database }) =>
      rowsOf(database).jobs.enqueue(
        [{ queue: 'new' }],
        [{ scope: 'user', sessionId: 's', turnIds: ['gone'] }],
      ),
    claims: damaged('claims', 'of question-c', { messageId: 'gone' }),
    postings: ({ database, ids }) =>
      write(database, 'postings', async (store) => {
        const row = (await store.get(['user', 0])) as { segment: { ids: string[] } };
        row.segment.ids = row.segment.ids.map((id) => (id === ids['question-c'] ? 'gone' : id));
        await store.put(row);
      }),
    tombstones: ({ database, ids }) =>
      write(database, 'tombstones', (store) => store.put(true, ids['question-c'])),
    chatMemories: 'refers to no message',
    documents: 'refers to no message',
    packedKnowledge: 'refers to no message',
    changes: 'refers to no message',
    meta: 'refers to no message',
  };

function damaged(name: StoreName, key: unknown, change: object): (seeded: Seeded) => Promise<unknown> {
  return ({ database }) =>
    write(database, name, async (store) => store.put({ ...((await store.get(key)) as object), ...change }));
}

function write<T>(
  database: MemoryDatabase,
  name: StoreName,
  body: (store: ReturnType<typeof anyStore>) => Promise<T>,
): Promise<T> {
  return rowsOf(database).connection.write([name], (transaction) => body(anyStore(transaction, name)));
}

async function fileOf(database: MemoryDatabase, scope?: string): Promise<string> {
  return (await exportBackup(rowsOf(database).connection, scope === undefined ? {} : { scope })).text();
}

/**
 * What storage does alike, whichever engine carries it out, in every store of the table.
 *
 * @param other opens a database over another engine, where there is one
 */
export function describeStorage(
  name: string,
  open: () => Promise<MemoryDatabase>,
  other: () => Promise<MemoryDatabase>,
): void {
  describe(`${name} keeps the storage contract`, () => {
    const seeded = async (foreign: Parameters<typeof seed>[1] = 'with foreign'): Promise<Seeded> =>
      seed(await open(), foreign);

    it('STO-33: a turn is appended once, in order, and a pending one is completed in its position', async () => {
      const { transcript } = rowsOf(await open());
      const question = { role: 'user', content: 'q' } as const;
      const answer = { role: 'assistant', content: 'r' } as const;
      const turn = { sessionId: 's', state: 'complete', createdAt: 1 } as const;
      await transcript.append({ ...turn, messages: [question], turnId: 't', state: 'pending' });
      await transcript.append({ ...turn, messages: [question, answer], turnId: 'later' });
      const ended = await transcript.append({ ...turn, messages: [question, answer], turnId: 't' });
      expect(ended).toMatchObject({ turnId: 't', duplicate: false });
      const again = { ...turn, messages: [question, answer], turnId: 't' };
      expect(await transcript.append(again)).toEqual({ ...ended, duplicate: true });
      const conflict = transcript.append({ ...again, messages: [question] });
      await expect(conflict).rejects.toMatchObject({ code: 'turn-conflict' });
      const rows = await transcript.listMessages(['user', 's']);
      expect(rows.map(({ seq, turnId, state }) => [seq, turnId, state])).toEqual([
        [0, 't', 'complete'],
        [1, 'later', 'complete'],
        [2, 'later', 'complete'],
        [3, 't', 'complete'],
      ]);
      expect(await transcript.session(['user', 's'])).toMatchObject({
        messageCount: 4,
        nextSeq: 4,
        nextTurn: 2,
        title: 'q',
      });
    });

    it('STO-34: messages and records are read in pages of the requested size', async () => {
      const database = await open();
      const messages = Array.from({ length: 9 }, (_, n) => ({ role: 'user' as const, content: String(n) }));
      await rowsOf(database).transcript.append({ sessionId: 's', messages, state: 'complete', createdAt: 1 });
      const page = async (options: object): Promise<string> =>
        (await rowsOf(database).transcript.listMessages(['user', 's'], options))
          .map(({ content }) => content)
          .join('');
      expect(await page({})).toBe('012345678');
      expect(await page({ last: 3 })).toBe('678');
      expect(await page({ last: 3, beforeSeq: 5 })).toBe('234');
      expect(await page({ beforeSeq: 3 })).toBe('012');
      expect(await page({ afterSeq: 5 })).toBe('678');
      expect(await page({ afterSeq: 2, beforeSeq: 6 })).toBe('345');
      expect(await page({ afterSeq: 2, beforeSeq: 6, last: 2 })).toBe('45');
      expect(await page({ afterSeq: 2, beforeSeq: 3 })).toBe('');
      expect(await page({ afterSeq: 5, beforeSeq: 3 })).toBe('');
      expect(await page({ last: 0 })).toBe('');
      expect(await page({ last: 2 ** 40, afterSeq: 99 })).toBe('');
      const records = database.records('n');
      for (const key of ['b', 'a/2', 'a/10', 'a', 'c']) await records.put(key, key);
      await database.records('m').put('a', 1);
      await database.records('n', { scope: 'other' }).put('a/1', 1);
      const keys = async (options?: object): Promise<string[]> =>
        (await records.list(options)).map(({ key }) => key);
      expect(await keys()).toEqual(['a', 'a/10', 'a/2', 'b', 'c']);
      expect(await keys({ prefix: 'a/' })).toEqual(['a/10', 'a/2']);
      expect(await keys({ prefix: 'a', limit: 2 })).toEqual(['a', 'a/10']);
      expect(await keys({ prefix: 'a', after: 'a/10' })).toEqual(['a/2']);
      expect(await keys({ prefix: 'a', after: 'a/2' })).toEqual([]);
      expect(await keys({ prefix: 'b', after: 'a' })).toEqual(['b']);
      expect(await keys({ prefix: 'a', after: 'b' })).toEqual([]);
      expect(await keys({ after: 'a/3', limit: 1 })).toEqual(['b']);
      expect(await keys({ limit: 0 })).toEqual([]);
      expect(await keys({ prefix: 'none' })).toEqual([]);
    });

    it.each(ERASINGS)(
      'FGT-40: forgetting $name erases what is derived from it in every store, and nothing else',
      async (erasing) => {
        const database = await seeded();
        const whole = leftAfter({ erased: { messages: [] } });
        expect(await contentsOf(database)).toEqual(whole);
        expect(await verifyDerived(rowsOf(database.database).connection, 'user')).toMatchObject({
          problems: [],
        });
        const receipt = await erasing.erase(database);
        expect(await contentsOf(database)).toEqual(leftAfter(erasing));
        expect(receipt).toMatchObject(erasing.counts);
        const text = await textOf(database);
        for (const message of erasing.erased.messages) {
          expect(text).not.toContain(message);
          expect(text).not.toContain(database.ids[message]);
        }
        expect(await verifyDerived(rowsOf(database.database).connection, 'user')).toMatchObject({
          problems: [],
        });
      },
    );

    it('FGT-40: what one scope forgets does not affect another', async () => {
      const database = await seeded('without foreign');
      const before = await contentsOf(database);
      for (const selector of [
        { messageId: database.ids['question-a'] ?? '' },
        { turnIds: ['a', 'b', 'c'] },
        { before: Infinity },
        { everything: true },
      ] as const)
        await rowsOf(database.database).transcript.forget(selector, 'nobody');
      await rowsOf(database.database).transcript.forget({ sessionId: 's' }, 'nobody');
      expect(await contentsOf(database)).toEqual(before);
    });

    it('FGT-40: an empty session is removed with what was tied to it alone', async () => {
      for (const how of ['forget', 'delete'] as const) {
        const database = await seeded('without foreign');
        const { transcript } = rowsOf(database.database);
        await transcript.forget({ turnIds: ['a', 'b'] }, 'user');
        if (how === 'forget') await transcript.forget({ sessionId: 's' }, 'user');
        else await transcript.clearSession(['user', 's'], 'drop-row');
        const contents = await contentsOf(database);
        expect(contents.sessions).toEqual(['other: s', 's2']);
        expect(contents.jobs.filter((job) => /^\w+ s /.test(job))).toEqual([]);
        expect(contents.records).not.toContain('with s');
        expect(await verifyDerived(rowsOf(database.database).connection, 'user')).toMatchObject({
          problems: [],
        });
      }
    });

    it('FGT-40: an entity forgotten with or without turns leaves nothing in the snapshots', async () => {
      for (const turnsOf of [[], ['question-a']]) {
        const source = await seeded('without foreign');
        const { knowledge } = rowsOf(source.database);
        const { cursor, facts, entities } = await knowledge.read('user');
        const emptied = {
          ...NO_CHANGE,
          removedFacts: facts.map(({ id }) => id),
          removedEntities: entities,
        };
        const sources = turnsOf.map((message) => source.ids[message] ?? '');
        const found = await knowledge.findNames('user', ['Nobody Named']);
        const erasure = { name: { found, sources, keptFrom: [], withTurns: true, isKnown: true } };
        expect(await knowledge.forget('user', emptied, cursor, erasure)).toMatchObject({
          turns: turnsOf.length,
        });
        expect(await contentsOf(source)).toMatchObject({
          packedKnowledge: ['other'],
          triples: ['of question-x'],
        });
      }
    });

    it('MSG-24: a replaced turn keeps its messages and loses what is derived from them, and nothing else changes', async () => {
      const source = await seeded();
      const { transcript, search, connection } = rowsOf(source.database);
      const { cursor } = await search.readChanges('user', 'e', undefined);
      const replacing = {
        sessionId: 's',
        turnId: 'new',
        replaces: ['a'],
        messages: [{ role: 'user' as const, content: 'other words' }],
        state: 'complete' as const,
        createdAt: 50,
      };
      await expect(transcript.append({ ...replacing, replaces: ['c'] })).rejects.toMatchObject({
        code: 'not-found',
      });
      expect(await contentsOf(source)).toEqual(leftAfter({ erased: { messages: [] } }));
      const receipt = await transcript.append(replacing);
      expect(await transcript.append(replacing)).toEqual({ ...receipt, duplicate: true });
      const whole = leftAfter({ erased: { messages: [] } });
      const left = leftAfter({ erased: { messages: OF_A }, queued: ['summary s *', RESTATED] });
      expect(await contentsOf(source)).toEqual({
        ...left,
        messages: [...whole.messages, 'other words'].toSorted(),
        chatMemories: whole.chatMemories,
        records: whole.records,
        tombstones: whole.tombstones,
      });
      const [old] = await transcript.loadTurns('user', ['a']);
      expect(old?.map(({ content, state }) => [content, state])).toEqual([
        ['question-a', 'replaced'],
        ['answer-a', 'replaced'],
      ]);
      expect((await transcript.session(['user', 's']))?.title).toBe('other words');
      const changes = await search.readChanges('user', 'e', cursor);
      expect(changes.removed).toEqual(OF_A.map((message) => source.ids[message]));
      const there = await other();
      await importBackup(rowsOf(there).connection, await exportBackup(connection));
      const states = (await rowsOf(there).transcript.listMessages(['user', 's'])).map(({ state }) => state);
      expect(states).toEqual(['replaced', 'replaced', 'complete', 'complete', 'complete']);
      expect(await verifyDerived(connection, 'user')).toMatchObject({ problems: [] });
    });

    it('BAK-42: moving a backup to the other engine and back gives the same bytes', async () => {
      for (const scope of [undefined, 'user']) {
        const source = await seeded('without foreign');
        const text = await fileOf(source.database, scope);
        const there = await other();
        await importBackup(rowsOf(there).connection, new Blob([text]));
        expect(await fileOf(there, scope)).toBe(text);
        const back = await open();
        await importBackup(rowsOf(back).connection, new Blob([await fileOf(there, scope)]));
        expect(await fileOf(back, scope)).toBe(text);
        if (scope === undefined) {
          const contents = await contentsOf({ ...source, database: back });
          const before = await contentsOf(source);
          for (const store of BACKUP_STORES) expect(contents[store], store).toEqual(before[store]);
        }
        const again = await importBackup(rowsOf(back).connection, new Blob([text]));
        expect(again).toMatchObject({ messages: 0, facts: 0, entities: 0, documents: 0, forgotten: 0 });
        expect(await fileOf(back, scope)).toBe(text);
        expect(await verifyDerived(rowsOf(back).connection, 'user')).toMatchObject({ problems: [] });
      }
    });

    it.each(ERASINGS)(
      'BAK-43: $name is not restored by an earlier backup, and erased elsewhere by a later one',
      async (erasing) => {
        const source = await seeded('without foreign');
        const earlier = new Blob([await fileOf(source.database)]);
        const there = await other();
        await importBackup(rowsOf(there).connection, earlier);
        await erasing.erase(source);
        const after = await contentsOf(source);
        const text = await fileOf(source.database);
        await importBackup(rowsOf(source.database).connection, earlier);
        const { comesBack = {}, stays = {} } = WITHOUT_TOMBSTONE[erasing.name] ?? {};
        const expectRows = async (database: MemoryDatabase, more: Rows): Promise<void> => {
          const contents = await contentsOf({ ...source, database });
          for (const store of BACKUP_STORES) {
            // What is imported has no claims, and all of it is read afterwards.
            const kept = (rows: readonly string[]): string[] => rows.filter((row) => row !== RESTATED);
            const rows = [...after[store], ...(more[store] ?? [])].toSorted();
            expect(kept(contents[store]), store).toEqual(kept(rows));
          }
        };
        await expectRows(source.database, comesBack);
        if (Object.keys(comesBack).length === 0) expect(await fileOf(source.database)).toBe(text);
        await importBackup(rowsOf(there).connection, new Blob([text]));
        await expectRows(there, stays);
        const everything = await textOf({ ...source, database: there });
        for (const message of erasing.erased.messages) expect(everything).not.toContain(message);
      },
    );

    it('RCD-4: deleted and forgotten records are not in backups, and are removed by a later backup', async () => {
      const one = await open();
      const two = await other();
      const records = one.records('n');
      const { messageIds } = await rowsOf(one).transcript.append({
        sessionId: 's',
        turnId: 't',
        messages: [{ role: 'user', content: 'q' }],
        state: 'complete',
        createdAt: 1,
      });
      const [messageId = ''] = messageIds;
      await records.put('kept', 1);
      await records.put('deleted', 2);
      await records.put('again', 3);
      await records.put('of message', 4, { messageIds: [messageId] });
      await records.put('of session', 5, { sessionId: 's' });
      const earlier = new Blob([await fileOf(one)]);
      await importBackup(rowsOf(two).connection, earlier);
      expect(await two.records('n').list()).toEqual(await records.list());
      await records.delete('deleted');
      await records.delete('again');
      await records.put('again', 'new');
      await rowsOf(one).transcript.forget({ sessionId: 's' }, 'user');
      const later = await fileOf(one);
      for (const key of ['deleted', 'of message', 'of session']) expect(later).not.toContain(`"${key}"`);
      await importBackup(rowsOf(one).connection, earlier);
      expect((await records.list()).map(({ key, value }) => [key, value])).toEqual([
        ['again', 'new'],
        ['kept', 1],
      ]);
      await importBackup(rowsOf(two).connection, new Blob([later]));
      expect((await two.records('n').list()).map(({ key, value }) => [key, value])).toEqual([
        ['again', 'new'],
        ['kept', 1],
      ]);
    });

    it('BAK-32: verify finds rows that refer to messages that do not exist, in every store', async () => {
      for (const store of STORE_NAMES) {
        const damage = DAMAGES[store];
        if (damage === 'refers to no message') continue;
        const database = await seeded();
        const { connection } = rowsOf(database.database);
        expect(await verifyDerived(connection, 'user')).toMatchObject({ ok: true, problems: [] });
        await damage(database);
        const before = await contentsOf(database);
        const report = await verifyDerived(connection, 'user');
        expect(report.ok, store).toBe(false);
        const named = store === 'tombstones' ? 'messages' : store;
        expect(
          report.problems.map((problem) => problem.store),
          store,
        ).toContain(named);
        expect(await contentsOf(database)).toEqual(before);
      }
    });

    it('TAB-5: the change log lists what was written since a cursor, in the order of writing', async () => {
      const { database, ids } = await seeded('without foreign');
      const { transcript, search, connection } = rowsOf(database);
      const start = (await search.readChanges('user', 'e', undefined)).cursor;
      const missedSince = (cursor: ChangeCursor): Promise<Change[] | undefined> =>
        connection.read(['changes', 'meta'], async (tx) => (await readMissed(tx, cursor)).missed);
      expect(await missedSince(start)).toEqual([]);
      const turn = { sessionId: 's', state: 'complete', createdAt: 40 } as const;
      await transcript.append({ ...turn, messages: [{ role: 'user', content: 'new' }], turnId: 'new' });
      await database.records('n').put('k', 1);
      await database.records('n').delete('k');
      await database.records('n').delete('k');
      await transcript.forget({ messageId: ids['answer-b'] ?? '' }, 'user');
      const changes = await missedSince(start);
      expect(changes?.slice(0, 3)).toEqual([
        { kind: 'turn', scope: 'user', sessionId: 's', fromSeq: 4, toSeq: 4 },
        { kind: 'records', scope: 'user', namespace: 'n' },
        { kind: 'records', scope: 'user', namespace: 'n' },
      ]);
      expect(
        changes
          ?.slice(3)
          .map(({ kind }) => kind)
          .toSorted(),
      ).toEqual(['knowledge', 'records', 'removed']);
      const read = await search.readChanges('user', 'e', start);
      expect(read).toMatchObject({
        reset: false,
        removed: [ids['answer-b']],
        messages: [{ content: 'new' }],
      });
      expect(read.cursor.revision).toBe(start.revision + 6);
      // Refused writes leave no gap.
      await expect(database.records('n').put('k', 1, { messageIds: ['none'] })).rejects.toMatchObject({
        code: 'not-found',
      });
      expect(await missedSince(read.cursor)).toEqual([]);
    });

    it('TAB-6: a reader of another generation, or from before compaction, is told to read everything again', async () => {
      const source = await seeded('without foreign');
      const { search, connection } = rowsOf(source.database);
      const start = await search.readChanges('user', 'e', undefined);
      expect(start).toMatchObject({ reset: true });
      const file = await exportBackup(rowsOf((await seeded('without foreign')).database).connection);
      const fresh = await open();
      const cursor = (await rowsOf(fresh).search.readChanges('user', 'e', undefined)).cursor;
      await importBackup(rowsOf(fresh).connection, file);
      const all = await rowsOf(fresh).search.readChanges('user', 'e', cursor);
      expect(all.reset).toBe(true);
      expect(all.messages).toHaveLength(6);
      expect(all.cursor.generation).not.toBe(cursor.generation);
      expect(await search.readChanges('user', 'e', { ...start.cursor, generation: 'x' })).toMatchObject({
        reset: true,
      });
      expect(
        await search.readChanges('user', 'e', { ...start.cursor, revision: start.cursor.revision + 9 }),
      ).toMatchObject({ reset: true });

      await connection.write(['changes'], async (transaction) => {
        for (let n = 0; n < 5_000; n += 1)
          await recordChange(transaction, {
            kind: 'records',
            scope: 'user',
            namespace: 'n',
          });
      });
      const count = await connection.read(['changes'], (tx) => tx.objectStore('changes').count());
      expect(count).toBeGreaterThanOrEqual(4_096);
      expect(count).toBeLessThan(4_096 + 512 + 1);
      expect(await search.readChanges('user', 'e', start.cursor)).toMatchObject({ reset: true });
      const late = { ...start.cursor, revision: start.cursor.revision + 5_000 - 4_096 };
      expect(await search.readChanges('user', 'e', late)).toMatchObject({ reset: false, messages: [] });
    });

    it('JOB-38: a job is queued once, taken by one term, given back, given up and retried', async () => {
      const { jobs } = rowsOf(await open());
      const origin = { scope: 'user', sessionId: 's', turnIds: ['a'] };
      await jobs.enqueue([{ queue: 'q' }], [origin, origin]);
      await jobs.enqueue([{ queue: 'q' }], [{ ...origin, turnIds: ['b'] }]);
      expect(await jobs.list()).toMatchObject([{ queue: 'q', turnIds: ['a', 'b'], attempts: 0 }]);
      const old = await jobs.beginTerm('q');
      const term = await jobs.beginTerm('q');
      expect(term).toBe(old + 1);
      const lost = { code: 'leadership-lost' };
      await expect(jobs.claim('q', old, Infinity)).rejects.toMatchObject(lost);
      const taken = await jobs.claim('q', term, Number.MAX_SAFE_INTEGER);
      if (!taken) throw new Error('nothing was due');
      await jobs.enqueue([{ queue: 'q' }], [{ ...origin, turnIds: ['c'] }]);
      expect(await jobs.list(['q', 'q', 'none'])).toMatchObject([{ turnIds: ['a', 'b', 'c'] }]);
      await jobs.fail(taken.ticket, { code: 'llm-http', message: 'no', kind: 'lasting' }, 'never');
      await expect(jobs.finish(taken.ticket)).rejects.toMatchObject(lost);
      expect((await jobs.list())[0]).toMatchObject({
        isDead: true,
        attempts: 1,
        error: { code: 'llm-http' },
      });
      expect(await jobs.retry(taken.job.id, 5)).toBe(true);
      expect(await jobs.retry(999, 5)).toBe(false);
      const again = await jobs.claim('q', term, Number.MAX_SAFE_INTEGER);
      expect(again?.job).toMatchObject({ id: taken.job.id, attempts: 0 });
      if (again) await jobs.finish(again.ticket);
      expect(await jobs.list()).toMatchObject([{ turnIds: ['c'] }]);
    });

    it('RCD-1: get returns the last value put under a key in its namespace and scope, until it is deleted', async () => {
      const database = await open();
      const records = database.records('n');
      expect(await records.get('k')).toBeUndefined();
      await records.delete('k');
      const values = [
        null,
        true,
        0,
        -1.5,
        '',
        'text',
        [],
        [1, [null]],
        {},
        { a: { b: [{}] } },
        '\u0000\uffff',
      ];
      for (const value of values) {
        await records.put('k', value);
        expect(await records.get('k')).toEqual(value);
        expect((await records.list())[0]).toMatchObject({ key: 'k', value, messageIds: [] });
      }
      expect(await records.list()).toHaveLength(1);
      expect(await database.records('m').get('k')).toBeUndefined();
      await database.records('m').delete('k');
      await database.records('m').put('k', 'other');
      expect(await records.get('k')).toBe('\u0000\uffff');
      await records.delete('k');
      expect(await records.get('k')).toBeUndefined();
      expect(await database.records('m').get('k')).toBe('other');
      const [row] = await database.records('m').list();
      expect(Object.keys(row ?? {}).toSorted()).toEqual(['key', 'messageIds', 'updatedAt', 'value']);
      expect(Math.abs(Date.now() - (row?.updatedAt ?? 0))).toBeLessThan(60_000);
    });

    it("RCD-1: two scopes cannot read, list, delete or overwrite each other's records", async () => {
      const database = await open();
      const [mine, theirs] = [database.records('n'), database.records('n', { scope: 'other' })];
      await mine.put('k', 'mine');
      await theirs.delete('k');
      expect(await theirs.get('k')).toBeUndefined();
      expect(await theirs.list()).toEqual([]);
      await theirs.put('k', 'theirs');
      expect(await theirs.list()).toMatchObject([{ value: 'theirs' }]);
      expect(await mine.get('k')).toBe('mine');
      await rowsOf(database).transcript.forget({ everything: true }, 'other');
      expect(await mine.get('k')).toBe('mine');
      await rowsOf(database).transcript.forget({ everything: true }, 'user');
      expect(await mine.get('k')).toBeUndefined();
      await theirs.put('k', 'theirs');
      expect(await theirs.get('k')).toBe('theirs');
    });

    it('RCD-1: changing a value after put or get has no effect, and lone surrogates become U+FFFD', async () => {
      const records = (await open()).records('n');
      const value = { list: ['old'] };
      const putting = records.put('k', value);
      value.list[0] = 'changed';
      await putting;
      for (const read of [await records.get('k'), (await records.list())[0]?.value])
        (read as typeof value).list.push('changed');
      expect(await records.get('k')).toEqual({ list: ['old'] });
      await records.put('lone', { 'a\ud800': '\udc00b', whole: '\ud83d\ude00' });
      expect(await records.get('lone')).toEqual({ 'a\ufffd': '\ufffdb', whole: '\ud83d\ude00' });
      await records.put('left out', { none: undefined, kept: 1 } as never);
      expect(await records.get('left out')).toEqual({ kept: 1 });
    });

    it('RCD-2: invalid values, keys, limits and ties are rejected and nothing changes', async () => {
      const { database, ids } = await seeded();
      const records = database.records('n');
      await records.put('k', 'old', { sessionId: 's', messageIds: [ids['question-b'] ?? ''] });
      const state = (): Promise<unknown> =>
        rowsOf(database).connection.read([...STORE_NAMES], (tx) =>
          Promise.all(STORE_NAMES.map((store) => anyStore(tx, store).getAll())),
        );
      const before = await state();
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      let deep: unknown = 'bottom';
      for (let level = 0; level < 200; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
      const values: unknown[] = [
        undefined,
        Number.NaN,
        -Infinity,
        1n,
        new Date(0),
        new Map(),
        new Set(),
        new Float32Array(1),
        new ArrayBuffer(1),
        Symbol('no'),
        () => undefined,
        [undefined],
        // oxlint-disable-next-line no-sparse-arrays -- a hole is no value
        [1, , 2],
        { a: { b: new Date(0) } },
        cycle,
        deep,
        { ['__proto__']: 1 },
        JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'),
        { constructor: 1 },
        { prototype: 1 },
        'x'.repeat(16_000_001),
        Array.from({ length: 17 }, () => 'x'.repeat(1_000_000)),
      ];
      const invalid = { code: 'invalid-input' };
      for (const value of values)
        await expect(records.put('k', value as never)).rejects.toMatchObject(invalid);
      const calls: [() => Promise<unknown>, code: string][] = [
        ...[undefined, null, '', 1, ['k'], {}].flatMap((key): [() => Promise<unknown>, string][] => [
          [() => records.get(key as never), 'invalid-input'],
          [() => records.put(key as never, 1), 'invalid-input'],
          [() => records.delete(key as never), 'invalid-input'],
        ]),
        [() => records.put('k', 1, { sessionId: '' }), 'invalid-input'],
        [() => records.put('k', 1, { sessionId: 1 as never }), 'invalid-input'],
        [() => records.put('k', 1, { messageIds: 'm' as never }), 'invalid-input'],
        [() => records.put('k', 1, { messageIds: [''] }), 'invalid-input'],
        [() => records.put('k', 1, { messageIds: [1 as never] }), 'invalid-input'],
        [() => records.put('k', 1, { messageIds: ['none'] }), 'not-found'],
        [() => records.put('k', 1, { messageIds: [ids['question-b'] ?? '', 'none'] }), 'not-found'],
        [() => records.put('k', 1, { messageIds: [ids['question-x'] ?? ''] }), 'not-found'],
        [() => records.list({ limit: -1 }), 'invalid-input'],
        [() => records.list({ limit: 1.5 }), 'invalid-input'],
        [() => records.list({ limit: Number.NaN }), 'invalid-input'],
        [() => records.list({ prefix: 1 as never }), 'invalid-input'],
        [() => records.list({ after: ['k'] as never }), 'invalid-input'],
      ];
      for (const [call, code] of calls) await expect(call(), call.toString()).rejects.toMatchObject({ code });
      const { connection } = rowsOf(database);
      const timeless = recordStore(connection, 'n', { scope: 'user', clock: () => Number.NaN });
      await expect(timeless.put('k', 1)).rejects.toMatchObject(invalid);
      const reason = new Error('given up');
      const signal = AbortSignal.abort(reason);
      await expect(records.get('k', { signal })).rejects.toBe(reason);
      await expect(records.put('k', 1, { signal })).rejects.toBe(reason);
      await expect(records.delete('k', { signal })).rejects.toBe(reason);
      await expect(records.list({ signal })).rejects.toBe(reason);
      for (const namespace of ['', 1, undefined])
        expect(() => database.records(namespace as never)).toThrow(
          expect.objectContaining({ code: 'invalid-option' }),
        );
      expect(await state()).toEqual(before);
      await rowsOf(database).transcript.forget({ turnIds: ['c'] }, 'user');
      const forgotten = records.put('k', 1, { messageIds: [ids['question-c'] ?? ''] });
      await expect(forgotten).rejects.toMatchObject({ code: 'not-found' });
      expect(await records.get('k')).toBe('old');
    });

    it('RCD-2: a record at the limits is stored, exported and imported unchanged', async () => {
      const database = await open();
      const records = database.records('n');
      let deep: unknown = 'bottom';
      for (let level = 0; level < 199; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
      await records.put('deep', deep as never);
      await records.put('large', 'x'.repeat(16_000_000));
      expect(await records.get('large')).toHaveLength(16_000_000);
      await records.put('large', '\u00e4'.repeat(1_000_000));
      await records.put('k'.repeat(1_000), 'long key');
      await records.put('\ud800', 'lone');
      await records.put('', 'empty').catch(() => undefined);
      const there = await other();
      await importBackup(rowsOf(there).connection, await exportBackup(rowsOf(database).connection));
      expect(await there.records('n').list()).toEqual(await records.list());
    });

    it('RCD-3: a record is erased with its session or any of its messages, and putting it again replaces its ties', async () => {
      const { database, ids } = await seeded('without foreign');
      const records = database.records('own');
      const id = (message: string): string => ids[message] ?? '';
      await records.put('both', 1, { messageIds: [id('question-a'), id('question-c'), id('question-a')] });
      await records.put('freed', 1, { sessionId: 's', messageIds: [id('question-a')] });
      await records.put('freed', 2);
      await records.put('rowless', 1, { sessionId: 'never written to' });
      expect(await records.list()).toMatchObject([
        { key: 'both', messageIds: [id('question-a'), id('question-c')] },
        { key: 'freed', value: 2, messageIds: [] },
        { key: 'rowless', sessionId: 'never written to' },
      ]);
      expect((await records.list())[1]).not.toHaveProperty('sessionId');
      expect(await rowsOf(database).transcript.forget({ messageId: id('question-c') }, 'user')).toMatchObject(
        {
          records: 2,
        },
      );
      await rowsOf(database).transcript.forget({ sessionId: 's' }, 'user');
      await database.deleteSession('never written to');
      expect((await records.list()).map(({ key }) => key)).toEqual(['freed']);
    });
  });
}
