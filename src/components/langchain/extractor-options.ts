import type { PromptTemplate } from '../../llm/prompt-template.ts';
import type { LLM } from '../../llm/llm.ts';
import type { Extractor } from '../../learning/extractor.ts';
import { llmExtractor } from '../../learning/llm/llm-extractor.ts';
import { checkMethods, checkOptionNames, oneOf, type OptionChecks } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';

/** Options of all memories that learn from what was said. One of `llm` and `extractor` is needed. */
export interface ExtractorOptions<PromptName extends string> {
  /** The model that reads the turns. */
  llm?: LLM;
  /** What reads the turns in place of a model of its own: `offlineExtractor()`, or one that several memories share. */
  extractor?: Extractor;
  /** Templates in place of those that the model is asked with. @default its own */
  prompts?: { readonly [Name in PromptName]?: string | PromptTemplate };
  /**
   * `inline`: `saveContext` waits for the model. `background`: it resolves when the turn is stored, and a queue that
   * survives the page does the rest; only over the history of a database.
   * @default 'inline'
   */
  enrichment?: 'inline' | 'background';
}

/** The parts of it that depend on each other, `chooseExtractor` checks. */
export const EXTRACTOR_CHECKS: OptionChecks<ExtractorOptions<string>> = {
  llm: () => undefined,
  extractor: () => undefined,
  prompts: () => undefined,
  enrichment: oneOf('inline', 'background'),
};

/** @throws MnemoraError `invalid-option` */
export function chooseExtractor(
  component: string,
  options: ExtractorOptions<string> & { humanPrefix?: string; aiPrefix?: string },
  promptNames: readonly string[],
  methods: readonly (keyof Extractor)[],
): Extractor {
  const { llm, extractor, prompts, humanPrefix, aiPrefix } = options;
  // The prompts call the speakers what the lines of the conversation call them.
  const labels = { ...(humanPrefix ? { human: humanPrefix } : {}), ...(aiPrefix ? { ai: aiPrefix } : {}) };
  if ((llm === undefined) === (extractor === undefined)) {
    throw new MnemoraError('invalid-option', `${component} needs an llm or an extractor, and not both.`);
  }
  if (prompts !== undefined) checkOptionNames(`prompts of ${component}`, prompts, promptNames);
  if (llm !== undefined) return llmExtractor(llm, { ...(prompts === undefined ? {} : { prompts }), labels });
  if (prompts !== undefined) {
    throw new MnemoraError(
      'invalid-option',
      `The prompts of ${component} are for an llm; an extractor has its own.`,
    );
  }
  return checkMethods('extractor', extractor as Extractor, methods);
}
