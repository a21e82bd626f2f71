import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { byWorth, ClaimLists } from '../../../../src/learning/claims/claim-lists.ts';
import { worthUnasked } from '../../../../src/learning/claims/claim-worth.ts';
import { RecentIds } from '../../../../src/model/ordered/recent-ids.ts';
import { SortedList } from '../../../../src/model/ordered/sorted-list.ts';
import { holds, rankedMessages } from '../../../../src/recall/told-claims.ts';
import { groupedBy } from '../../../../src/storage/rows.ts';
import type { ClaimRow } from '../../../../src/storage/schema.ts';

const changes = fc.array(
  fc.record({
    message: fc.nat(9),
    place: fc.nat(3),
    saidAt: fc.nat(4),
    score: fc.constantFrom(0.2, 0.5, 0.9),
    isWeak: fc.boolean(),
    isEnded: fc.boolean(),
    isRemoved: fc.boolean(),
    /** Whether the lists are read before the next change. */
    isRead: fc.boolean(),
  }),
  { maxLength: 60 },
);

it('CLM-34: the orders in which claims are kept are those of all claims sorted at once', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const rows = new Map<string, ClaimRow>();
      const lists = new ClaimLists({ claim: (id) => rows.get(id) });
      for (const { message, place, saidAt, score, isWeak, isEnded, isRemoved, isRead } of all) {
        const messageId = `m${message}`;
        const id = `${messageId}/${place}`;
        const text = place % 2 === 0 ? 'I keep bees.' : 'Bread needs salt.';
        const row: ClaimRow = {
          ...{ id, messageId, text, scope: 'user', sessionId: 's', seq: 0, start: place, end: place + 9 },
          ...{ origin: 'user', kinds: ['other'], topic: '', score, saidAt: 10 * message + saidAt },
          ...{ matters: [], ...(isWeak ? { isWeak } : {}), ...(isEnded ? { endedBy: 'other' } : {}) },
        };
        if (isRemoved) rows.delete(id);
        else rows.set(id, row);
        lists.touch(id);
        if (isRead) lists.read(1);
      }
      const listed = [...rows.values()].filter(({ isWeak }) => isWeak !== true);
      const by = (value: (row: ClaimRow) => number): ClaimRow[] =>
        listed.toSorted((a, b) => value(b) - value(a) || (a.id < b.id ? 1 : -1));
      expect([...lists.newest()]).toEqual(by(({ saidAt }) => saidAt));
      expect([...lists.best()]).toEqual(by(({ score }) => score));
      for (const [messageId, of] of groupedBy([...rows.values()], (row) => row.messageId))
        expect(lists.in(messageId)).toEqual(of.toSorted((a, b) => a.start - b.start));
      const statedIn = (messageId: string): ClaimRow[] =>
        lists.in(messageId).filter(({ isWeak }) => isWeak !== true);
      const held = [...groupedBy(listed, (row) => row.messageId).keys()].flatMap((messageId) => {
        const stated = statedIn(messageId).filter(holds);
        const saidAt = statedIn(messageId)[0]?.saidAt ?? 0;
        return stated.length === 0 ? [] : [{ messageId, saidAt, worth: worthUnasked(stated) }];
      });
      const ranked = [...rankedMessages(lists.worthiest(), statedIn)].flatMap((message) => {
        if (!message) return []; // a pause
        const { rows: _rows, ...of } = message;
        return of;
      });
      expect(ranked).toEqual(held.toSorted((a, b) => byWorth(b, a)));
    }),
  );
});

it('CLM-34: a sorted list has its items in order, whatever is added and deleted', () => {
  const numbers = fc.array(fc.record({ value: fc.nat(4000), isDeleted: fc.boolean() }), {
    maxLength: 3000,
    size: 'max',
  });
  fc.assert(
    fc.property(numbers, (all) => {
      const list = new SortedList<number>((a, b) => a - b);
      const items = new Set<number>();
      for (const { value, isDeleted } of all) {
        if (isDeleted) list.delete(value);
        else if (!items.has(value)) list.add(value);
        if (isDeleted) items.delete(value);
        else items.add(value);
      }
      const sorted = [...items].toSorted((a, b) => a - b);
      expect([...list.fromLast()]).toEqual(sorted.toReversed());
      for (const [place, value] of sorted.entries())
        expect(list.around(value)).toEqual(sorted.slice(Math.max(0, place - 1), place + 2));
    }),
    { numRuns: 30 },
  );
});

it('CLM-34: ids that were added last are found, whatever is added and deleted', () => {
  const steps = fc.array(fc.record({ id: fc.nat(20), isDeleted: fc.boolean() }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.nat(25), (all, count) => {
      const recent = new RecentIds();
      const ids = new Set<string>();
      for (const { id, isDeleted } of all) {
        if (isDeleted) recent.delete(`${id}`);
        else recent.add(`${id}`);
        if (isDeleted) ids.delete(`${id}`);
        else ids.add(`${id}`);
      }
      expect(recent.newest(count)).toEqual([...ids].slice(Math.max(0, ids.size - count)));
      expect(recent.size).toBe(ids.size);
    }),
  );
});
