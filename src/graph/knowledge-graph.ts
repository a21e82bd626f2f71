import { FactGraph, storeOf, type KnowledgeGraphOptions } from './fact-graph.ts';
import { GraphMirror } from './graph-mirror.ts';
import { checkRecords, recordsFromJSON, type SerializedKnowledgeGraph } from './graph-records.ts';
import type { MultiDirectedGraph } from './graphology.ts';
import type { GraphRecords } from './triple.ts';

/**
 * Facts as triples in a graph, with what changed and when.
 *
 * A fact is ended, never overwritten, by another value of the same single-valued predicate, by its own negation
 * (`am` and `am not`), or by one that names its id. Each fact has two times: when it held, and when that was known.
 * What is said again is one fact with more sources. Entities are found whatever the case, and by their aliases.
 *
 * @example
 * const graph = new KnowledgeGraph();
 * graph.addTriple({ subject: 'Sam', predicate: 'lives in', object: 'Paris' });
 * graph.addTriple({ subject: 'Sam', predicate: 'lives in', object: 'Rome' });
 * graph.entityFacts('sam'); // ['Sam lives in Rome']
 * graph.triples({ includeHistory: true }); // Paris too, with validTo and retractedAt
 */
export class KnowledgeGraph extends FactGraph {
  /** @throws MnemoraError `invalid-option` */
  constructor(options?: KnowledgeGraphOptions) {
    super(options, (listener) => new GraphMirror(listener));
  }

  /**
   * The graph itself: nodes are entities, edges facts, current or not. Reading it and dropping from it is fine;
   * what is added to it directly is not taken for a fact.
   */
  get graph(): MultiDirectedGraph {
    return storeOf(this).graph;
  }

  /** The facts of a graph that was stored. @throws MnemoraError `invalid-input`, `invalid-option` */
  static fromRecords(records: GraphRecords, options?: KnowledgeGraphOptions): KnowledgeGraph {
    const checked = checkRecords(records);
    const loaded = new KnowledgeGraph(options);
    storeOf(loaded).load(checked);
    return loaded;
  }

  /** The facts of a graph that {@link toJSON} gave. @throws MnemoraError `invalid-input`, `invalid-option` */
  static fromJSON(serialized: SerializedKnowledgeGraph, options?: KnowledgeGraphOptions): KnowledgeGraph {
    return KnowledgeGraph.fromRecords(recordsFromJSON(serialized), options);
  }

  /** The graph in graphology's own JSON, which its other tools read. */
  toJSON(): ReturnType<MultiDirectedGraph['export']> {
    return this.graph.export();
  }
}
