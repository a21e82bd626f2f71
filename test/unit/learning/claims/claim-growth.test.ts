import { expect, it, vi } from 'vitest';
import { createMemory } from '../../../../src/index.ts';
import { endsOf, mattersOf } from '../../../../src/learning/claims/end-keys.ts';
import { KnowledgeRows } from '../../../../src/learning/knowledge-rows.ts';
import { ScopeGraph } from '../../../../src/learning/scope-graph.ts';
import { MnemoraError } from '../../../../src/model/error.ts';
import type { ClaimRow } from '../../../../src/storage/schema.ts';
import { TranscriptStore } from '../../../../src/storage/transcript/transcript-store.ts';
import { eventually } from '../../../fixtures/eventually.ts';

const SAID = [
  'I live in Porto with my sister.',
  'I work as a nurse at the clinic.',
  'My brother sings in the choir on Mondays.',
  'The stand-up is at 9:15 in room 3.',
  'I quit the choir.',
  'We moved to Faro.',
  'My dog Bo is 3 years old.',
  'I love olives and hate tea.',
];

function claimOf(text: string, at: number): ClaimRow {
  const ends = endsOf({ text });
  return {
    ...{ id: `m${at}/0`, scope: 'user', messageId: `m${at}`, sessionId: 's', seq: at, start: 0 },
    ...{ text, end: text.length, origin: 'user', kinds: ['other'], topic: '', score: 1, saidAt: at },
    matters: mattersOf({ text }),
    ...(ends.length > 0 ? { ends } : {}),
  };
}

it('CLM-5: one more claim is compared with as many at 16,000 claims as at 1,000', () => {
  const kinds = SAID.map((text) => claimOf(text, 0));
  const found = (count: number): number => {
    const rows = new KnowledgeRows('user');
    const claims = Array.from({ length: count }, (_, at): ClaimRow => {
      const kind = kinds[at % kinds.length] ?? claimOf('', at);
      return { ...kind, id: `m${at}/0`, messageId: `m${at}`, seq: at, saidAt: at };
    });
    rows.apply({
      ...{ facts: [], entities: [], claims },
      ...{ removedFacts: [], removedEntities: [], removedClaims: [] },
    });
    const { endIndex } = rows;
    return kinds.reduce(
      (sum, claim) => sum + endIndex.targetsOf(claim).length + endIndex.endersOf(claim).length,
      0,
    );
  };
  expect(found(16_000)).toBe(found(1000));
  expect(found(1000)).toBeGreaterThan(0);
});

it('CLM-10: reading all claims again goes on where it was after an interruption', async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  const turns = 60;
  for (let at = 0; at < turns; at++)
    await memory.remember({ user: `My cat number ${at} is called Bo.`, assistant: 'Okay.' });
  await memory.work.settled();
  const before = await memory.claims.list();
  const backup = await memory.backup.export();
  await memory.forget({ everything: true });
  const update = ScopeGraph.prototype.update;
  let steps = 0;
  const failing = vi.spyOn(ScopeGraph.prototype, 'update').mockImplementation(function (
    this: ScopeGraph,
    ...args
  ) {
    steps += 1;
    if (steps === 3) throw new MnemoraError('storage-failed', 'The page was closed.');
    return update.apply(this, args);
  });
  const loaded = vi.spyOn(TranscriptStore.prototype, 'loadTurns');
  await memory.backup.import(backup, { restoreForgotten: true });
  await eventually(async () => {
    const [job] = await memory.work.list();
    expect(job?.attempts).toBe(1);
  });
  const [job] = await memory.work.list();
  expect(job?.turnIds.length).toBe(turns - 32);
  failing.mockRestore();
  await memory.work.retry(job?.id ?? 0);
  await memory.work.settled();
  // Only the turns of the failed step were read twice.
  const read = loaded.mock.calls.reduce((sum, [, turnIds]) => sum + turnIds.length, 0);
  expect(read).toBeLessThanOrEqual(turns + 32);
  expect((await memory.claims.list()).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  await memory.close();
});
