import { BufferMemory } from '@langchain/classic/memory';
import { Dexie } from 'dexie';
import { createMemory, openDatabase } from '../../../src/index.ts';
import { round, type BenchResult } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomSentence, seededRandom } from '../recall/seeded-random.ts';

const ROUNDS = 300;
const STORES = ['sessions', 'messages', 'changes'] as const;

type Row = Record<string, unknown>;

export async function benchAppendTurn(): Promise<BenchResult> {
  const random = seededRandom(2);
  const database = await openDatabase({ name: 'bench-append' });
  const history = database.chatHistory('bench');
  const addTurn = (): Promise<void> =>
    history.addMessages([
      { role: 'user', content: randomSentence(random) },
      { role: 'assistant', content: randomSentence(random) },
    ]);
  const raw = await openRawTwin(database.name, addTurn);
  const dexie = await openDexieTwin(database.name);
  const memory = new BufferMemory();
  // Without background work, so that it stores the same records as the others.
  const product = await createMemory({
    name: 'bench-remember',
    embedder: false,
    learning: false,
    sessionId: 'bench',
  });
  const { ours, remember, rawIndexedDb, dexieRows, langchain } = await measureInterleaved(
    {
      ours: addTurn,
      remember: () => product.remember({ user: randomSentence(random), assistant: randomSentence(random) }),
      dexieRows: () => dexie.putTurn(randomSentence(random), randomSentence(random)),
      rawIndexedDb: () => raw.putTurn(randomSentence(random), randomSentence(random)),
      langchain: () =>
        memory.saveContext({ input: randomSentence(random) }, { output: randomSentence(random) }),
    },
    ROUNDS,
  );
  raw.close();
  await dexie.close();
  await product.forget({ everything: true });
  await product.close();
  await database.delete();
  return {
    name: 'appendTurn',
    task: 'append one turn of two messages',
    rows: [
      { who: 'mnemora chatHistory().addMessages', medianMs: ours, note: 'IndexedDB, strict: durable' },
      { who: 'mnemora remember', medianMs: remember, note: 'IndexedDB, strict: durable' },
      { who: 'raw IndexedDB', medianMs: rawIndexedDb, note: 'the same records blindly put, strict: durable' },
      { who: 'Dexie', medianMs: dexieRows, note: 'the same records blindly put, strict: durable' },
      { who: '@langchain/classic BufferMemory', medianMs: langchain, note: 'RAM only: gone with the tab' },
    ],
    ratios: {
      oursToRawIndexedDb: round(ours / rawIndexedDb),
      rememberToRawIndexedDb: round(remember / rawIndexedDb),
      dexieToRemember: round(dexieRows / remember),
      oursToLangchainInRam: round(ours / langchain),
    },
  };
}

/** Opens a second database with the same schema, which is filled with rows of the same shape by `put` alone. */
async function openRawTwin(
  name: string,
  addTurn: () => Promise<void>,
): Promise<{ putTurn(user: string, assistant: string): Promise<void>; close(): void }> {
  await addTurn();
  const source = await done(indexedDB.open(name));
  const transaction = source.transaction(STORES);
  const readAll = (store: string): Promise<Row[]> => done(transaction.objectStore(store).getAll());
  const [sessions, messages, changes] = await Promise.all(STORES.map(readAll));
  source.close();

  const twinName = `${name}-raw`;
  (await openDatabase({ name: twinName })).close();
  const twin = await done(indexedDB.open(twinName));
  let seq = 0;
  return {
    putTurn: (...texts) =>
      new Promise((resolve, reject) => {
        const write = twin.transaction(STORES, 'readwrite', { durability: 'strict' });
        write.addEventListener('complete', () => resolve());
        write.addEventListener('abort', () =>
          reject(write.error ?? new Error('The transaction was aborted.')),
        );
        for (const [i, message] of (messages ?? []).entries()) {
          const row = { ...message, id: crypto.randomUUID(), seq, content: texts[i] };
          write.objectStore('messages').put(row);
          seq++;
        }
        write.objectStore('sessions').put({ ...sessions?.[0], nextSeq: seq });
        write.objectStore('changes').put({ ...changes?.[0], toSeq: seq });
      }),
    close: () => {
      twin.close();
      indexedDB.deleteDatabase(twinName);
    },
  };
}

/** Opens a database in which Dexie stores the same rows in one transaction. */
async function openDexieTwin(
  name: string,
): Promise<{ putTurn(user: string, assistant: string): Promise<void>; close(): Promise<void> }> {
  const source = await done(indexedDB.open(name));
  const transaction = source.transaction(STORES);
  const readAll = (store: string): Promise<Row[]> => done(transaction.objectStore(store).getAll());
  const [sessions, messages, changes] = await Promise.all(STORES.map(readAll));
  source.close();
  const twin = new Dexie(`${name}-dexie`, { chromeTransactionDurability: 'strict' });
  twin.version(1).stores({
    sessions: 'id, scope',
    messages: '[sessionId+seq], &id, turnId, [scope+createdAt]',
    changes: '++',
  });
  await twin.open();
  let seq = 0;
  return {
    putTurn: (...texts) =>
      twin.transaction('rw', [...STORES], async () => {
        const rows = (messages ?? []).map((message, i) => {
          return { ...message, id: crypto.randomUUID(), seq: seq + i, content: texts[i] };
        });
        seq += rows.length;
        await twin.table('messages').bulkPut(rows);
        await twin.table('sessions').put({ ...sessions?.[0], nextSeq: seq });
        await twin.table('changes').add({ ...changes?.[0], toSeq: seq });
      }),
    close: () => twin.delete(),
  };
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
  });
}
