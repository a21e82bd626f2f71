import type { KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import { checkName } from '../model/check-options.ts';
import { engineOf } from '../sessions/database-engine.ts';
import type { MemoryDatabase } from '../sessions/open-database.ts';
import { Knowledge } from '../storage/knowledge.ts';
import { ScopeGraph } from './scope-graph.ts';

export interface ScopeGraphOptions extends KnowledgeGraphOptions {
  /** What `openDatabase` gave. */
  database: MemoryDatabase;
  /** Whose facts they are, as in `createMemory`. @default 'user' */
  scope?: string;
}

/**
 * The knowledge graph that a database keeps for a scope: the one that `createMemory` over the same database learns.
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
