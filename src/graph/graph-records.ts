import { MnemoraError } from '../model/error.ts';
import { checkEntityRecord, checkTripleRecord } from './check-triple.ts';
import { nameKey } from './entity-name.ts';
import type { FactIndex } from './fact-index.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from './triple.ts';

/** The part of graphology's serialized form that a knowledge graph reads. */
export interface SerializedKnowledgeGraph {
  readonly nodes: readonly { readonly key: string; readonly attributes?: unknown }[];
  readonly edges: readonly {
    readonly key?: string;
    readonly source: string;
    readonly target: string;
    readonly attributes?: unknown;
  }[];
}

/** Validates records of unknown origin and sorts the facts by `seq`. @throws MnemoraError `invalid-input` */
export function checkRecords(given: GraphRecords): GraphRecords {
  if (!Array.isArray(given?.entities) || !Array.isArray(given.triples)) {
    throw damaged('it must have a list of entities and a list of triples');
  }
  const entities = given.entities.map(checkEntityRecord);
  const triples = given.triples.map(checkTripleRecord).toSorted((a, b) => a.seq - b.seq);
  const seqById = new Map(triples.map(({ id, seq }) => [id, seq]));
  if (seqById.size < triples.length) throw damaged('two facts have the same id');
  for (const [index, { id, seq, supersedes }] of triples.entries()) {
    if (triples[index - 1]?.seq === seq) throw damaged(`two facts have the same seq ${seq}`);
    // If two facts superseded each other, neither would hold.
    if (supersedes.some((other) => (seqById.get(other) ?? -1) >= seq)) {
      throw damaged(`the fact "${id}" supersedes a fact that is not older`);
    }
  }
  return { entities, triples };
}

/** Checks that facts can be added to those in the index, or replace them. @throws MnemoraError `invalid-input` */
export function checkAgainst(triples: readonly TripleRecord[], facts: FactIndex): void {
  const seqById = new Map(triples.map(({ id, seq }) => [id, seq]));
  const seqOf = (id: string): number => seqById.get(id) ?? facts.records.get(id)?.seq ?? -1;
  for (const { id, seq, supersedes } of triples) {
    const taken = facts.idAt(seq);
    if (taken !== undefined && !seqById.has(taken)) throw damaged(`two facts have the same seq ${seq}`);
    const isYounger = facts.superseders(id).some((later) => seqOf(later.id) <= seq && !seqById.has(later.id));
    if (isYounger || supersedes.some((other) => seqOf(other) >= seq)) {
      throw damaged(
        `the fact "${id}" supersedes a fact that is not older, or is superseded by one that is not newer`,
      );
    }
  }
}

/** Returns the records of a graph after others have replaced those with the same ids and names. */
export function mergeRecords(before: GraphRecords, put: GraphRecords): GraphRecords {
  const entities = new Map(before.entities.map((entity) => [nameKey(entity.name), entity]));
  for (const entity of put.entities) entities.set(nameKey(entity.name), entity);
  const triples = new Map([...before.triples, ...put.triples].map((record) => [record.id, record]));
  return {
    entities: [...entities.values()],
    triples: [...triples.values()].toSorted((a, b) => a.seq - b.seq),
  };
}

/** @throws MnemoraError `invalid-input` */
export function recordsFromJSON(given: SerializedKnowledgeGraph): GraphRecords {
  if (!Array.isArray(given?.nodes) || !Array.isArray(given.edges)) {
    throw damaged('it must have a list of nodes and a list of edges');
  }
  return {
    entities: given.nodes.map((node) => toEntityRecord(attributesOf(node))),
    triples: given.edges.map((edge) => toTripleRecord(attributesOf(edge))),
  };
}

/** Returns an entity as node attributes. Renderers display `label`. */
export function nodeAttributes({ name, ...rest }: EntityRecord): Record<string, unknown> {
  return { label: name, ...rest };
}

/** Returns a fact as edge attributes. Renderers display `label`. */
export function edgeAttributes(record: TripleRecord): Record<string, unknown> {
  return { label: record.predicate, ...record };
}

function toEntityRecord({ label, ...rest }: Readonly<Record<string, unknown>>): EntityRecord {
  return { name: label, ...rest } as EntityRecord;
}

function toTripleRecord({ label: _label, ...rest }: Readonly<Record<string, unknown>>): TripleRecord {
  return rest as unknown as TripleRecord;
}

function attributesOf(element: unknown): Readonly<Record<string, unknown>> {
  const attributes = (element as { attributes?: unknown } | null)?.attributes;
  if (typeof attributes !== 'object' || attributes === null)
    throw damaged('a node or an edge has no attributes');
  return attributes as Readonly<Record<string, unknown>>;
}

function damaged(why: string): MnemoraError {
  return new MnemoraError(
    'invalid-input',
    `The data is not a valid knowledge graph: ${why}. Nothing was loaded.`,
  );
}
