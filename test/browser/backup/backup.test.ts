import { afterEach, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { canonicalJson } from '../../../src/storage/codec/canonical-json.ts';
import { exportBackup } from '../../../src/backup/export-backup.ts';
import { importBackup } from '../../../src/backup/import-backup.ts';
import { verifyDerived } from '../../../src/backup/verify-derived.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { entityTombstone } from '../../../src/storage/entity-tombstone.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { forge, recordsOf, seal } from '../../fixtures/backup-file.ts';
import { fillDatabase } from '../../fixtures/databases/filled-database.ts';
import { watchIdb } from '../../fixtures/faults/idb-spy.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const open: Connection[] = [];

function connect(name = newId()): Connection {
  const connection = new Connection({ name });
  open.push(connection);
  return connection;
}

afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});

/** A database with rows in every store. */
async function filled(): Promise<Connection> {
  const name = newId();
  await fillDatabase(name);
  return connect(name);
}

async function textOf(connection: Connection, scope?: string): Promise<string> {
  return (await exportBackup(connection, scope === undefined ? {} : { scope })).text();
}

function blobOf(text: string): Blob {
  return new Blob([text]);
}

async function rows<Name extends keyof Schema>(
  connection: Connection,
  name: Name,
): Promise<Schema[Name]['value'][]> {
  return (await dump(connection.name))[name] as Schema[Name]['value'][];
}

async function put<Name extends keyof Schema>(
  connection: Connection,
  name: Name,
  ...values: Schema[Name]['value'][]
): Promise<void> {
  await connection.write([name], async (transaction) => {
    for (const value of values) await (transaction.objectStore(name) as unknown as IDBObjectStore).put(value);
  });
}

const NOTHING = {
  sessions: 0,
  messages: 0,
  facts: 0,
  entities: 0,
  summaries: 0,
  vectors: 0,
  documents: 0,
  chatMemories: 0,
  forgotten: 0,
};

it('BAK-7: exporting, wiping, importing and exporting again gives the same bytes', async () => {
  for (const scope of [undefined, 'user']) {
    const source = await filled();
    const text = await textOf(source, scope);
    const target = connect();
    const receipt = await importBackup(target, blobOf(text));
    expect(await textOf(target, scope)).toBe(text);
    expect(receipt).toEqual({
      sessions: scope ? 2 : 3,
      messages: scope ? 10 : 11,
      facts: 4,
      entities: 5,
      summaries: 1,
      vectors: 4,
      documents: 1,
      chatMemories: scope ? 0 : 1,
      skipped: 0,
      forgotten: 0,
    });
    const [before, after] = [await dump(source.name), await dump(target.name)];
    const stores = ['messages', 'chatMemories', 'documents', 'summaries', 'entities', 'triples'] as const;
    for (const store of scope ? stores.slice(3) : stores) expect(after[store]).toEqual(before[store]);
    expect(await verifyDerived(target, 'user')).toMatchObject({ ok: true, problems: [] });
  }
});

