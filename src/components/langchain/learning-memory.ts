import type { Extractor } from '../../learning/extractor.ts';
import { llmExtractor } from '../../learning/llm/llm-extractor.ts';
import type { Summarizer } from '../../learning/summary/summarizer.ts';
import type { TurnLearner } from '../../learning/turn-learner.ts';
import type { SpeakerLabels } from '../../learning/llm/prompts.ts';
import type { LLM } from '../../llm/llm.ts';
import type { PromptTemplate } from '../../llm/prompt-template.ts';
import {
  checkBoolean,
  checkOptionNames,
  objectWith,
  oneOf,
  type OptionChecks,
  anything,
} from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { Passage } from '../../sessions/read-turns.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';
import { extractorDialogue, type Dialogue, type DialogueExtractor } from './dialogue-extractor.ts';
import { fenceMemory, type FenceOption } from './fenced-memory.ts';
import { llmDialogue, type DialoguePrompt } from './llm-dialogue.ts';
import {
  CHAT_HISTORY_CHECKS,
  checkSaveOptions,
  HistoryMemory,
  type ChatHistoryOptions,
} from './history-memory.ts';
import { defined } from '../../model/defined.ts';

/** Options of all memories that learn from turns. Either `llm` or `extractor` is required. */
export interface ExtractorOptions<PromptName extends string> extends FenceOption {
  /** Language model that extracts from the turns. */
  llm?: LLM;
  /** Extractor to use instead of a model: `offlineExtractor()`, or one that several memories share. Its `extract` is called. */
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

/** Checks of single options. The constructor checks those that depend on each other. */
export const LEARNING_CHECKS: OptionChecks<ChatHistoryOptions & ExtractorOptions<string>> = {
  ...CHAT_HISTORY_CHECKS,
  llm: anything,
  extractor: anything,
  prompts: anything,
  enrichment: oneOf('inline', 'background'),
  fence: checkBoolean,
};

/** Options that a memory passes to its turn work. */
export interface TurnWorkOptions {
  readonly component: string;
  readonly history: ChatMessageHistory;
  readonly extractor: Extractor;
  readonly toText: (messages: readonly ChatMessage[]) => string;
  readonly enrichment: 'inline' | 'background';
  readonly onWarning: WarningListener;
}

/** A memory component that derives something from the turns saved, immediately or in the background. */
export abstract class LearningMemory extends HistoryMemory {
  /** @internal Derives summaries, entities or facts from the turns of the history. */
  protected abstract readonly turnWork: Summarizer | TurnLearner;
  /** @internal */
  protected readonly work: TurnWorkOptions;
  /** @internal */
  protected readonly isFenced: boolean;

  /**
   * @internal
   * @param options checked options
   * @param methods methods of an extractor that the memory calls
   * @throws MnemoraError `invalid-option` if the options do not name exactly one extractor
   */
  protected constructor(
    component: string,
    options: ChatHistoryOptions & ExtractorOptions<string>,
    promptNames: readonly string[],
    methods: readonly (keyof Extractor)[],
    otherKeys: readonly string[] = [],
  ) {
    super(options, otherKeys);
    this.isFenced = options.fence ?? false;
    if (this.isFenced && options.format === 'xml') {
      throw invalidOption(
        `${component} accepts either fence or the format xml, which marks messages in its own way.`,
      );
    }
    this.work = {
      component,
      history: this.chatHistory,
      extractor: chooseExtractor(component, options, promptNames, methods),
      toText: (messages) => this.toText(messages),
      enrichment: options.enrichment ?? 'inline',
      onWarning: this.warn,
    };
  }

  /**
   * Stores the turn, then processes it with the model or queues it for processing. If the model fails, a
   * `learning-failed` warning is raised; the turn is stored anyway and is processed with the next one. An abort during
   * the model call rejects after the turn has been stored.
   *
   * @throws MnemoraError `invalid-input` if input or output cannot be identified
   */
  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    checkSaveOptions(options);
    await this.turnWork.save(options, (turn, jobs) => this.store(inputs, outputs, turn, jobs));
  }

  /**
   * @internal Returns the variables for `loadMemoryVariables`: remembered text, then messages verbatim.
   * @param texts remembered texts; each is a system message unless fenced
   * @param text everything as text. @default lines with their speakers
   */
  protected async renderMemory(
    title: string,
    texts: readonly string[],
    said: readonly ChatMessage[],
    text?: string,
  ): Promise<Record<string, unknown>> {
    if (!this.isFenced || texts.length === 0) {
      const remembered = texts.map((content): ChatMessage => ({ role: 'system', content }));
      return this.render([...remembered, ...said], text);
    }
    const { notice, text: fenced } = await fenceMemory(title, texts);
    const asText = [notice, fenced, ...(said.length > 0 ? [this.toText(said)] : [])].join('\n');
    return this.render(
      [{ role: 'system', content: notice }, { role: 'user', content: fenced }, ...said],
      asText,
    );
  }

  /** Resolves when no turn is being processed, and none is queued in the background. */
  settled(): Promise<void> {
    return this.turnWork.settled();
  }

  /** Deletes all messages of the history, and everything derived from these messages alone. */
  override clear(): Promise<void> {
    return this.turnWork.clear();
  }

  /** Stops this memory's background work, which other open memories of the session continue. */
  close(): Promise<void> {
    return this.turnWork.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Returns the dialogue for learning from turns: these turns as the input, and the turns up to the last one as the
 * history.
 */
export function dialogueOf(
  { turns, window }: Passage,
  { k }: { readonly k: number },
  signal: AbortSignal | undefined,
): Dialogue {
  const shown = k === 0 ? [] : window.slice(-Math.max(k, turns.length));
  return { history: shown.flat(), input: turns.flat(), signal };
}

/** Returns the dialogue extractor to use: the model with LangChain's prompts, or the caller's extractor. */
export function chooseDialogue(
  options: ChatHistoryOptions & ExtractorOptions<DialoguePrompt>,
  { extractor, toText }: Pick<TurnWorkOptions, 'extractor' | 'toText'>,
): DialogueExtractor {
  const { llm, prompts } = options;
  if (llm === undefined) return extractorDialogue(extractor);
  return llmDialogue(llm, { labels: labelsOf(options), toText, ...defined({ prompts }) });
}

/** Returns the extractor to use. @throws MnemoraError `invalid-option` if the options are invalid */
function chooseExtractor(
  component: string,
  options: ChatHistoryOptions & ExtractorOptions<string>,
  promptNames: readonly string[],
  methods: readonly (keyof Extractor)[],
): Extractor {
  const { llm, extractor, prompts } = options;
  if ((llm === undefined) === (extractor === undefined)) {
    throw invalidOption(`${component} needs either an llm or an extractor.`);
  }
  if (prompts !== undefined) checkOptionNames(`prompts of ${component}`, prompts, promptNames);
  if (llm !== undefined) {
    const summary = prompts?.['summary'];
    return llmExtractor(llm, { prompts: defined({ summary }), labels: labelsOf(options) });
  }
  if (prompts !== undefined) {
    throw invalidOption(
      `The prompts of ${component} can only be used with an llm, because an extractor has its own.`,
    );
  }
  return objectWith<Extractor>(...methods)('extractor', extractor);
}

/** Returns labels, so that prompts name the speakers as the lines of the conversation do. */
function labelsOf({ humanPrefix, aiPrefix }: ChatHistoryOptions): Partial<SpeakerLabels> {
  return defined({ human: humanPrefix || undefined, ai: aiPrefix || undefined });
}
