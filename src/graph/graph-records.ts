import { invalidInput, type MnemoraError } from '../model/error.ts';
import { checkEntityRecord, checkTripleRecord } from './check-triple.ts';
import { nameKey } from './entity-name.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from './triple.ts';

/** Validates records of unknown origin and sorts the facts by `seq`. @throws MnemoraError `invalid-input` */
export function checkRecords(given: GraphRecords): GraphRecords {
  if (!Array.isArray(given?.entities) || !Array.isArray(given.triples))
    throw damaged('it must have a list of entities and a list of triples');
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

/** Returns the records of a graph in graphology's serialized form. @throws MnemoraError `invalid-input` */
export function recordsFromJSON(given: object): GraphRecords {
  const { nodes, edges }: { nodes?: unknown; edges?: unknown } = Object(given);
  const entities = attributesOf(nodes).map(({ label: name, ...rest }) => ({ name, ...rest }) as EntityRecord);
  const triples = attributesOf(edges).map(({ label: _label, ...rest }) => rest as unknown as TripleRecord);
  return { entities, triples };
}

function attributesOf(elements: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(elements)) throw damaged('it must have a list of nodes and a list of edges');
  return elements.map((element) => {
    const { attributes }: { attributes?: unknown } = Object(element);
    if (typeof attributes === 'object' && attributes !== null) return { ...attributes };
    throw damaged('a node or an edge has no attributes');
  });
}

/**
 * Merges several entities into one. Of names and spellings of an alias the first one is kept, of attribute values the
 * last one.
 *
 * @param node the node of the merged entity
 * @param given the newest of the entities
 * @param all all entities, including the newest, oldest first
 */
export function mergeEntities(node: string, given: EntityRecord, all: readonly EntityRecord[]): EntityRecord {
  const aliases = new Map<string, string>();
  for (const entity of all) {
    for (const alias of [entity.name, ...entity.aliases]) {
      const key = nameKey(alias);
      if (key !== node && !aliases.has(key)) aliases.set(key, alias);
    }
  }
  return {
    name: all[0]?.name ?? given.name,
    aliases: [...aliases.values()],
    attributes: Object.assign({}, ...all.toReversed().map((entity) => entity.attributes), given.attributes),
    isStandalone: all.some((entity) => entity.isStandalone),
  };
}

export function damaged(why: string, cause?: unknown): MnemoraError {
  return invalidInput(`The data is not a valid knowledge graph: ${why}. Nothing was loaded.`, cause);
}
