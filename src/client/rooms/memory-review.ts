import type { Speaker } from '../../model/speaker.ts';
import type { SignalOption } from '../call-options.ts';
import type { MemoryFact } from './memory-facts.ts';

/** A fact stated by somebody other than the user, which awaits the user's confirmation. */
export interface ReviewItem {
  /** Id of the fact, for `accept` and `reject`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly text: string;
  /** Who stated it. */
  readonly speaker: Exclude<Speaker, 'user'>;
  readonly fact: MemoryFact;
}

/** The facts of a memory that await the user's confirmation. */
export interface MemoryReview {
  /**
   * Returns facts that only an assistant, a tool, a pasted text or an import has stated: those that hold now, newest
   * first, at most 50. In a context, each of them names its speaker. None of them can end a fact stated by the user.
   */
  list(options?: SignalOption): Promise<ReviewItem[]>;
  /**
   * Confirms a fact: from now on it counts as stated by the user. `rebuild` keeps it.
   *
   * @throws MnemoraError `not-found` if no such fact waits for review
   */
  accept(factId: string, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Forgets a fact. It is not learned again from the same messages.
   *
   * @throws MnemoraError `not-found` if no such fact waits for review
   */
  reject(factId: string, options?: SignalOption): Promise<void>;
}
