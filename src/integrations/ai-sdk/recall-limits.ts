import type { RecallOptions } from '../../index.ts';
import { LONGEST_TIMER_MS } from '../../model/abortable.ts';
import { defined } from '../../model/defined.ts';
import { checkShare, mustBe, wholeNumber, type OptionChecks } from '../../model/check-options.ts';

/** Limits on what memory may add to a question and how long that may take. */
export interface RecallLimits {
  /** Maximum number of tokens that memory adds to a request. @default `maxTokens` of `createMemory` */
  maxTokens?: number;
  /** Minimum confidence that memory is relevant to the question, from 0 to 1; see `RecallOptions`. @default 0.5 */
  minRelevance?: number;
  /** Maximum time in milliseconds that memory may delay a question, and again an answer. @default 5000 */
  timeoutMs?: number;
}

export const RECALL_LIMITS: OptionChecks<RecallLimits> = {
  maxTokens: wholeNumber(1),
  minRelevance: checkShare,
  timeoutMs: mustBe(
    `a number above 0 and at most ${LONGEST_TIMER_MS}`,
    (value) => typeof value === 'number' && value > 0 && value <= LONGEST_TIMER_MS,
  ),
};

/** Returns the limits that `recall` takes. */
export function recallOptions({ maxTokens, minRelevance }: RecallLimits): RecallOptions {
  return defined({ maxTokens, minRelevance });
}

/** Warning that a question was sent without memory. */
export const SKIPPED = { code: 'memory-skipped', message: 'The question was sent without memory.' } as const;
