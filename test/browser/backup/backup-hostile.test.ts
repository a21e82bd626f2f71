import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupReader } from '../../../src/backup/backup-reader.ts';
import { exportBackup } from '../../../src/backup/export-backup.ts';
import { importBackup } from '../../../src/backup/import-backup.ts';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { vectorToText } from '../../../src/storage/codec/plain-value.ts';
import { forge, recordsOf, seal, type FileRecord } from '../../fixtures/backup-file.ts';
import { fillDatabase } from '../../fixtures/databases/filled-database.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const source = new Connection({ name: newId() });
const target = new Connection({ name: newId() });
let whole = '';
let ofScope = '';
let before: Record<string, unknown[]> = {};
let refused = 0;

beforeAll(async () => {
  await fillDatabase(source.name);
  await fillDatabase(target.name);
  whole = await (await exportBackup(source)).text();
  ofScope = await (await exportBackup(source, { scope: 'user' })).text();
  // With something else in it, so that a file that came in by half would show.
  await target.write(['triples', 'messages', 'tombstones', 'jobs'], async (transaction) => {
    await transaction.objectStore('triples').clear();
    await transaction.objectStore('jobs').clear();
    await transaction.objectStore('tombstones').clear();
    await transaction.objectStore('messages').delete(['user', 'sam', 3]);
  });
  before = await dump(target.name);
});

afterAll(() => {
  source.close();
  target.close();
});

/** Imports it, and sees that it is refused with a place, and that nothing has changed. */
async function refuse(file: BlobPart, place: RegExp, code = 'backup-invalid'): Promise<void> {
  const error: unknown = await importBackup(target, new Blob([file])).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'MnemoraError', code });
  expect((error as Error).message).toMatch(/Line \d+|not a backup of Mnemora/);
  expect((error as Error).message).toMatch(place);
  expect((error as Error).message).toMatch(/nothing was changed/);
  expect(await dump(target.name)).toEqual(before);
  refused += 1;
}

/** Changes the first record of a store that the condition holds for. */
function first(
  store: string,
  change: (row: Record<string, unknown>) => void,
  isMeant: (row: Record<string, unknown>) => boolean = () => true,
): string {
  let isDone = false;
  const file = forge(whole, (record) => {
    if (!isDone && record.store === store && isMeant(record.row)) {
      isDone = true;
      change(record.row);
    }
    return record;
  });
  expect(isDone).toBe(true);
  return file;
}

const byId =
  (id: string) =>
  (row: Record<string, unknown>): boolean =>
    row['id'] === id;

/** The lines without the last, as text. */
function linesOf(text: string): string[] {
  return text.trimEnd().split('\n').slice(0, -1);
}

