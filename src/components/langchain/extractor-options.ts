import type { PromptTemplate } from '../../llm/prompt-template.ts';
import type { LLM } from '../../llm/llm.ts';
import type { Extractor } from '../../learning/extractor.ts';
import { llmExtractor } from '../../learning/llm/llm-extractor.ts';
import { checkMethods, checkOptionNames, oneOf, type OptionChecks } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';

/** Options of all memories that learn from turns. Either `llm` or `extractor` is required. */
export interface ExtractorOptions<PromptName extends string> {
  /** Language model that extracts from the turns. */
  llm?: LLM;
  /** Extractor to use instead of a model: `offlineExtractor()`, or one that several memories share. */
  extractor?: Extractor;
  /** Prompt templates that replace the default ones. @default the library's own prompts */
  prompts?: { readonly [Name in PromptName]?: string | PromptTemplate };
  /**
   * `inline`: `saveContext` waits for the model. `background`: it resolves when the turn is stored, and a persistent queue
   * does the rest; this requires the history of a database.
   * @default 'inline'
   */
  enrichment?: 'inline' | 'background';
}

/** Checks of single options. `chooseExtractor` checks the options that depend on each other. */
export const EXTRACTOR_CHECKS: OptionChecks<ExtractorOptions<string>> = {
  llm: () => undefined,
  extractor: () => undefined,
  prompts: () => undefined,
  enrichment: oneOf('inline', 'background'),
};

/** Returns the extractor to use. @throws MnemoraError `invalid-option` if the options are invalid */
export function chooseExtractor(
  component: string,
  options: ExtractorOptions<string> & { humanPrefix?: string; aiPrefix?: string },
  promptNames: readonly string[],
  methods: readonly (keyof Extractor)[],
): Extractor {
  const { llm, extractor, prompts, humanPrefix, aiPrefix } = options;
  // Prompts name the speakers as the lines of the conversation do.
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
