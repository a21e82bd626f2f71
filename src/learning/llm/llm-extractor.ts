import { requireReplyText, type LLM, type LLMRequest } from '../../llm/llm.ts';
import {
  checkName,
  checkOptionNames,
  checkOptions,
  type OptionCheck,
  type OptionChecks,
  wholeNumber,
} from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { shorten } from '../cut-text.ts';
import { MAX_PROPOSALS, type Extractor } from '../extractor.ts';
import { parseEntities, parseTriples } from '../parse-replies.ts';
import {
  consolidationMessages,
  entityExtractionPrompt,
  entitySummarizationPrompt,
  extractionMessages,
  kgExtractionPrompt,
  summaryPrompt,
  updatesMessages,
  type SpeakerLabels,
} from './prompts.ts';
import { readExtraction } from './read-extraction.ts';
import { readUpdates, type AskedEntity } from './read-updates.ts';
import { cleanReply, isUnchanged, replyProse } from './reply-text.ts';
import { type PromptTemplate, promptTemplate } from '../../llm/prompt-template.ts';

export type PromptName = 'summary' | 'entityExtraction' | 'entitySummarization' | 'kgExtraction';

/** Custom prompts. Each is a template text or a template. */
export type LlmPrompts = { readonly [Name in PromptName]?: string | PromptTemplate };

export interface LlmExtractorOptions {
  /** Identifies the extractor in the stored results. Use another id for another model. @default 'llm' */
  readonly id?: string;
  /**
   * Custom prompts, as texts or templates. Each prompt must have exactly these variables: `{summary}` and
   * `{new_lines}` in `summary`; `{history}` and `{input}` in `entityExtraction` and `kgExtraction`; `{entity}`,
   * `{summary}`, `{history}` and `{input}` in `entitySummarization`. The calls that process several entities or turns
   * at once, `updateEntities`, `consolidate` and `extract`, always use built-in prompts.
   */
  readonly prompts?: LlmPrompts;
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
  if (typeof llm !== 'function') {
    throw invalidOption(
      'llmExtractor needs a model. Pass a function such as the one that fetchLLM(…) returns.',
    );
  }
  checkOptions('llmExtractor', options, OPTION_CHECKS);
  const { id = 'llm', maxTokens, temperature, maxInputCharacters: maxCharacters = 60_000 } = options;
  const { human = 'Human', ai = 'AI', tool = 'Tool' } = options.labels ?? {};
  const labels = { human, ai, tool };
  const templates = readPrompts(options.prompts ?? {});
  let takesJSON = true;

  async function ask(
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
    format: Pick<LLMRequest, 'responseFormat'> = {},
  ): Promise<string> {
    const reply = await llm({
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      messages,
      ...(signal ? { signal } : {}),
      ...format,
    });
    return requireReplyText(reply);
  }

  async function askForJSON(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<string> {
    if (!takesJSON) return ask(messages, signal);
    try {
      return await ask(messages, signal, { responseFormat: 'json' });
    } catch (error) {
      if (!mayRefuseJSON(error)) throw error;
      // Some endpoints do not support the JSON format and only answer that the request was bad.
      const text = await ask(messages, signal);
      takesJSON = false;
      return text;
    }
  }

  /** Asks with the custom template if there is one, otherwise with the default prompt. */
  async function askFor<V extends Readonly<Record<string, string>>>(
    name: PromptName,
    values: V,
    prompt: (labels: SpeakerLabels, values: V) => string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const short = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, shorten(value, maxCharacters)]),
    ) as V;
    const content = templates.get(name)?.format(short) ?? prompt(labels, short);
    return ask([{ role: 'user', content }], signal);
  }

  async function askForNotes(
    what: string,
    entities: readonly AskedEntity[],
    messages: readonly ChatMessage[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const reply = await askForJSON(messages, signal);
    const updates = readUpdates(reply, entities);
    if (!updates) throw noAnswer(what, reply);
    return updates;
  }

  return {
    id,
    isModel: true,
    async summarize({ summary, newLines, maxTokens: limit, signal }) {
      const values = { summary, new_lines: newLines };
      const prompt = (names: SpeakerLabels, short: typeof values): string =>
        summaryPrompt(names, short, limit);
      const reply = await askFor('summary', values, prompt, signal);
      const text = replyProse(reply);
      if (text === undefined) throw noAnswer('a summary', reply);
      return text;
    },
    async findEntities({ history, input, signal }) {
      const reply = await askFor('entityExtraction', { history, input }, entityExtractionPrompt, signal);
      return parseEntities(cleanReply(reply)).slice(0, MAX_PROPOSALS);
    },
    async updateEntity({ entity, summary, history, input, signal }) {
      const values = { entity, summary, history, input };
      const reply = await askFor('entitySummarization', values, entitySummarizationPrompt, signal);
      const text = replyProse(reply);
      return text === undefined || isUnchanged(text) || text === summary.trim() ? undefined : text;
    },
    async updateEntities(input) {
      const { entities, signal } = input;
      if (entities.length === 0) return new Map();
      return askForNotes(
        'notes on entities',
        entities,
        updatesMessages(input, labels, maxCharacters),
        signal,
      );
    },
    async consolidate(input) {
      const asked = input.entities.map(({ name, notes }) => ({ name, summary: notes.join(' ') }));
      const messages = consolidationMessages(input, labels, maxCharacters);
      return askForNotes('merged notes on entities', asked, messages, input.signal);
    },
    async extractTriples({ history, input, signal }) {
      const reply = await askFor('kgExtraction', { history, input }, kgExtractionPrompt, signal);
      return parseTriples(cleanReply(reply)).slice(0, MAX_PROPOSALS);
    },
    async extract(input) {
      if (input.messages.length === 0) return { mentions: [], triples: [], unreadable: 0 };
      const messages = extractionMessages(input, labels, maxCharacters);
      return readExtraction(await askForJSON(messages, input.signal), input);
    },
  };
}

