import type { BaseMemory } from '../../src/components/langchain/base-memory.ts';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import type { WatchedRetriever } from '../fakes/watched-retriever.ts';
import type { Operation } from './subject.ts';

/** A memory and what a case may look at behind its back. */
export interface BuiltMemory {
  memory: BaseMemory;
  history?: ChatMessageHistory;
  retriever?: WatchedRetriever;
  /** The memory behind a read-only one. */
  inner?: BaseMemory;
  /** Messages that a load would use, where that is fewer than the history holds. */
  stored?: () => Promise<number>;
  /** What else a case may ask of it. */
  operations?: Readonly<Record<string, Operation>>;
}
