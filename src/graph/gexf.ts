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

/** Returns the complete graph as GEXF 1.3, which Gephi and other programs read. */
export function toGEXF(graph: KnowledgeGraph): string {
  const { nodes, edges } = toFields(graph);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
    '<graph defaultedgetype="directed">',
    head('node', NODE_FIELD_TYPES),
    head('edge', EDGE_FIELD_TYPES),
    '<nodes>',
    ...nodes.map(
      ({ id, values }) => `<node${attributes({ id, label: values.get('label') })}>${body(values)}</node>`,
    ),
    '</nodes>',
    '<edges>',
    ...edges.map(
      ({ id, source, target, values }) =>
        `<edge${attributes({ id, source, target, label: values.get('label') })}>${body(values)}</edge>`,
    ),
    '</edges>',
    '</graph>',
    '</gexf>',
    '',
  ].join('\n');
}

/**
 * Reads a graph from a GEXF file. A file written by {@link toGEXF} is restored completely; from files of other
 * programs, labels become names and predicates. Needs a `DOMParser`, so it runs in pages only.
 *
 * @throws MnemoraError `invalid-input` if the file is malformed or unsafe to parse; `invalid-option`
 */
export function fromGEXF(text: string, options: KnowledgeGraphOptions = {}): KnowledgeGraph {
  const graphs = childrenOf(parseXml(text, 'gexf'), 'graph');
  const titles = { node: new Map<string, string>(), edge: new Map<string, string>() };
  for (const declared of graphs.flatMap((graph) => childrenOf(graph, 'attributes'))) {
    const titlesOfClass = declared.getAttribute('class') === 'edge' ? titles.edge : titles.node;
    for (const field of childrenOf(declared, 'attribute'))
      titlesOfClass.set(read(field, 'id'), read(field, 'title'));
  }
  const elements = (list: string, name: string): Element[] =>
    graphs.flatMap((graph) => childrenOf(graph, list)).flatMap((parent) => childrenOf(parent, name));
  const nodes = elements('nodes', 'node').map((node): NodeFields => nodeFields(node, titles.node));
  const edges = elements('edges', 'edge').map((edge): EdgeFields => ({
    ...nodeFields(edge, titles.edge),
    source: read(edge, 'source'),
    target: read(edge, 'target'),
  }));
  return KnowledgeGraph.fromRecords(fromFields({ nodes, edges }, (options.clock ?? Date.now)()), options);
}

function head(kind: 'node' | 'edge', types: ReadonlyMap<string, string>): string {
  const fields = [...types].filter(([name]) => name !== 'label');
  return [
    `<attributes class="${kind}">`,
    ...fields.map(([name, type]) => `<attribute id="${name}" title="${name}" type="${type}"/>`),
    '</attributes>',
  ].join('\n');
}

function body(values: FieldValues): string {
  const fields = [...values].filter(([name]) => name !== 'label');
  return `<attvalues>${fields.map(([name, value]) => `<attvalue${attributes({ for: name, value })}/>`).join('')}</attvalues>`;
}

function attributes(named: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(named)
    .map(([name, value = '']) => ` ${name}="${toXmlText(value)}"`)
    .join('');
}

function nodeFields(element: Element, titles: ReadonlyMap<string, string>): NodeFields {
  const values = new Map<string, string>();
  if (element.hasAttribute('label')) values.set('label', read(element, 'label'));
  for (const value of childrenOf(element, 'attvalues').flatMap((list) => childrenOf(list, 'attvalue'))) {
    const title = titles.get(read(value, 'for'));
    if (title !== undefined && title !== 'label') values.set(title, read(value, 'value'));
  }
  return { id: read(element, 'id'), values };
}

function read(element: Element, name: string): string {
  return fromXmlText(element.getAttribute(name) ?? '');
}
