import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import { predicateForm } from '../../../src/graph/predicate.ts';
import type { GraphRecords, TripleRecord } from '../../../src/graph/triple.ts';

const RUNS = { numRuns: 400 } as const;

const NAMES = ['Ann', 'Bob', 'Cid', 'Paris', 'Rome'];
const PREDICATES = [
  'lives in',
  'does not live in',
  'likes',
  'does not like',
  'used to like',
  'favorite city is',
  'knows',
];
const SINGLE = ['live in', 'favorite city be'];
const time = fc.integer({ min: 0, max: 12 });

interface Step {
  words: { subject: string; predicate: string; object: string };
  clockAdvance: number;
  from: number | undefined;
  lasts: number | undefined;
  supersedes: number | undefined;
  change: 'nothing' | 'retract' | 'delete';
  which: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  words: fc.record({
    subject: fc.constantFrom(...NAMES),
    predicate: fc.constantFrom(...PREDICATES),
    object: fc.constantFrom(...NAMES),
  }),
  clockAdvance: fc.integer({ min: -1, max: 2 }),
  from: fc.option(time, { nil: undefined }),
  lasts: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 3 }),
  supersedes: fc.option(fc.nat(20), { nil: undefined, freq: 8 }),
  change: fc.constantFrom(
    'nothing' as const,
    'nothing' as const,
    'nothing' as const,
    'retract' as const,
    'delete' as const,
  ),
  which: fc.nat(20),
});

const story = fc.array(step, { maxLength: 18 });

/** Plays a story into a graph whose clock ends in `now`. */
function play(steps: readonly Step[]): { graph: KnowledgeGraph; now: number } {
  let now = 0;
  let latest = 0;
  const graph = new KnowledgeGraph({ clock: () => now });
  const some = (which: number): TripleRecord | undefined => {
    const { triples } = graph.toRecords();
    return triples[which % Math.max(1, triples.length)];
  };
  for (const { words, clockAdvance, from, lasts, supersedes, change, which } of steps) {
    now = Math.max(0, now + clockAdvance);
    latest = Math.max(latest, now);
    const validFrom = from ?? (lasts === undefined ? undefined : now);
    const named = supersedes === undefined ? undefined : some(supersedes)?.id;
    graph.addTriple({
      ...words,
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validFrom === undefined || lasts === undefined ? {} : { validTo: validFrom + lasts }),
      ...(named === undefined ? {} : { supersedes: [named] }),
    });
    const other = some(which);
    if (change === 'delete' && other) graph.deleteTriple(other.id);
    if (change === 'retract' && other && !other.retraction)
      graph.retractTriple(other.id, { validTo: which % 12 });
  }
  now = latest; // a graph whose clock was set back goes by the latest time that it has seen
  return { graph, now };
}

/** The rules of validity, by their definition and with no index. */
function holdsNaively(
  all: readonly TripleRecord[],
  record: TripleRecord,
  validAt: number,
  knownAt: number,
): boolean {
  const known = all.filter((other) => other.recordedAt <= knownAt);
  const end = ({ validTo = Infinity }: TripleRecord): number => validTo;
  const retraction = ({ retraction: said }: TripleRecord): number =>
    said && said.recordedAt <= knownAt ? said.validTo : Infinity;
  const isVoid = (other: TripleRecord): boolean =>
    retraction(other) <= other.validFrom ||
    replacing(other).some((later) => later.validFrom <= other.validFrom && end(later) >= end(other));
  const replacing = (other: TripleRecord): TripleRecord[] =>
    known.filter((later) => later.supersedes.includes(other.id) && !isVoid(later));
  const form = predicateForm(record.predicate);
  const outranks = (other: TripleRecord): boolean =>
    other.validFrom - record.validFrom > 0 ||
    (other.validFrom === record.validFrom &&
      (other.recordedAt > record.recordedAt ||
        (other.recordedAt === record.recordedAt && other.seq > record.seq)));
  const keepsOut = (other: TripleRecord): boolean => {
    const otherForm = predicateForm(other.predicate);
    if (other === record || other.subject !== record.subject) return false;
    const isOver = otherForm.denies === form.key && other.object === record.object && end(other) === Infinity;
    if (otherForm.key !== form.key && !isOver) return false;
    if (isVoid(other) || !outranks(other) || other.validFrom > validAt) return false;
    const isSameStatement =
      !isOver && other.object === record.object && otherForm.isNegated === form.isNegated;
    const isRival =
      other.object === record.object ||
      (SINGLE.includes(form.key) && !form.isNegated && !otherForm.isNegated);
    return isSameStatement || (isRival && validAt < end(other));
  };
  return (
    known.includes(record) &&
    record.validFrom <= validAt &&
    validAt < Math.min(end(record), retraction(record)) &&
    !replacing(record).some((later) => later.validFrom <= validAt && validAt < end(later)) &&
    !known.some(keepsOut)
  );
}

const ids = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id);

