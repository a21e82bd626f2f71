import { expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { newId } from '../../../src/model/id.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { verifyDerived } from '../../../src/backup/verify-derived.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { Knowledge as IndexedDbKnowledgeStore } from '../../../src/storage/knowledge-store.ts';
import { SummaryStore as IndexedDbSummaryStore } from '../../../src/storage/summary-store.ts';
import type { DocumentRecord, MessageRecord } from '../../../src/storage/schema.ts';
import { makeDatabaseV1 } from '../../fixtures/databases/database-v1.ts';
import { makeDatabaseV2 } from '../../fixtures/databases/database-v2.ts';
import { makeDatabaseV7, ROWS_V7 } from '../../fixtures/databases/database-v7.ts';
import { dump, openRaw, shape } from '../../fixtures/databases/raw-database.ts';

it('UPG-1: a database of version 1 opens, and everything in it is read correctly', async () => {
  const name = newId();
  await makeDatabaseV1(name);
  const database = await openDatabase({ name });
  expect(await database.sessions()).toEqual([
    {
      id: 'lisbon',
      scope: 'user',
      title: 'What is the weather in Lisbon?',
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_060_000,
      messageCount: 6,
    },
  ]);
  const history = database.chatHistory('lisbon');
  const rows = await history.list();
  expect(rows.map((row) => [row.seq, row.turnId, row.role, row.state])).toEqual([
    [0, 't0', 'user', 'complete'],
    [1, 't0', 'assistant', 'complete'],
    [2, 't0', 'tool', 'complete'],
    [3, 't0', 'assistant', 'complete'],
    [4, 't1', 'user', 'complete'],
    [6, 't2', 'user', 'pending'],
  ]);
  expect(rows[0]).toMatchObject({ tokens: { o200k_base: 10 }, metadata: { source: 'phone' } });
  expect(await history.getMessages()).toEqual([
    { role: 'user', content: 'What is the weather in Lisbon?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } },
      ],
    },
    { role: 'tool', content: 'sunny', tool_call_id: 'c1' },
    { role: 'assistant', content: 'Sunny.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And here?' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
  ]);
  expect(await database.chatMemoryStore().getMessages('window')).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi', tokens: { o200k_base: 5 } },
  ]);
  expect((await rowsOf(database).documents.readChanges('notes', undefined)).documents).toMatchObject([
    { id: 'd1', text: 'Tea is in the left drawer.', embedding: { vector: new Float32Array([0.6, 0.8]) } },
  ]);
  const whole = await rowsOf(database).search.readChanges('user', 'e', undefined);
  expect(whole.cursor).toEqual({ generation: '00112233445566778899aabbccddeeff', revision: 6 });
  expect(whole.vectors).toEqual([
    { id: 'm0', vector: new Float32Array([1, 0]) },
    { id: 'm3', vector: new Float32Array([0, 1]) },
  ]);
  expect(await rowsOf(database).transcript.session(['user', 'lisbon'])).not.toHaveProperty('fenceMark');
});

it('UPG-1: a database of version 2 opens, and everything in it is read correctly', async () => {
  const name = newId();
  await makeDatabaseV2(name);
  const before = await dump(name);
  const database = await openDatabase({ name });
  expect((await database.sessions()).map((session) => [session.id, session.messageCount])).toEqual([
    ['sam', 4],
    ['lisbon', 6],
    ['guest', 1],
  ]);
  expect((await database.chatHistory('sam').getMessages())[2]).toEqual({
    role: 'user',
    content: 'Sam lives in Turin now.',
    name: 'ann',
  });
  expect((await rowsOf(database).documents.readChanges('notes', undefined)).documents).toMatchObject([
    { id: 'd1', sessionId: 'lisbon', metadata: { read: new Date(1_700_000_000_000) } },
  ]);
  const whole = await rowsOf(database).search.readChanges('user', 'e', undefined);
  expect(whole.cursor).toEqual({ generation: '112233445566778899aabbccddeeff00', revision: 5 });
  expect(whole.vectors.map((row) => row.id)).toEqual(['m3', 'm0', 's2', 's0']);
  const connection = new Connection({ name });
  const { summary, erasures } = await new IndexedDbSummaryStore(connection).load(['user', 'sam'], 'main');
  expect([summary?.coversSeq, summary?.queue, erasures]).toEqual([1, 'summarize', 0]);
  const knowledge = await new IndexedDbKnowledgeStore(connection).read('user');
  expect(knowledge.facts.map((fact) => [fact.id, fact.seq, fact.messageIds])).toEqual([
    ['f-friend', 3, []],
    ['f-rome', 0, ['s0']],
    ['f-tea', 1, ['s0']],
    ['f-turin', 2, ['s2']],
  ]);
  expect(knowledge.entities.map((entity) => [entity.key, entity.mentions.length])).toEqual([
    ['rome', 0],
    ['sam', 2],
    ['tea', 0],
    ['turin', 0],
    ['user', 0],
  ]);
  const jobs = await connection.read(['jobs'], (transaction) =>
    transaction.objectStore('jobs').index('queue').getAll('extract'),
  );
  expect(jobs).toMatchObject([{ id: 4, turnIds: ['sam-t1'], attempts: 2, lease: 3 }]);
  expect(await dump(name)).toEqual(asUpgraded(before));
  connection.close();
  database.close();
});

