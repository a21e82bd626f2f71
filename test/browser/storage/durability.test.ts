import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { patchMethod } from '../../fixtures/faults/patched-method.ts';

it('STO-53: no transaction of a memory asks the browser for relaxed durability', async () => {
  const durabilities: string[] = [];
  const restore = patchMethod(IDBDatabase.prototype, 'transaction', (original, self, parameters) => {
    const transaction = original.apply(self, parameters) as IDBTransaction;
    durabilities.push(`${transaction.mode} ${transaction.durability}`);
    return transaction;
  });
  try {
    const memory = await createMemory({ name: newId(), embedder: hashEmbedder(), recentTurns: 1 });
    for (const place of ['Lisbon', 'Porto', 'Faro']) {
      await memory.remember({ user: `I live in ${place}.`, assistant: 'Noted.' }, { sessionId: 's' });
    }
    await memory.settled();
    await memory.rebuild();
    await memory.settled();
    await memory.forget({ sessionId: 's' }, { preview: true });
    await memory.forget({ sessionId: 's' });
    await memory.close();
  } finally {
    restore();
  }
  expect(new Set(durabilities)).toEqual(
    new Set(['readonly default', 'readwrite strict', 'readwrite default']),
  );
});
