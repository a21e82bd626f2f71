import { requireReplyText, type LLM, type LLMRequest } from '../../llm/llm.ts';
import { checkName, checkOptionNames, checkWholeNumber } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { cleanReply, isUnchanged, replyProse } from './clean-reply.ts';
import { readPrompts, type LlmPrompts, type PromptName } from './custom-prompts.ts';
import { consolidationMessages, extractionMessages, updatesMessages } from './extraction-messages.ts';
import type { Extractor } from '../extractor.ts';
import { parseEntities } from '../parse-entities.ts';
import { parseTriples } from '../parse-triples.ts';
import {
  entityExtractionPrompt,
  entitySummarizationPrompt,
  kgExtractionPrompt,
  summaryPrompt,
  type SpeakerLabels,
} from './prompts.ts';
import { MAX_PROPOSALS, readExtraction } from './read-extraction.ts';
import { readUpdates } from './read-updates.ts';
import { shorten } from '../shorten-text.ts';

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
  const { id, templates, labels, request, maxCharacters } = readOptions(llm, options);
  let takesJSON = true;

  async function ask(
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
    format?: 'json',
  ): Promise<string> {
    const plain: LLMRequest = { ...request, messages, ...(signal ? { signal } : {}) };
    if (format === undefined || !takesJSON) return requireReplyText(await llm(plain));
    try {
      return requireReplyText(await llm({ ...plain, responseFormat: format }));
    } catch (error) {
      if (!mayRefuseJSON(error)) throw error;
      // Some endpoints do not support the JSON format and only answer that the request was bad.
      const text = requireReplyText(await llm(plain));
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

  return {
    id,
    isModel: true,
    async summarize({ summary, newLines, maxTokens, signal }) {
      const values = { summary, new_lines: newLines };
      const reply = await askFor(
        'summary',
        values,
        (names, short) => summaryPrompt(names, short, maxTokens),
        signal,
      );
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
    async updateEntities({ entities, history, input, signal }) {
      if (entities.length === 0) return new Map();
      const messages = updatesMessages({ entities, history, input }, labels, maxCharacters);
      const reply = await ask(messages, signal, 'json');
      const updates = readUpdates(reply, entities);
      if (!updates) throw noAnswer('notes on entities', reply);
      return updates;
    },
    async consolidate(input) {
      const reply = await ask(consolidationMessages(input, labels, maxCharacters), input.signal, 'json');
      const asked = input.entities.map(({ name, notes }) => ({ name, summary: notes.join(' ') }));
      const updates = readUpdates(reply, asked);
      if (!updates) throw noAnswer('merged notes on entities', reply);
      return updates;
    },
    async extractTriples({ history, input, signal }) {
      const reply = await askFor('kgExtraction', { history, input }, kgExtractionPrompt, signal);
      return parseTriples(cleanReply(reply)).slice(0, MAX_PROPOSALS);
    },
    async extract(input) {
      if (input.messages.length === 0) return { mentions: [], triples: [], unreadable: 0 };
      const messages = extractionMessages(input, labels, maxCharacters);
      return readExtraction(await ask(messages, input.signal, 'json'), input);
    },
  };
}

const OPTION_NAMES = ['id', 'prompts', 'labels', 'maxTokens', 'temperature', 'maxInputCharacters'];

function readOptions(llm: LLM, options: LlmExtractorOptions): ReadOptions {
  if (typeof llm !== 'function') {
    throw new MnemoraError(
      'invalid-option',
      'llmExtractor needs a model. Pass a function such as the one that fetchLLM(…) returns.',
    );
  }
  checkOptionNames('llmExtractor', options, OPTION_NAMES);
  const {
    id = 'llm',
    prompts = {},
    labels = {},
    maxTokens,
    temperature,
    maxInputCharacters = 60_000,
  } = options;
  checkOptionNames('labels', labels, ['human', 'ai', 'tool']);
  const { human = 'Human', ai = 'AI', tool = 'Tool' } = labels;
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0)) {
    throw new MnemoraError('invalid-option', 'temperature must be a number of at least 0.');
  }
  return {
    id: checkName('id', id),
    templates: readPrompts(prompts),
    labels: {
      human: checkName('labels.human', human),
      ai: checkName('labels.ai', ai),
      tool: checkName('labels.tool', tool),
    },
    request: {
      ...(maxTokens === undefined ? {} : { maxTokens: checkWholeNumber('maxTokens', maxTokens, 1) }),
      ...(temperature === undefined ? {} : { temperature }),
    },
    maxCharacters: checkWholeNumber('maxInputCharacters', maxInputCharacters, 1),
  };
}

interface ReadOptions {
  readonly id: string;
  readonly templates: ReturnType<typeof readPrompts>;
  readonly labels: SpeakerLabels;
  readonly request: Omit<LLMRequest, 'messages'>;
  readonly maxCharacters: number;
}

function mayRefuseJSON(error: unknown): boolean {
  return (
    error instanceof MnemoraError &&
    error.code === 'llm-http' &&
    (error.status === 400 || error.status === 422)
  );
}

function noAnswer(what: string, reply: string): MnemoraError {
  return new MnemoraError(
    'llm-reply',
    `The model was asked for ${what} but replied ${JSON.stringify(reply.slice(0, 80))}. Nothing was changed.`,
  );
}
