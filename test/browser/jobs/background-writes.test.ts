import { afterEach, expect, it } from 'vitest';
import { LETTERS_EMBEDDER } from '../../fakes/letters-embedder.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const { transaction } = IDBDatabase.prototype;

afterEach(() => {
  IDBDatabase.prototype.transaction = transaction;
});

/** Returns the stores of each transaction that writes from now on. */
function watchWrites(): string[] {
  const writes: string[] = [];
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...request) {
    const [stores, mode] = request;
    if (mode === 'readwrite') writes.push(inOrder([stores].flat() as string[]).join(' '));
    return transaction.apply(this, request);
  };
  return writes;
}

const inOrder = (writes: readonly string[]): string[] => writes.toSorted((a, b) => (a < b ? -1 : 1));

const JOB = 'jobs meta';
const LEARNED = 'changes claims entities jobs messages meta packedKnowledge tombstones triples';
const VECTORS = 'changes messages vectors';

it.each([
  ['without an embedder', false as const, [JOB, LEARNED]],
  ['with one', LETTERS_EMBEDDER, [JOB, LEARNED, VECTORS]],
])(
  'JOB-41: the background work of one more turn %s writes only what it has done',
  async (_, embedder, done) => {
    const memory = await memoryOf({ embedder, learning: { delayMs: 0 } });
    for (let n = 0; n < 3; n += 1) {
      await memory.remember({ user: `My friend Hannah${n} lives in Oslo.`, assistant: 'A fine city.' });
      await memory.work.settled();
    }
    const writes = watchWrites();
    await memory.remember({ user: 'My brother Carl lives in Bergen.', assistant: 'Nice.' });
    const stored = writes.length;
    await memory.work.settled();
    expect(stored).toBe(1);
    // To claim a job writes nothing. The summary, which is not due yet, ends its own.
    expect(inOrder(writes.slice(stored))).toEqual(inOrder(done));
  },
);
