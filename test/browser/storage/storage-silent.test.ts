import { afterEach, expect, it, vi } from 'vitest';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import type { WriteTransaction } from '../../../src/storage/storage-engine.ts';
import { lead } from '../../../src/tabs/leadership.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

/** Long enough for a healthy database on a busy machine, short enough to wait for. */
const SOON = 800;

const opened: Connection[] = [];
function connect(name = newId()): Connection {
  const connection = new Connection({ name, blockedTimeoutMs: SOON });
  opened.push(connection);
  return connection;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const connection of opened.splice(0)) connection.close();
});

const put = (key: string) => (transaction: WriteTransaction) =>
  transaction.objectStore('tombstones').put(true, key);
const write = (connection: Connection, key: string): Promise<unknown> =>
  connection.write(['tombstones'], put(key));
const keys = (connection: Connection): Promise<unknown> =>
  connection.read(['tombstones'], (transaction) => transaction.objectStore('tombstones').getAllKeys());

/** Returns the browser's own transactions in the order in which they begin from now on. */
function watchBegun(): IDBTransaction[] {
  const begun: IDBTransaction[] = [];
  const { transaction } = IDBDatabase.prototype;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...request) {
    begun.push(transaction.apply(this, request));
    return begun.at(-1) as IDBTransaction;
  });
  return begun;
}

/** Keeps a transaction from ending by itself. */
function keepOpen(transaction: IDBTransaction | undefined): void {
  const ask = (): void => {
    try {
      const request = transaction?.objectStore('tombstones').count();
      request?.addEventListener('success', ask);
    } catch {
      // It was aborted: WebKit still answers the request that was waiting then.
    }
  };
  ask();
}

const putAside = (): boolean => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));

it('STO-39: a transaction that is no longer answered rejects with storage-failed, and saves nothing', async () => {
  const connection = connect();
  await write(connection, 'kept');
  const begun = watchBegun();
  const stalled = connection.write(['tombstones'], async (transaction) => {
    await transaction.objectStore('tombstones').put(true, 'lost');
    keepOpen(begun[0]);
    const unanswered = Object.setPrototypeOf(new EventTarget(), IDBRequest.prototype) as IDBRequest;
    vi.spyOn(IDBObjectStore.prototype, 'get').mockReturnValue(unanswered);
    await transaction.objectStore('tombstones').get('never answered');
  });
  await expect(stalled).rejects.toMatchObject({
    code: 'storage-failed',
    message: expect.stringContaining('nothing was saved'),
  });
  await write(connection, 'next');
  expect(await keys(connection)).toEqual(['kept', 'next']);
});

it('STO-71: a read and a write wait for a long write of another connection that goes on, and are then done', async () => {
  const name = newId();
  const [one, other] = [connect(name), connect(name)];
  await Promise.all([one.open(), other.open()]);
  const long = one.write(['tombstones'], async (transaction) => {
    await put('long')(transaction);
    for (const start = performance.now(); performance.now() - start < 3 * SOON;)
      await transaction.objectStore('tombstones').count();
  });
  await Promise.all([write(other, 'waited'), keys(other)]);
  await long;
  expect(await keys(one)).toEqual(['long', 'waited']);
});

it('STO-40: a commit that is not confirmed rejects with storage-failed, which says that it may have been saved', async () => {
  const connection = connect();
  await connection.open();
  const { addEventListener } = IDBTransaction.prototype;
  vi.spyOn(IDBTransaction.prototype, 'addEventListener').mockImplementation(function (
    this: IDBTransaction,
    ...[type, ...rest]: Parameters<IDBTransaction['addEventListener']>
  ) {
    if (type !== 'complete') addEventListener.call(this, type, ...rest);
  });
  await expect(write(connection, 'unconfirmed')).rejects.toMatchObject({
    code: 'storage-failed',
    message: expect.stringContaining('it is not known whether it was saved'),
  });
  vi.restoreAllMocks();
  expect(await keys(connection)).toEqual(['unconfirmed']);
});

it('STO-40: a commit that breaks off without a reason says that it may have been saved', async () => {
  const connection = connect();
  await connection.open();
  for (const [error, said] of [
    ['UnknownError', 'it is not known whether it was saved'],
    ['QuotaExceededError', 'Nothing was saved'],
  ]) {
    const begun = watchBegun();
    vi.spyOn(IDBTransaction.prototype, 'error', 'get').mockReturnValue(new DOMException('', error));
    const failing = connection.write(['tombstones'], async (transaction) => {
      await put('x')(transaction);
      keepOpen(begun[0]);
      setTimeout(() => begun[0]?.abort());
    });
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining(said ?? '') });
    vi.restoreAllMocks();
  }
});

it('STO-41: an open that is never answered rejects with storage-blocked, also in the middle of an upgrade', async () => {
  const request = {} as IDBOpenDBRequest;
  vi.spyOn(IDBFactory.prototype, 'open').mockReturnValue(request);
  await expect(connect().open()).rejects.toMatchObject({ code: 'storage-blocked' });
  const upgrading = new Connection({ name: newId(), blockedTimeoutMs: 50 }).open();
  request.onupgradeneeded?.({ oldVersion: 0 } as IDBVersionChangeEvent);
  await expect(upgrading).rejects.toMatchObject({ code: 'storage-blocked' });
});

