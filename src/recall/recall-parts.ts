import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import type { ScopeGraph } from '../learning/scope-graph.ts';
import type { Clock } from '../model/clock.ts';
import type { WarningListener } from '../model/warning.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange } from '../search/vector-search.ts';
import type { MemoryStores } from '../sessions/memory-stores.ts';
import type { LazyTokenizer } from '../tokens/lazy-tokenizer.ts';
import type { RecallEvent } from './layout/context-item.ts';
import type { ScopeIndex } from './index/scope-index.ts';
import type { TokenCounts } from './token-counts.ts';

/** The parts of a memory that a question reads. */
export interface RecallParts {
  readonly settings: RecallSettings;
  readonly stores: MemoryStores;
  readonly index: ScopeIndex;
  readonly graph: ScopeGraph;
  readonly tokenizer: LazyTokenizer;
  readonly tokenCounts: TokenCounts;
  readonly events: {
    readonly warn: WarningListener;
    emit(type: 'recall', detail: RecallEvent): void;
  };
  /** Whether the memory learns at all. */
  readonly isLearning: boolean;
  /** Brings index and graph up to the same state, and returns what `look` reads from it. */
  catchUp<T>(look: (rows: KnowledgeRows) => T, signal: AbortSignal | undefined): Promise<T>;
  /** Returns the vector of a question; undefined while the model is loading or failing, and without a model. */
  embedQuery(query: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
  /** Returns the `limit` messages nearest to a query vector; none, with a warning, if the embedder fails. */
  nearest(
    queryVector: Float32Array,
    range: MessageRange,
    limit: number,
    signal?: AbortSignal,
  ): Promise<SearchHit[]>;
}

interface RecallSettings {
  readonly scope: string;
  readonly clock: Clock;
  readonly userName?: string | undefined;
  readonly recentTurns: number;
  readonly maxTokens: number;
  readonly profileTokens: number;
}
