import { describe, expect, it } from 'vitest';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import { type KnowledgeGraphOptions } from '../../../src/graph/fact-graph.ts';
import { SINGLE_VALUED_PREDICATES } from '../../../src/graph/fact-slot.ts';
import type { NewTriple } from '../../../src/graph/triple.ts';

type Words = readonly [subject: string, predicate: string, object: string];

/** A graph whose clock ticks once for each fact. */
function graphOf(facts: readonly Words[], options: KnowledgeGraphOptions = {}): KnowledgeGraph {
  let now = 0;
  const graph = new KnowledgeGraph({ clock: () => now, ...options });
  for (const [subject, predicate, object] of facts) {
    now += 10;
    graph.addTriple({ subject, predicate, object });
  }
  return graph;
}

const fact = (words: string, more: Partial<NewTriple> = {}): NewTriple => {
  const [subject = '', predicate = '', object = ''] = words.split(', ');
  return { subject, predicate, object, ...more };
};
const sentences = (graph: KnowledgeGraph, query = {}): string[] =>
  graph.triples(query).map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);

const STORIES: [string, readonly Words[], number][] = [
  [
    'a second friend',
    [
      ['Ann', 'has friend', 'Bob'],
      ['Ann', 'has friend', 'Cid'],
    ],
    2,
  ],
  [
    'tea and coffee',
    [
      ['I', 'like', 'tea'],
      ['I', 'like', 'coffee'],
    ],
    2,
  ],
  [
    'two favourites of two kinds',
    [
      ['I', 'have favorite color', 'red'],
      ['I', 'have favorite film', 'Solaris'],
    ],
    2,
  ],
  [
    'the same place of two people',
    [
      ['Ann', 'lives in', 'Rome'],
      ['Bob', 'lives in', 'Rome'],
    ],
    2,
  ],
  [
    'a denial of something else',
    [
      ['Ann', 'lives in', 'Rome'],
      ['Ann', 'does not live in', 'Oslo'],
    ],
    2,
  ],
  [
    'the past',
    [
      ['Ann', 'lives in', 'Rome'],
      ['Ann', 'lived in', 'Oslo'],
    ],
    2,
  ],
  [
    'a new favourite, in other words',
    [
      ['Ann', 'has a favorite colour', 'red'],
      ['Ann', 'favourite color is', 'blue'],
    ],
    1,
  ],
  [
    'a new name',
    [
      ['the dog', 'is named', 'Rex'],
      ['the dog', 'name is', 'Max'],
    ],
    1,
  ],
  [
    'a denial',
    [
      ['I', 'am', 'handsome'],
      ['I', 'am not', 'handsome'],
    ],
    1,
  ],
  [
    'a denial that is taken back',
    [
      ['Ann', "doesn't like", 'tea'],
      ['Ann', 'likes', 'tea'],
    ],
    1,
  ],
  [
    'no longer',
    [
      ['Ann', 'lives in', 'Rome'],
      ['Ann', 'no longer lives in', 'Rome'],
    ],
    1,
  ],
];

const NO_FACTS: [string, unknown][] = [
  ['nothing', undefined],
  ['a blank subject', fact(' , likes, tea')],
  ['an object that is no string', { ...fact('Ann, likes, tea'), object: 7 }],
  ['an unknown field', { ...fact('Ann, likes, tea'), vaildFrom: 1 }],
  ['an id that is none', { ...fact('Ann, likes, tea'), id: '' }],
  ['a time that is none', fact('Ann, likes, tea', { validFrom: Number.NaN })],
  ['an end before the beginning', fact('Ann, likes, tea', { validFrom: 2, validTo: 1 })],
  ['an unknown source', { ...fact('Ann, likes, tea'), source: 'assistant' }],
  ['a source without a message', { ...fact('Ann, likes, tea'), sources: [{ quote: 'x' }] }],
  ['an attribute that holds an object', { ...fact('Ann, likes, tea'), attributes: { a: {} } }],
  [
    'an attribute called __proto__',
    { ...fact('Ann, likes, tea'), attributes: JSON.parse('{"__proto__":1}') },
  ],
];

