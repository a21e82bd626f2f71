import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { patchMethod } from '../../fixtures/faults/patched-method.ts';

it('STO-53: every transaction that writes asks the browser for strict durability', async () => {
  const durabilities: string[] = [];
  const restore = patchMethod(IDBDatabase.prototype, 'transaction', (original, self, parameters) => {
    const transaction = original.apply(self, parameters) as IDBTransaction;
    if (transaction.mode === 'readwrite') durabilities.push(transaction.durability);
    return transaction;
  });
  try {
    const memory = await createMemory({ name: newId(), embedder: hashEmbedder(), recentTurns: 1 });
    for (const place of ['Lisbon', 'Porto', 'Faro']) {
      await memory.remember({ user: `I live in ${place}.`, assistant: 'Noted.' }, { sessionId: 's' });
    }
    await memory.work.settled();
    await memory.backup.rebuild();
    await memory.work.settled();
    await memory.forget({ sessionId: 's' }, { preview: true });
    await memory.forget({ sessionId: 's' });
    await memory.close();
  } finally {
    restore();
  }
  expect(new Set(durabilities)).toEqual(new Set(['strict']));
});
