import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryStore, type MemoryRow, type UndoList } from '../../../src/storage/memory-store.ts';
import type { StoreShape } from '../../../src/storage/schema.ts';
import { field, key, query } from '../../fixtures/random-requests.ts';

/** With a unique index, one of list items and one over two fields. */
const SHAPE: StoreShape = {
  keyPath: ['a', 'b'],
  indexes: {
    once: { keyPath: 'c', unique: true },
    items: { keyPath: 'd', multiEntry: true },
    both: { keyPath: ['c', 'e'] },
  },
};
type Row = Record<'a' | 'b' | 'c' | 'd' | 'e', unknown>;
type Range = Pick<IDBKeyRange, 'lower' | 'upper' | 'lowerOpen' | 'upperOpen'>;

/** As the standard says it, and slow: all rows in a list that is sorted again for each question. */
class Model {
  rows: Row[] = [];

  put(row: Row, ifThere: 'replace' | 'refuse'): 'ok' | 'DataError' | 'ConstraintError' {
    const own = [row.a, row.b];
    if (!isKey(own)) return 'DataError';
    const others = this.rows.filter((each) => compare([each.a, each.b], own) !== 0);
    if (others.length < this.rows.length && ifThere === 'refuse') return 'ConstraintError';
    if (isKey(row.c) && others.some((each) => isKey(each.c) && compare(each.c, row.c) === 0))
      return 'ConstraintError';
    this.rows = [...others, row];
    return 'ok';
  }

  delete(selected: unknown): void {
    this.rows = this.rows.filter((row) => !isIn([row.a, row.b], selected));
  }

  keys(selected: unknown, index?: string): unknown[] {
    const entries = this.rows.flatMap((row) =>
      keysIn(row, index).map((each) => ({ by: each, key: [row.a, row.b] })),
    );
    return entries
      .filter(({ by }) => isIn(by, selected))
      .toSorted((x, y) => compare(x.by, y.by) || compare(x.key, y.key))
      .map((entry) => entry.key);
  }
}

function keysIn(row: Row, index: string | undefined): unknown[] {
  if (index === undefined) return [[row.a, row.b]];
  if (index === 'items' && Array.isArray(row.d)) {
    const items: unknown[] = row.d.filter(isKey);
    return items.filter((item, at) => items.findIndex((each) => compare(each, item) === 0) === at);
  }
  const whole = { once: row.c, items: row.d, both: [row.c, row.e] }[index];
  return isKey(whole) ? [whole] : [];
}

function isKey(value: unknown): boolean {
  if (Array.isArray(value)) return Array.from(value).every(isKey);
  return typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value));
}

function compare(x: unknown, y: unknown): number {
  const kinds = [x, y].map((each) => ['number', 'string', 'object'].indexOf(typeof each));
  if (kinds[0] !== kinds[1]) return Number(kinds[0]) - Number(kinds[1]);
  if (!Array.isArray(x) || !Array.isArray(y)) return x === y ? 0 : (x as number) < (y as number) ? -1 : 1;
  if (x.length === 0 || y.length === 0) return x.length - y.length;
  return compare(x[0], y[0]) || compare(x.slice(1), y.slice(1));
}

function isIn(candidate: unknown, selected: unknown): boolean {
  if (selected === undefined) return true;
  if (isKey(selected)) return compare(candidate, selected) === 0;
  const { lower, upper, lowerOpen, upperOpen } = selected as Range;
  const fromLower = lower === undefined ? 1 : compare(candidate, lower);
  const toUpper = upper === undefined ? 1 : compare(upper, candidate);
  return (lowerOpen ? fromLower > 0 : fromLower >= 0) && (upperOpen ? toUpper > 0 : toUpper >= 0);
}

const row: fc.Arbitrary<Row> = fc.record({
  a: fc.oneof(fc.constantFrom('x', 1), field),
  b: fc.oneof(fc.constantFrom(1, 2, 'b'), field),
  c: field,
  d: fc.oneof(field, fc.array(fc.oneof(field, key), { maxLength: 4 })),
  e: field,
});

const step = fc.record({
  row,
  query,
  kind: fc.constantFrom('put', 'put', 'put', 'put', 'add', 'add', 'delete', 'undo', 'undo all'),
});

function tried<T>(request: () => T): T | 'DataError' | 'ConstraintError' {
  try {
    return request();
  } catch (error) {
    if (error instanceof DOMException) return error.name as 'DataError';
    throw error;
  }
}

it('STO-31: after any puts, deletes and rollbacks, a store in RAM holds what a sorted list would', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), query, fc.nat(4), (steps, of, count) => {
      const store = new MemoryStore(SHAPE);
      const model = new Model();
      let done: { undo: UndoList; before: Row[] }[] = [];
      const selected = tried(of);
      for (const { row: given, query: doomed, kind } of steps) {
        const before = model.rows;
        if (kind === 'put' || kind === 'add') {
          const ifThere = kind === 'put' ? 'replace' : 'refuse';
          const undo: UndoList = [];
          const written = tried(() => store.put(given, undefined, ifThere, undo));
          expect(undo.length === 0 ? written : 'ok').toBe(model.put(given, ifThere));
          if (undo.length > 0) done.push({ undo, before });
        } else if (kind === 'delete') {
          const which = tried(doomed);
          if (which === 'DataError') continue;
          const undo: UndoList = [];
          store.delete(which, undo);
          done.push({ undo, before });
          model.delete(which);
        } else {
          const undone = kind === 'undo' ? done.slice(-1) : done;
          done = kind === 'undo' ? done.slice(0, -1) : [];
          for (const each of undone.toReversed()) {
            for (const undo of each.undo) undo();
            model.rows = each.before;
          }
        }
        for (const index of [undefined, 'once', 'items', 'both']) {
          const select = (which: unknown, limit?: number): readonly MemoryRow[] =>
            index === undefined ? store.rows.select(which, limit) : store.index(index).select(which, limit);
          const keysOf = (rows: readonly MemoryRow[]): unknown[] => rows.map((each) => each.key);
          expect(keysOf(select(undefined))).toEqual(model.keys(undefined, index));
          if (selected === 'DataError') continue;
          expect(keysOf(select(selected))).toEqual(model.keys(selected, index));
          expect(keysOf(select(selected, count))).toEqual(model.keys(selected, index).slice(0, count));
        }
      }
    }),
    { numRuns: 200 },
  );
});
