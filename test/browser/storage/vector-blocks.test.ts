import { afterEach, expect, it } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { recordChange, type ChangeCursor } from '../../../src/storage/change-log.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { VECTORS_PER_BLOCK, type VectorBlockRecord } from '../../../src/storage/schema.ts';
import { SearchRows, type ChangeSet } from '../../../src/storage/search-rows.ts';
import { appendRows, type VectorRow } from '../../../src/storage/vector-blocks.ts';
import { storedVectors } from '../../fixtures/databases/stored-vectors.ts';
import { removeRows } from '../../fixtures/remove-rows.ts';
import { watchIdb } from '../../fixtures/faults/idb-spy.ts';

/** Rows that an append may write again. */
const SMALL_BLOCK = 64;

const connections: Connection[] = [];

afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.delete();
});

function connect(): Connection {
  const connection = new Connection({ name: newId() });
  connections.push(connection);
  return connection;
}

function rows(from: number, count: number): VectorRow[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `m${from + i}`,
    vector: new Float32Array([from + i, 1]),
  }));
}

/** As the transcript does it: rows and a change for each block that they went to. */
function append(connection: Connection, added: readonly VectorRow[], scope = 'user'): Promise<void> {
  return connection.write(['vectors', 'changes'], async (transaction) => {
    for (const part of await appendRows(transaction, 'e', scope, added))
      await recordChange(transaction, { kind: 'vectors', scope, embedder: 'e', ...part });
  });
}

function readAll(connection: Connection): Promise<VectorRow[]> {
  return storedVectors(new SearchRows(connection), 'user', 'e');
}

function readBlocks(connection: Connection): Promise<VectorBlockRecord[]> {
  return connection.read(['vectors'], (transaction) => transaction.objectStore('vectors').getAll());
}

function readSince(connection: Connection, since?: ChangeCursor): Promise<ChangeSet> {
  return new SearchRows(connection).readChanges('user', 'e', since);
}

/** Sizes of the blocks that were put while `body` ran. */
async function sizesPut(body: () => Promise<unknown>): Promise<number[]> {
  const sizes: number[] = [];
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...parameters: [unknown, IDBValidKey?]) {
    if (this.name === 'vectors') sizes.push((parameters[0] as VectorBlockRecord).ids.length);
    return Reflect.apply(put, this, parameters);
  };
  try {
    await body();
  } finally {
    IDBObjectStore.prototype.put = put;
  }
  return sizes;
}

it('VEC-20: storing a few vectors writes at most two blocks, large ones only once per 1,024 vectors', async () => {
  const connection = connect();
  const large: number[] = [];
  for (let at = 0; at < 2 * VECTORS_PER_BLOCK + 100; at += 3) {
    const sizes = await sizesPut(() => append(connection, rows(at, 3)));
    expect(sizes.length).toBeLessThanOrEqual(2);
    large.push(...sizes.filter((size) => size > SMALL_BLOCK));
  }
  expect(large).toEqual([VECTORS_PER_BLOCK, VECTORS_PER_BLOCK]);
  const all = await readAll(connection);
  expect(all).toEqual(rows(0, all.length));
});

it('VEC-21: a full block is never written again, and a cold open reads few blocks', async () => {
  const connection = connect();
  await append(connection, rows(0, 3 * VECTORS_PER_BLOCK));
  for (let i = 0; i < 40; i++) await append(connection, rows(3 * VECTORS_PER_BLOCK + 32 * i, 32));
  const sizes = (await readBlocks(connection)).map((block) => block.ids.length);
  expect(sizes).toEqual([...Array<number>(4).fill(VECTORS_PER_BLOCK), ...Array<number>(4).fill(SMALL_BLOCK)]);
  expect(await readAll(connection)).toEqual(rows(0, 3 * VECTORS_PER_BLOCK + 40 * 32));
});

it('VEC-31: vectors are read block by block in one transaction, and not at all as part of the whole state', async () => {
  const connection = connect();
  await append(connection, rows(0, 2 * VECTORS_PER_BLOCK + 70));
  const taken: number[] = [];
  const loading = await watchIdb(() =>
    new SearchRows(connection).readVectors('user', 'e', (block) => void taken.push(block.length)),
  );
  expect(taken).toEqual([VECTORS_PER_BLOCK, VECTORS_PER_BLOCK, SMALL_BLOCK, 6]);
  expect(loading).toMatchObject({ readonly: [['vectors']], rows: taken.length });
  expect(await readSince(connection)).toMatchObject({ reset: true, vectors: [] });
});

it('VEC-22: erasing reads and writes only the affected blocks', async () => {
  const connection = connect();
  await append(connection, rows(0, 5 * VECTORS_PER_BLOCK + 70));
  await append(connection, rows(9_000, 1), 'guest');
  const erased = new Set([
    'm7',
    `m${2 * VECTORS_PER_BLOCK + 7}`,
    `m${5 * VECTORS_PER_BLOCK + 66}`,
    'unknown',
  ]);
  let removed = 0;
  const traffic = await watchIdb(async () => {
    removed = await connection.write(['vectors'], (transaction) => removeRows(transaction, erased));
  });
  expect(removed).toBe(3);
  expect(traffic).toMatchObject({ rows: 3, writes: 3 });
  const left = await readAll(connection);
  expect(left).toEqual(rows(0, 5 * VECTORS_PER_BLOCK + 70).filter((row) => !erased.has(row.id)));
  const blocks = await readBlocks(connection);
  expect(blocks.find((block) => block.scope === 'guest')?.ids).toEqual(['m9000']);
});

it('VEC-22: an empty block is removed, and vectors can still be appended', async () => {
  const connection = connect();
  await append(connection, rows(0, 3));
  await connection.write(['vectors'], (transaction) => removeRows(transaction, new Set(['m0', 'm1', 'm2'])));
  expect(await readBlocks(connection)).toEqual([]);
  await append(connection, rows(3, 2));
  expect(await readAll(connection)).toEqual(rows(3, 2));
});

it('VEC-23: vectors stored since the cursor are found, even if blocks were merged in between', async () => {
  const connection = connect();
  const told: VectorRow[] = [];
  let { cursor } = await readSince(connection);
  for (let at = 0; at < 2 * VECTORS_PER_BLOCK; at += 50) {
    await append(connection, rows(at, 50));
    if (at % 450 > 0) continue; // it looks now and then
    const changes = await readSince(connection, cursor);
    expect(changes.reset).toBe(false);
    told.push(...changes.vectors);
    cursor = changes.cursor;
  }
  told.push(...(await readSince(connection, cursor)).vectors);
  expect(told).toEqual(await readAll(connection));
});

it('VEC-23: reading one new vector reads one block', async () => {
  const connection = connect();
  await append(connection, rows(0, 2 * VECTORS_PER_BLOCK + 5));
  const { cursor } = await readSince(connection);
  await append(connection, rows(9000, 1));
  const traffic = await watchIdb(async () => {
    expect((await readSince(connection, cursor)).vectors).toEqual(rows(9000, 1));
  });
  expect(traffic.rows).toBe(3); // the generation, the change, the block
});
