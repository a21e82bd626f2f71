import { MultiDirectedGraph } from 'graphology';
import { FactGraph, storeOf, type KnowledgeGraphOptions } from './fact-graph.ts';
import { checkRecords, recordsFromJSON, type SerializedKnowledgeGraph } from './graph-records.ts';
import type { GraphStore } from './graph-store.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from './triple.ts';

/**
 * Stores facts as triples in a graph, with what changed and when.
 *
 * A fact is ended, never overwritten, by another value of the same single-valued predicate, by its negation (`am` and
 * `am not`), or by a fact that names its id. Each fact has two periods: when it held, and when that was known.
 * Repeating a fact adds a source to it. Entities are found regardless of case, and by their aliases.
 *
 * @example
 * const graph = new KnowledgeGraph();
 * graph.addTriple({ subject: 'Sam', predicate: 'lives in', object: 'Paris' });
 * graph.addTriple({ subject: 'Sam', predicate: 'lives in', object: 'Rome' });
 * graph.entityFacts('sam'); // ['Sam lives in Rome']
 * graph.triples({ includeHistory: true }); // Paris too, with validTo and retractedAt
 */
export class KnowledgeGraph extends FactGraph {
  #graph: MultiDirectedGraph | undefined;

  /**
   * The underlying graphology graph: entities are nodes, facts are edges, whether or not they hold. You can read it
   * and drop nodes and edges; what you add to it directly does not become a fact.
   */
  get graph(): MultiDirectedGraph {
    // Made on first use: answering a question does not traverse it, and it takes as long as everything else to build.
    this.#graph ??= mirrorOf(storeOf(this));
    return this.#graph;
  }

  /** @internal Restores a graph from {@link toRecords}. @throws MnemoraError `invalid-input`, `invalid-option` */
  static fromRecords(records: GraphRecords, options?: KnowledgeGraphOptions): KnowledgeGraph {
    const checked = checkRecords(records);
    const loaded = new KnowledgeGraph(options);
    storeOf(loaded).load(checked);
    return loaded;
  }

  /** Restores a graph from {@link toJSON}. @throws MnemoraError `invalid-input`, `invalid-option` */
  static fromJSON(serialized: object, options?: KnowledgeGraphOptions): KnowledgeGraph {
    return KnowledgeGraph.fromRecords(recordsFromJSON(serialized as SerializedKnowledgeGraph), options);
  }

  /** Returns the graph in graphology's JSON format, which other graphology tools read. */
  toJSON(): ReturnType<MultiDirectedGraph['export']> {
    return this.graph.export();
  }
}

/** Returns a graphology graph that follows a store. What is dropped from it directly is dropped from the store too. */
function mirrorOf(store: GraphStore): MultiDirectedGraph {
  const graph = new MultiDirectedGraph();
  let origin: 'store' | 'graph' | undefined;
  /** Makes a change that follows one of the store or of the graph, unless that was itself made to follow the other. */
  const follow = (changed: 'store' | 'graph', change: () => unknown): void => {
    if (origin !== undefined && origin !== changed) return;
    const before = origin;
    origin = changed;
    try {
      change();
    } finally {
      origin = before;
    }
  };
  const putNode = (node: string, { name, ...rest }: EntityRecord): unknown =>
    graph.updateNode(node, () => ({ label: name, ...rest }));
  const putEdge = (record: TripleRecord): unknown => {
    const attributes = { label: record.predicate, ...record };
    if (graph.hasEdge(record.id)) return graph.replaceEdgeAttributes(record.id, attributes);
    const [subject, object] = store.endsOf(record.id);
    return graph.addDirectedEdgeWithKey(record.id, subject, object, attributes);
  };
  for (const [node, entity] of store.entities) putNode(node, entity);
  for (const record of store.facts.records.values()) putEdge(record);
  store.follow(graph, {
    entity: (node) =>
      follow('store', () => {
        const entity = store.entities.get(node);
        if (entity) putNode(node, entity);
        else if (graph.hasNode(node)) graph.dropNode(node);
      }),
    fact: (id) =>
      follow('store', () => {
        const record = store.facts.records.get(id);
        if (record) putEdge(record);
        else if (graph.hasEdge(id)) graph.dropEdge(id);
      }),
    cleared: () => follow('store', () => graph.clear()),
  });
  graph.on('nodeAdded', ({ key }) => follow('graph', () => store.entityChanged(key)));
  graph.on('nodeDropped', ({ key }) => follow('graph', () => store.dropNode(key)));
  graph.on('edgeDropped', ({ key }) => follow('graph', () => store.forgetFacts([key])));
  graph.on('edgesCleared', () => follow('graph', () => store.forgetFacts([...store.facts.records.keys()])));
  graph.on('cleared', () => follow('graph', () => store.clear()));
  return graph;
}
