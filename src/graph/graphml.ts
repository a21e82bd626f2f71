import {
  EDGE_FIELD_TYPES,
  fromFields,
  NODE_FIELD_TYPES,
  toFields,
  type EdgeFields,
  type FieldValues,
  type NodeFields,
} from './graph-fields.ts';
import type { KnowledgeGraphOptions } from './fact-graph.ts';
import { KnowledgeGraph } from './knowledge-graph.ts';
import { childrenOf, fromXmlText, parseXml, toXmlText } from './xml-text.ts';

/** Returns the complete graph as GraphML, which yEd, Gephi, NetworkX and other programs read. */
export function toGraphML(graph: KnowledgeGraph): string {
  const { nodes, edges } = toFields(graph);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys('node', NODE_FIELD_TYPES),
    ...keys('edge', EDGE_FIELD_TYPES),
    '<graph edgedefault="directed">',
    ...nodes.map(({ id, values }) => `<node id="${toXmlText(id)}">${body('node', values)}</node>`),
    ...edges.map(({ id, source, target, values }) => {
      const ends = `source="${toXmlText(source)}" target="${toXmlText(target)}"`;
      return `<edge id="${toXmlText(id)}" ${ends}>${body('edge', values)}</edge>`;
    }),
    '</graph>',
    '</graphml>',
    '',
  ].join('\n');
}

/**
 * Reads a graph from a GraphML file. A file written by {@link toGraphML} is restored completely; from files of other
 * programs, labels become names and predicates. Needs a `DOMParser`, so it runs in pages only.
 *
 * @throws MnemoraError `invalid-input` if the file is malformed or unsafe to parse; `invalid-option`
 */
export function fromGraphML(text: string, options: KnowledgeGraphOptions = {}): KnowledgeGraph {
  const root = parseXml(text, 'graphml');
  const names = new Map(childrenOf(root, 'key').map((key) => [read(key, 'id'), read(key, 'attr.name')]));
  const elements = (name: string): Element[] =>
    childrenOf(root, 'graph').flatMap((graph) => childrenOf(graph, name));
  const nodes = elements('node').map((node): NodeFields => nodeFields(node, names));
  const edges = elements('edge').map((edge): EdgeFields => ({
    ...nodeFields(edge, names),
    source: read(edge, 'source'),
    target: read(edge, 'target'),
  }));
  return KnowledgeGraph.fromRecords(fromFields({ nodes, edges }, (options.clock ?? Date.now)()), options);
}

/** Key ids must be unique within a file, so they are prefixed with `node` or `edge`. */
function keys(kind: 'node' | 'edge', types: ReadonlyMap<string, string>): string[] {
  return Array.from(
    types,
    ([name, type]) => `<key id="${kind}-${name}" for="${kind}" attr.name="${name}" attr.type="${type}"/>`,
  );
}

function body(kind: 'node' | 'edge', values: FieldValues): string {
  return Array.from(values, ([name, value]) => `<data key="${kind}-${name}">${toXmlText(value)}</data>`).join(
    '',
  );
}

function nodeFields(element: Element, names: ReadonlyMap<string, string>): NodeFields {
  const values = new Map<string, string>();
  for (const data of childrenOf(element, 'data')) {
    const name = names.get(read(data, 'key'));
    if (name !== undefined) values.set(name, fromXmlText(data.textContent));
  }
  return { id: read(element, 'id'), values };
}

function read(element: Element, name: string): string {
  return fromXmlText(element.getAttribute(name) ?? '');
}
