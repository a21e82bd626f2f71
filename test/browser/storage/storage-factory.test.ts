import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { createMemory } from '../../../src/index.ts';
import { Connection } from '../../../src/storage/connection.ts';

const UNAVAILABLE = { code: 'storage-unavailable' };
const OWN = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB') as PropertyDescriptor;

const opened: Connection[] = [];
function connect(name = newId()): Connection {
  const connection = new Connection({ name });
  opened.push(connection);
  return connection;
}

afterEach(() => {
  vi.restoreAllMocks();
  Object.defineProperty(globalThis, 'indexedDB', OWN);
  Reflect.deleteProperty(navigator, 'storage'); // what a test has put before the browser's own
  for (const frame of document.querySelectorAll('iframe[aria-hidden]')) frame.remove();
  for (const connection of opened.splice(0)) connection.close();
});

function replaceIndexedDb(get: () => unknown): void {
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get });
}

/** Makes the page's own IndexedDB fail as WebKit's does after its storage process was lost. */
function loseStorage(): void {
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    const request = {
      error: new DOMException('Connection to Indexed Database server lost.', 'UnknownError'),
    } as unknown as IDBOpenDBRequest;
    setTimeout(() => request.onerror?.(new Event('error')));
    return request;
  });
}

it('STO-47: a page that may not use IndexedDB is told so with storage-unavailable', async () => {
  const refuse = (name: string) => () => {
    throw new DOMException('refused by the test', name);
  };
  replaceIndexedDb(refuse('SecurityError'));
  await expect(createMemory({ name: newId(), embedder: false })).rejects.toMatchObject(UNAVAILABLE);
  for (const missing of [null, undefined]) {
    replaceIndexedDb(() => missing);
    await expect(connect().open()).rejects.toMatchObject(UNAVAILABLE);
    await expect(connect().delete()).rejects.toMatchObject(UNAVAILABLE);
  }
  Object.defineProperty(globalThis, 'indexedDB', OWN);
  for (const name of ['SecurityError', 'InvalidStateError']) {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(refuse(name));
    await expect(connect().open()).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining(`Reload the page`),
    });
  }
});

it('STO-48: a page whose storage process was lost goes on through a hidden frame, without a reload', async () => {
  const connection = connect();
  const value = { key: 'secret', value: 'x', vector: new Float32Array([1]), when: new Date(0) };
  await connection.write(['meta'], (transaction) => transaction.objectStore('meta').put(value as never));
  loseStorage();
  const [again, beside] = [connect(connection.name), connect()];
  const [read] = await Promise.all([
    again.read(['meta'], (transaction) => transaction.objectStore('meta').get('secret')),
    beside.open(),
  ]);
  // They are made of this page's classes, which the rest of the library tests for.
  expect(read).toStrictEqual(value);
  expect(read).toBeInstanceOf(Object);
  expect(
    [...document.querySelectorAll('iframe[aria-hidden]')].map((each) => (each as HTMLElement).hidden),
  ).toEqual([true]);

  const refused = again.write(['meta'], (transaction) =>
    transaction.objectStore('meta').put({ key: 'bad', value: () => 1 } as never),
  );
  await expect(refused).rejects.toMatchObject({ code: 'invalid-input' });
  const seen = await again.write(['messages'], async (transaction) => {
    const store = transaction.objectStore('messages');
    for (const seq of [0, 1, 2])
      await store.put({ scope: 'u', sessionId: 's', seq, id: String(seq) } as never);
    const all = IDBKeyRange.bound(['u', 's', 0], ['u', 's', 2]);
    return [(await store.last(all))?.id, await store.lastKey(all, 2), await store.lastKey(all, 3)];
  });
  expect(seen).toEqual(['2', ['u', 's', 0], undefined]);
});

it('STO-49: where a new frame cannot help either, storage-unavailable says to reload', async () => {
  loseStorage();
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(null);
  await expect(connect().open()).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringContaining('Reload the page'),
    cause: { name: 'UnknownError' },
  });
});

it('STO-50: the browser refusing to tell about its storage rejects with storage-unavailable', async () => {
  const memory = await createMemory({ name: newId(), embedder: false });
  const refuse = (): Promise<never> => Promise.reject(new TypeError('opaque origin'));
  const storage = { estimate: refuse, persisted: refuse, persist: refuse };
  Object.defineProperty(navigator, 'storage', { configurable: true, value: storage });
  await expect(memory.device.usage()).rejects.toMatchObject(UNAVAILABLE);
  await expect(memory.device.persist()).rejects.toMatchObject(UNAVAILABLE);
  await memory.close();
});
