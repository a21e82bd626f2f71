import type { Step } from './case.ts';
import type { BaseMemory } from '../../src/components/langchain/base-memory.ts';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import type { WatchedRetriever } from '../fakes/watched-retriever.ts';

/** Plays one operation. `isAnswerWanted` is false where the case does not look at the answer. */
export type Operation = (step: Step, isAnswerWanted: boolean) => unknown;

/** The component under test, as the operations that a case may name. */
export interface Subject {
  operations: Readonly<Record<string, Operation>>;
  /** How its cases call the user. */
  userName: 'human' | 'user';
}

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