it('BAK-8: the same state gives the same bytes, without secrets or running work', async () => {
  const source = await filled();
  const text = await textOf(source);
  const { now } = Date;
  try {
    Date.now = () => now() + 86_400_000;
    expect(await textOf(source)).toBe(text);
  } finally {
    Date.now = now;
  }
  const { header, records } = recordsOf(text);
  expect(header).toEqual({ format: 'mnemora-backup', version: 1 });
  for (const secret of [
    'fenceMark',
    '0123456789abcdef',
    '112233445566778899aabbccddeeff00',
    'lease',
    'attempts',
    'erasures',
    'endpoint answered',
  ])
    expect(text).not.toContain(secret);
  expect([...new Set(records.map((record) => record.store))]).toEqual([
    'tombstones',
    'sessions',
    'messages',
    'summaries',
    'chatMemories',
    'documents',
    'triples',
    'entities',
    'vectors',
    'jobs',
  ]);
  const ofScope = recordsOf(await textOf(source, 'someone else'));
  expect(ofScope.header['scope']).toBe('someone else');
  expect(ofScope.records.map((record) => record.row['id'] ?? record.row['key'])).toEqual([
    'm5',
    expect.stringMatching(/^s2\//),
    'guest',
    'g0',
  ]);
});

it('BAK-9: importing a backup a second time changes nothing, not even a revision', async () => {
  const text = await textOf(await filled());
  const target = connect();
  await importBackup(target, blobOf(text));
  const before = await dump(target.name);
  const again = await importBackup(target, blobOf(text));
  expect(again).toEqual({ ...NOTHING, skipped: 3 + 11 + 4 + 5 + 1 + 4 + 1 + 1 });
  expect(await dump(target.name)).toEqual(before);
  const source = await filled();
  await source.open(); // brings the database to the present version
  const own = await dump(source.name);
  expect(await importBackup(source, blobOf(text))).toMatchObject(NOTHING);
  expect(await dump(source.name)).toEqual(own);
});

it('BAK-10: what is here stays as it is, and new messages of a continued session are added after it', async () => {
  const text = await textOf(await filled(), 'user');
  const target = await filled();
  const name = target.name;
  const database = await openDatabase({ name });
  await database.chatHistory('sam').addMessages([
    { role: 'user', content: 'Written here.' },
    { role: 'assistant', content: 'Read.' },
  ]);
  const changed = forge(text, ({ store, row }) => {
    if (store === 'messages' && row['id'] === 'm0') row['content'] = 'Something else.';
    if (row['id'] === 'f-tea') row['object'] = 'coffee';
    if (store === 'sessions') row['title'] = 'Another title';
    if (store === 'summaries') row['text'] = 'Another summary.';
    if (row['id'] === 'sam') Object.assign(row, { nextSeq: 6, nextTurn: 3 });
    return { store, row };
  });
  const { header, records } = recordsOf(changed);
  const at = records.findIndex((record) => record.row['id'] === 's3');
  const added = ['x4', 'x5'].map((id, index) => ({
    store: 'messages',
    row: {
      ...records[at]?.row,
      id,
      seq: 4 + index,
      turn: 2,
      turnId: 'x-t2',
      role: 'user',
      content: `Written there ${id}.`,
    },
  }));
  records.splice(at + 1, 0, ...added);
  const file = seal([header, ...records].map(canonicalJson));
  const receipt = await importBackup(target, blobOf(file));
  expect(receipt).toMatchObject({ ...NOTHING, messages: 2 });
  const list = await database.chatHistory('sam').list();
  expect(list.map((row) => [row.seq, row.turn, row.content])).toEqual([
    [0, 0, 'My friend Sam moved to Rome. She likes tea.'],
    [1, 0, 'How nice for her!'],
    [2, 1, 'Sam lives in Turin now.'],
    [3, 1, 'She moves a lot. 🙂'],
    [4, 2, 'Written here.'],
    [5, 2, 'Read.'],
    [6, 3, 'Written there x4.'],
    [7, 3, 'Written there x5.'],
  ]);
  const session = (await rows(target, 'sessions')).find(({ id }) => id === 'sam');
  expect(session).toMatchObject({
    title: 'My friend Sam moved to Rome.',
    nextSeq: 8,
    nextTurn: 4,
    messageCount: 8,
  });
  expect((await rows(target, 'messages')).find(({ id }) => id === 'm0')?.content).toMatch(/weather/);
  expect((await rows(target, 'triples')).find(({ id }) => id === 'f-tea')?.object).toBe('tea');
  expect((await rows(target, 'summaries'))[0]?.text).toMatch(/moved to Rome/);
  expect(await verifyDerived(target, 'user')).toMatchObject({ ok: true });
  const before = await dump(name);
  await importBackup(target, blobOf(file));
  expect(await dump(name)).toEqual(before);
  database.close();
});

it('BAK-11: a message that was forgotten here is not restored, nor anything derived from it', async () => {
  const text = await textOf(await filled(), 'user');
  const target = await filled();
  const database = await openDatabase({ name: target.name });
  await rowsOf(database).transcript.forget({ turnIds: ['sam-t0'] }, 'user');
  await rowsOf(database).transcript.forget({ sessionId: 'lisbon' }, 'user');
  const before = await dump(target.name);
  const receipt = await importBackup(target, blobOf(text));
  expect(receipt).toMatchObject({
    sessions: 0,
    messages: 0,
    facts: 0,
    summaries: 0,
    vectors: 0,
    documents: 0,
  });
  const after = await dump(target.name);
  expect(after['messages']).toEqual(before['messages']);
  expect(after['sessions']).toEqual(before['sessions']);
  expect(JSON.stringify(after)).not.toMatch(/weather|samantha|friend of the user|moved to Rome/i);
  expect(await verifyDerived(target, 'user')).toMatchObject({ ok: true });
  const wiped = connect();
  await put(wiped, 'meta', { key: 'generation', value: 'x' });
  await wiped.write(['tombstones'], async (transaction) => {
    for (const id of ['s0', 's1']) await transaction.objectStore('tombstones').put(true, id);
  });
  await importBackup(wiped, blobOf(text));
  const sam = (await rows(wiped, 'sessions')).find(({ id }) => id === 'sam');
  expect(sam).toMatchObject({
    title: 'Sam lives in Turin now.',
    titleFrom: 's2',
    messageCount: 2,
    nextSeq: 4,
  });
  // The fact that the user entered stays, without the words of the message.
  expect((await rows(wiped, 'triples')).map((fact) => [fact.id, fact.messageIds])).toEqual([
    ['f-friend', []],
    ['f-tea', []],
    ['f-turin', ['s2']],
  ]);
  // What the summary tells of is not there as it was: it is to be made again.
  expect(await rows(wiped, 'summaries')).toEqual([]);
  expect((await rows(wiped, 'jobs')).map((job) => job.queue)).toContain('summarize');
  expect(JSON.stringify(await dump(wiped.name))).not.toMatch(/moved to Rome|likes tea/);
});

it('BAK-12: what was forgotten according to the backup is erased here, with everything derived from it', async () => {
  const there = await filled();
  const forgetful = await openDatabase({ name: there.name });
  await rowsOf(forgetful).transcript.forget({ turnIds: ['sam-t0'] }, 'user');
  await there.write(['tombstones'], (transaction) =>
    transaction.objectStore('tombstones').put(true, entityTombstone('s2', 'turin')),
  );
  const here = await filled();
  const receipt = await importBackup(here, await exportBackup(there, { scope: 'user' }));
  expect(receipt).toMatchObject({ forgotten: 2, messages: 0 });
  expect((await rows(here, 'messages')).map(({ id }) => id)).not.toContain('s0');
  expect((await rows(here, 'triples')).map(({ id }) => id).toSorted()).toEqual(['f-friend', 'f-tea']);
  expect((await rows(here, 'entities')).map(({ key }) => key)).not.toContain('turin');
  expect(await rows(here, 'summaries')).toEqual([]);
  expect(await verifyDerived(here, 'user')).toMatchObject({ ok: true });
  const before = await dump(here.name);
  await importBackup(here, await exportBackup(there, { scope: 'user' }));
  expect((await dump(here.name))['messages']).toEqual(before['messages']);
  expect(await dump(here.name)).toEqual(before);
  forgetful.close();
});

it('BAK-13: vectors are exported per message, regardless of blocks, and the last of several counts', async () => {
  const one = await filled();
  const text = await textOf(one);
  const other = await filled();
  const base = { embedder: 'e', scope: 'user' };
  await other.write(['vectors'], (transaction) => transaction.objectStore('vectors').clear());
  await put(
    other,
    'vectors',
    { ...base, block: 0, ids: ['s0', 'm0', 'gone'], vectors: new Float32Array([9, 9, 1, 0, 5, 5]) },
    { ...base, block: 1, ids: ['s2', 's0'], vectors: new Float32Array([0.6, 0.8, 0.8, 0.6]) },
    { ...base, block: 7, ids: ['m3'], vectors: new Float32Array([0, 1]) },
  );
  expect(await textOf(other)).toBe(text);
});

it('BAK-14: waiting work is queued again with a full set of attempts, for imported turns only', async () => {
  const text = await textOf(await filled());
  const target = connect();
  await importBackup(target, blobOf(text));
  const jobs = await rows(target, 'jobs');
  const queued = { scope: 'user', sessionId: 'sam', createdAt: 1_700_000_131_000, attempts: 0 };
  expect(jobs).toEqual([
    {
      ...queued,
      id: expect.any(Number),
      notBefore: expect.any(Number),
      queue: 'extract',
      turnIds: ['sam-t1'],
    },
    { ...queued, id: expect.any(Number), notBefore: expect.any(Number), queue: 'summarize', turnIds: [] },
  ]);
  await target.write(['jobs'], (transaction) => transaction.objectStore('jobs').clear());
  await importBackup(target, blobOf(text));
  expect(await rows(target, 'jobs')).toEqual([]);
});

it('BAK-15: open readers of the change log read everything again after an import', async () => {
  const target = await filled();
  const database = await openDatabase({ name: target.name });
  const { cursor } = await rowsOf(database).search.readChanges('user', 'e', undefined);
  const other = connect();
  await (await openDatabase({ name: other.name })).chatHistory('new').addUserMessage('From elsewhere.');
  await importBackup(target, await exportBackup(other));
  const changes = await rowsOf(database).search.readChanges('user', 'e', cursor);
  expect(changes.reset).toBe(true);
  expect(changes.messages.map((message) => message.content)).toContain('From elsewhere.');
  database.close();
});

it('BAK-16: entities gain what the backup knows about them, and its facts come after those here', async () => {
  const text = await textOf(await filled(), 'user');
  const target = connect();
  const fact: Schema['triples']['value'] = {
    id: 'own',
    seq: 5,
    scope: 'user',
    subject: 'Sam',
    predicate: 'plays',
    object: 'chess',
    subjectKey: 'sam',
    objectKey: 'chess',
    validFrom: 1,
    recordedAt: 1,
    supersedes: ['f-rome'],
    source: 'user',
    sources: [],
    attributes: {},
    messageIds: [],
  };
  await put(target, 'triples', fact);
  const sam = { scope: 'user', key: 'sam', id: 'own-sam', name: 'SAM', isStandalone: false, messageIds: [] };
  const mention = { messageIds: [], note: 'Known here.', aliases: ['Turin man'], recordedAt: 1 };
  const bare = { attributes: {}, mentions: [], isStandalone: false, messageIds: [], scope: 'user' };
  await put(
    target,
    'entities',
    { ...sam, attributes: { kind: 'friend' }, mentions: [mention] },
    { ...bare, key: 'chess', id: 'e-tea', name: 'chess' },
    { ...bare, key: 'x', id: 'x', name: 'x', mentions: [{ ...mention, aliases: ['samantha'] }] },
  );
  await importBackup(target, blobOf(text));
  const facts = new Map((await rows(target, 'triples')).map((row) => [row.id, row.seq]));
  // f-rome was removed here: a fact that is here has replaced it.
  expect(Object.fromEntries(facts)).toEqual({ own: 5, 'f-tea': 7, 'f-turin': 8, 'f-friend': 9 });
  const entities = new Map((await rows(target, 'entities')).map((row) => [row.key, row]));
  expect(entities.get('sam')).toEqual({
    ...sam,
    attributes: { kind: 'friend' },
    mentions: [
      mention,
      // Whose the alias is was known here already.
      { messageIds: ['s0'], note: 'A friend of the user.', aliases: [], recordedAt: 1_700_000_101_000 },
      { messageIds: [], note: 'Plays chess.', aliases: [], recordedAt: 1_700_000_102_000 },
    ],
    messageIds: ['s0'],
  });
  expect(entities.get('tea')?.id).toMatch(/^[0-9a-f]{32}$/);
  const before = await dump(target.name);
  await importBackup(target, blobOf(text));
  expect(await dump(target.name)).toEqual(before);
});

it('BAK-17: a moved memory ranks as before, over many pages, pieces and blocks', async () => {
  const words =
    'ant bee cat dog elk fox gnu hen ibis jay kiwi lynx mole newt owl pug quail rat seal toad'.split(' ');
  const embedder = hashEmbedder({ dimensions: 128 });
  const source = await memoryOf({ embedder, name: newId(), sessionId: 's' });
  const name = newId();
  const memory = await memoryOf({ embedder, name, sessionId: 'first', learning: false });
  await source.close();
  for (let turn = 0; turn < 300; turn++) {
    const pick = (step: number): string => words[(turn * step + (turn >> 4)) % words.length] ?? '';
    await memory.remember(
      { user: `${pick(3)} and ${pick(7)} in ${turn}`, assistant: `the ${pick(11)} of ${pick(13)}` },
      {
        sessionId: `session ${turn % 9}`,
        createdAt: 1_700_000_000_000 + turn,
        metadata: { bulk: '🙂'.repeat(1000) },
      },
    );
  }
  await memory.work.settled();
  const progress: number[] = [];
  const file = await exportBackup(connect(name), {
    scope: 'user',
    onProgress: ({ done, total }) => progress.push(done / total),
  });
  expect(progress.at(-1)).toBe(1);
  expect(progress.toSorted((a, b) => a - b)).toEqual(progress);
  expect(file.size).toBeGreaterThan(2 ** 21);
  const moved = newId();
  const steps: number[] = [];
  const receipt = await importBackup(connect(moved), file, {
    onProgress: ({ done, total }) => steps.push(done / total),
  });
  expect(receipt).toMatchObject({ sessions: 9, messages: 600, vectors: 600, skipped: 0 });
  expect(steps.at(-1)).toBe(1);
  expect(await (await exportBackup(connect(moved), { scope: 'user' })).text()).toBe(await file.text());
  const again = await memoryOf({ embedder, name: moved, sessionId: 'first' });
  await again.work.settled();
  for (let query = 0; query < 100; query++) {
    const text = `${words[query % 20]} ${words[(query * 7) % 20]} ${query}`;
    const ids = async (of: typeof memory): Promise<string[]> =>
      (await of.search(text, { limit: 10 })).map((hit) => hit.message.id);
    expect(await ids(again)).toEqual(await ids(memory));
  }
});

it('BAK-18: an export is one consistent state while another tab writes, and reads page by page', async () => {
  const name = newId();
  const database = await openDatabase({ name });
  const history = database.chatHistory('busy');
  for (let batch = 0; batch < 6; batch++) {
    await history.addMessages(
      Array.from({ length: 100 }, (_unused, index) => ({
        role: 'user' as const,
        content: `${batch} ${index}`,
      })),
    );
  }
  let writing: Promise<void> | undefined;
  const traffic = await watchIdb(async () => {
    const file = await exportBackup(connect(name), {
      onProgress: () => {
        writing ??= history.addUserMessage('meanwhile');
      },
    });
    expect(recordsOf(await file.text()).records.filter(({ store }) => store === 'messages')).toHaveLength(
      600,
    );
    await writing;
  });
  expect(traffic.readonly).toHaveLength(1);
  expect(await history.list()).toHaveLength(601);
  database.close();
});

it('BAK-19: an abort, a missing database and a misspelled option reject, and nothing changes', async () => {
  const source = await filled();
  const file = await exportBackup(source);
  const target = connect();
  await target.open();
  const before = await dump(target.name);
  for (const at of [0, 1]) {
    const stop = new AbortController();
    let steps = 0;
    const importing = importBackup(target, file, {
      signal: stop.signal,
      onProgress: () => {
        if (steps++ === at) stop.abort();
      },
    });
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(steps).toBe(at + 1);
    expect(await dump(target.name)).toEqual(before);
  }
  const aborted = AbortSignal.abort();
  await expect(exportBackup(source, { signal: aborted })).rejects.toMatchObject({ name: 'AbortError' });
  await expect(importBackup(target, file, { signal: aborted })).rejects.toMatchObject({ name: 'AbortError' });
  const wrong = { scop: 'user' } as object;
  await expect(exportBackup(source, wrong)).rejects.toMatchObject({ code: 'invalid-option' });
  await expect(importBackup(target, file, wrong)).rejects.toMatchObject({ code: 'invalid-option' });
  await expect(importBackup(target, 'text' as unknown as Blob)).rejects.toMatchObject({
    code: 'invalid-input',
  });
  await put(source, 'documents', {
    id: 'binary',
    collection: 'user',
    scope: 'user',
    sessionId: 'sam',
    text: '',
    createdAt: 0,
    metadata: { map: new Map() },
  });
  await expect(exportBackup(source)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('"documents"'),
  });
});