it('UPG-14: a database of version 7 keeps every row, with the scope in the keys', async () => {
  const name = newId();
  await makeDatabaseV7(name);
  const database = await openDatabase({ name });
  const after = await dump(name);
  for (const [store, rows] of Object.entries(ROWS_V7)) {
    const sorted = (list: readonly unknown[]): unknown[] => list.map((row) => JSON.stringify(row)).toSorted();
    const scopes = ['alice', 'alice', 'user', 'nobody'];
    const wanted = store === 'documents' ? rows.map((row, at) => ({ scope: scopes[at], ...row })) : rows;
    expect(sorted(after[store] ?? []), store).toEqual(sorted(wanted));
  }
  const { connection, transcript, summaries } = rowsOf(database);
  expect(await database.chatHistory('today', { scope: 'alice' }).getMessages()).toMatchObject([
    { content: 'I like tea.' },
    { content: 'Noted.' },
  ]);
  expect(await database.chatHistory('today').list()).toEqual([]);
  expect((await summaries.load(['alice', 'today'], 'main')).summary?.text).toBe('Alice likes tea.');
  expect(await database.records('n', { scope: 'alice' }).get('k')).toBe('of alice');
  expect(await database.records('n').get('k')).toBeUndefined();
  // The open ids of the other scope can be used now, and the indexes are complete.
  await transcript.append({
    sessionId: 'today',
    turnId: 'a0',
    messages: [{ role: 'user', content: 'mine' }],
    state: 'complete',
    createdAt: 9,
  });
  expect(await verifyDerived(connection, 'alice')).toMatchObject({ problems: [] });
  expect(await transcript.forget({ sessionId: 'today' }, 'alice')).toMatchObject({
    messages: 2,
    sessions: 1,
    documents: 2,
    summaries: 1,
    records: 1,
  });
  expect(await rowsOf(database).jobs.list()).toMatchObject([{ scope: 'user', sessionId: 'plan' }]);
  expect(await database.chatHistory('today').list()).toMatchObject([{ content: 'mine' }]);
  database.close();
});

it('UPG-2: an old database continues where it was', async () => {
  const name = newId();
  await makeDatabaseV1(name);
  const database = await openDatabase({ name });
  const history = database.chatHistory('lisbon');
  await history.addMessages(
    [
      { role: 'user', content: 'Never mind' },
      { role: 'assistant', content: 'All right.' },
    ],
    { turnId: 't2' },
  );
  const [pending, answer] = await history.list({ last: 2 });
  expect(pending).toMatchObject({ id: 'm6', seq: 6, turn: 2, state: 'complete' });
  expect(answer).toMatchObject({ seq: 7, turn: 2, state: 'complete' });
  const receipt = await rowsOf(database).transcript.forget({ turnIds: ['t0'] }, 'user');
  expect(receipt).toEqual({
    messages: 4,
    turns: 1,
    sessions: 0,
    documents: 0,
    vectors: 2,
    facts: 0,
    entities: 0,
    summaries: 0,
    turnsStillNaming: 0,
  });
  expect((await database.sessions())[0]).toMatchObject({ title: 'And here?', messageCount: 3 });
});

it('UPG-3: a database of a newer version is rejected and not changed', async () => {
  const name = newId();
  const newer = await openRaw(name, 99, (database) => {
    database.createObjectStore('messages', { keyPath: 'id' }).put({ id: 'from the future' });
    database.createObjectStore('unheard-of');
  });
  newer.close();
  const before = await dump(name);
  await expect(openDatabase({ name })).rejects.toMatchObject({ name: 'MnemoraError', code: 'storage-newer' });
  expect(await dump(name)).toEqual(before);
  const again = await openRaw(name);
  expect([again.version, [...again.objectStoreNames]]).toEqual([99, ['messages', 'unheard-of']]);
});

it('UPG-4: an upgraded database has the same stores and indexes as a new one', async () => {
  const fresh = newId();
  (await openDatabase({ name: fresh })).close();
  for (const make of [makeDatabaseV1, makeDatabaseV2, makeDatabaseV7]) {
    const old = newId();
    await make(old);
    (await openDatabase({ name: old })).close();
    expect(await shape(old)).toEqual(await shape(fresh));
  }
});

/** The same rows, with what later versions have added. */
function asUpgraded(stores: Record<string, unknown[]>): Record<string, unknown> {
  const { meta = [], messages = [], sessions = [], documents = [] } = stores;
  const secret = { key: 'secret', value: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown };
  return {
    ...stores,
    meta: [...meta, secret].toSorted(byKey),
    messages: messages.map((row) =>
      (row as MessageRecord).state === 'pending' ? { ...(row as MessageRecord), openedBy: '' } : row,
    ),
    sessions: sessions.map((row) => {
      const { fenceMark: _mark, ...session } = row as { fenceMark?: string };
      return session;
    }),
    documents: documents.map((row) => ({ ...(row as DocumentRecord), scope: 'user' })),
    packedKnowledge: [],
    records: [],
    statements: [],
  };
}

function byKey(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
