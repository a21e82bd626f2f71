import { expect, it } from 'vitest';
import { exportBackup } from '../../../src/backup/export-backup.ts';
import { importBackup } from '../../../src/backup/import-backup.ts';
import { verifyDerived } from '../../../src/backup/verify-derived.ts';
import { createMemory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { mergeSegments } from '../../../src/search/conversation-segment.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { entityTombstone } from '../../../src/storage/entity-tombstone.ts';
import type { PostingsRecord, StoreName } from '../../../src/storage/schema.ts';
import { fillDatabase } from '../../fixtures/databases/filled-database.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

type Row = Record<string, unknown>;

async function filled(): Promise<Connection> {
  const name = newId();
  await fillDatabase(name);
  return new Connection({ name });
}

/** Changes a row behind the library's back; one that becomes undefined is deleted. */
async function damage(
  connection: Connection,
  store: StoreName,
  key: IDBValidKey,
  change: (row: Row) => Row | undefined,
): Promise<void> {
  await connection.write([store], async (transaction) => {
    const rows = transaction.objectStore(store) as unknown as {
      get(key: IDBValidKey): Promise<Row>;
      put(row: Row): Promise<unknown>;
      delete(key: IDBValidKey): Promise<void>;
    };
    const changed = change(await rows.get(key));
    await (changed ? rows.put(changed) : rows.delete(key));
  });
}

const DAMAGE: [StoreName, IDBValidKey, (row: Row) => Row | undefined, StoreName, RegExp][] = [
  ['summaries', ['user', 'sam', 'main'], (row) => ({ ...row, coversSeq: 4 }), 'summaries', /covers 4/],
  ['sessions', ['user', 'sam'], () => undefined, 'summaries', /session is not there/],
  ['sessions', ['user', 'sam'], () => undefined, 'messages', /session is not there/],
  ['sessions', ['user', 'sam'], () => undefined, 'jobs', /session is not there/],
  [
    'sessions',
    ['user', 'sam'],
    (row) => ({ ...row, messageCount: 3 }),
    'sessions',
    /messageCount is 3, but there are 4/,
  ],
  ['sessions', ['user', 'sam'], (row) => ({ ...row, nextSeq: 3 }), 'sessions', /nextSeq is 3/],
  ['sessions', ['user', 'sam'], (row) => ({ ...row, nextTurn: 1 }), 'sessions', /nextTurn is 1/],
  [
    'messages',
    ['user', 'sam', 0],
    (row) => ({ ...row, id: 'm5' }),
    'messages',
    /was forgotten, but is still stored/,
  ],
  ['messages', ['user', 'sam', 0], () => undefined, 'triples', /message "s0" is not there/],
  ['messages', ['user', 'sam', 0], () => undefined, 'entities', /message "s0" is not there/],
  ['messages', ['user', 'sam', 0], () => undefined, 'vectors', /message "s0" is not there/],
  [
    'messages',
    ['user', 'sam', 0],
    (row) => ({ ...row, content: 'Sam moved.' }),
    'triples',
    /quote is not in the message "s0"/,
  ],
  ['entities', ['user', 'turin'], () => undefined, 'triples', /entity of its objectKey is not there/],
  ['entities', ['user', 'sam'], (row) => ({ ...row, messageIds: [] }), 'entities', /messageIds/],
  ['triples', 'f-turin', (row) => ({ ...row, messageIds: ['s2', 's3'] }), 'triples', /messageIds/],
  [
    'vectors',
    ['e', 'user', 1],
    (row) => ({ ...row, vectors: new Float32Array(3) }),
    'vectors',
    /different lengths/,
  ],
  [
    'vectors',
    ['e', 'user', 1],
    (row) => ({ ...row, vectors: new Float32Array([1, Number.NaN]) }),
    'vectors',
    /NaN/,
  ],
  ['jobs', 4, (row) => ({ ...row, turnIds: ['gone'] }), 'jobs', /turn "gone" is not there/],
];

it('BAK-30: an intact database has no problem, and each damage is found, named and left as it is', async () => {
  const sound = await filled();
  expect(await verifyDerived(sound, 'user')).toEqual({
    ok: true,
    problems: [],
    counts: { sessions: 2, messages: 10, summaries: 1, facts: 4, entities: 5, vectors: 4, jobs: 2 },
  });
  expect(await verifyDerived(sound, 'nobody')).toMatchObject({
    ok: true,
    counts: { sessions: 0, messages: 0 },
  });
  sound.close();
  for (const [damaged, key, change, store, problem] of DAMAGE) {
    const connection = await filled();
    await damage(connection, damaged, key, change);
    const before = await dump(connection.name);
    const report = await verifyDerived(connection, 'user');
    expect(report.ok).toBe(false);
    expect(report.problems).toContainEqual({
      store,
      key: expect.any(String) as string,
      problem: expect.stringMatching(problem) as string,
    });
    expect(await dump(connection.name)).toEqual(before);
    connection.close();
  }
});

it('ENG-5: verify finds no problem while a job for all of a memory waits', async () => {
  const connection = await filled();
  const [job] = (await dump(connection.name))['jobs'] as { id: number }[];
  await damage(connection, 'jobs', job?.id ?? 0, (row) => ({ ...row, sessionId: '', turnIds: [] }));
  expect(await verifyDerived(connection, 'user')).toMatchObject({ ok: true });
  connection.close();
});

it('BAK-31: what the saved keyword index has too much, wrong or too little is found and named', async () => {
  const name = newId();
  const memory = await createMemory({ name, embedder: false, learning: false });
  const messages = Array.from({ length: 300 }, (_, at) => ({
    role: 'user' as const,
    content: `Boat ${at}.`,
  }));
  await memory.remember({ messages: [...messages, { role: 'assistant', content: ' ' }] });
  await memory.search('boat');
  await memory.work.settled();
  // What came after the newest part is not expected in it.
  await memory.remember({ user: 'One more boat.', assistant: 'Ah.' });
  expect(await memory.backup.verify()).toMatchObject({ ok: true, counts: { messages: 303 } });
  const connection = new Connection({ name });
  const { postings = [] } = await dump(name);
  const [part] = postings as PostingsRecord[];
  if (!part) throw new Error('nothing was saved');
  const { segment } = part;
  const [first = '', second = '', ...rest] = segment.ids;
  const withIds = (ids: readonly string[]): unknown => ({ ...segment, ids });
  const damages: [change: object, problem: string][] = [
    [{ segment: withIds(['gone', second, ...rest]) }, 'the message "gone" is not there'],
    [
      { segment: withIds([second, first, ...rest]) },
      `the message "${first}" is indexed with another position or time`,
    ],
    [
      { segment: mergeSegments([segment], new Set([second])) },
      `the message "${second}" is in no index segment`,
    ],
    [{ cursor: { ...part.cursor, revision: part.cursor.revision + 1 } }, 'is in no index segment'],
    [{ segment: { ...segment, properties: {} } }, 'it cannot be read, and will be rebuilt'],
  ];
  for (const [change, problem] of damages) {
    await damage(connection, 'postings', ['user', part.part], (row) => ({ ...row, ...change }));
    const report = await memory.backup.verify();
    expect(report.ok).toBe(false);
    expect(report.problems).toContainEqual({
      store: 'postings',
      key: JSON.stringify(['user', part.part]),
      problem: expect.stringContaining(problem) as string,
    });
    await damage(connection, 'postings', ['user', part.part], () => ({ ...part }));
  }
  // Of another database, as after an import: nobody goes on from there.
  const cursor = { ...part.cursor, generation: 'another' };
  const fewer = mergeSegments([segment], new Set([second]));
  await damage(connection, 'postings', ['user', part.part], (row) => ({ ...row, cursor, segment: fewer }));
  expect(await memory.backup.verify()).toMatchObject({ ok: true });
  connection.close();
  await memory.close();
});

it('BAK-33: the export of a damaged database can be imported, without data derived from nothing', async () => {
  for (const [damaged, key, change] of DAMAGE) {
    const connection = await filled();
    await damage(connection, damaged, key, change);
    const target = new Connection({ name: newId() });
    await importBackup(target, await exportBackup(connection));
    // What cannot be derived again (a word of a message) is not made up.
    if (damaged !== 'messages') expect(await verifyDerived(target, 'user')).toMatchObject({ ok: true });
    connection.close();
    target.close();
  }
});

it('BAK-34: facts and notes that the user entered and forgot are not restored by an import', async () => {
  const source = await filled();
  const file = await exportBackup(source, { scope: 'user' });
  const target = new Connection({ name: newId() });
  await target.write(['tombstones'], async (transaction) => {
    const tombstones = transaction.objectStore('tombstones');
    for (const key of ['f-friend', 'd1', entityTombstone('', 'sam'), entityTombstone('s0', 'rome')])
      await tombstones.put(true, key);
  });
  const receipt = await importBackup(target, file);
  expect(receipt).toMatchObject({ facts: 2, messages: 10 });
  const after = await dump(target.name);
  expect(after['triples']).toMatchObject([{ id: 'f-tea' }, { id: 'f-turin' }]);
  const names = after['entities'] as Row[];
  expect(names.map((row) => row['key'])).toEqual(['sam', 'tea', 'turin', 'user']);
  expect(JSON.stringify(names)).not.toContain('Plays chess');
  source.close();
  target.close();
});
