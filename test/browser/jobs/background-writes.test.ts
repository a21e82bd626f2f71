import { afterEach, expect, it } from 'vitest';
import type { CreateMemoryOptions, LLM } from '../../../src/index.ts';
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

const LEARNED = 'changes claims entities jobs messages meta packedKnowledge tombstones triples';
const VECTORS = 'changes messages vectors';
/** Learns nothing, in a transaction of its own: what rules have read is known before it replies. */
const llm: LLM = () => Promise.resolve({ text: '{"entities":[],"facts":[]}' });
const SUMMARY = 'jobs messages meta sessions summaries';

it.each([
  ['by rules', {}, [LEARNED]],
  ['with an embedder', { embedder: LETTERS_EMBEDDER }, [LEARNED, VECTORS]],
  ['with a model', { learning: { llm, delayMs: 0 } }, [LEARNED, LEARNED]],
  ['that makes older ones leave the window', { recentTurns: 3 }, [LEARNED, SUMMARY]],
])(
  'JOB-41: the background work of one more turn %s writes only what it has made',
  async (_, options: CreateMemoryOptions, made) => {
    const memory = await memoryOf({ learning: { delayMs: 0 }, ...options });
    for (let n = 0; n < 3; n += 1) {
      await memory.remember({ user: `My friend Hannah${n} lives in Oslo.`, assistant: 'A fine city.' });
      await memory.work.settled();
    }
    const writes = watchWrites();
    await memory.remember({ user: 'My brother Carl lives in Bergen.', assistant: 'Nice.' });
    const stored = writes.length;
    await memory.work.settled();
    expect(stored).toBe(1);
    expect(inOrder(writes.slice(stored))).toEqual(inOrder(made));
  },
);
