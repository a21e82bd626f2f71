import { newId } from '../model/id.ts';
import type { KnowledgeGraphOptions } from './fact-graph.ts';
import { damaged } from './graph-records.ts';
import { KnowledgeGraph } from './knowledge-graph.ts';
import type { EntityRecord, TripleRecord } from './triple.ts';
import { attributeOf, childrenOf, fromXmlText, parseXml, toXmlText } from './xml-text.ts';

type Kind = 'node' | 'edge';

/** Values of a node or an edge by field name, without its id. Lists and maps are JSON. */
type FieldValues = ReadonlyMap<string, string>;

/** A node or an edge of a file. Only edges have ends. */
interface FileElement {
  readonly id: string;
  readonly source?: string;
  readonly target?: string;
  readonly values: FieldValues;
}

const KINDS: readonly Kind[] = ['node', 'edge'];
/** Field names, declared at the start of a file. `label` comes first, because programs display it. */
const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  node: 'label aliases attributes isStandalone'.split(' '),
  edge: (
    'label subject object seq validFrom validTo recordedAt retractedAt retractedTo ' +
    'origin sources supersedes attributes'
  ).split(' '),
};
/** Fields with text; those of other types, lists and maps are JSON. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['label', 'subject', 'object', 'origin']);

/** Returns the complete graph as GEXF 1.3, which Gephi and other programs read. */
export function toGEXF(graph: KnowledgeGraph): string {
  const elements = toElements(graph);
  const isOwnField = (name: string): boolean => name !== 'label';
  const declared = (kind: Kind): string[] => [
    `<attributes class="${kind}">`,
    ...FIELDS[kind]
      .filter(isOwnField)
      .map((name) => `<attribute id="${name}" title="${name}" type="${typeOf(name)}"/>`),
    '</attributes>',
  ];
  const written = (kind: Kind): string[] => [
    `<${kind}s>`,
    ...elements[kind].map(({ values, ...rest }) => {
      const fields = [...values].filter(([name]) => isOwnField(name));
      const body = fields.map(([name, value]) => `<attvalue${attributes({ for: name, value })}/>`).join('');
      const head = attributes({ ...rest, label: values.get('label') ?? '' });
      return `<${kind}${head}><attvalues>${body}</attvalues></${kind}>`;
    }),
    `</${kind}s>`,
  ];
  return documentOf(
    '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
    '<graph defaultedgetype="directed">',
    ...KINDS.flatMap(declared),
    ...KINDS.flatMap(written),
    '</graph>',
    '</gexf>',
  );
}

/**
 * Reads a graph from a GEXF file. A file written by {@link toGEXF} is restored completely; from files of other
 * programs, labels become names and predicates. Needs a `DOMParser`, so it runs in pages only.
 *
 * @throws MnemoraError `invalid-input` if the file is malformed or unsafe to parse; `invalid-option`
 */
export function fromGEXF(text: string, options: KnowledgeGraphOptions = {}): KnowledgeGraph {
  const graphs = childrenOf([parseXml(text, 'gexf')], 'graph');
  const elementsOf = (kind: Kind): FileElement[] => {
    const titles = namesById(
      childrenOf(graphs, 'attributes').filter(
        (declared) => (declared.getAttribute('class') === 'edge') === (kind === 'edge'),
      ),
      'attribute',
      'title',
    );
    return childrenOf(graphs, `${kind}s`, kind).map((element) => {
      const values = childrenOf([element], 'attvalues', 'attvalue').flatMap((value) => {
        const title = titles.get(attributeOf(value, 'for'));
        return title === undefined || title === 'label'
          ? []
          : [[title, attributeOf(value, 'value')] as const];
      });
      const label = element.hasAttribute('label') ? [['label', attributeOf(element, 'label')] as const] : [];
      return elementWith(element, [...label, ...values]);
    });
  };
  return fromElements(elementsOf('node'), elementsOf('edge'), options);
}

/** Returns the complete graph as GraphML, which yEd, Gephi, NetworkX and other programs read. */
export function toGraphML(graph: KnowledgeGraph): string {
  const elements = toElements(graph);
  // Key ids must be unique within a file, so they are prefixed with `node` or `edge`.
  const declared = (kind: Kind): string[] =>
    FIELDS[kind].map(
      (name) => `<key id="${kind}-${name}" for="${kind}" attr.name="${name}" attr.type="${typeOf(name)}"/>`,
    );
  const written = (kind: Kind): string[] =>
    elements[kind].map(({ values, ...rest }) => {
      const body = Array.from(
        values,
        ([name, value]) => `<data key="${kind}-${name}">${toXmlText(value)}</data>`,
      );
      return `<${kind}${attributes({ ...rest })}>${body.join('')}</${kind}>`;
    });
  return documentOf(
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...KINDS.flatMap(declared),
    '<graph edgedefault="directed">',
    ...KINDS.flatMap(written),
    '</graph>',
    '</graphml>',
  );
}

