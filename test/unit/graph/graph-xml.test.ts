import { MultiDirectedGraph } from 'graphology';
import gexf from 'graphology-gexf';
import graphml from 'graphology-graphml';
import { describe, expect, it } from 'vitest';
import { fromGEXF, fromGraphML, toGEXF, toGraphML } from '../../../src/graph/graph-xml.ts';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';

const graph = new KnowledgeGraph({ clock: () => 1 });
graph.addEntity('Ann <&> "Bob"', { aliases: ["it's"], attributes: { age: 30, tall: true } });
graph.addTriple({ subject: 'Ann <&> "Bob"', predicate: 'lives in', object: 'Rome', validTo: 5 });
graph.addTriple({ subject: 'Ann <&> "Bob"', predicate: 'likes', object: 'Rome', source: 'user' });

describe('GEXF and GraphML', () => {
  it.each([
    ['GEXF', () => gexf.parse(MultiDirectedGraph, toGEXF(graph), { respectInputGraphType: true })],
    ['GraphML', () => graphml.parse(MultiDirectedGraph, toGraphML(graph))],
  ])("GRPH-46: %s can be read by graphology's own package", (_format, parse) => {
    const read = parse();
    expect(read.mapNodes((node, { label, aliases }) => [node, label as string, aliases as string])).toEqual([
      ['ann <&> "bob"', 'Ann <&> "Bob"', '["it\'s"]'],
      ['rome', 'Rome', '[]'],
    ]);
    expect(
      read.mapEdges((_edge, { label, seq, validTo, origin }, source, target) => [
        [source, label, target].join(' '),
        seq as number,
        validTo as number | undefined,
        origin as string,
      ]),
    ).toEqual([
      ['ann <&> "bob" lives in rome', 0, 5, 'extracted'],
      ['ann <&> "bob" likes rome', 1, undefined, 'user'],
    ]);
  });

  it('GRPH-50: without a DOMParser, reading is rejected', () => {
    for (const read of [() => fromGEXF(toGEXF(graph)), () => fromGraphML(toGraphML(graph))]) {
      expect(read).toThrow(
        expect.objectContaining({
          code: 'invalid-input',
          message: expect.stringContaining('DOMParser') as string,
        }),
      );
    }
  });
});
