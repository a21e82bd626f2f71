import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../src/graph/entity-name.ts';
import { fromGEXF, fromGraphML, toGEXF, toGraphML } from '../../../src/graph/graph-xml.ts';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import type { GraphRecords, TripleRecord } from '../../../src/graph/triple.ts';
import { MnemoraError } from '../../../src/model/error.ts';

const FORMATS = [
  ['GEXF', toGEXF, fromGEXF],
  ['GraphML', toGraphML, fromGraphML],
] as const;

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    '__proto__',
    '<a>&amp;]]>',
    '_x0041_',
    '_x0001\u0001',
    ' \r\n\t ',
    '\'"',
    '\uFFFE\uD800',
    '<!DOCTYPE a>',
  ),
);
const name = fc
  .tuple(text, fc.constantFrom('', 'a', 'B'))
  .map(([some, more]) => some + more)
  .filter((some) => nameKey(some.trim().toWellFormed()) !== '');
const time = fc.oneof(
  fc.integer({ min: -1e6, max: 1e6 }),
  fc.double({ min: -8e15, max: 8e15, noNaN: true }).map((given) => given + 0),
);
const attributes = fc.dictionary(
  text.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
  fc.oneof(text, time, fc.boolean(), fc.constant(null), fc.constant('')),
  { maxKeys: 3, noNullPrototype: true },
);
const fact = fc.record({
  subject: name,
  predicate: name,
  object: name,
  validFrom: time,
  lasts: fc.option(fc.nat(1000), { nil: undefined }),
  recordedAt: time,
  retraction: fc.option(fc.record({ recordedAt: time, validTo: time }), { nil: undefined }),
  supersedes: fc.array(text, { maxLength: 2 }),
  source: fc.constantFrom('user' as const, 'extracted' as const),
  sources: fc.array(fc.record({ messageId: text, quote: text }, { requiredKeys: ['messageId'] }), {
    maxLength: 2,
  }),
  attributes,
  id: text,
});
const records = fc
  .record({
    entities: fc.uniqueArray(
      fc.record({ name, aliases: fc.constant([]), attributes, isStandalone: fc.boolean() }),
      { maxLength: 3, selector: (entity) => nameKey(entity.name) },
    ),
    facts: fc.array(fact, { maxLength: 4 }),
  })
  .map(({ entities, facts }): GraphRecords => ({
    entities,
    triples: facts.map(({ lasts, retraction, id, supersedes, ...rest }, index): TripleRecord => ({
      ...rest,
      id: `${id}${index}`,
      seq: index * 3,
      supersedes: supersedes.map((other) => `${other}?`),
      ...(lasts === undefined ? {} : { validTo: rest.validFrom + lasts }),
      ...(retraction === undefined ? {} : { retraction }),
    })),
  }));

const withAliases = new KnowledgeGraph({ clock: () => 7 });
withAliases.addEntity('Samuel', { aliases: ['Sam', 'S, "the" | Man'], attributes: { age: 30, note: null } });
withAliases.addTriple({
  subject: 'Sam',
  predicate: 'lives in',
  object: 'Paris',
  sources: [{ messageId: 'm', quote: 'q' }],
});
withAliases.addTriple({
  subject: 'SAMUEL',
  predicate: 'lives in',
  object: 'Rome',
  validTo: 90,
  source: 'user',
});

/** A file of each format around what is put into it. */
const FILES: readonly [
  string,
  (text: string) => KnowledgeGraph,
  (head: string, nodes: string, edges: string) => string,
][] = [
  [
    'GEXF',
    fromGEXF,
    (head, nodes, edges) =>
      `<gexf>${head}<graph>${nodes && `<nodes>${nodes}</nodes>`}<edges>${edges}</edges></graph></gexf>`,
  ],
  [
    'GraphML',
    fromGraphML,
    (head, nodes, edges) => `<graphml>${head}<graph>${nodes}${edges}</graph></graphml>`,
  ],
];
const PAIR = '<node id="a" label="Ann"/><node id="b" label="Bob"/>';
const EDGE = '<edge source="a" target="b" label="knows"/>';

const refusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return error instanceof MnemoraError ? error.code : String(error);
  }
  return 'accepted';
};
const prototype = (): string[] => Object.getOwnPropertyNames(Object.prototype);

