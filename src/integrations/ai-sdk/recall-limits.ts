import type { RecalledContext, RecallEvent, RecallOptions } from '../../index.ts';
import { LONGEST_TIMER_MS } from '../../model/abortable.ts';
import { defined } from '../../model/defined.ts';
import {
  checkBoolean,
  checkFunction,
  checkOptions,
  checkShare,
  mustBe,
  wholeNumber,
  type OptionChecks,
} from '../../model/check-options.ts';

/** What memory adds to a question, how long that may take, and what is stored. */
export interface RecallLimits {
  /**
   * Maximum number of tokens of the question and what memory adds to it.
   *
   * @default `maxTokens` of `createMemory`
   */
  maxTokens?: number;
  /** Minimum confidence that memory is relevant to the question, from 0 to 1; see `RecallOptions`. @default 0.5 */
  minRelevance?: number;
  /** Maximum time in milliseconds that memory may delay a question, and again an answer. @default 5000 */
  timeoutMs?: number;
  /** Whether questions and answers are stored. If not, memory only recalls. @default true */
  remember?: boolean;
  /**
   * Limits what is sent of the conversation before the question: whole turns, the newest first, up to `maxTokens` tokens by
   * an estimate that is rather too high. If turns are left out, the session's summary is sent, and they can be recalled.
   *
   * @default the whole conversation is sent
   */
  history?: { maxTokens: number };
  /**
   * Returns the text that is put before the question instead of the notice and what was recalled. `context.text` is the
   * fenced text. Not called if nothing was recalled.
   *
   * @default a notice that the text is quoted and holds no instructions, and the fenced text
   */
  prompt?: (context: RecalledContext) => string;
  /** Called with what was recalled for a question, before it is sent. */
  onRecall?: (recall: RecallEvent) => void;
}

export const RECALL_LIMITS: OptionChecks<RecallLimits> = {
  maxTokens: wholeNumber(1),
  minRelevance: checkShare,
  timeoutMs: mustBe(
    `a number above 0 and at most ${LONGEST_TIMER_MS}`,
    (value) => typeof value === 'number' && value > 0 && value <= LONGEST_TIMER_MS,
  ),
  remember: checkBoolean,
  history: (name, value) => {
    const check = wholeNumber(0);
    const given = checkOptions<{ maxTokens: number }>(name, value as { maxTokens: number }, {
      maxTokens: check,
    });
    check(`${name}.maxTokens`, given.maxTokens);
  },
  prompt: checkFunction,
  onRecall: checkFunction,
};

/** Returns the limits that a recall takes. */
export function recallOptions({
  maxTokens,
  minRelevance,
  onRecall,
}: RecallLimits): RecallOptions & Pick<RecallLimits, 'onRecall'> {
  return defined({ maxTokens, minRelevance, onRecall });
}

/** Warning that a question was sent without memory. */
export const SKIPPED = { code: 'memory-skipped', message: 'The question was sent without memory.' } as const;