/** All that can be seen of a graph. */
function seen(graph: KnowledgeGraph, upTo = 14): unknown {
  const times = Array.from({ length: upTo + 1 }, (_, index) => index);
  return [
    graph.entities(),
    graph.triples({ includeHistory: true }),
    ...times.flatMap((validAt) => times.map((knownAt) => ids(graph.triples({ validAt, knownAt })))),
    ...NAMES.map((name) => graph.entityFacts(name, { depth: 2 })),
  ];
}

describe('facts in time', () => {
  it('GRPH-1: at any time a single-valued predicate has one value and no statement holds twice', () => {
    fc.assert(
      fc.property(story, time, time, (steps, validAt, knownAt) => {
        const values = play(steps)
          .graph.triples({ validAt, knownAt })
          .map(({ subject, predicate, object }) => ({ subject, object, ...predicateForm(predicate) }));
        const statements = values.map(({ subject, key, object }) => `${subject} ${key} ${object}`);
        const single = values.filter(({ key, isNegated }) => SINGLE.includes(key) && !isNegated);
        expect(new Set(statements).size).toBe(statements.length);
        expect(new Set(single.map(({ subject, key }) => `${subject} ${key}`)).size).toBe(single.length);
      }),
      RUNS,
    );
  });

  it('GRPH-2: the facts that hold are those of the rules, computed without an index', () => {
    fc.assert(
      fc.property(story, time, time, (steps, validAt, knownAt) => {
        const { graph } = play(steps);
        const { triples } = graph.toRecords();
        const wanted = triples.filter((record) => holdsNaively(triples, record, validAt, knownAt));
        expect(ids(graph.triples({ validAt, knownAt }))).toEqual(ids(wanted));
      }),
      RUNS,
    );
  });

  it('GRPH-3: a fact holds exactly within the times that it is listed with', () => {
    fc.assert(
      fc.property(story, time, time, (steps, validAt, knownAt) => {
        for (const { validFrom, validTo = Infinity } of play(steps).graph.triples({ validAt, knownAt })) {
          expect(validFrom).toBeLessThanOrEqual(validAt);
          expect(validTo).toBeGreaterThan(validAt);
        }
      }),
      RUNS,
    );
  });

  it('GRPH-4: learning something later does not change what was known before', () => {
    fc.assert(
      fc.property(story, story, time, (before, after, validAt) => {
        const keep = (steps: readonly Step[]): Step[] =>
          steps.map((entry) => ({ ...entry, change: entry.change === 'delete' ? 'nothing' : entry.change }));
        const first = play(keep(before));
        const graph = KnowledgeGraph.fromRecords(first.graph.toRecords(), { clock: () => 1000 });
        const known = (): unknown =>
          graph
            .triples({ validAt, knownAt: 999 })
            .map(({ id, validTo, retractedAt }) => ({ id, validTo, retractedAt }));
        const then = known();
        for (const { words, from } of keep(after)) {
          graph.addTriple(from === undefined ? words : { ...words, validFrom: from });
        }
        expect(known()).toEqual(then);
      }),
      RUNS,
    );
  });

  it('GRPH-5: erasing a fact leaves the graph as if it had never been added', () => {
    fc.assert(
      fc.property(story, fc.nat(20), (steps, which) => {
        const { graph, now } = play(steps);
        const { entities, triples } = graph.toRecords();
        const gone = triples[which % Math.max(1, triples.length)];
        if (!gone) return;
        const others = triples.filter((record) => record !== gone);
        const ends = new Set(others.flatMap(({ subject, object }) => [subject, object]));
        const without = KnowledgeGraph.fromRecords(
          { entities: entities.filter(({ name }) => ends.has(name)), triples: others },
          { clock: () => now },
        );
        graph.deleteTriple(gone.id);
        expect(seen(graph)).toEqual(seen(without));
      }),
      { numRuns: 100 },
    );
  });

  it('GRPH-6: records and graphology JSON restore the graph', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const { graph, now } = play(steps);
        const options = { clock: () => now };
        const records = JSON.parse(JSON.stringify(graph.toRecords())) as GraphRecords;
        const mixed = { ...records, triples: records.triples.toReversed() };
        const serialized = JSON.parse(JSON.stringify(graph)) as ReturnType<KnowledgeGraph['toJSON']>;
        expect(seen(KnowledgeGraph.fromRecords(mixed, options))).toEqual(seen(graph));
        expect(seen(KnowledgeGraph.fromJSON(serialized, options))).toEqual(seen(graph));
        expect(KnowledgeGraph.fromRecords(mixed, options).toRecords()).toEqual(graph.toRecords());
      }),
      { numRuns: 100 },
    );
  });
});