describe.each(FORMATS)('%s', (_format, write, read) => {
  it('GRPH-47: writing and reading gives equal records, whatever their texts', () => {
    fc.assert(
      fc.property(records, (given) => {
        const graph = KnowledgeGraph.fromRecords(given);
        expect(read(write(graph)).toRecords()).toEqual(graph.toRecords());
      }),
      { numRuns: 150 },
    );
    expect(read(write(withAliases)).toRecords()).toEqual(withAliases.toRecords());
    expect(read(write(withAliases), { clock: () => 7 }).entityFacts('s, "the" | man')).toEqual(
      withAliases.entityFacts('Sam'),
    );
    expect(read(write(new KnowledgeGraph())).toRecords()).toEqual({ entities: [], triples: [] });
  });

  it('GRPH-49: reading rejects a file that is truncated or has a changed character that breaks it', () => {
    const file = write(withAliases).trim();
    for (let length = 0; length < file.length; length += 7) {
      expect([length, refusal(() => read(file.slice(0, length)))]).toEqual([length, 'invalid-input']);
    }
    const before = prototype();
    for (let at = 0; at < file.length; at += 5) {
      const flipped = file.slice(0, at) + String.fromCharCode(file.charCodeAt(at) ^ 2) + file.slice(at + 1);
      expect(['invalid-input', 'accepted']).toContain(refusal(() => read(flipped)));
    }
    expect(prototype()).toEqual(before);
  });

  it('GRPH-49: reading rejects fields that do not fit a record', () => {
    const file = write(withAliases);
    const damages: [RegExp, string][] = [
      [/(seq"(?: value="|>))0/u, '$1-1'],
      [/(seq"(?: value="|>))0/u, '$1{'],
      [/(recordedAt"(?: value="|>))7/u, '$1&quot;7&quot;'],
      [/(origin"(?: value="|>))extracted/u, '$1admin'],
      [/\{&quot;age/u, '{&quot;__proto__'],
      [/\[\{&quot;messageId/u, '[{&quot;__proto__'],
      [/(isStandalone"(?: value="|>))true/u, '$11'],
      [/target="paris"/u, 'target="nowhere"'],
    ];
    for (const [part, instead] of damages) {
      expect(file).toMatch(part);
      expect([part, refusal(() => read(file.replace(part, instead)))]).toEqual([part, 'invalid-input']);
    }
  });
});

describe.each(FILES)('%s of another program', (_format, read, file) => {
  it('GRPH-48: a file is read by its labels, and names such as __proto__ are ordinary names', () => {
    const before = prototype();
    const graph = read(file('', PAIR, EDGE));
    expect(graph.entities()).toHaveLength(2);
    expect(graph.triples()).toMatchObject([{ validFrom: expect.any(Number) as number, source: 'extracted' }]);
    const odd = file(
      '<key id="__proto__" for="__proto__" attr.name="__proto__" attr.type="constructor"/><attributes class="__proto__"><attribute id="__proto__" title="__proto__"/></attributes>',
      '<node id="__proto__"><data key="__proto__">x</data><attvalues><attvalue for="__proto__" value="x"/></attvalues></node><node id="constructor"/>',
      '<edge source="__proto__" target="constructor"><data key="__proto__">y</data></edge>',
    );
    expect(read(odd).entityFacts('__proto__')).toEqual(['__proto__ is related to constructor']);
    expect(prototype()).toEqual(before);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('GRPH-49: reading rejects XML entities, other root elements, deep nesting and invalid XML', () => {
    const bomb = `<!DOCTYPE z [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>`;
    const hostile: unknown[] = [
      '',
      'graph',
      undefined,
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      `${bomb}${file('', PAIR, EDGE)}`,
      `<!doctype z SYSTEM "https://example.com/z.dtd">${file('', PAIR, EDGE)}`,
      file('<!ENTITY a "b">', PAIR, EDGE),
      file('', '<node id="&a;"/>', ''),
      file('', '<node id="a">', ''),
      file('', '<node id="a" id="b"/>', ''),
      file('', '<node id="a"/><node id="a"/>', ''),
      file('', '<node id=" "/>', ''),
      file('', PAIR, '<edge source="a" target="c"/>'),
      file('', PAIR, '<edge id="1" source="a" target="b"/><edge id="1" source="b" target="a"/>'),
      file('<a>'.repeat(50) + '</a>'.repeat(50), PAIR, EDGE),
      '<a>'.repeat(200_000),
      `${file('', PAIR, EDGE)}<more/>`,
      file('&#0;', PAIR, EDGE),
      file('\u0001', PAIR, EDGE),
      `${' '.repeat(64 * 1024 * 1024)}${file('', PAIR, EDGE)}`,
    ];
    for (const [index, given] of hostile.entries()) {
      expect([index, refusal(() => read(given as string))]).toEqual([index, 'invalid-input']);
    }
  });
});
