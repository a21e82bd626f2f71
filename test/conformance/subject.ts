import type { Step } from './case.ts';

/** Plays one operation. `isAnswerWanted` is false where the case does not look at the answer. */
export type Operation = (step: Step, isAnswerWanted: boolean) => unknown;

/** The component under test, as the operations that a case may name. */
export interface Subject {
  operations: Readonly<Record<string, Operation>>;
  /** How its cases call the user. */
  userName: 'human' | 'user';
}
