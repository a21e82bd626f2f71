import { FactGraph, type KnowledgeGraphOptions } from './fact-graph.ts';
import { checkRecords, recordsFromJSON } from './graph-records.ts';
import type { MultiDirectedGraph } from './graph-store.ts';
import type { GraphRecords } from './triple.ts';

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
  /**
   * The underlying graphology graph: entities are nodes, facts are edges, whether or not they hold. You can read it
   * and drop nodes and edges; what you add to it directly does not become a fact.
   */
  get graph(): MultiDirectedGraph {
    return this.store.graph;
  }

  /** @internal Restores a graph from {@link toRecords}. @throws MnemoraError `invalid-input`, `invalid-option` */
  static fromRecords(records: GraphRecords, options?: KnowledgeGraphOptions): KnowledgeGraph {
    const checked = checkRecords(records);
    const loaded = new KnowledgeGraph(options);
    loaded.store.load(checked);
    return loaded;
  }

  /** Restores a graph from {@link toJSON}. @throws MnemoraError `invalid-input`, `invalid-option` */
  static fromJSON(serialized: object, options?: KnowledgeGraphOptions): KnowledgeGraph {
    return KnowledgeGraph.fromRecords(recordsFromJSON(serialized), options);
  }

  /** Returns the graph in graphology's JSON format, which other graphology tools read. */
  toJSON(): ReturnType<MultiDirectedGraph['export']> {
    return this.graph.export();
  }
}