/**
 * Reads a graph from a GraphML file. A file written by {@link toGraphML} is restored completely; from files of other
 * programs, labels become names and predicates. Needs a `DOMParser`, so it runs in pages only.
 *
 * @throws MnemoraError `invalid-input` if the file is malformed or unsafe to parse; `invalid-option`
 */
export function fromGraphML(text: string, options: KnowledgeGraphOptions = {}): KnowledgeGraph {
  const root = parseXml(text, 'graphml');
  const names = namesById([root], 'key', 'attr.name');
  const elementsOf = (kind: Kind): FileElement[] =>
    childrenOf([root], 'graph', kind).map((element) => {
      const values = childrenOf([element], 'data').flatMap((data) => {
        const name = names.get(attributeOf(data, 'key'));
        return name === undefined ? [] : [[name, fromXmlText(data.textContent)] as const];
      });
      return elementWith(element, values);
    });
  return fromElements(elementsOf('node'), elementsOf('edge'), options);
}

function documentOf(...lines: readonly string[]): string {
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines, ''].join('\n');
}

function attributes(named: Readonly<Record<string, string>>): string {
  return Object.entries(named)
    .map(([name, value]) => ` ${name}="${toXmlText(value)}"`)
    .join('');
}

function namesById(
  parents: readonly Element[],
  child: string,
  attribute: string,
): ReadonlyMap<string, string> {
  return new Map(
    childrenOf(parents, child).map((field) => [attributeOf(field, 'id'), attributeOf(field, attribute)]),
  );
}

function elementWith(element: Element, values: readonly (readonly [string, string])[]): FileElement {
  const [id, source, target] = ['id', 'source', 'target'].map((name) => attributeOf(element, name));
  return { id: id ?? '', source: source ?? '', target: target ?? '', values: new Map(values) };
}

function typeOf(field: string): 'string' | 'double' | 'boolean' {
  if (field === 'isStandalone') return 'boolean';
  return /^(?:seq|valid|recorded|retracted)/u.test(field) ? 'double' : 'string';
}

function toElements(graph: KnowledgeGraph): Readonly<Record<Kind, readonly FileElement[]>> {
  const { entities, triples } = graph.toRecords();
  return {
    node: entities.map(({ name, ...rest }) => ({
      id: graph.nodeKey(name),
      values: fieldsOf({ label: name, ...rest }),
    })),
    edge: triples.map(({ id, predicate, retraction, source: origin, ...rest }) => ({
      id,
      source: graph.nodeKey(rest.subject),
      target: graph.nodeKey(rest.object),
      values: fieldsOf({
        label: predicate,
        origin,
        ...rest,
        ...(retraction && { retractedAt: retraction.recordedAt, retractedTo: retraction.validTo }),
      }),
    })),
  };
}

/**
 * Returns the graph of a file. Gets defaults for what other programs leave out: nodes are named by their label or id,
 * edges are numbered in file order and recorded now.
 *
 * @throws MnemoraError `invalid-input` if a value does not have the type of its field; `invalid-option`
 */
function fromElements(
  nodes: readonly FileElement[],
  edges: readonly FileElement[],
  options: KnowledgeGraphOptions,
): KnowledgeGraph {
  const now = (options.clock ?? Date.now)();
  const names = new Map(nodes.map(({ id, values }) => [id, values.get('label') ?? id]));
  if (names.size < nodes.length) throw damaged('two nodes have the same id');
  const isNumbered = edges.every(({ values }) => values.has('seq'));
  const entities = nodes.map(({ id, values }) => {
    const { aliases = [], attributes: about = {}, isStandalone = true } = parseFields('node', values);
    return { name: names.get(id), aliases, attributes: about, isStandalone } as EntityRecord;
  });
  const triples = edges.map(({ id, source = '', target = '', values }, index) => {
    const ends = { subject: names.get(source), object: names.get(target) };
    if (ends.subject === undefined || ends.object === undefined) {
      throw damaged(`the edge "${id}" refers to a node that does not exist`);
    }
    const parsed = parseFields('edge', values);
    const { origin, label = 'is related to', retractedAt, retractedTo, ...fields } = parsed;
    const isRetracted = retractedAt !== undefined || retractedTo !== undefined;
    return {
      recordedAt: now,
      ...ends,
      ...fields,
      id: id === '' ? newId() : id,
      predicate: label,
      ...(origin !== undefined && { source: origin }),
      seq: isNumbered ? fields['seq'] : index,
      ...(isRetracted && { retraction: { recordedAt: retractedAt, validTo: retractedTo } }),
    } as TripleRecord;
  });
  return KnowledgeGraph.fromRecords({ entities, triples }, options);
}

function fieldsOf(record: Readonly<Record<string, unknown>>): FieldValues {
  const given = Object.entries(record).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Fields added by other programs are ignored. */
function parseFields(kind: Kind, values: FieldValues): Readonly<Record<string, unknown>> {
  const given = FIELDS[kind].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, TEXT_FIELDS.has(name) ? value : parseJson(name, value)]];
  });
  return Object.fromEntries(given) as Readonly<Record<string, unknown>>;
}

function parseJson(name: string, value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    throw damaged(`the value of ${name} cannot be read`, cause);
  }
}
