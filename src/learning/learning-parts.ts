import type { Clock } from '../model/clock.ts';
import type { WarningListener } from '../model/warning.ts';
import type { MemoryStores } from '../sessions/memory-stores.ts';
import type { JobRecord } from '../storage/schema.ts';
import type { LazyTokenizer } from '../tokens/lazy-tokenizer.ts';
import type { ScopeGraph } from './scope-graph.ts';

/** The parts of a memory that its background work uses. */
export interface LearningParts {
  readonly settings: LearningSettings;
  readonly stores: MemoryStores;
  readonly graph: ScopeGraph;
  readonly tokenizer: LazyTokenizer;
  readonly events: LearningEvents;
  /** Whether the memory learns at all. */
  readonly isLearning: boolean;
  /** Call it after each write: it notifies this tab's listeners and the other tabs, and wakes up background work. */
  written(): void;
  /** Call it after a write of derived data only, which causes no background work. */
  announceChange(): void;
  /** Resolves when no background work is left that could be done now. Returns the jobs that are left. */
  settled(): Promise<JobRecord[]>;
}

interface LearningSettings {
  readonly scope: string;
  readonly clock: Clock;
  readonly userName?: string | undefined;
  readonly singleValued?: readonly string[] | undefined;
  readonly recentTurns: number;
  readonly maxTokens: number;
}

interface LearningEvents {
  readonly warn: WarningListener;
  add(type: 'change', listener: () => void): void;
  remove(type: 'change', listener: () => void): void;
}
