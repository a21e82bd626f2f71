import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { FactIndex } from '../../../src/graph/fact-index.ts';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import type { TripleRecord } from '../../../src/graph/triple.ts';

/** A home of Ann. */
interface Home {
  readonly place: string;
  readonly from: number;
  readonly lasts: number;
  readonly saidFor: number;
}

const FOREVER = 50;
const forTime = fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 6 }));
const home: fc.Arbitrary<Home> = fc.record({
  place: fc.constantFrom('Paris', 'Rome', 'Oslo'),
  from: fc.integer({ min: 0, max: 12 }),
  lasts: forTime,
  saidFor: forTime,
});

function recordsOf(homes: readonly Home[]): TripleRecord[] {
  return homes.map(({ place, from, lasts }, seq) => ({
    ...{ id: `f${seq}`, seq, subject: 'Ann', predicate: 'lives in', object: place, validFrom: from },
    ...(lasts === Infinity ? {} : { validTo: from + lasts }),
    ...{ recordedAt: 0, supersedes: [], source: 'extracted', sources: [], attributes: {} },
  }));
}

const endOf = ({ validTo = Infinity }: TripleRecord): number => validTo;

/** Returns which fact began the time without a gap in which others cover the end of a fact, by reading the whole slot. */
function endedBy(
  record: TripleRecord,
  slot: readonly TripleRecord[],
  saidUntil: (id: string) => number,
  reach: (other: TripleRecord) => number,
): TripleRecord | undefined {
  const contenders: TripleRecord[] = [];
  for (const each of slot) {
    const before = contenders.at(-1);
    const isRepeat = before?.object === each.object && endOf(each) <= endOf(before);
    const isUnsaid = saidUntil(each.id) < Infinity;
    if (saidUntil(each.id) > each.validFrom && !(isRepeat && isUnsaid)) contenders.push(each);
  }
  const place = contenders.indexOf(record);
  const later = place < 0 ? [] : contenders.slice(place + 1);
  const isCovered = (time: number): boolean =>
    later.some((other) => other.validFrom <= time && time < reach(other));
  let start = Math.min(endOf(record), FOREVER);
  while (isCovered(start - 1)) start -= 1;
  return later.find((other) => other.validFrom === start && reach(other) > start);
}

it('GRPH-81: when a fact ended is found from the next facts as from all that compete with it, said or not', () => {
  fc.assert(
    fc.property(fc.array(home, { maxLength: 14 }), (homes) => {
      const triples = recordsOf(homes);
      const graph = new KnowledgeGraph({ clock: () => FOREVER });
      graph.putRecords({ entities: [], triples });
      const said = new Map(homes.map(({ from, saidFor }, n) => [`f${n}`, from - 1 + saidFor]));
      const saidUntil = (id: string): number => said.get(id) ?? Infinity;
      const view = graph.view({}, saidUntil);
      const slot = triples.toSorted((a, b) => a.validFrom - b.validFrom || a.seq - b.seq);
      for (const record of triples) {
        const same = slot.filter(({ object }) => object === record.object);
        const successors = [
          endedBy(record, slot, saidUntil, endOf),
          endedBy(record, same, saidUntil, () => Infinity),
          endedBy(record, same, saidUntil, endOf),
        ].flatMap((each) => each ?? []);
        const wanted = Math.min(endOf(record), ...successors.map(({ validFrom }) => validFrom));
        expect(view.triple(record.id)?.validTo ?? Infinity).toBe(Math.max(wanted, record.validFrom));
      }
    }),
    { numRuns: 400 },
  );
});

it('GRPH-82: when a fact ended is found by reading a few of thousands that compete with it', () => {
  const homes = Array.from({ length: 3000 }, (_, n) => ({ place: `Town${n}`, from: n, lasts: Infinity }));
  const graph = new KnowledgeGraph({ clock: () => homes.length });
  graph.putRecords({
    entities: [],
    triples: recordsOf(homes.map((each) => ({ ...each, saidFor: Infinity }))),
  });
  const saidUntil = vi.fn((id: string) => (id === 'f2999' ? Infinity : Number(id.slice(1)) + 1));
  const inSlot = vi.spyOn(FactIndex.prototype, 'inSlot');
  const view = graph.view({}, saidUntil);
  expect(view.holds('f1500')).toBe(false);
  expect(view.triple('f1500')).toMatchObject({ validTo: 1501, supersededBy: 'f1501' });
  expect(view.holds('f2999')).toBe(true);
  expect(saidUntil.mock.calls.length + inSlot.mock.calls.length).toBeLessThan(50);
  vi.restoreAllMocks();
});
