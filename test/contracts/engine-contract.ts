import { describe, expect, it } from 'vitest';
import { above, between, startingWith, upTo } from '../../src/storage/key-range.ts';
import type { StoreName } from '../../src/storage/schema.ts';
import type { StorageEngine, Transaction } from '../../src/storage/storage-engine.ts';
import { anyStore, type AnyStore } from '../fixtures/any-store.ts';

const INVALID = { code: 'invalid-input' };
/** Keys in the order that IndexedDB gives them. */
const KEYS: readonly unknown[] = [
  -Infinity,
  -1.5,
  0,
  2,
  10,
  Infinity,
  '',
  '10',
  '2',
  'B',
  'a',
  'ab',
  '\ud800',
  '\ud83d\ude00',
  '\uffff',
  [],
  [-1],
  [-1, 'x'],
  [5],
  ['a'],
  ['a', 1],
  ['a', Infinity],
  ['a', 'b'],
  ['a', []],
  ['ab'],
  [[]],
];

/** What every {@link StorageEngine} does alike. */
export function describeEngine(name: string, open: () => Promise<StorageEngine>): void {
  describe(`${name} keeps the engine contract`, () => {
    it('STO-17: numbers are ordered by value, strings by UTF-16 code units and arrays item by item', async () => {
      const engine = await open();
      await inStore(engine, 'tombstones', async (store) => {
        for (const key of KEYS.toReversed()) await store.put(true, key);
      });
      const [keys, values] = await inStore(engine, 'tombstones', (store) =>
        Promise.all([store.getAllKeys(), store.getAll()]),
      );
      expect(keys).toEqual(KEYS);
      expect(values).toEqual(KEYS.map(() => true));
    });

    it('STO-18: a range includes its ends unless they are open, and a count limits what is read', async () => {
      const engine = await open();
      const rows = ['a', 'b', 'c', 'd'].map((id) => ['s', id]);
      await inStore(engine, 'documents', async (store) => {
        for (const [collection, id] of [...rows, ['r', 'z'], ['t', 'a'], ['s']])
          if (id !== undefined) await store.put({ collection, id, text: `${collection}${id}` });
      });
      const select = (query?: unknown, count?: number): Promise<string> =>
        inStore(engine, 'documents', async (store) => {
          const keys = await store.getAllKeys(query, count);
          const ids = (await store.getAll(query, count)).map((row) => (row as { text: string }).text);
          expect(keys.map((key) => (key as string[]).join(''))).toEqual(ids);
          if (count === undefined) expect(await store.count(query)).toBe(ids.length);
          expect(await store.getKey(query ?? above('')).then(joined)).toBe(joined(keys[0]));
          return ids.join(' ');
        });
      const [from, to] = [
        ['s', 'b'],
        ['s', 'd'],
      ];
      expect(await select(between(from, to))).toBe('sb sc sd');
      expect(await select(between(from, to, { lowerOpen: true }))).toBe('sc sd');
      expect(await select(between(from, to, { upperOpen: true }))).toBe('sb sc');
      expect(await select(between(from, to, { lowerOpen: true, upperOpen: true }))).toBe('sc');
      expect(await select(between(from, from))).toBe('sb');
      expect(await select(above(['s', 'c']))).toBe('sd ta');
      expect(await select(upTo(['s', 'a']))).toBe('rz sa');
      expect(await select(startingWith('s'))).toBe('sa sb sc sd');
      expect(await select(startingWith('s', 'c'))).toBe('sc');
      expect(await select(['s', 'c'])).toBe('sc');
      expect(await select(['s', 'x'])).toBe('');
      expect(await select()).toBe('rz sa sb sc sd ta');
      expect(await select(null)).toBe('rz sa sb sc sd ta');
      expect(await select(startingWith('s'), 2)).toBe('sa sb');
      expect(await select(startingWith('s'), 9)).toBe('sa sb sc sd');
      expect(await select(startingWith('s'), 0)).toBe('sa sb sc sd'); // as IndexedDB has it: no limit
      for (const reversed of [
        () => between('b', 'a'),
        () => between('a', 'a', { lowerOpen: true }),
        () => between('a', 'a', { upperOpen: true }),
        () => between(Number.NaN, 'a'),
        () => above(undefined),
      ]) {
        const selecting = engine.read(['documents'], (tx) => anyStore(tx, 'documents').getAll(reversed()));
        await expect(selecting).rejects.toMatchObject(INVALID);
      }
    });

    it("STO-19: an index returns rows by its key and then the row's key, and leaves out rows without one", async () => {
      const engine = await open();
      await inStore(engine, 'records', async (store) => {
        const row = (key: string, rest: object): object => ({ namespace: 'n', key, scope: 'u', ...rest });
        await store.put(row('d', { sessionId: 's2', messageIds: ['m1'] }));
        await store.put(row('c', { sessionId: 's1', messageIds: ['m2', 'm1', 'm2'] }));
        await store.put(row('b', { messageIds: [] }));
        await store.put(row('a', { sessionId: 's1', messageIds: ['m3', null, { no: 'key' }, Number.NaN] }));
        await store.put(row('e', { sessionId: null, messageIds: 'm1' }));
        await store.put(row('f', { sessionId: Number.NaN }));
      });
      const ask = (index: string, query?: unknown, count?: number): Promise<string> =>
        inStore(engine, 'records', async (store) => {
          const rows = store.index(index);
          const found = (await rows.getAll(query, count)).map((row) => (row as { key: string }).key);
          const keys = await rows.getAllKeys(query, count);
          expect(keys).toEqual(found.map((key) => ['u', 'n', key]));
          if (count === undefined) expect(await rows.count(query)).toBe(found.length);
          if (query !== undefined) {
            expect(await rows.getKey(query)).toEqual(keys[0]);
            expect(((await rows.get(query)) as { key: string } | undefined)?.key).toBe(found[0]);
          }
          return found.join('');
        });
      expect(await ask('sessionId')).toBe('acd');
      expect(await ask('sessionId', ['u', 's1'])).toBe('ac');
      expect(await ask('sessionId', ['u', 's1'], 1)).toBe('a');
      expect(await ask('sessionId', above(['u', 's1']))).toBe('d');
      expect(await ask('messageIds')).toBe('cdeca');
      expect(await ask('messageIds', 'm1')).toBe('cde');
      expect(await ask('messageIds', 'gone')).toBe('');
      await inStore(engine, 'records', (store) => store.delete(['u', 'n', 'c']));
      expect(await ask('messageIds')).toBe('dea');
      await inStore(engine, 'records', (store) =>
        store.put({ namespace: 'n', key: 'd', scope: 'u', messageIds: ['m9'] }),
      );
      expect(await ask('messageIds')).toBe('ead');
      expect(await ask('sessionId')).toBe('a');
    });

    it('STO-19: an index over several fields has the rows that have all of them, and one over a nested field those that have it', async () => {
      const engine = await open();
      await inStore(engine, 'messages', async (store) => {
        await store.put({ sessionId: 's', seq: 0, id: 'a', scope: 'u', createdAt: 2 });
        await store.put({ sessionId: 's', seq: 1, id: 'b', scope: 'u' });
        await store.put({ sessionId: 's', seq: 2, id: 'c', scope: 'u', createdAt: 1 });
      });
      const created = await inStore(engine, 'messages', (store) =>
        store.index('created').getAllKeys(startingWith('u')),
      );
      expect(created).toEqual([
        ['u', 's', 2],
        ['u', 's', 0],
      ]);
      await inStore(engine, 'postings', async (store) => {
        await store.put({ scope: 'u', part: 0, segment: { ids: ['x', 'y'] } });
        await store.put({ scope: 'u', part: 1, segment: null });
        await store.put({ scope: 'u', part: 2, segment: null });
        await store.put({ scope: 'u', part: 3 });
      });
      const parts = await inStore(engine, 'postings', (store) => store.index('ids').getAllKeys());
      expect(parts).toEqual([
        ['u', 0],
        ['u', 0],
      ]);
    });

    it('STO-20: a unique index rejects a second row with a key, and allows rewriting a row', async () => {
      const engine = await open();
      const entity = (key: string, id: string): object => ({ scope: 'u', key, id, messageIds: [] });
      await inStore(engine, 'entities', async (store) => {
        await store.put(entity('a', '1'));
        await store.put(entity('b', '2'));
        await store.put(entity('a', '1'));
        await store.put(entity('a', '3'));
        await store.put(entity('c', '1'));
      });
      const before = await dump(engine, 'entities');
      await expect(inStore(engine, 'entities', (store) => store.put(entity('b', '1')))).rejects.toMatchObject(
        {
          code: 'storage-failed',
        },
      );
      expect(await dump(engine, 'entities')).toEqual(before);
      expect(before.keys).toEqual([
        ['u', 'a'],
        ['u', 'b'],
        ['u', 'c'],
      ]);
    });

    it('STO-20: adding an existing key fails and rolls back its transaction, even if the error is caught', async () => {
      const engine = await open();
      await inStore(engine, 'tombstones', (store) => store.add('old', 'a'));
      const refused: ((store: AnyStore) => Promise<unknown>)[] = [
        (store) => store.add('new', 'a'),
        (store) => store.add('new', 'a').catch(() => 'caught'),
        async (store) => {
          await store.add('new', 'a').catch(() => undefined);
          await store.put('after', 'c');
        },
      ];
      for (const body of refused) {
        const writing = inStore(engine, 'tombstones', async (store) => {
          await store.put('new', 'b');
          await body(store);
        });
        await expect(writing).rejects.toMatchObject({ code: 'storage-failed' });
        expect(await dump(engine, 'tombstones')).toEqual({ keys: ['a'], rows: ['old'] });
      }
    });

    it('STO-21: rows are numbered from 1 and no number is used again, unless its transaction was rolled back', async () => {
      for (const [storeName, rowOf] of [
        ['changes', (): object => ({ kind: 'x' })],
        ['jobs', (): object => ({ queue: 'q' })],
      ] as const) {
        const engine = await open();
        const write = <T>(body: (store: AnyStore) => Promise<T>): Promise<T> =>
          inStore(engine, storeName, body);
        expect(await write((store) => store.add(rowOf()))).toBe(1);
        expect(await write((store) => store.put(rowOf()))).toBe(2);
        await write((store) => store.delete(2));
        const failing = write(async (store) => {
          expect(await store.add(rowOf())).toBe(3);
          expect(await store.add(rowOf())).toBe(4);
          throw new RangeError('no');
        });
        await expect(failing).rejects.toThrow(RangeError);
        expect(await write((store) => store.add(rowOf()))).toBe(3);
        await write((store) => store.clear());
        expect(await write((store) => store.add(rowOf()))).toBe(4);
        // With a number of its own, a row pushes the next ones above it.
        const under = (store: AnyStore, key: number): Promise<unknown> =>
          storeName === 'jobs' ? store.put({ ...rowOf(), id: key }) : store.put(rowOf(), key);
        await write((store) => under(store, 2));
        expect(await write((store) => store.add(rowOf()))).toBe(5);
        await write((store) => under(store, 10.5));
        expect(await write((store) => store.add(rowOf()))).toBe(11);
        expect((await dump(engine, storeName)).keys).toEqual([2, 4, 5, 10.5, 11]);
        const numbers = await dump(engine, storeName);
        await write((store) => under(store, Infinity));
        const none = write((store) => store.add(rowOf()));
        await expect(none).rejects.toMatchObject({ code: 'storage-failed' });
        await write((store) => store.delete(Infinity));
        expect(await dump(engine, storeName)).toEqual(numbers);
        if (storeName === 'jobs') expect(numbers.rows).toContainEqual({ queue: 'q', id: 11 });
      }
    });

    it('STO-22: any failure rolls back the whole transaction, and an error thrown by its code is passed on', async () => {
      const engine = await open();
      const stores: StoreName[] = ['tombstones', 'messages', 'records', 'changes'];
      const message = (seq: number, id: string): object => ({ scope: 'u', sessionId: 's', seq, id });
      const record = { namespace: 'n', key: 'k', scope: 'u', messageIds: ['a', 'b'] };
      await engine.write(stores, async (tx) => {
        for (const key of ['a', 'b', 'c']) await anyStore(tx, 'tombstones').put(key, key);
        for (const seq of [0, 1, 2]) await anyStore(tx, 'messages').put(message(seq, `m${seq}`));
        await anyStore(tx, 'records').put(record);
        await anyStore(tx, 'changes').add({ n: 1 });
      });
      const state = (): Promise<unknown> =>
        engine.read(stores, async (tx) => [
          ...(await Promise.all(stores.map((each) => dumpIn(tx, each)))),
          await anyStore(tx, 'messages').index('id').getAllKeys(),
          await anyStore(tx, 'records').index('messageIds').getAllKeys(),
        ]);
      const before = await state();
      const mine = new RangeError('mine');
      const changes: ((tx: Transaction) => Promise<unknown>)[] = [
        (tx) => anyStore(tx, 'tombstones').put('changed', 'a'),
        (tx) => anyStore(tx, 'tombstones').put('new', 'z'),
        (tx) => anyStore(tx, 'tombstones').delete('b'),
        (tx) => anyStore(tx, 'tombstones').clear(),
        (tx) => anyStore(tx, 'messages').delete(startingWith('u')),
        (tx) => anyStore(tx, 'messages').put(message(1, 'other id')),
        (tx) => anyStore(tx, 'records').put({ ...record, messageIds: ['c'] }),
        (tx) => anyStore(tx, 'records').delete(['u', 'n', 'k']),
        (tx) => anyStore(tx, 'changes').clear(),
        (tx) => anyStore(tx, 'changes').add({ n: 2 }),
      ];
      const lists = [...changes.map((change) => [change]), changes, changes.toReversed()];
      for (const list of lists) {
        const writing = engine.write(stores, async (tx) => {
          for (const change of list) await change(tx);
          throw mine;
        });
        await expect(writing).rejects.toBe(mine);
        expect(await state()).toEqual(before);
      }
      const together = engine.write(stores, (tx) =>
        Promise.all([...changes.map((change) => change(tx)), Promise.reject(mine)]),
      );
      await expect(together).rejects.toBe(mine);
      expect(await state()).toEqual(before);
    });

    it('STO-23: an abort before or during a transaction rolls it back, and one afterwards has no effect', async () => {
      const engine = await open();
      const reason = new Error('given up');
      const over = AbortSignal.abort(reason);
      let calls = 0;
      const count = async (): Promise<void> => void (calls += 1);
      await expect(engine.write(['meta'], count, over)).rejects.toBe(reason);
      await expect(engine.read(['meta'], count, over)).rejects.toBe(reason);
      expect(calls).toBe(0);

      const waiting = new AbortController();
      const first = inStore(engine, 'tombstones', async (store) => {
        for (let round = 0; round < 50; round += 1) await store.get('x');
        await store.put('first', 'a');
      });
      const second = engine.write(
        ['tombstones'],
        (tx) => anyStore(tx, 'tombstones').put('second', 'a'),
        waiting.signal,
      );
      waiting.abort(reason);
      await expect(second).rejects.toBe(reason);
      await first;

      const bodies: ((store: AnyStore, abort: () => void) => Promise<unknown>)[] = [
        async (store, abort) => {
          abort();
          await store.put('within', 'c');
        },
        async (store, abort) => {
          await store.put('within', 'c');
          abort();
        },
        async (store, abort) => {
          abort();
          await store.put('within', 'c').catch(() => undefined);
        },
        async (store, abort) => {
          abort();
          await store.get('c');
          throw new Error('because of that');
        },
      ];
      for (const body of bodies) {
        const within = new AbortController();
        const writing = engine.write(
          ['tombstones'],
          async (tx) => {
            const store = anyStore(tx, 'tombstones');
            await store.put('within', 'b');
            await body(store, () => within.abort(reason));
          },
          within.signal,
        );
        await expect(writing).rejects.toBe(reason);
      }
      const late = new AbortController();
      await engine.write(['tombstones'], (tx) => anyStore(tx, 'tombstones').put('kept', 'd'), late.signal);
      late.abort(reason);
      expect(await dump(engine, 'tombstones')).toEqual({ keys: ['a', 'd'], rows: ['first', 'kept'] });
    });

    it('STO-24: a reader never sees half of a write, and writers run one after the other', async () => {
      const engine = await open();
      const increment = async (store: AnyStore): Promise<void> => {
        const row = ((await store.get('term:a')) ?? { value: 0 }) as { value: number };
        for (const key of ['term:a', 'term:b']) {
          await store.put({ key, value: row.value + 1 });
          await store.get('elsewhere');
        }
      };
      const seen: unknown[] = [];
      const look = async (tx: Transaction): Promise<void> => {
        const values: unknown[] = [];
        for (const key of ['term:a', 'term:b'])
          values.push(((await anyStore(tx, 'meta').get(key)) as { value: number } | undefined)?.value);
        expect(values[1]).toBe(values[0]);
        seen.push(values[0]);
      };
      const failed = Array.from({ length: 10 }, () => inStore(engine, 'meta', increment));
      const torn = inStore(engine, 'meta', async (store) => {
        await increment(store);
        throw new RangeError('no');
      });
      const all = [
        ...failed,
        torn.catch(() => undefined),
        ...Array.from({ length: 10 }, () => engine.read(['meta'], look)),
        ...Array.from({ length: 10 }, () => inStore(engine, 'meta', increment)),
      ];
      await Promise.all(all);
      await engine.read(['meta'], look);
      expect(seen.at(-1)).toBe(20);
    });

    it('STO-25: changing what was written or read does not change what is stored, keys included', async () => {
      const engine = await open();
      const row = { sessionId: 's', seq: 1, id: 'm', scope: 'u', createdAt: 1, content: [{ text: 'old' }] };
      const copy = structuredClone(row);
      await inStore(engine, 'messages', async (store) => {
        const writing = store.put(row);
        row.content[0] = { text: 'changed at once' };
        const key = (await writing) as unknown[];
        key[0] = 'changed';
        row.seq = 9;
      });
      await inStore(engine, 'messages', async (store) => {
        const rows = [
          await store.get(['u', 's', 1]),
          ...(await store.getAll()),
          ...(await store.index('id').getAll()),
          await store.last(),
        ];
        expect(rows).toEqual([copy, copy, copy, copy]);
        for (const each of rows) (each as typeof row).content.splice(0);
        const keys = [
          await store.getKey(['u', 's', 1]),
          ...(await store.getAllKeys()),
          ...(await store.index('id').getAllKeys()),
          await store.index('id').getKey('m'),
          await store.lastKey(),
        ];
        for (const key of keys) {
          expect(key).toEqual(['u', 's', 1]);
          (key as unknown[])[0] = 'changed';
        }
      });
      expect(await dump(engine, 'messages')).toEqual({ keys: [['u', 's', 1]], rows: [copy] });
      expect(await inStore(engine, 'messages', (store) => store.get(['u', 's', 1]))).toEqual(copy);
    });

    it('STO-25: stored values keep what structured clones keep', async () => {
      const engine = await open();
      const value = {
        date: new Date(5),
        map: new Map([['a', new Set([1])]]),
        vector: new Float32Array([1, -0, Number.NaN]),
        big: 2n ** 70n,
        none: undefined,
        infinity: -Infinity,
        lone: '\ud800x',
      };
      await inStore(engine, 'tombstones', (store) => store.put(value, 'k'));
      expect(await inStore(engine, 'tombstones', (store) => store.get('k'))).toEqual(value);
    });

    it('STO-26: values that cannot be stored and invalid keys are rejected and roll back the transaction', async () => {
      const engine = await open();
      await inStore(engine, 'tombstones', (store) => store.put('kept', 'a'));
      const requests: [StoreName, (store: AnyStore) => Promise<unknown>][] = [
        ['tombstones', (store) => store.put(() => undefined, 'b')],
        ['tombstones', (store) => store.put({ deep: [Symbol('no')] }, 'b')],
        ['tombstones', (store) => store.put(true, Number.NaN)],
        ['tombstones', (store) => store.put(true, [1, Number.NaN])],
        ['tombstones', (store) => store.put(true, { no: 'key' })],
        ['tombstones', (store) => store.put(true, null)],
        ['tombstones', (store) => store.put(true, true)],
        // oxlint-disable-next-line no-sparse-arrays -- a hole is no key
        ['tombstones', (store) => store.put(true, ['a', , 'b'])],
        ['tombstones', (store) => store.put(true)],
        ['tombstones', (store) => store.add(true)],
        ['tombstones', (store) => store.get(undefined)],
        ['tombstones', (store) => store.get(null)],
        ['tombstones', (store) => store.getKey(undefined)],
        ['tombstones', (store) => store.delete(undefined)],
        ['tombstones', (store) => store.delete(null)],
        ['tombstones', (store) => store.get(Number.NaN)],
        ['tombstones', (store) => store.getAll(['x', Number.NaN])],
        ['tombstones', (store) => store.count({})],
        ['tombstones', (store) => store.last(Number.NaN)],
        ['tombstones', (store) => store.lastKey(Number.NaN)],
        ['messages', (store) => store.put({ scope: 'u', sessionId: 's', id: 'm' })],
        ['messages', (store) => store.put({ scope: 'u', sessionId: 's', seq: Number.NaN, id: 'm' })],
        ['messages', (store) => store.put({ scope: 'u', sessionId: 's', seq: 0, id: 'm' }, ['u', 's', 0])],
        ['messages', (store) => store.put('text')],
        ['messages', (store) => store.put(undefined)],
        ['messages', (store) => store.index('id').get(undefined)],
        ['messages', (store) => store.index('id').getKey(Number.NaN)],
        ['jobs', (store) => store.put({ id: { no: 'key' } })],
        ['jobs', (store) => store.put('text')],
        ['jobs', (store) => store.put({ id: 1 }, 1)],
      ];
      for (const [store, request] of requests) {
        const writing = engine.write(['tombstones', store], async (tx) => {
          await anyStore(tx, 'tombstones').put('lost', 'b');
          await request(anyStore(tx, store));
        });
        await expect(writing, request.toString()).rejects.toMatchObject(INVALID);
      }
      expect(await dump(engine, 'tombstones')).toEqual({ keys: ['a'], rows: ['kept'] });
      for (const store of ['messages', 'jobs'] as const)
        expect(await dump(engine, store)).toEqual({ keys: [], rows: [] });
      expect(await inStore(engine, 'jobs', (store) => store.put({ queue: 'q' }))).toBe(1);
    });

    it('STO-27: a transaction is limited to its stores, to reading if read-only, and to its lifetime', async () => {
      const engine = await open();
      const outside = { code: 'storage-failed' };
      await expect(
        inStore(engine, 'tombstones', async (_store, tx) => anyStore(tx, 'meta').get('generation')),
      ).rejects.toMatchObject(outside);
      await expect(
        inStore(engine, 'tombstones', async (store) => store.index('none').get('x')),
      ).rejects.toMatchObject(outside);
      const reading: ((store: AnyStore) => Promise<unknown>)[] = [
        (store) => store.put(true, 'a'),
        (store) => store.add(true, 'a'),
        (store) => store.delete('a'),
        (store) => store.clear(),
      ];
      await inStore(engine, 'tombstones', (store) => store.put('kept', 'a'));
      for (const request of reading)
        await expect(
          engine.read(['tombstones'], async (tx) => request(anyStore(tx, 'tombstones'))),
        ).rejects.toMatchObject(outside);

      let ended: AnyStore | undefined;
      await inStore(engine, 'tombstones', async (store) => {
        ended = store;
        await store.last();
      });
      const requests: ((() => Promise<unknown>) | undefined)[] = [
        () => Promise.resolve(ended?.get('a')),
        () => Promise.resolve(ended?.getAllKeys()),
        () => Promise.resolve(ended?.last()),
        () => Promise.resolve(ended?.lastKey(undefined, 1)),
        ...reading.map((request) => () => (ended ? request(ended) : Promise.resolve())),
      ];
      for (const request of requests) await expect((async () => request?.())()).rejects.toThrow(DOMException);
      expect(await dump(engine, 'tombstones')).toEqual({ keys: ['a'], rows: ['kept'] });
    });

    it('STO-28: requests made before closing are completed, and all others reject with storage-closed', async () => {
      const engine = await open();
      expect(engine.closed.aborted).toBe(false);
      const begun = [0, 1, 2].map((n) => inStore(engine, 'tombstones', (store) => store.put(n, n)));
      const read = engine.read(['tombstones'], (tx) => anyStore(tx, 'tombstones').getAllKeys());
      engine.close();
      expect(await Promise.all(begun)).toEqual([0, 1, 2]);
      expect(await read).toEqual([0, 1, 2]);
      expect(engine.closed.aborted).toBe(true);
      const closed = { code: 'storage-closed' };
      await expect(inStore(engine, 'tombstones', (store) => store.clear())).rejects.toMatchObject(closed);
      await expect(dump(engine, 'tombstones')).rejects.toMatchObject(closed);
      const reason = new Error('given up');
      const aborted = engine.read(['meta'], async () => undefined, AbortSignal.abort(reason));
      await expect(aborted).rejects.toBe(reason);
      engine.close();
    });

    it('STO-28: deleting closes the engine after running requests', async () => {
      const engine = await open();
      const begun = inStore(engine, 'tombstones', (store) => store.put('x', 'x'));
      const deleted = engine.delete();
      expect(await begun).toBe('x');
      await deleted;
      await expect(dump(engine, 'tombstones')).rejects.toMatchObject({ code: 'storage-closed' });
    });

    it('STO-29: the last row of a range is found, and the keys of those before it', async () => {
      const engine = await open();
      const keys = [0, 1, 2, 3, 4, 5];
      await inStore(engine, 'tombstones', async (store) => {
        for (const key of keys) await store.put(`row ${key}`, key);
      });
      for (const [query, found] of [
        [undefined, keys],
        [null, keys],
        [between(1, 4), [1, 2, 3, 4]],
        [between(1, 4, { upperOpen: true }), [1, 2, 3]],
        [3, [3]],
        [above(5), []],
      ] as const) {
        await inStore(engine, 'tombstones', async (store) => {
          const last = found.at(-1);
          expect(await store.last(query)).toBe(last === undefined ? undefined : `row ${last}`);
          for (const before of [0, 1, 2, 5, 6, 2 ** 32 - 1])
            expect(await store.lastKey(query, before)).toBe(found.at(-1 - before));
        });
      }
      const ids = [['a', 'b'], ['c'], ['b']];
      await inStore(engine, 'entities', async (store) => {
        for (const [n, messageIds] of ids.entries())
          await store.put({ scope: 'u', key: `${n}`, id: `e${n}`, messageIds });
        const index = store.index('messageIds');
        for (const [query, found] of [
          [undefined, ['a', 'b', 'b', 'c']],
          ['b', ['b', 'b']],
          [between('a', 'b', { lowerOpen: true }), ['b', 'b']],
          [above('c'), []],
        ] as const)
          for (const before of [0, 1, 2, 3, 4])
            expect(await index.lastKey(query, before)).toBe(found.at(-1 - before));
      });
    });

    it('STO-30: a database has its own generation and secret from the start', async () => {
      const metaOf = async (engine: StorageEngine): Promise<string[]> => {
        const { rows } = await dump(engine, 'meta');
        return (rows as { key: string; value: string }[]).map(({ key, value }) => {
          expect(['generation', 'secret']).toContain(key);
          expect(value).toMatch(/^[0-9a-f]{32,}$/);
          return value;
        });
      };
      const [one, two] = [await open(), await open()];
      const values = [...(await metaOf(one)), ...(await metaOf(two))];
      expect(new Set(values).size).toBe(4);
      expect(one.name).not.toBe(two.name);
    });
  });
}

/** Rows of a store with their keys. */
export interface Dump {
  readonly keys: unknown[];
  readonly rows: unknown[];
}

async function dumpIn(transaction: Transaction, name: StoreName): Promise<Dump> {
  const store = anyStore(transaction, name);
  const [keys, rows] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return { keys, rows };
}

function dump(engine: StorageEngine, name: StoreName): Promise<Dump> {
  return engine.read([name], (transaction) => dumpIn(transaction, name));
}

function inStore<T>(
  engine: StorageEngine,
  name: StoreName,
  body: (store: AnyStore, transaction: Transaction) => Promise<T>,
): Promise<T> {
  return engine.write([name], async (transaction) => body(anyStore(transaction, name), transaction));
}

function joined(key: unknown): string {
  return Array.isArray(key) ? key.join('') : '';
}
