import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withLinkedHits } from '../../../src/recall/rank/linked-hits.ts';
import type { FusedHit } from '../../../src/search/fuse.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';

const NAMES = ['Ada', 'Bruno', 'Cato', 'Diana'];

interface Said {
  readonly isOver?: boolean;
  readonly names: readonly string[];
  readonly role: boolean;
  readonly score: number;
}

const said = fc.record({
  names: fc.subarray(NAMES),
  role: fc.boolean(),
  score: fc.integer({ min: 0, max: 12 }),
});

function claimsIn(one: Said): ClaimRow[] {
  return [{ text: textOf(one), ...(one.isOver ? { endedBy: 'later' } : {}) } as ClaimRow];
}

function textOf({ names, role }: Said): string {
  return `${role ? 'my landlord' : 'there'} is with ${names.join(' and ')}`;
}

function raise(
  all: readonly Said[],
  askedTerms: ReadonlySet<string>,
): { before: FusedHit[]; after: readonly FusedHit[] } {
  const before = all
    .flatMap(({ score }, at) => (score === 0 ? [] : [{ id: `m${at}`, score, parts: { keyword: score } }]))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const at = (id: string): number => Number(id.slice(1));
  const place = (
    index: number,
  ): { id: string; turnId: string; sessionId: string; order: number; createdAt: number } => ({
    ...{ id: `m${index}`, turnId: `t${index}`, sessionId: 's', order: index, createdAt: index },
  });
  const after = withLinkedHits(
    before,
    {
      claims: {
        in: (id) => claimsIn(all[at(id)] ?? { names: [], role: false, score: 0 }),
      },
      messages: {
        get: (id) => place(at(id)),
        messagesWith: (word, most) => {
          const having = all.flatMap(({ names }, index) =>
            names.some((name) => name.toLowerCase() === word) ? [place(index)] : [],
          );
          return having.length > most ? [] : having.toReversed();
        },
      },
    },
    askedTerms,
  );
  return { before, after };
}

it('RANK-28: no message falls, scores are the sums of their parts, and only messages with a name of the best are raised', () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 30 }), (all) => {
      const { before, after } = raise(all, new Set(['landlord']));
      const scores = new Map(before.map(({ id, score }) => [id, score]));
      const linking = before.slice(0, 2).map(({ id }) => all[Number(id.slice(1))]);
      const followed = new Set(linking.flatMap((each) => (each?.role ? each.names : [])));
      for (const { id, score, parts } of after) {
        const known = scores.get(id) ?? 0;
        expect(score).toBeGreaterThanOrEqual(known);
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score);
        if (score > known)
          expect(all[Number(id.slice(1))]?.names.some((name) => followed.has(name))).toBe(true);
      }
      expect(after.map(({ score }) => score)).toEqual(
        after.map(({ score }) => score).toSorted((a, b) => b - a),
      );
      expect(after[0]?.id).toBe(before[0]?.id);
    }),
  );
});

it.for([
  [
    'the best messages name nobody',
    [
      { names: [], role: true, score: 9 },
      { names: ['Ada'], role: false, score: 0 },
    ],
    ['landlord'],
  ],
  [
    'what the best messages state has ended',
    [
      { names: ['Ada'], role: true, score: 9, isOver: true },
      { names: ['Ada'], role: false, score: 0 },
    ],
    ['landlord'],
  ],
  [
    'the question has the name',
    [
      { names: ['Ada'], role: true, score: 9 },
      { names: ['Ada'], role: false, score: 0 },
    ],
    ['landlord', 'ada'],
  ],
  [
    'more than 24 messages have the name',
    Array.from({ length: 25 }, (_, at) => ({ names: ['Ada'], role: at === 0, score: at === 0 ? 9 : 0 })),
    ['landlord'],
  ],
] as const)('RANK-28: the ranking stays as it is if %s', ([, all, terms]) => {
  const { before, after } = raise(all, new Set(terms));
  expect(after).toEqual(before);
});
