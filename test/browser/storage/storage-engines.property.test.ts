import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { MemoryEngine } from '../../../src/storage/memory-engine.ts';
import type { StorageEngine, Transaction } from '../../../src/storage/storage-engine.ts';
import { anyStore } from '../../fixtures/any-store.ts';
import { REQUESTED, transaction, type Request } from '../../fixtures/random-requests.ts';

class Undone extends Error {}

/** The answers to all requests and, last, what became of the transaction. */
async function run(engine: StorageEngine, requests: readonly Request[], fails: boolean): Promise<unknown[]> {
  const answers: unknown[] = [];
  const outcome = await engine
    .write([...REQUESTED], async (tx) => {
      for (const request of requests) answers.push(await request.ask(tx));
      if (fails) throw new Undone();
      return 'done';
    })
    .catch((error: unknown) => (error instanceof Undone ? 'undone' : (error as { code?: string }).code));
  return [...answers, outcome];
}

/** Everything in the stores, also by their indexes. */
async function stateOf(engine: StorageEngine): Promise<unknown> {
  const indexes = {
    messages: ['id', 'created', 'openedBy'],
    records: ['sessionId', 'messageIds'],
    entities: ['id'],
  };
  const rowsOf = async (tx: Transaction, name: (typeof REQUESTED)[number]): Promise<unknown[]> => {
    const store = anyStore(tx, name);
    const named = (indexes as Record<string, string[]>)[name] ?? [];
    return [
      await store.getAllKeys(),
      await store.getAll(),
      ...(await Promise.all(named.map((index) => store.index(index).getAllKeys()))),
    ];
  };
  return engine.read([...REQUESTED], (tx) => Promise.all(REQUESTED.map((name) => rowsOf(tx, name))));
}

it('STO-32: after any operations in any order, IndexedDB and RAM return and hold the same', async () => {
  const disk = new Connection({ name: newId() });
  const memory = new MemoryEngine();
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 6 }), async (story) => {
      for (const { requests, fails } of story) {
        const said = requests.map((request) => request.says).join('; ');
        const expected = await run(disk, requests, fails);
        expect(await run(memory, requests, fails), said).toEqual(expected);
      }
      expect(await stateOf(memory)).toEqual(await stateOf(disk));
      const empty = (engine: StorageEngine): Promise<unknown> =>
        engine.write([...REQUESTED], (tx) =>
          Promise.all(REQUESTED.map((name) => anyStore(tx, name).clear())),
        );
      await Promise.all([empty(disk), empty(memory)]);
    }),
    { numRuns: 200, interruptAfterTimeLimit: 60_000 },
  );
  await disk.delete();
}, 100_000);