const NO_OPTIONS: [string, unknown][] = [
  ['an unknown option', { singlevalued: [] }],
  ['a clock that is none', { clock: 5 }],
  ['a list that is none', { singleValued: 'lives in' }],
  ['an empty predicate', { singleValued: ['lives in | '] }],
  ['a star alone', { singleValued: ['*'] }],
  ['two stars', { singleValued: ['has * of *'] }],
];

describe('supersession', () => {
  it('GRPH-9: a new value of a single-valued predicate ends the old one, which stays in the history', () => {
    const graph = graphOf([
      ['Sam', 'lives in', 'Paris'],
      ['sam', 'now lives in', 'Lyon'],
      ['SAM', 'resides in', 'Rome'],
    ]);
    expect(graph.entityFacts('Sam')).toEqual(['Sam resides in Rome']);
    const [paris, lyon, rome] = graph.triples({ includeHistory: true });
    expect(paris).toMatchObject({ validFrom: 10, validTo: 20, retractedAt: 20, supersededBy: lyon?.id });
    expect(lyon).toMatchObject({ validFrom: 20, validTo: 30, retractedAt: 30, supersededBy: rome?.id });
    expect(rome).not.toHaveProperty('validTo');
    expect(sentences(graph, { validAt: 15 })).toEqual(['Sam lives in Paris']);
    expect(sentences(graph, { validAt: 35, knownAt: 15 })).toEqual(['Sam lives in Paris']);
  });

  it.each(STORIES)('GRPH-10: after %s, the expected number of facts stays current', (_name, facts, count) => {
    expect(graphOf(facts).triples()).toHaveLength(count);
  });

  it('GRPH-11: the list of single-valued predicates can be extended', () => {
    const facts: Words[] = [
      ['Ann', 'drives', 'a van'],
      ['Ann', 'drives', 'a bus'],
    ];
    const singleValued = [...SINGLE_VALUED_PREDICATES, 'drives'];
    expect(graphOf(facts).triples()).toHaveLength(2);
    expect(graphOf(facts, { singleValued }).triples()).toHaveLength(1);
  });

  it('GRPH-12: a fact that names others by id replaces them from its start on', () => {
    const graph = graphOf([['Ann', 'owns', 'a cat']]);
    const [cat] = graph.triples();
    graph.addTriple(fact('Ann, owns, a dog', { validFrom: 50, supersedes: [cat?.id ?? ''] }));
    expect(sentences(graph, { validAt: 49 })).toEqual(['Ann owns a cat']);
    expect(sentences(graph, { validAt: 50 })).toEqual(['Ann owns a dog']);
  });

  it('GRPH-13: a fact corrected from its start never held, and keeps the time of the correction', () => {
    const graph = graphOf([['Ann', 'lives in', 'Rome']]);
    const [rome] = graph.triples();
    graph.addTriple(
      fact('Ann, lives in, Oslo', { validFrom: 0, recordedAt: 90, supersedes: [rome?.id ?? ''] }),
    );
    expect(sentences(graph)).toEqual(['Ann lives in Oslo']);
    expect(sentences(graph, { validAt: 20, knownAt: 50 })).toEqual(['Ann lives in Rome']);
    const [before] = graph.triples({ includeHistory: true });
    expect(before).toMatchObject({ validFrom: 10, validTo: 10, retractedAt: 90 });
  });

  it('GRPH-14: a retracted fact stays in the history and restores nothing', () => {
    const graph = graphOf([
      ['Ann', 'lives in', 'Rome'],
      ['Ann', 'lives in', 'Oslo'],
    ]);
    const oslo = graph.triples()[0];
    expect(graph.retractTriple(oslo?.id ?? '', { validTo: 40, recordedAt: 60 })).toMatchObject({
      validTo: 40,
      retractedAt: 60,
    });
    expect(graph.triples()).toEqual([]);
    expect(sentences(graph, { validAt: 50, knownAt: 59 })).toEqual(['Ann lives in Oslo']);
    expect(() => graph.retractTriple(oslo?.id ?? '')).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });

  it('GRPH-15: after a fact with an end date, the one before holds again', () => {
    const graph = graphOf([['Ann', 'lives in', 'Rome']]);
    graph.addTriple(fact('Ann, lives in, Oslo', { validFrom: 100, validTo: 200 }));
    expect([99, 100, 199, 200].map((validAt) => sentences(graph, { validAt })[0])).toEqual([
      'Ann lives in Rome',
      'Ann lives in Oslo',
      'Ann lives in Oslo',
      'Ann lives in Rome',
    ]);
    expect(graph.triples({ includeHistory: true }).map(({ validTo }) => validTo)).toEqual([undefined, 200]);
  });

  it('GRPH-16: setting the clock back does not make the older fact win', () => {
    let now = 100;
    const graph = new KnowledgeGraph({ clock: () => now });
    graph.addTriple(fact('Ann, lives in, Rome'));
    now = 50;
    graph.addTriple(fact('Ann, lives in, Oslo'));
    expect(graph.entityFacts('Ann')).toEqual(['Ann lives in Oslo']);
  });
});