it('STO-42: what the browser rolls back rejects with the reason of the rollback, never with storage-closed', async () => {
  const connection = connect();
  await connection.open();
  for (const [error, code] of [
    [new DOMException('', 'QuotaExceededError'), 'storage-full'],
    [new DOMException('', 'UnknownError'), 'storage-failed'],
    [null, 'storage-failed'],
  ] as const) {
    const begun = watchBegun();
    vi.spyOn(IDBTransaction.prototype, 'error', 'get').mockReturnValue(error);
    const failing = connection.write(['tombstones', 'meta'], async (transaction) => {
      await put('x')(transaction);
      begun[0]?.abort();
      await transaction.objectStore('meta').get('throws InvalidStateError');
    });
    await expect(failing).rejects.toMatchObject({ code });
    vi.restoreAllMocks();
  }
  expect(await keys(connection)).toEqual([]);
});

it('STO-43: a request that throws leaves no unhandled rejection of the requests beside it', async () => {
  const connection = connect();
  await connection.open();
  const unhandled: unknown[] = [];
  const note = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  addEventListener('unhandledrejection', note);
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('played by the test', 'UnknownError');
  });
  for (const order of ['together', 'one after the other']) {
    const failing = connection.write(['tombstones'], async (transaction) => {
      const store = transaction.objectStore('tombstones');
      const left = [store.get('x'), store.get('y')];
      const right = store.put(true, 'z');
      if (order === 'together') await Promise.all([...left, right]);
      await right;
      await left[0];
    });
    await expect(failing).rejects.toMatchObject({ code: 'storage-failed' });
    for (let turn = 0; turn < 3; turn += 1) await yieldToEventLoop();
  }
  removeEventListener('unhandledrejection', note);
  expect(unhandled).toEqual([]);
});

it('STO-44: a page that is being put aside begins no transaction until it is sure to run on', async () => {
  const connection = connect();
  await connection.open();
  vi.useFakeTimers({ toFake: ['setTimeout'] }); // timers do not run in a cached page
  for (const leave of [
    putAside,
    () => document.dispatchEvent(new Event('freeze')),
    () => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
      document.dispatchEvent(new Event('visibilitychange'));
    },
  ]) {
    const begun = watchBegun();
    leave();
    const written = write(connection, newId());
    const read = keys(connection);
    for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop();
    expect(begun).toEqual([]);
    vi.runAllTimers();
    await Promise.all([written, read]);
    expect(begun.map(({ mode }) => mode)).toEqual(['readwrite', 'readonly']);
    vi.restoreAllMocks();
  }
});

it('STO-45: what is being written when the page is cached is rolled back, so that other tabs go on, and is done when the page runs on', async () => {
  const connection = connect();
  await connection.open();
  const other = connect(connection.name);
  const begun = watchBegun();
  let isHeld: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  let tries = 0;
  const cut = connection.write(['tombstones'], async (transaction) => {
    tries += 1;
    await put('cut')(transaction);
    isHeld();
    if (tries === 1) for (;;) await transaction.objectStore('tombstones').get('x');
    return tries;
  });
  await held;
  const waiting = write(other, 'other');
  while (begun.length < 2) await yieldToEventLoop();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  putAside();
  await expect.poll(async () => (await dump(connection.name))['tombstones']).toEqual([]);
  // In this test both tabs are one page, so the write that waited was rolled back with the one that blocked it.
  vi.runAllTimers();
  vi.useRealTimers();
  expect(await cut).toBe(2);
  await waiting;
  expect(await keys(other)).toEqual(['cut', 'other']);
});

it('STO-45: a signal that aborts while the page is cached ends what waits, and nothing is saved', async () => {
  const connection = connect();
  await connection.open();
  const stopped = new AbortController();
  let isHeld: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const body = async (transaction: WriteTransaction): Promise<void> => {
    await put('cut')(transaction);
    isHeld();
    for (;;) await transaction.objectStore('tombstones').get('x');
  };
  const cut = connection.write(['tombstones'], body, stopped.signal);
  await held;
  putAside();
  stopped.abort(new Error('enough'));
  await expect(cut).rejects.toThrow('enough');
  expect(await keys(connection)).toEqual([]);
});

it('STO-46: a leader whose page is frozen or cached gives up the lock at once, and leads again later', async () => {
  const name = newId();
  const over = new AbortController();
  let terms = 0;
  const ended: unknown[] = [];
  const leading = lead(name, over.signal, async (term) => {
    terms += 1;
    await new Promise((resolve) => term.addEventListener('abort', resolve));
    ended.push(term.reason);
    await new Promise((resolve) => setTimeout(resolve)); // it cannot end before the page is resumed
  });
  await expect.poll(() => terms).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  document.dispatchEvent(new Event('freeze'));
  expect(await navigator.locks.request(name, () => 'granted')).toBe('granted');
  expect(ended).toHaveLength(1);
  const resumed = vi.fn(() => terms === 2);
  while (!resumed()) {
    vi.runAllTimers();
    await yieldToEventLoop();
  }
  vi.useRealTimers();
  over.abort(new Error('enough'));
  await expect(leading).rejects.toThrow('enough');
});
