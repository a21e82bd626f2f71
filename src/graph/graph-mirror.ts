import { MultiDirectedGraph } from './graphology.ts';

/** Is told what others than its owner do to a graph. */
export interface OutsideListener {
  nodeChanged(node: string): void;
  nodeDropped(node: string): void;
  edgeChanged(edge: string): void;
  edgeDropped(edge: string): void;
  edgesCleared(): void;
  cleared(): void;
}

/** A graph of graphology that follows what it is a copy of, and tells when somebody else has changed it. */
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

  /** Does to the copy what was done to the original. */
  reflect(change: (graph: MultiDirectedGraph) => unknown): void {
    this.#isReflecting = true;
    try {
      change(this.graph);
    } finally {
      this.#isReflecting = false;
    }
  }
}
