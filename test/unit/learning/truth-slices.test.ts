import { expect, it, vi } from 'vitest';
import { endedWords } from '../../../src/learning/claims/endings.ts';
import { truthInSlices } from '../../../src/learning/claims/truth-of.ts';
import { Truth } from '../../../src/learning/claims/truth.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';
import { livingIn, NOTHING } from '../../fixtures/claims/living-in.ts';

vi.mock(import('../../../src/learning/claims/endings.ts'), { spy: true });

const FACTS = 1600;

const idsOf = (rows: KnowledgeRows): string[] => [...rows.claims.values()].map(({ messageId }) => messageId);

it('CLM-19: what holds is computed in slices with the same result as one by one, in any order', async () => {
  const rows = livingIn(FACTS);
  const alone = new Truth(livingIn(FACTS), {});
  const ids = idsOf(rows);
  const asked = new Map(ids.toReversed().map((id) => [id, alone.outdatedIn(id)]));
  let tasks = 0;
  const counting = setInterval(() => (tasks += 1));
  const truth = await truthInSlices(rows, {}, undefined);
  clearInterval(counting);
  expect(tasks).toBeGreaterThan(0);
  expect(await truthInSlices(rows, {}, undefined)).toBe(truth);
  const told = ids.flatMap((id) => truth.toldIn(id));
  expect(told.filter(({ endedBy }) => endedBy !== undefined)).toHaveLength(FACTS / 2);
  expect(told).toEqual(ids.flatMap((id) => alone.toldIn(id)));
  expect(ids.map((id) => truth.outdatedIn(id))).toEqual(ids.map((id) => asked.get(id)));
});

/** Claims of which the last two end both parts of each other one. */
function endedInParts(count: number): KnowledgeRows {
  const rows = new KnowledgeRows('user');
  const claims = Array.from({ length: count + 2 }, (_, n): ClaimRow => {
    const text = ['I quit the choir.', 'I quit chess.'][n - count] ?? 'I sing in a choir and play chess.';
    return {
      ...{ id: `m${n}/0`, scope: 'user', text, messageId: `m${n}`, sessionId: 's', seq: n, start: 0 },
      ...{ end: text.length, origin: 'user', kinds: ['other'], topic: '', score: 1, saidAt: n },
      ...{ matters: ['hobby'], ...(n < count ? {} : { ends: ['hobby'] }) },
      ...(n < count ? { endedBy: `m${count}/0`, endedText: 'I sing in a choir' } : {}),
    };
  });
  rows.apply({ ...NOTHING, claims });
  return rows;
}

it('CLM-19: claims that are over are looked at in slices, and compared again only after a change', async () => {
  const rows = endedInParts(200);
  const compared = vi.mocked(endedWords);
  const readAll = (): number => [...new Truth(rows, {}).readAll()].length;
  expect(readAll()).toBe(rows.claims.size);
  expect(compared).toHaveBeenCalledTimes(200);
  readAll();
  expect(compared).toHaveBeenCalledTimes(200);
  const [claim] = rows.claims.values();
  if (claim) rows.apply({ ...NOTHING, claims: [{ ...claim, score: 0.5 }] });
  readAll();
  expect(compared).toHaveBeenCalledTimes(201);
});