describe('BAK-22: a file that is truncated, damaged or not a backup is rejected, and the error names the place', () => {
  it('BAK-22: a file truncated at every tenth, or before its last byte, is rejected', async () => {
    const bytes = new TextEncoder().encode(whole);
    for (let tenth = 0; tenth < 10; tenth++) {
      const size = Math.floor((bytes.length * tenth) / 10);
      await refuse(bytes.slice(0, size), /incomplete|not valid JSON|UTF-8|empty/);
    }
    await refuse(bytes.slice(0, -1), /incomplete/);
    await refuse(`${linesOf(whole).join('\n')}\n`, /incomplete/);
  });

  it('BAK-22: a file with one flipped bit, in forty places, is rejected', async () => {
    const bytes = new TextEncoder().encode(whole);
    for (let step = 0; step < 40; step++) {
      const flipped = bytes.slice();
      const at = Math.floor((bytes.length * step) / 40);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (step % 8));
      await refuse(flipped, /Line/);
    }
  });

  it('BAK-22: a file that is not a backup is rejected', async () => {
    await refuse('<!doctype html>\n<title>Not found</title>\n', /not a backup/);
    await refuse('[]\n', /not a backup/);
    await refuse('null\n', /not a backup/);
    await refuse('{"format":"other","version":1}\n', /not a backup/);
    await refuse('{"of":{"format":"mnemora-backup"}}\n', /Line 1.*"format"/);
    await refuse(new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]), /not a backup/);
    await refuse(new Uint8Array([...new TextEncoder().encode(whole.slice(0, 99)), 0xff]), /UTF-8/);
    await refuse(`\ufeff${whole}`, /Line 1: it is not valid JSON/);
    await refuse(whole.replaceAll('\n', '\r\n'), /white space/);
    await refuse(`${whole}\n`, /there is more after the last line|not valid JSON/);
    await refuse(whole + whole, /there is more after the last line/);
    await refuse(
      seal([...linesOf(whole).slice(0, 3), '', ...linesOf(whole).slice(3)]),
      /Line 4: it is not valid JSON/,
    );
  });

  it('BAK-22: a wrong checksum or wrong counts are rejected', async () => {
    const last = JSON.parse(whole.trimEnd().split('\n').at(-1) ?? '') as {
      counts: Record<string, number>;
      sha256: string;
    };
    const ended = (trailer: object): string => `${linesOf(whole).join('\n')}\n${JSON.stringify(trailer)}\n`;
    await refuse(ended({ ...last, sha256: '0'.repeat(64) }), /"sha256"/);
    await refuse(ended({ ...last, sha256: 7 }), /"sha256"/);
    await refuse(ended({ sha256: last.sha256 }), /counts/);
    await refuse(ended({ ...last, counts: { ...last.counts, messages: 12 } }), /"messages" of counts/);
    await refuse(ended({ ...last, counts: { ...last.counts, jobs: undefined } }), /"jobs" of counts/);
    await refuse(
      ended({ ...last, counts: { ...last.counts, secrets: 1 } }),
      /"secrets" of counts is unknown/,
    );
    await refuse(ended({ ...last, more: 1 }), /"more" is unknown/);
  });
});

it('BAK-23: a newer version is rejected as newer, and no version as invalid', async () => {
  const headed = (version: unknown, more: object = {}): string =>
    forge(
      whole,
      (record) => record,
      (given) => ({ ...given, version, ...more }),
    );
  await refuse(headed(2), /"version" is 2/, 'backup-newer');
  await refuse(headed(99, { compressed: true }), /"version" is 99/, 'backup-newer');
  for (const version of [0, -1, 1.5, '1', '2', null, true, undefined])
    await refuse(headed(version), /"version"/);
  await refuse(headed(1, { encrypted: false }), /"encrypted" is unknown/);
  await refuse(headed(1, { scope: '' }), /"scope" must not be empty/);
  await refuse(headed(1, { scope: 'user' }), /"scope" is not the scope/);
});

it('BAK-24: every field of every record is checked, and unknown fields are rejected', async () => {
  const fields = new Map<string, FileRecord>();
  for (const record of recordsOf(whole).records) {
    for (const field of Object.keys(record.row)) {
      const name = `${record.store} ${field}`;
      if (!fields.has(name)) fields.set(name, record);
    }
  }
  expect(fields.size).toBeGreaterThan(60);
  for (const [name, { store, row }] of fields) {
    const field = name.slice(store.length + 1);
    const isMeant = (candidate: Record<string, unknown>): boolean =>
      JSON.stringify(candidate) === JSON.stringify(row);
    // No field of any record may hold this.
    const wrong = first(store, (given) => (given[field] = [null]), isMeant);
    await refuse(wrong, new RegExp(`Line \\d+ \\(${store}\\): .*`));
  }
  const stores = new Set(recordsOf(whole).records.map((record) => record.store));
  for (const store of stores) {
    await refuse(
      first(store, (row) => (row['extra'] = 1)),
      new RegExp(`\\(${store}\\): the field "extra" is unknown`),
    );
  }
  await refuse(
    first('sessions', (row) => (row['fenceMark'] = 'x')),
    /"fenceMark" is unknown/,
  );
  const [header = '', ...lines] = linesOf(whole);
  await refuse(
    seal([header, '{"row":{},"store":"meta"}', ...lines]),
    /Line 2: the field "store" must be one of/,
  );
  await refuse(seal([header, '{"store":"sessions"}', ...lines]), /Line 2 \(sessions\): it must be an object/);
  await refuse(seal([header, '7', ...lines]), /Line 2: it must be an object/);
});

