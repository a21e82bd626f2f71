import type { KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import { checkName } from '../model/check-options.ts';
import { engineOf } from '../sessions/database-engine.ts';
import type { MemoryDatabase } from '../sessions/memory-database.ts';
import { Knowledge } from '../storage/knowledge.ts';
import { ScopeGraph } from './scope-graph.ts';

export interface ScopeGraphOptions extends KnowledgeGraphOptions {
  /** A database from `openDatabase`. */
  database: MemoryDatabase;
  /** The scope whose facts are used, as in `createMemory`. @default 'user' */
  scope?: string;
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
export function scopeGraph({ database, scope = 'user', ...options }: ScopeGraphOptions): ScopeGraph {
  const store = new Knowledge(engineOf(database));
  return new ScopeGraph({ store, scope: checkName('scope', scope), ...options });
}