/** The prompts that can be replaced, and the variables that each of them must contain. */
const PROMPT_VARIABLES: Readonly<Record<PromptName, readonly string[]>> = {
  summary: ['summary', 'new_lines'],
  entityExtraction: ['history', 'input'],
  entitySummarization: ['entity', 'summary', 'history', 'input'],
  kgExtraction: ['history', 'input'],
};

const checkLabel: OptionCheck = (name, label) => checkName(`labels.${name}`, label);
const LABEL_CHECKS: OptionChecks<SpeakerLabels> = { human: checkLabel, ai: checkLabel, tool: checkLabel };
const OPTION_CHECKS: OptionChecks<LlmExtractorOptions> = {
  id: checkName,
  prompts: (name, prompts) => checkOptionNames(name, prompts, Object.keys(PROMPT_VARIABLES)),
  labels: (name, labels) => checkOptions(name, labels as Partial<SpeakerLabels>, LABEL_CHECKS),
  maxTokens: wholeNumber(1),
  temperature: (_name, value) => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return;
    throw invalidOption('temperature must be a number of at least 0.');
  },
  maxInputCharacters: wholeNumber(1),
};

/** @throws MnemoraError `invalid-option` if a prompt does not have exactly its variables */
function readPrompts(prompts: LlmPrompts): ReadonlyMap<string, PromptTemplate> {
  const given = Object.entries(PROMPT_VARIABLES).flatMap(([name, variables]) => {
    const prompt = prompts[name as PromptName];
    return prompt === undefined ? [] : [[name, readTemplate(name, prompt, variables)] as const];
  });
  return new Map(given);
}

function readTemplate(
  name: string,
  given: string | PromptTemplate,
  wanted: readonly string[],
): PromptTemplate {
  const template = typeof given === 'string' ? promptTemplate(given) : given;
  if (typeof template?.format !== 'function' || !Array.isArray(template.variables)) {
    throw invalidOption(`The prompt "${name}" must be a string or a promptTemplate(…).`);
  }
  const has: readonly unknown[] = template.variables;
  if (has.length === wanted.length && wanted.every((variable) => has.includes(variable))) return template;
  throw invalidOption(
    `The prompt "${name}" must have exactly the variables ${list(wanted)}, but has ${list(has)}.`,
  );
}

function list(names: readonly unknown[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `{${String(name)}}`).join(', ');
}

function mayRefuseJSON(error: unknown): boolean {
  return (
    error instanceof MnemoraError &&
    error.code === 'llm-http' &&
    (error.status === 400 || error.status === 422)
  );
}

function invalidOption(message: string): MnemoraError {
  return new MnemoraError('invalid-option', message);
}

function noAnswer(what: string, reply: string): MnemoraError {
  return new MnemoraError(
    'llm-reply',
    `The model was asked for ${what} but replied ${JSON.stringify(reply.slice(0, 80))}. Nothing was changed.`,
  );
}
