import type { FactGraph, KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import { checkName } from '../model/check-options.ts';
import { engineOf, type MemoryDatabase } from '../sessions/memory-database.ts';
import { Knowledge } from '../storage/knowledge-store.ts';
import { ScopeGraph } from './scope-graph.ts';

export interface ScopeGraphOptions extends KnowledgeGraphOptions {
  /** A database from `openDatabase`. */
  database: MemoryDatabase;
  /** The scope whose facts are used, as in `createMemory`. @default 'user' */
  scope?: string;
}

/** A knowledge graph in a database, which other tabs read and change, too. */
export interface StoredGraph {
  /** The graph as it is stored now. To be read, not to be written to. */
  read(signal?: AbortSignal): Promise<FactGraph>;
  /**
   * Changes the graph and stores the change, all or nothing. `change` may be called again. Returns false, and changes
   * nothing, where a message that a new fact names is not there any more.
   *
   * @throws MnemoraError the `storage-…` codes, and what `change` throws; nothing is changed then
   */
  update(change: (draft: { readonly graph: FactGraph }) => void): Promise<boolean>;
  /** Resolves when nothing is being read or changed. */
  settled(): Promise<void>;
}

/**
 * Returns the knowledge graph of a scope in a database, which is the one that `createMemory` over this database uses.
 *
 * @throws MnemoraError `invalid-option`
 *
 * @example
 * const database = await openDatabase();
 * const memory = new ConversationKGMemory({ llm, graph: scopeGraph({ database }) });
 */
export function scopeGraph({ database, scope = 'user', ...options }: ScopeGraphOptions): StoredGraph {
  const store = new Knowledge(engineOf(database));
  return new ScopeGraph({ store, scope: checkName('scope', scope), ...options });
}