it('BAK-20: a turn of another session rejects the whole backup, and a session of another scope does not matter', async () => {
  const text = await textOf(await filled(), 'user');
  const other = connect();
  const database = await openDatabase({ name: other.name });
  await rowsOf(database).transcript.append({
    sessionId: 'sam',
    scope: 'someone',
    turnId: 'sam-t0',
    createdAt: 1,
    state: 'complete',
    messages: [{ role: 'user', content: 'x' }],
  });
  expect(await importBackup(other, blobOf(text))).toMatchObject({ sessions: 2, messages: 10 });
  expect(await rowsOf(database).transcript.listMessages(['someone', 'sam'])).toMatchObject([
    { content: 'x' },
  ]);
  const third = connect();
  const own = await openDatabase({ name: third.name });
  await own.chatHistory('mine').addMessages([{ role: 'user', content: 'x' }], { turnId: 'sam-t0' });
  const mine = await dump(third.name);
  await expect(importBackup(third, blobOf(text))).rejects.toMatchObject({ code: 'turn-conflict' });
  expect(await dump(third.name)).toEqual(mine);
  database.close();
  own.close();
});

it('BAK-21: a pending turn here is completed by the backup, in its position', async () => {
  const there = await filled();
  const answered = await openDatabase({ name: there.name });
  await answered
    .chatHistory('lisbon')
    .addMessages([{ role: 'assistant', content: 'All right.' }], { turnId: 'lisbon-t2' });
  const here = await filled();
  await importBackup(here, await exportBackup(there));
  const tail = (await rows(here, 'messages')).filter(({ turnId }) => turnId === 'lisbon-t2');
  expect(tail.map((row) => [row.seq, row.turn, row.role, row.state])).toEqual([
    [6, 2, 'user', 'complete'],
    [7, 2, 'assistant', 'complete'],
  ]);
  answered.close();
});
