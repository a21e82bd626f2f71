import { MultiDirectedGraph } from './graphology.ts';

/** Called when somebody other than its owner changes a graph. */
export interface OutsideListener {
  nodeChanged(node: string): void;
  nodeDropped(node: string): void;
  edgeChanged(edge: string): void;
  edgeDropped(edge: string): void;
  edgesCleared(): void;
  cleared(): void;
}

/** A graphology graph that copies another graph, and reports changes that were made to it directly. */
export class GraphMirror {
  readonly graph: MultiDirectedGraph = new MultiDirectedGraph();
  #isReflecting = false;

  constructor(listener: OutsideListener) {
    const { graph } = this;
    const outside =
      (take: (key: string) => void) =>
      (change?: { readonly key: string }): void => {
        if (!this.#isReflecting) take(change?.key ?? '');
      };
    graph.on('nodeAdded', outside(listener.nodeChanged));
    graph.on('nodeAttributesUpdated', outside(listener.nodeChanged));
    graph.on('nodeDropped', outside(listener.nodeDropped));
    graph.on('edgeAdded', outside(listener.edgeChanged));
    graph.on('edgeAttributesUpdated', outside(listener.edgeChanged));
    graph.on('edgeDropped', outside(listener.edgeDropped));
    graph.on('edgesCleared', outside(listener.edgesCleared));
    graph.on('cleared', outside(listener.cleared));
  }

  /** Applies a change of the original to the copy. */
  reflect(change: (graph: MultiDirectedGraph) => unknown): void {
    this.#isReflecting = true;
    try {
      change(this.graph);
    } finally {
      this.#isReflecting = false;
    }
  }
}
