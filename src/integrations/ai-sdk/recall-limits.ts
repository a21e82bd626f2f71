import { checkNames, invalidOption, quote } from '../checks.ts';

/** Limits on what memory may add to a question and how long that may take. */
export interface RecallLimits {
  /** Maximum number of tokens that memory adds to a request. @default `maxTokens` of `createMemory` */
  maxTokens?: number;
  /** Minimum confidence that memory is relevant to the question, from 0 to 1; see `RecallOptions`. @default 0.5 */
  minRelevance?: number;
  /** Maximum time in milliseconds that memory may delay a question, and again an answer. @default 5000 */
  timeoutMs?: number;
}

const NAMES = ['maxTokens', 'minRelevance', 'timeoutMs'] as const;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws MnemoraError `invalid-option`, also for an unknown option */
export function checkRecallLimits<Options extends RecallLimits>(
  component: string,
  options: Options,
  otherNames: readonly (keyof Options & string)[] = [],
): Options {
  checkNames(component, options, [...NAMES, ...otherNames]);
  const { maxTokens = 1, minRelevance = 0, timeoutMs = 1 } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw invalidOption(`maxTokens must be a whole number of at least 1; got ${quote(maxTokens)}.`);
  }
  if (typeof minRelevance !== 'number' || !(minRelevance >= 0 && minRelevance <= 1)) {
    throw invalidOption(`minRelevance must be a number from 0 to 1; got ${quote(minRelevance)}.`);
  }
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw invalidOption(
      `timeoutMs must be a number above 0 and at most ${LONGEST_TIMER_MS}; got ${quote(timeoutMs)}.`,
    );
  }
  return options;
}
