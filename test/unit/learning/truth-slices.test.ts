import { expect, it, vi } from 'vitest';
import { nameKey } from '../../../src/graph/entity-name.ts';
import { endedWords } from '../../../src/learning/claims/endings.ts';
import { truthInSlices } from '../../../src/learning/claims/truth-of.ts';
import { Truth } from '../../../src/learning/claims/truth.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import type { ClaimRow, FactRow } from '../../../src/storage/schema.ts';

vi.mock(import('../../../src/learning/claims/endings.ts'), { spy: true });

const FACTS = 1600;
const NOTHING = {
  ...{ facts: [], claims: [], entities: [] },
  ...{ removedFacts: [], removedEntities: [], removedClaims: [] },
};

/** Facts of which every other one ends the one before it, and the claims that they were read from. */
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
  rows.apply({ ...NOTHING, facts, claims });
  return rows;
}

it('CLM-19: what holds is computed in slices with the same result as at once', async () => {
  const [sliced, whole] = [livingIn(FACTS), new Truth(livingIn(FACTS), {})];
  let slices = 1;
  while (whole.readSome()) slices += 1;
  // All facts and claims are looked at, and three times those that are over.
  expect(slices).toBeGreaterThanOrEqual((FACTS + FACTS + 2 * 5 * (FACTS / 2)) / 250);
  let tasks = 0;
  const counting = setInterval(() => (tasks += 1));
  const readSome = vi.spyOn(Truth.prototype, 'readSome');
  const truth = await truthInSlices(sliced, {}, undefined);
  clearInterval(counting);
  expect(readSome).toHaveBeenCalledTimes(slices);
  expect(tasks).toBeGreaterThan(0);
  expect(await truthInSlices(sliced, {}, undefined)).toBe(truth);
  expect(readSome).toHaveBeenCalledTimes(slices + 1);
  readSome.mockRestore();
  expect(truth.told().filter(({ endedBy }) => endedBy !== undefined)).toHaveLength(FACTS / 2);
  expect(truth.told()).toEqual(whole.told());
  expect(truth.outdatedQuotes()).toEqual(whole.outdatedQuotes());
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
  const readAll = (): number => {
    const truth = new Truth(rows, {});
    for (let slices = 1; ; slices += 1) if (!truth.readSome()) return slices;
  };
  expect(readAll()).toBeGreaterThanOrEqual((200 * 5) / 250);
  expect(compared).toHaveBeenCalledTimes(200);
  readAll();
  expect(compared).toHaveBeenCalledTimes(200);
  const [claim] = rows.claims.values();
  if (claim) rows.apply({ ...NOTHING, claims: [{ ...claim, score: 0.5 }] });
  readAll();
  expect(compared).toHaveBeenCalledTimes(201);
});