it('BAK-25: names such as __proto__, deep nesting and invalid numbers are rejected', async () => {
  const inject = (store: string, json: string): string => {
    const lines = linesOf(whole);
    const at = lines.findIndex((line) => line.endsWith(`"store":"${store}"}`));
    lines[at] = lines[at]?.replace('{"row":{', `{"row":{${json},`) ?? '';
    return seal(lines);
  };
  for (const store of ['messages', 'documents', 'triples', 'entities']) {
    await refuse(inject(store, '"__proto__":{"isAdmin":true}'), /"__proto__"/);
    await refuse(inject(store, '"more":{"constructor":{"prototype":{"isAdmin":true}}}'), /"constructor"/);
  }
  await refuse(inject('messages', '"tokens":{"__proto__":1}'), /"__proto__"/);
  await refuse(
    first('entities', (row) => (row['attributes'] = { prototype: 1 })),
    /"prototype"/,
  );
  await refuse(inject('messages', `"metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`), /deeper/);
  await refuse(inject('messages', `"metadata":${'['.repeat(5000)}`), /deeper/);
  await refuse(inject('messages', '"seq":NaN'), /not valid JSON/);
  await refuse(inject('messages', '"metadata":{"~eval":"1"}'), /unknown tag "~eval"/);
  await refuse(
    first('messages', (row) => (row['createdAt'] = 1e300)),
    /"createdAt"/,
  );
  await refuse(
    first('sessions', (row) => (row['nextSeq'] = 2 ** 53)),
    /"nextSeq"/,
  );
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

it('BAK-26: vectors with invalid numbers or different lengths are rejected', async () => {
  const vectors: [number[], RegExp][] = [
    [[Number.NaN, 0], /\(vectors\): .*finite/],
    [[0, Infinity], /\(vectors\): .*finite/],
    [[1, 2, 3], /\(vectors\): .*must have 3 numbers/],
    [[], /\(vectors\): /],
  ];
  for (const [numbers, place] of vectors) {
    const text = vectorToText(new Float32Array(numbers));
    await refuse(
      first('vectors', (row) => (row['vector'] = text)),
      place,
    );
  }
  for (const text of ['AACA', 'AACAPw==\n', '%%%%']) {
    await refuse(
      first('vectors', (row) => (row['vector'] = text)),
      /\(vectors\): /,
    );
  }
  const nan = vectorToText(new Float32Array([Number.NaN]));
  await refuse(
    first('documents', (row) => (row['embedding'] = { embedder: 'e', vector: nan })),
    /\(documents\): .*finite/,
  );
});

it('BAK-27: facts that replace each other in a circle, or a newer one, are rejected', async () => {
  await refuse(
    first('triples', (row) => (row['supersedes'] = ['f-rome']), byId('f-rome')),
    /"supersedes" names "f-rome"/,
  );
  await refuse(
    first('triples', (row) => (row['supersedes'] = ['f-turin']), byId('f-rome')),
    /"supersedes" names "f-turin"/,
  );
  await refuse(
    first('triples', (row) => (row['supersedes'] = ['f-friend']), byId('f-tea')),
    /"supersedes" names "f-friend"/,
  );
  await refuse(
    first('triples', (row) => (row['seq'] = 1), byId('f-turin')),
    /\(triples\): the field "seq" is taken/,
  );
});

it('BAK-28: what a record refers to must be in the file, once, in order and in its scope', async () => {
  const cases: [string, (row: Record<string, unknown>) => void, RegExp, string?][] = [
    ['messages', (row) => (row['sessionId'] = 'z'), /"sessionId" refers to a session/, 's3'],
    ['messages', (row) => (row['seq'] = 2), /duplicate, or out of order/, 's3'],
    ['messages', (row) => (row['turn'] = 0), /"turnId" belongs to another turn/, 's3'],
    ['messages', (row) => (row['turnId'] = 'other'), /"turn" belongs to another turn/, 's3'],
    ['messages', (row) => (row['turnId'] = 'lisbon-t0'), /"turnId" belongs to another turn/, 's3'],
    ['messages', (row) => (row['id'] = 's2'), /"id" is taken/, 's3'],
    ['messages', (row) => (row['id'] = 'm5'), /"id" belongs to a message that was forgotten/, 's3'],
    ['messages', (row) => (row['role'] = 'developer'), /\(messages\): .*role/, 's3'],
    ['messages', (row) => (row['tool_calls'] = [{ id: 1 }]), /\(messages\): .*tool call/, 's3'],
    ['messages', (row) => (row['state'] = 'done'), /"state" must be one of/, 's3'],
    ['summaries', (row) => (row['coversSeq'] = 4), /"coversSeq" is above/],
    ['summaries', (row) => (row['sessionId'] = 'nowhere'), /"sessionId" refers to a session/],
    ['triples', (row) => (row['sources'] = [{ messageId: 'gone' }]), /"sources" refers to a message/],
    ['triples', (row) => (row['sources'] = [{ messageId: 'g0' }]), /"sources" refers to a message/],
    ['triples', (row) => (row['subjectKey'] = ' Sam '), /"subjectKey" must be a normalized name/],
    ['triples', (row) => (row['validTo'] = 0), /\(triples\): validTo/],
    ['triples', (row) => (row['id'] = 'z'), /duplicate, or out of order/],
    ['entities', (row) => (row['id'] = 'e-rome'), /"id" is taken/, 'e-sam'],
    ['entities', (row) => (row['key'] = 'SAM'), /"key" must be a normalized name/, 'e-sam'],
    [
      'entities',
      (row) => (row['mentions'] = [{ messageIds: ['gone'], note: '', aliases: [], recordedAt: 0 }]),
      /"messageIds" refers to a message/,
      'e-sam',
    ],
    [
      'entities',
      (row) => (row['mentions'] = [{ messageIds: [], note: '', aliases: [' '], recordedAt: 0 }]),
      /alias/,
      'e-sam',
    ],
    ['vectors', (row) => (row['id'] = 'gone'), /"id" refers to a message/],
    ['jobs', (row) => (row['sessionId'] = 'nowhere'), /"sessionId" refers to a session/],
    ['jobs', (row) => (row['turnIds'] = ['lisbon-t0']), /"turnIds" refers to a turn/],
  ];
  for (const [store, change, place, id] of cases) {
    await refuse(first(store, change, id === undefined ? undefined : byId(id)), place);
  }
  const [header = '', one = '', two = '', ...lines] = linesOf(whole);
  await refuse(
    seal([header, two, one, ...lines]),
    /Line 3 \(tombstones\): it is a duplicate, or out of order/,
  );
  await refuse(seal([header, one, one, two, ...lines]), /Line 3 \(tombstones\): it is a duplicate/);
  await refuse(seal([header, ...lines, one]), /duplicate, or out of order/);
  const list = linesOf(whole).find((line) => line.endsWith('"store":"chatMemories"}')) ?? '';
  const scoped = linesOf(ofScope);
  const at = scoped.findIndex((line) => line.endsWith('"store":"documents"}'));
  const scopedWith = (line: string): string =>
    seal(at < 0 ? [...scoped, line] : [...scoped.slice(0, at), line, ...scoped.slice(at)]);
  await refuse(scopedWith(list), /\(chatMemories\): .*a file of one scope cannot hold/);
});

it('BAK-52: a text, key, name, list or vector that is too long is refused', async () => {
  const long = 'x'.repeat(10_000);
  const cases: [string, (row: Record<string, unknown>) => void, RegExp][] = [
    ['tombstones', (row) => (row['key'] = long), /"key" must have at most 2000 characters/],
    ['sessions', (row) => (row['id'] = long), /"id" must have at most/],
    ['messages', (row) => (row['turnId'] = long), /"turnId" must have at most/],
    ['messages', (row) => (row['content'] = 'x'.repeat(2_000_001)), /at most 2000000/],
    ['triples', (row) => (row['object'] = long), /object of a fact must have at most 8192/],
    ['triples', (row) => (row['subjectKey'] = long), /"subjectKey" must have at most/],
    ['entities', (row) => (row['name'] = long), /"name" must have at most 8192/],
    ['vectors', (row) => (row['vector'] = 'A'.repeat(400_000)), /at most 65536 numbers/],
    ['jobs', (row) => (row['turnIds'] = [long]), /"turnIds" must contain strings of 1 to 2000/],
    ['jobs', (row) => (row['turnIds'] = Array(1_000_001).fill('t')), /at most 1000000 items/],
  ];
  for (const [store, change, place] of cases) await refuse(first(store, change), place);
});

it('BAK-52: a hostile line is refused before all of it is read', async () => {
  const header = '{"format":"mnemora-backup","version":1}\n';
  const row = (text: string): Blob => new Blob([header, `{"row":{"key":"${text}"},"store":"tombstones"}\n`]);
  const lines: [Blob, RegExp, number][] = [
    [row('x'.repeat(60_000_000)), /Line 2: it has a text of more than/, 2 ** 25],
    [new Blob([header, ' '.repeat(50_000_000)]), /Line 2: .*white space/, 2 ** 18],
    [new Blob([header, '{ ', ' '.repeat(50_000_000)]), /Line 2: .*white space/, 2 ** 18],
    [new Blob([header, '['.repeat(50_000_000)]), /Line 2: .*nested deeper/, 2 ** 18],
  ];
  for (const [file, place, limit] of lines) {
    const reader = new BackupReader(file);
    const readAll = async (): Promise<void> => {
      while (await reader.next());
    };
    await expect(readAll()).rejects.toThrow(place);
    expect(reader.bytesRead).toBeLessThanOrEqual(limit);
    await refuse(new Blob([file]) as never, place);
  }
});

it('BAK-53: a fact about an entity that is not in the file is refused', async () => {
  for (const end of ['subjectKey', 'objectKey']) {
    const stranger = new RegExp(`Line \\d+ \\(.*"${end}" refers to an entity that is missing`);
    await refuse(
      first('triples', (row) => (row[end] = 'nobody')),
      stranger,
    );
  }
});

it('BAK-54: a record that repeats a name, or is not in canonical form, is refused', async () => {
  const lines = linesOf(whole);
  const at = lines.findIndex((line) => line.endsWith('"store":"messages"}'));
  const line = lines[at] ?? '';
  const twisted = [
    line.replace('{"row":{', '{"row":{"role":"user",'),
    line.replace('"store":"messages"}', '"store":"messages","store":"messages"}'),
    line.replace('"id":', '"\\u0069d":'),
    line.replace('"seq":0', '"seq":0.0'),
  ];
  for (const each of twisted) {
    expect(each).not.toBe(line);
    await refuse(seal(lines.with(at, each)), /Line \d+ \(messages\): it is not in canonical form/);
  }
});

it('BAK-29: at least a hundred hostile backups were rejected, and the valid one can be imported', async () => {
  expect(refused).toBeGreaterThanOrEqual(100);
  const receipt = await importBackup(target, new Blob([whole]));
  expect(receipt).toMatchObject({ messages: 1, facts: 4 });
  expect(await (await exportBackup(target)).text()).not.toBe('');
});
