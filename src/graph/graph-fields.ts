import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from './triple.ts';

/** Values of a node or an edge by field name, without its id. Lists and maps are JSON. */
export type FieldValues = ReadonlyMap<string, string>;

/** A node in a graph file. */
export interface NodeFields {
  readonly id: string;
  readonly values: FieldValues;
}

/** An edge in a graph file. */
export interface EdgeFields extends NodeFields {
  readonly source: string;
  readonly target: string;
}

/** A graph as graph file formats represent it: nodes and edges with flat values. */
export interface GraphFields {
  readonly nodes: readonly NodeFields[];
  readonly edges: readonly EdgeFields[];
}

/** Field names and types, declared at the start of a file. `label` comes first, because programs display it. */
export const NODE_FIELD_TYPES: ReadonlyMap<string, 'string' | 'double' | 'boolean'> = new Map([
  ['label', 'string'],
  ['aliases', 'string'],
  ['attributes', 'string'],
  ['isStandalone', 'boolean'],
]);
export const EDGE_FIELD_TYPES: ReadonlyMap<string, 'string' | 'double' | 'boolean'> = new Map([
  ['label', 'string'],
  ['subject', 'string'],
  ['object', 'string'],
  ['seq', 'double'],
  ['validFrom', 'double'],
  ['validTo', 'double'],
  ['recordedAt', 'double'],
  ['retractedAt', 'double'],
  ['retractedTo', 'double'],
  ['origin', 'string'],
  ['sources', 'string'],
  ['supersedes', 'string'],
  ['attributes', 'string'],
]);

export function toFields(graph: KnowledgeGraph): GraphFields {
  const { entities, triples } = graph.toRecords();
  return {
    nodes: entities.map(({ name, aliases, attributes, isStandalone }) => ({
      id: graph.nodeKey(name),
      values: fieldsOf({ label: name, aliases, attributes, isStandalone }),
    })),
    edges: triples.map(({ id, predicate, retraction, source: origin, ...rest }) => ({
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
 * Returns the records in a file, still to be validated. Gets defaults for what other programs leave out: nodes are
 * named by their label or id, edges are numbered in file order and recorded now.
 *
 * @throws MnemoraError `invalid-input` if a value does not have the type of its field
 */
export function fromFields({ nodes, edges }: GraphFields, now: number): GraphRecords {
  const names = new Map(nodes.map(({ id, values }) => [id, values.get('label') ?? id]));
  if (names.size < nodes.length) throw damaged('two nodes have the same id');
  const isNumbered = edges.every(({ values }) => values.has('seq'));
  return {
    entities: nodes.map(({ id, values }): EntityRecord => {
      const { aliases = [], attributes = {}, isStandalone = true } = parseFields(values, NODE_FIELD_TYPES);
      return { name: names.get(id), aliases, attributes, isStandalone } as EntityRecord;
    }),
    triples: edges.map(({ id, source, target, values }, index) => {
      const ends = { subject: names.get(source), object: names.get(target) };
      if (ends.subject === undefined || ends.object === undefined) {
        throw damaged(`the edge "${id}" refers to a node that does not exist`);
      }
      const {
        origin,
        label = 'is related to',
        retractedAt,
        retractedTo,
        ...fields
      } = parseFields(values, EDGE_FIELD_TYPES);
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
    }),
  };
}

function fieldsOf(record: Readonly<Record<string, unknown>>): FieldValues {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(record)) {
    if (value !== undefined) values.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return values;
}

function parseFields(
  values: FieldValues,
  types: ReadonlyMap<string, 'string' | 'double' | 'boolean'>,
): Readonly<Record<string, unknown>> {
  const parsed: Record<string, unknown> = {};
  // Fields added by other programs are ignored.
  for (const [name, type] of types) {
    const value = values.get(name);
    if (value === undefined) continue;
    const isPlain = type === 'string' && !JSON_FIELDS.has(name);
    parsed[name] = isPlain ? value : parseJson(name, value);
  }
  return parsed;
}

const JSON_FIELDS: ReadonlySet<string> = new Set(['aliases', 'attributes', 'sources', 'supersedes']);

function parseJson(name: string, value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    throw damaged(`the value of ${name} cannot be read`, cause);
  }
}

function damaged(why: string, cause?: unknown): MnemoraError {
  return new MnemoraError(
    'invalid-input',
    `The data is not a valid knowledge graph: ${why}. Nothing was loaded.`,
    cause === undefined ? undefined : { cause },
  );
}
