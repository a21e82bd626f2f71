import { checkLLM, type LLM } from '../../llm/llm.ts';
import type { PromptTemplate } from '../../llm/prompt-template.ts';
import {
  checkName,
  checkOptionNames,
  checkOptions,
  type OptionCheck,
  type OptionChecks,
  wholeNumber,
  mustBe,
} from '../../model/check-options.ts';
import type { Extractor } from '../extractor.ts';
import { askModel, noAnswer } from './ask-model.ts';
import { consolidationMessages, extractionMessages, summaryPrompt, type SpeakerLabels } from './prompts.ts';
import { readRelations } from '../support/relations.ts';
import { readExtraction } from './read-extraction.ts';
import { replyProse } from './reply-text.ts';

/** Settings of `llmExtractor`. */
export interface LlmExtractorOptions {
  /** Identifies the extractor in the stored results. Use another id for another model. @default 'llm' */
  readonly id?: string;
  /**
   * Custom prompt for summaries, as a text or a template, with exactly the variables `{summary}` and `{new_lines}`.
   * `extract` and `consolidate` always use built-in prompts.
   */
  readonly prompts?: { readonly summary?: string | PromptTemplate };
  /**
   * Names of the speakers in prompts; should match those in the conversation lines.
   * @default 'Human', 'AI' and 'Tool'
   */
  readonly labels?: Partial<SpeakerLabels>;
  /** Maximum length of a reply, in tokens. @default the endpoint's */
  readonly maxTokens?: number;
  /** Sampling temperature of the model. @default the endpoint's */
  readonly temperature?: number;
  /**
   * Maximum length of conversation text in one prompt, in UTF-16 code units. Longer texts are cut in the middle.
   * @default 60000
   */
  readonly maxInputCharacters?: number;
  /**
   * Relations that the model may state in other words than the user: see `RELATIONS`. Facts with other relations are only
   * confirmed if the quote has the words of the relation.
   * @default RELATIONS
   */
  readonly relations?: readonly string[];
}

/**
 * Returns an extractor that lets a language model write summaries and notes, and find entities and facts.
 *
 * Messages are quoted as data in the prompts, and replies are treated as untrusted proposals. Errors of `llm` are
 * passed through unchanged.
 *
 * @throws MnemoraError `invalid-option`. The methods reject with `llm-reply` if a reply contains no usable text.
 * @example const extractor = llmExtractor(fetchLLM({ url: 'http://localhost:11434', api: 'ollama', model: 'qwen3' }));
 */
export function llmExtractor(llm: LLM, options: LlmExtractorOptions = {}): Extractor {
  checkLLM('llm', llm);
  checkOptions('llmExtractor', options, OPTION_CHECKS);
  const model = askModel(llm, options, PROMPT_VARIABLES);
  return {
    id: options.id ?? 'llm',
    isModel: true,
    ...(options.relations === undefined ? {} : { relations: options.relations }),
    async summarize({ summary, newLines, maxTokens, signal }) {
      const values = { summary, new_lines: newLines };
      const prompt = (names: SpeakerLabels, short: typeof values): string =>
        summaryPrompt(names, short, maxTokens);
      const reply = await model.askFor('summary', values, prompt, signal);
      const text = replyProse(reply);
      if (text === undefined) throw noAnswer('a summary', reply);
      return text;
    },
    async extract(input) {
      if (input.messages.length === 0) return { mentions: [], triples: [], unreadable: 0 };
      const messages = extractionMessages(input, model.labels, model.maxCharacters);
      return readExtraction(await model.askForJSON(messages, input.signal), input, model.labels.human);
    },
    async consolidate(input) {
      const asked = input.entities.map(({ name, notes }) => ({ name, summary: notes.join(' ') }));
      const messages = consolidationMessages(input, model.labels, model.maxCharacters);
      return model.askForNotes('merged notes on entities', asked, messages, input.signal);
    },
  };
}

const PROMPT_VARIABLES = { summary: ['summary', 'new_lines'] } as const;

const checkLabel: OptionCheck = (name, label) => checkName(`labels.${name}`, label);
const LABEL_CHECKS: OptionChecks<SpeakerLabels> = { human: checkLabel, ai: checkLabel, tool: checkLabel };
const OPTION_CHECKS: OptionChecks<LlmExtractorOptions> = {
  id: checkName,
  prompts: (name, prompts) => checkOptionNames(name, prompts, Object.keys(PROMPT_VARIABLES)),
  labels: (name, labels) => checkOptions(name, labels as Partial<SpeakerLabels>, LABEL_CHECKS),
  maxTokens: wholeNumber(1),
  temperature: mustBe('a number of at least 0', (value) => Number.isFinite(value) && Number(value) >= 0),
  maxInputCharacters: wholeNumber(1),
  relations: (_name, relations) => void readRelations(relations as readonly string[]),
};
