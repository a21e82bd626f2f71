import { checkNames, invalidOption } from '../checks.ts';

/** How much memory may add to a question, and how long it may take. */
export interface RecallLimits {
  /** Maximum number of tokens of what memory adds to a request. @default that of `createMemory` */
  maxTokens?: number;
  /** How sure memory must be that it has something to say, from 0 to 1; see `RecallOptions`. @default 0.5 */
  minRelevance?: number;
  /** Longest time in milliseconds that memory may hold up a question, and an answer. @default 5000 */
  timeoutMs?: number;
}

const NAMES = ['maxTokens', 'minRelevance', 'timeoutMs'] as const;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws MnemoraError `invalid-option`, also for an option with another name */
export function checkRecallLimits<Options extends RecallLimits>(
  component: string,
  options: Options,
  otherNames: readonly (keyof Options & string)[] = [],
): Options {
  checkNames(component, options, [...NAMES, ...otherNames]);
  const { maxTokens = 1, minRelevance = 0, timeoutMs = 1 } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw invalidOption('maxTokens must be a whole number greater than zero.');
  }
  if (typeof minRelevance !== 'number' || !(minRelevance >= 0 && minRelevance <= 1)) {
    throw invalidOption('minRelevance must be a number from 0 to 1.');
  }
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw invalidOption(`timeoutMs must be a number greater than zero, at most ${LONGEST_TIMER_MS}.`);
  }
  return options;
}
