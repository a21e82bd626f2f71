import { createMemory, openDatabase, type ChatMessage } from '../../../src/index.ts';
import { round, type BenchResult } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomSentence, seededRandom } from '../recall/seeded-random.ts';

const MESSAGES_PER_WRITE = 2_000;

export async function benchColdOpen(turnCount: number): Promise<BenchResult> {
  const name = `bench-open-${turnCount}`;
  await fill(name, turnCount);
  const first = performance.now();
  const close = await openAndSearch(name);
  const firstMs = performance.now() - first;
  await close(); // whatever is made once for later openings is made by the first
  const { ours, oneByOne, getAll } = await measureInterleaved(
    {
      ours: () => openAndSearch(name),
      oneByOne: () => readOneByOne(name),
      getAll: () => readAtOnce(name),
    },
    turnCount > 20_000 ? 3 : 5,
  );
  await (await openDatabase({ name })).delete();
  return {
    name: `coldOpen${turnCount}`,
    task: `open a memory of ${turnCount} turns and answer the first search by keywords`,
    rows: [
      {
        who: 'mnemora createMemory and search',
        medianMs: ours,
        note: `the first time ${firstMs.toFixed(0)} ms`,
      },
      { who: 'reading the records one by one', medianMs: oneByOne, note: 'a cursor; nothing is indexed' },
      { who: 'reading the records at once', medianMs: getAll, note: 'getAll; nothing is indexed' },
    ],
    ratios: { oneByOneToOurs: round(oneByOne / ours), readAtOnceToOurs: round(getAll / ours) },
  };
}

/** Answers the first search, and returns a function that closes the memory. */
async function openAndSearch(name: string): Promise<() => Promise<void>> {
  const memory = await createMemory({ name, embedder: false, sessionId: 'bench' });
  const found = await memory.search('Where is the guitar from the flight to the mountain?', { limit: 10 });
  if (found.length === 0) throw new Error('Nothing was found.');
  return () => memory.close();
}

async function fill(name: string, turnCount: number): Promise<void> {
  const random = seededRandom(turnCount);
  const database = await openDatabase({ name });
  const history = database.chatHistory('bench');
  const total = turnCount * 2;
  for (let at = 0; at < total; at += MESSAGES_PER_WRITE) {
    const messages = Array.from({ length: Math.min(MESSAGES_PER_WRITE, total - at) }, (_, i): ChatMessage => {
      return { role: i % 2 === 0 ? 'user' : 'assistant', content: randomSentence(random) };
    });
    await history.addMessages(messages);
  }
  database.close();
}

async function readOneByOne(name: string): Promise<number> {
  const { store, close } = await openMessages(name);
  let count = 0;
  await new Promise<void>((resolve, reject) => {
    const request = store.openCursor();
    request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
    request.addEventListener('success', () => {
      const cursor = request.result;
      if (!cursor) return resolve();
      count += 1;
      cursor.continue();
    });
  });
  close();
  return count;
}

async function readAtOnce(name: string): Promise<number> {
  const { store, close } = await openMessages(name);
  const rows = await settled(store.getAll());
  close();
  return rows.length;
}

async function openMessages(name: string): Promise<{ store: IDBObjectStore; close: () => void }> {
  const database = await settled(indexedDB.open(name));
  return {
    store: database.transaction('messages').objectStore('messages'),
    close: () => database.close(),
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
  });
}
