import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { JobTicket } from '../../storage/job-store.ts';

/** A knowledge graph that is kept somewhere: that of a database, for one. */
export interface GraphAccess {
  /** The graph as it stands. To be read, not to be written to. */
  read(signal?: AbortSignal): Promise<KnowledgeGraph>;
  /**
   * Changes the graph and stores the change, all or nothing. `change` may be called again. Returns false, and changes
   * nothing, where a message that a new fact names is not there any more.
   */
  update(change: (draft: { readonly graph: KnowledgeGraph }) => void, ticket?: JobTicket): Promise<boolean>;
}

/** A graph of this page as one that is kept somewhere. */
export function accessGraph(graph: KnowledgeGraph): GraphAccess {
  return {
    read: async () => graph,
    update: async (change) => {
      change({ graph });
      return true;
    },
  };
}
