import { expect, it, vi } from 'vitest';
import { nameKey } from '../../../src/graph/entity-name.ts';
import { truthInSlices, truthOf } from '../../../src/learning/claims/truth-of.ts';
import { Truth } from '../../../src/learning/claims/truth.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import type { ClaimRow, FactRow } from '../../../src/storage/schema.ts';

const FACTS = 1600;

/** Facts of which each ends the one before it, and the claims that they were read from. */
function livingIn(count: number): KnowledgeRows {
  const rows = new KnowledgeRows('user');
  const facts = Array.from({ length: count }, (_, n): FactRow => {
    const object = `Town${n}`;
    return {
      ...{ id: `f${n}`, seq: n, scope: 'user', subject: `P${n >> 1}`, subjectKey: nameKey(`P${n >> 1}`) },
      ...{ predicate: 'lives in', object, objectKey: nameKey(object), validFrom: n, recordedAt: n },
      ...{ source: 'extracted', sources: [{ messageId: `m${n}` }], messageIds: [`m${n}`] },
      ...{ supersedes: [], attributes: {} },
    };
  });
  const claims = facts.map(({ subject, object }, n): ClaimRow => {
    const text = `${subject} lives in ${object}.`;
    return {
      ...{ id: `m${n}/0`, scope: 'user', text, messageId: `m${n}`, sessionId: 's', seq: n, start: 0 },
      ...{ end: text.length, origin: 'user', kinds: ['home'], topic: '', score: 1, saidAt: n, matters: [] },
    };
  });
  rows.apply({
    ...{ facts, claims, entities: [] },
    ...{ removedFacts: [], removedEntities: [], removedClaims: [] },
  });
  return rows;
}

it('CLM-19: what holds is computed in slices with the same result as at once', async () => {
  const [sliced, whole] = [livingIn(FACTS), livingIn(FACTS)];
  const readSome = vi.spyOn(Truth.prototype, 'readSome');
  let tasks = 0;
  const counting = setInterval(() => (tasks += 1));
  await truthInSlices(sliced, undefined);
  clearInterval(counting);
  expect(readSome.mock.calls.length).toBeGreaterThanOrEqual(FACTS / 250);
  expect(tasks).toBeGreaterThan(0);
  const before = readSome.mock.calls.length;
  const told = truthOf(sliced).told();
  expect(readSome.mock.calls.length).toBe(before + 1);
  expect(told.filter(({ endedBy }) => endedBy !== undefined)).toHaveLength(FACTS / 2);
  expect(told).toEqual(truthOf(whole).told());
  readSome.mockRestore();
});