describe('one fact', () => {
  it('GRPH-54: a fact can be read by id as it was known at a time, whether it holds or not', () => {
    const graph = new KnowledgeGraph();
    const about = (object: string, time: number): NewTriple => ({
      subject: 'Sam',
      predicate: 'lives in',
      object,
      id: object,
      validFrom: time,
      recordedAt: time,
    });
    graph.addTriple(about('Paris', 1));
    graph.addTriple(about('Rome', 2));
    for (const query of [{}, { knownAt: 1 }, { knownAt: 2 }]) {
      const all = graph.triples({ ...query, includeHistory: true });
      for (const id of ['Paris', 'Rome', 'Oslo']) {
        expect(graph.triple(id, query)).toEqual(all.find((each) => each.id === id));
      }
    }
    expect(graph.triple('Rome', { knownAt: 1 })).toBeUndefined();
    expect(graph.triple('Paris')?.supersededBy).toBe('Rome');
    expect(() => graph.triple('Rome', { knownAt: NaN })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });
});

describe('sources', () => {
  it('GRPH-17: adding a fact again keeps its id and adds its sources', () => {
    const graph = graphOf([]);
    const first = graph.addTriple(fact('Ann, likes, tea', { sources: [{ messageId: 'm1', quote: 'tea!' }] }));
    const again = graph.addTriple(
      fact('ann, like, Tea', { sources: [{ messageId: 'm2' }], source: 'user', attributes: { sure: true } }),
    );
    expect(again).toEqual({
      ...first,
      sources: [{ messageId: 'm1', quote: 'tea!' }, { messageId: 'm2' }],
      source: 'user',
      attributes: { sure: true },
    });
    expect(graph.triples()).toHaveLength(1);
  });

  it('GRPH-18: a known id is stored once, and is rejected for a different fact', () => {
    const graph = graphOf([]);
    graph.addTriple(fact('Ann, lives in, Rome', { id: 'f1' }));
    graph.addTriple(fact('Ann, lives in, Oslo', { id: 'f2' }));
    graph.addTriple(fact('Ann, lives in, Rome', { id: 'f1' }));
    expect(graph.entityFacts('Ann')).toEqual(['Ann lives in Oslo']);
    expect(() => graph.addTriple(fact('Ann, lives in, Bern', { id: 'f1' }))).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
    expect(graph.triples({ includeHistory: true })).toHaveLength(2);
  });

  it('GRPH-19: forgetting a message erases what came from it alone, and restores what that had ended', () => {
    const graph = graphOf([]);
    graph.addTriple(fact('Ann, lives in, Rome', { id: 'a', sources: [{ messageId: 'm1' }] }));
    graph.addTriple(fact('Ann, lives in, Oslo', { id: 'b', sources: [{ messageId: 'm2' }] }));
    graph.addTriple(
      fact('Ann, likes, tea', { id: 'c', sources: [{ messageId: 'm1' }, { messageId: 'm2' }] }),
    );
    graph.addTriple(fact('Ann, likes, rain', { id: 'd', sources: [{ messageId: 'm2' }], source: 'user' }));
    expect(graph.deleteSource('m2')).toEqual({ deleted: ['b'], changed: ['c', 'd'] });
    expect(sentences(graph)).toEqual(['Ann lives in Rome', 'Ann likes tea', 'Ann likes rain']);
    expect(graph.entity('Oslo')).toBeUndefined();
    expect(JSON.stringify(graph)).not.toMatch(/m2|oslo/iu);
  });
});

describe('entities', () => {
  it('GRPH-20: entities are found regardless of case, by aliases and in the possessive', () => {
    const graph = graphOf([['Samuel', 'likes', 'tea']]);
    graph.addEntity('samuel', { aliases: ['Sam'], attributes: { age: 30 } });
    graph.addTriple(fact('Sam, knows, Ann'));
    for (const name of ['SAMUEL', ' sam ', "Sam's", 'Sam’s']) {
      expect(graph.entityFacts(name)).toEqual(['Samuel likes tea', 'Sam knows Ann']);
    }
    expect(graph.entity('sam')).toEqual({ name: 'Samuel', aliases: ['Sam'], attributes: { age: 30 } });
  });

  it('GRPH-21: an entity that becomes an alias is merged with all its facts', () => {
    const graph = graphOf([
      ['I', 'live in', 'Rome'],
      ['the user', 'lives in', 'Oslo'],
      ['Ann', 'knows', 'the user'],
    ]);
    graph.addEntity('I', { aliases: ['me', 'the user'] });
    expect(graph.entityFacts('me')).toEqual(['the user lives in Oslo', 'Ann knows the user']);
    expect(graph.entities().map(({ name }) => name)).toEqual(['I', 'Rome', 'Oslo', 'Ann']);
    expect(() => graph.addEntity('Ann', { aliases: ['me'] })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });

  it('GRPH-22: entities are removed with their last fact, unless they were added by themselves', () => {
    const graph = graphOf([['A', 'r', 'B']]);
    graph.addEntity('A');
    expect(graph.deleteTriple({ subject: 'a', predicate: 'R', object: 'b' })).toBe(1);
    expect(graph.entities().map(({ name }) => name)).toEqual(['A']);
    expect(graph.deleteTriple({ subject: 'x', predicate: 'y', object: 'z' })).toBe(0);
  });

  it('GRPH-23: entities are erased with all their facts and names', () => {
    const graph = graphOf([
      ['Ann', 'knows', 'Bob'],
      ['Cid', 'knows', 'Ann'],
      ['Cid', 'knows', 'Bob'],
    ]);
    graph.addEntity('Ann', { aliases: ['Annie'] });
    expect(graph.deleteEntity('annie')).toBe(true);
    expect(sentences(graph)).toEqual(['Cid knows Bob']);
    expect(JSON.stringify(graph.toRecords())).not.toContain('Ann');
    expect(graph.deleteEntity('Ann')).toBe(false);
    graph.addTriple(fact('Annie, knows, Bob'));
    expect(graph.entity('Annie')?.name).toBe('Annie');
    expect(graph.entity('Ann')).toBeUndefined();
  });
});

describe('the graph itself', () => {
  it('GRPH-24: several relations of a pair are labeled edges between two nodes', () => {
    const { graph } = graphOf([
      ['Sam', 'lives in', 'Paris'],
      ['Sam', 'likes', 'Paris'],
    ]);
    expect([graph.order, graph.size, graph.multi, graph.type]).toEqual([2, 2, true, 'directed']);
    expect(graph.mapEdges((_id, { label }) => label as string)).toEqual(['lives in', 'likes']);
    expect(graph.getNodeAttribute('sam', 'label')).toBe('Sam');
  });

  it('GRPH-25: an edge dropped directly is no longer a fact, and has ended nothing', () => {
    const knowledge = graphOf([
      ['Ann', 'lives in', 'Rome'],
      ['Ann', 'lives in', 'Oslo'],
      ['Bob', 'likes', 'Rome'],
    ]);
    knowledge.graph.dropNode('oslo');
    expect(sentences(knowledge)).toEqual(['Ann lives in Rome', 'Bob likes Rome']);
    knowledge.graph.clearEdges();
    expect([knowledge.triples(), knowledge.entities().length]).toEqual([[], 3]);
    knowledge.clear();
    knowledge.graph.addNode('stranger');
    expect(knowledge.entities()).toEqual([{ name: 'stranger', aliases: [], attributes: {} }]);
  });
});

describe('rejected input', () => {
  it.each(NO_FACTS)('GRPH-26: rejected as a fact, and nothing changes: %s', (_name, given) => {
    const graph = graphOf([]);
    expect(() => graph.addTriple(given as NewTriple)).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
    expect(graph.toRecords()).toEqual({ entities: [], triples: [] });
  });

  it('GRPH-27: unknown ids are rejected', () => {
    const graph = graphOf([]);
    const calls = [
      () => graph.addTriple(fact('Ann, likes, tea', { supersedes: ['x'] })),
      () => graph.deleteTriple('x'),
      () => graph.retractTriple('x'),
    ];
    for (const call of calls) expect(call).toThrow(expect.objectContaining({ code: 'not-found' }));
    expect(graph.toRecords().entities).toEqual([]);
  });

  it.each(NO_OPTIONS)('GRPH-28: rejected as options: %s', (_name, options) => {
    expect(() => new KnowledgeGraph(options as KnowledgeGraphOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  it('GRPH-29: queries with unknown options or invalid values are rejected', () => {
    const graph = graphOf([['Ann', 'likes', 'tea']]);
    const calls = [
      () => graph.triples({ validAt: Number.NaN }),
      () => graph.triples({ validat: 1 } as object),
      () => graph.triples({ includeHistory: 1 } as object),
      () => graph.entityFacts('Ann', { depth: 1.5 }),
      () => graph.entityFacts('Ann', { depth: -1 }),
      () => graph.entityFacts(' '),
      () => graph.entity(undefined as never),
      () => graph.deleteEntity(undefined as never),
      () => graph.deleteEntity(7 as never),
    ];
    for (const call of calls) expect(call).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('GRPH-30: damaged stored graphs are rejected', () => {
    const { entities, triples } = graphOf([['Ann', 'likes', 'tea']]).toRecords();
    const [first] = triples;
    const damaged: unknown[] = [
      null,
      {},
      { entities, triples: [{ ...first, seq: -1 }] },
      { entities, triples: [first, { ...first, seq: 1 }] },
      { entities, triples: [first, { ...first, id: 'other' }] },
      { entities, triples: [{ ...first, supersedes: [first?.id] }] },
      { entities, triples: [{ ...first, recordedAt: undefined }] },
      { entities: [{ ...entities[0], isStandalone: 'yes' }], triples },
      { entities: [{ ...entities[0], aliases: [''] }], triples },
    ];
    for (const records of damaged) {
      expect(() => KnowledgeGraph.fromRecords(records as never)).toThrow(
        expect.objectContaining({ code: 'invalid-input' }),
      );
    }
    for (const serialized of [null, {}, { nodes: [], edges: [{}] }, { nodes: [{ key: 'a' }], edges: [] }]) {
      expect(() => KnowledgeGraph.fromJSON(serialized as never)).toThrow(
        expect.objectContaining({ code: 'invalid-input' }),
      );
    }
  });

  it('GRPH-31: names such as __proto__ are ordinary names', () => {
    const graph = graphOf([
      ['__proto__', 'constructor', 'toString'],
      ['__proto__', 'lives in', 'prototype'],
    ]);
    expect(graph.entityFacts('__proto__')).toHaveLength(2);
    expect(KnowledgeGraph.fromJSON(graph.toJSON()).entityFacts('tostring')).toEqual([
      '__proto__ constructor toString',
    ]);
  });
});
