import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from '../../../src/graph/triple.ts';

const NAMES = ['Ann', 'Bob', 'Annie', 'Rome', 'Oslo'];
const PREDICATES = ['lives in', 'does not live in', 'likes', 'knows'];

const record = (id: string, seq: number, words: string, more: Partial<TripleRecord> = {}): TripleRecord => {
  const [subject = '', predicate = '', object = ''] = words.split(', ');
  const times = { validFrom: seq, recordedAt: seq };
  return {
    id,
    seq,
    subject,
    predicate,
    object,
    ...times,
    supersedes: [],
    source: 'extracted',
    sources: [],
    attributes: {},
    ...more,
  };
};
const entity = (name: string, more: Partial<EntityRecord> = {}): EntityRecord => ({
  name,
  aliases: [],
  attributes: {},
  isStandalone: false,
  ...more,
});

/** All that can be seen of a graph, whatever the order of its entities. */
function seen(graph: KnowledgeGraph): unknown {
  const { entities, triples } = graph.toRecords();
  const byName = entities
    .map(({ aliases, ...rest }) => ({ ...rest, aliases: aliases.toSorted() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    byName,
    triples,
    graph.triples({ includeHistory: true }),
    graph.triples({ validAt: 5 }),
    NAMES.map((name) => graph.entityFacts(name, { depth: 2 })),
    graph.graph.edges().toSorted(),
  ];
}

const facts = fc
  .array(
    fc.record({
      subject: fc.constantFrom(...NAMES),
      predicate: fc.constantFrom(...PREDICATES),
      object: fc.constantFrom(...NAMES),
      names: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
    }),
    { maxLength: 10 },
  )
  .map((list) =>
    list.map(({ names, ...words }, seq) => ({
      ...record(`f${seq}`, seq, ''),
      ...words,
      supersedes: names !== undefined && names < seq ? [`f${names}`] : [],
    })),
  );
const known = fc.subarray([
  entity('Ann', { aliases: ['Annie'], isStandalone: true }),
  entity('Rome', { attributes: { big: true } }),
  entity('Oslo', { aliases: ['Christiania'] }),
]);
const clock = (): number => 100;

describe('putRecords and deleteRecords', () => {
  it('GRPH-40: records added one by one, in any order, give the graph that they give together', () => {
    fc.assert(
      fc.property(facts, known, fc.array(fc.nat(), { maxLength: 14 }), (triples, entities, order) => {
        const whole = KnowledgeGraph.fromRecords({ entities, triples }, { clock });
        const stored = whole.toRecords();
        const parts: GraphRecords[] = [
          ...stored.entities.map((one) => ({ entities: [one], triples: [] })),
          ...stored.triples.map((one) => ({ entities: [], triples: [one] })),
        ];
        const graph = new KnowledgeGraph({ clock });
        for (const index of order) {
          graph.putRecords(
            parts.splice(index % Math.max(1, parts.length), 1)[0] ?? { entities: [], triples: [] },
          );
        }
        for (const part of parts) graph.putRecords(part);
        expect(seen(graph)).toEqual(seen(whole));
        graph.putRecords(stored);
        expect(seen(graph)).toEqual(seen(whole));
      }),
      { numRuns: 300 },
    );
  });

  it('GRPH-41: applying its records repeats what another tab did', () => {
    const words = fc.record({
      subject: fc.constantFrom(...NAMES),
      predicate: fc.constantFrom(...PREDICATES),
      object: fc.constantFrom(...NAMES),
    });
    const step = fc.record({
      words,
      kind: fc.constantFrom('add', 'add', 'delete', 'retract', 'alias'),
      which: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const there = new KnowledgeGraph({ clock });
        const here = new KnowledgeGraph({ clock });
        for (const { words: fact, kind, which } of steps) {
          const before = there.toRecords();
          const some = before.triples[which % Math.max(1, before.triples.length)];
          if (kind === 'add' || !some) there.addTriple(fact);
          else if (kind === 'delete') there.deleteTriple(some.id);
          else if (kind === 'alias') there.addEntity('Ann', { aliases: ['Annie'], attributes: { which } });
          else if (!some.retraction) there.retractTriple(some.id);
          const after = there.toRecords();
          const ids = new Set(after.triples.map(({ id }) => id));
          here.deleteRecords(before.triples.map(({ id }) => id).filter((id) => !ids.has(id)));
          here.putRecords(after);
          expect(seen(here)).toEqual(seen(there));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('GRPH-42: a record replaces the fact with its id or the entity with its name', () => {
    const graph = KnowledgeGraph.fromRecords({
      entities: [entity('Ann', { aliases: ['Annie', 'A.'], attributes: { old: 1 } })],
      triples: [record('a', 0, 'Annie, lives in, Rome'), record('b', 1, 'Ann, likes, tea')],
    });
    graph.putRecords({ entities: [entity('ANN', { aliases: ['A.'], attributes: { new: 1 } })], triples: [] });
    expect(graph.entityFacts('Ann')).toEqual(['ANN likes tea']);
    expect(graph.entityFacts('annie')).toEqual(['Annie lives in Rome']);
    expect(graph.entity('a.')).toEqual({ name: 'ANN', aliases: ['A.'], attributes: { new: 1 } });
    graph.putRecords({ entities: [], triples: [record('a', 0, 'Ann, lives in, Oslo')] });
    expect(graph.entityFacts('A.')).toEqual(['ANN lives in Oslo', 'ANN likes tea']);
    expect(graph.entities().map(({ name }) => name)).toEqual(['ANN', 'tea', 'Oslo']);
    expect(graph.graph.size).toBe(2);
    expect(graph.addTriple({ subject: 'Bob', predicate: 'knows', object: 'Ann' }).id).toBeDefined();
    expect(graph.toRecords().triples.map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });

  it('GRPH-43: records that would damage the graph are rejected and nothing changes', () => {
    const stored: GraphRecords = {
      entities: [entity('Ann', { aliases: ['Annie'] })],
      triples: [
        record('a', 3, 'Ann, likes, tea'),
        record('b', 5, 'Ann, likes, milk', { supersedes: ['a', 'c'] }),
      ],
    };
    const graph = KnowledgeGraph.fromRecords(stored);
    const before = JSON.stringify(graph);
    const more = { entities: [entity('Cid')], triples: [record('d', 9, 'Cid, likes, tea')] };
    const refused: unknown[] = [
      { ...more, triples: [...more.triples, record('x', 5, 'Bob, likes, tea')] },
      { ...more, triples: [...more.triples, record('x', 4, 'Bob, likes, tea', { supersedes: ['b'] })] },
      { ...more, triples: [...more.triples, record('c', 6, 'Bob, likes, tea')] },
      { ...more, triples: [...more.triples, record('a', 7, 'Ann, likes, tea')] },
      { ...more, triples: [...more.triples, { ...record('x', 8, 'Bob, likes, tea'), extra: 1 }] },
      { ...more, entities: [...more.entities, entity('Bob', { aliases: ['Annie'] })] },
      { ...more, entities: [...more.entities, { name: '' }] },
      { entities: [] },
    ];
    for (const records of refused) {
      expect(() => graph.putRecords(records as GraphRecords)).toThrow(
        expect.objectContaining({ code: 'invalid-input' }),
      );
      expect(JSON.stringify(graph)).toBe(before);
    }
    graph.putRecords({ ...more, triples: [...more.triples, record('c', 4, 'Ann, likes, rum')] });
    expect(graph.entityFacts('Ann')).toEqual(['Ann likes milk']);
  });

  it('GRPH-44: deleting facts removes entities without other facts and ignores unknown ids', () => {
    const graph = KnowledgeGraph.fromRecords({
      entities: [entity('Ann', { isStandalone: true })],
      triples: [record('a', 0, 'Ann, lives in, Rome'), record('b', 1, 'Ann, lives in, Oslo')],
    });
    graph.deleteRecords(['b', 'b', 'nobody']);
    expect(graph.entityFacts('Ann')).toEqual(['Ann lives in Rome']);
    graph.deleteRecords(['a']);
    expect(graph.entities().map(({ name }) => name)).toEqual(['Ann']);
  });

  it('GRPH-45: a name has the key of its entity, whether it exists or not', () => {
    const graph = new KnowledgeGraph();
    graph.addEntity('Samuel', { aliases: ['Sam'] });
    expect(['SAM', 'samuel ', 'New  York', 'constructor'].map((name) => graph.nodeKey(name))).toEqual([
      'samuel',
      'samuel',
      'new york',
      'constructor ',
    ]);
    expect(() => graph.nodeKey(' ')).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});