describe('facts around an entity', () => {
  it('GRPH-7: the facts around an entity are current facts only', () => {
    fc.assert(
      fc.property(story, fc.constantFrom(...NAMES), fc.nat(4), (steps, name, depth) => {
        const { graph } = play(steps);
        const current = new Set(ids(graph.triples()));
        expect(graph.entityTriples(name, { depth }).filter(({ id }) => !current.has(id))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('GRPH-8: the facts around an entity are those of a breadth-first walk of that depth, nearest first, each once', () => {
    fc.assert(
      fc.property(story, fc.constantFrom(...NAMES), fc.nat(4), (steps, name, depth) => {
        const { graph } = play(steps);
        const current = graph.triples();
        const distance = new Map([[name, 0]]);
        for (let round = 0; round < NAMES.length; round++) {
          for (const { subject, object } of current) {
            const near = Math.min(distance.get(subject) ?? Infinity, distance.get(object) ?? Infinity);
            for (const end of [subject, object]) {
              distance.set(end, Math.min(distance.get(end) ?? Infinity, near + 1));
            }
          }
        }
        const level = ({ subject, object }: { subject: string; object: string }): number =>
          Math.min(distance.get(subject) ?? Infinity, distance.get(object) ?? Infinity);
        const found = graph.entityTriples(name, { depth });
        expect(ids(found).toSorted()).toEqual(ids(current.filter((fact) => level(fact) < depth)).toSorted());
        expect(found.map(level)).toEqual(found.map(level).toSorted((a, b) => a - b));
      }),
      RUNS,
    );
  });
});

describe('a view of the graph', () => {
  it('GRPH-55: reading facts one by one gives the same as listing them, at any time', () => {
    fc.assert(
      fc.property(story, time, time, fc.constantFrom(...NAMES), (steps, validAt, knownAt, name) => {
        const { graph } = play(steps);
        const view = graph.view({ validAt, knownAt });
        const listed = graph.triples({ validAt, knownAt });
        const records = graph.toRecords().triples;
        expect(ids(records.filter(({ id }) => view.holds(id)))).toEqual(ids(listed));
        expect(listed.map(({ id }) => view.triple(id))).toEqual(listed);
        const known = records.filter(({ recordedAt }) => recordedAt <= knownAt);
        expect(ids(records.filter(({ id }) => view.triple(id)))).toEqual(ids(known));
        const about = listed.filter(({ subject, object }) => [subject, object].includes(name));
        expect(graph.triples({ validAt, knownAt, about: name })).toEqual(about);
        expect(graph.triples({ about: name })).toEqual(graph.entityTriples(name));
        const position = new Map(records.map((record, index) => [record.id, index]));
        const newestFirst = about.toSorted(
          (a, b) =>
            b.validFrom - a.validFrom ||
            b.recordedAt - a.recordedAt ||
            (position.get(b.id) ?? 0) - (position.get(a.id) ?? 0),
        );
        expect([...view.latest(name)]).toEqual(newestFirst);
        for (const { id } of records) {
          const naming = known.filter(({ supersedes }) => supersedes.includes(id));
          expect(ids(view.successors(id))).toEqual(ids(naming));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('GRPH-56: the rivals of a new fact are all current facts that it could end', () => {
    fc.assert(
      fc.property(story, step, (steps, { words: said, from, lasts, which }) => {
        const { graph } = play(steps);
        const { triples } = graph.toRecords();
        const other = triples[which % Math.max(1, triples.length)];
        const words = other ? { ...said, subject: other.subject, object: other.object } : said;
        const end = from === undefined || lasts === undefined ? {} : { validTo: from + lasts };
        const before = graph.view();
        const held = graph.triples();
        const rivals = new Set(ids(before.rivals({ ...words, ...end })));
        graph.addTriple({ ...words, ...(from === undefined ? {} : { validFrom: from }), ...end });
        const after = graph.view();
        const ended = held.filter(({ id }) => !after.holds(id));
        expect(ids(ended).filter((id) => !rivals.has(id))).toEqual([]);
        expect([...rivals].filter((id) => !ids(held).includes(id))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('GRPH-57: the facts of a message can be looked up after any erasures and additions', () => {
    const source = fc.constantFrom('m1', 'm2', 'm3');
    const told = fc.record({
      words: step.map(({ words }) => words),
      from: source,
      change: fc.nat(3),
      also: source,
    });
    fc.assert(
      fc.property(fc.array(told, { maxLength: 15 }), (all) => {
        const graph = new KnowledgeGraph({ clock: () => 1 });
        for (const { words, from, change, also } of all) {
          const { id } = graph.addTriple({ ...words, sources: [{ messageId: from }] });
          if (change === 1) graph.deleteTriple(id);
          if (change === 2) graph.deleteSource(also);
          if (change === 3) graph.putRecords({ entities: [], triples: graph.toRecords().triples });
        }
        for (const messageId of ['m1', 'm2', 'm3']) {
          const wanted = graph
            .toRecords()
            .triples.filter(({ sources }) => sources.some((each) => each.messageId === messageId));
          expect(ids(graph.view().from(messageId))).toEqual(ids(wanted));
        }
      }),
      RUNS,
    );
  });
});
