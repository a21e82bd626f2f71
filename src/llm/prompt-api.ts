import { abortable } from '../model/abortable.ts';
import { invalidInput, MnemoraError } from '../model/error.ts';
import { messageText, toolCallsOf, type ChatMessage } from '../model/message.ts';
import { checkRequest, type LLMReply, type LLMRequest } from './llm.ts';
import { systemText } from './message-parts.ts';
import { isRecord } from '../model/is-record.ts';
import { textOf } from './reply-json.ts';
import { checkOptionNames } from '../model/check-options.ts';
import { defined } from '../model/defined.ts';

/** The members used of the browser's `LanguageModel`, the Prompt API of Chrome and Edge. */
export interface LanguageModelApi {
  availability(options?: object): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  create(options?: LanguageModelCreateOptions): Promise<LanguageModelSession>;
}

export interface LanguageModelCreateOptions {
  /** A system message, if any, comes first. */
  initialPrompts?: LanguageModelMessage[];
  signal?: AbortSignal;
  monitor?: (monitor: EventTarget) => void;
  [option: string]: unknown;
}

export interface LanguageModelSession {
  /** A stream of text pieces. With some options of the session pieces are `{ type, value }` instead. */
  promptStreaming(
    input: LanguageModelMessage[],
    options?: { signal?: AbortSignal; responseConstraint?: object },
  ): ReadableStream<unknown>;
  destroy(): void;
}

export interface LanguageModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface PromptApiLLMOptions {
  /** Languages of the chat as BCP 47 tags such as `'en'` or `'ja'`. @default the browser's own assumption */
  languages?: readonly string[];
  /** Called with the downloaded fraction of the model, from 0 to 1, while the browser downloads it. */
  onDownload?: (part: number) => void;
  /**
   * Further options for `LanguageModel.create` and `availability`, such as `samplingMode`, and in an extension
   * `temperature` and `topK`.
   */
  sessionOptions?: Readonly<Record<string, unknown>>;
  /** The API to use. @default the global `LanguageModel`, looked up at each call */
  languageModel?: LanguageModelApi;
}

/**
 * Returns the language model that is built into the browser (the Prompt API of Chrome and Edge): no server, no key, and
 * no network once it is downloaded. The first call may start a download of several gigabytes, which the browser allows
 * only after a user gesture such as a click.
 *
 * `responseFormat: 'json'` requests an object. `temperature` and `maxTokens` of a request are ignored, because a page
 * cannot set them, and replies have neither `usage` nor `finishReason`, because the browser does not report them. Only
 * text is supported: messages with tool calls, tool results or images are rejected. If they were converted to plain
 * text, the model would learn to invent tool calls, and tool results would look like the user's own words.
 *
 * The returned function rejects with MnemoraError `model-unavailable` (the browser has no such model, or not yet),
 * `over-budget` (the messages do not fit in its context), `llm-reply` (the answer is incomplete) or `invalid-input`; with
 * the signal's reason if it aborts; and with any error that `onToken` throws.
 *
 * @throws MnemoraError `invalid-option`
 * @example const llm = promptApiLLM({ onDownload: (part) => (bar.value = part) })
 */
export function promptApiLLM(options: PromptApiLLMOptions = {}): (request: LLMRequest) => Promise<LLMReply> {
  checkOptionNames('promptApiLLM', options, OPTION_NAMES);
  return async (request) => {
    checkRequest(request);
    const messages = toPrompt(request.messages);
    const { signal = new AbortController().signal } = request;
    signal.throwIfAborted();
    const session = await openSession(options, messages.slice(0, -1), signal);
    try {
      let answer = '';
      for await (const text of readTexts(session, messages.slice(-1), request, signal)) {
        if (text === '') continue;
        answer += text;
        request.onToken?.(text);
      }
      return { text: answer };
    } finally {
      // This ends its stream as well.
      session.destroy();
    }
  };
}

const OPTION_NAMES = 'languages onDownload sessionOptions languageModel'.split(' ');

/**
 * Converts messages. All system texts are joined into the one system message that the API accepts.
 *
 * @throws MnemoraError `invalid-input` if a message is not text only, or there is no message to answer
 */
function toPrompt(messages: readonly ChatMessage[]): LanguageModelMessage[] {
  const spoken = messages.flatMap((message, index): LanguageModelMessage[] => {
    if (message.role === 'system') return [];
    return [{ role: speakerOf(message, index), content: spokenText(message, index) }];
  });
  if (spoken.length === 0) throw invalidInput('The built-in language model needs a user message to answer.');
  const content = systemText(messages);
  return content === '' ? spoken : [{ role: 'system', content }, ...spoken];
}

function speakerOf(message: ChatMessage, index: number): 'user' | 'assistant' {
  if (message.role === 'tool') throw notText(index, 'is the result of a tool');
  if (toolCallsOf(message).length > 0) throw notText(index, 'calls a tool');
  return message.role === 'assistant' ? 'assistant' : 'user';
}

function spokenText(message: ChatMessage, index: number): string {
  const { content } = message;
  const other = Array.isArray(content) ? content.find((part) => part.type !== 'text') : undefined;
  if (other) throw notText(index, `has a part of type "${other.type}"`);
  return messageText(message);
}

function notText(index: number, what: string): MnemoraError {
  return invalidInput(
    `Message ${index} ${what}, and the built-in language model takes text only. Leave the message out, or use fetchLLM.`,
  );
}

async function openSession(
  { languages, onDownload, sessionOptions, languageModel }: PromptApiLLMOptions,
  initialPrompts: LanguageModelMessage[],
  signal: AbortSignal,
): Promise<LanguageModelSession> {
  const api = languageModel ?? (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;
  if (!api) throw unavailable('This browser has no built-in language model (no LanguageModel)');
  const texts = languages && [{ type: 'text', languages: [...languages] }];
  const core = { ...(texts && { expectedInputs: texts, expectedOutputs: texts }), ...sessionOptions };
  try {
    const availability = await abortable(api.availability(core), signal);
    if (availability === 'unavailable') {
      throw unavailable('The built-in language model does not run on this device, or not with these options');
    }
    const optional = defined({
      initialPrompts: initialPrompts.length > 0 ? initialPrompts : undefined,
      monitor: onDownload && ((monitor: EventTarget) => listen(monitor, onDownload)),
    });
    return await abortable(api.create({ ...core, ...optional, signal }), signal);
  } catch (error) {
    const why = isNamed(error, 'NotAllowedError')
      ? 'The browser must first download its language model, which it does only in answer to a click or key press (or this page may not use it)'
      : `The built-in language model could not be started: ${String(error)}`;
    throw explained(error, signal, unavailable(why, error));
  }
}

function listen(monitor: EventTarget, onDownload: (part: number) => void): void {
  monitor.addEventListener('downloadprogress', (event) => {
    if ('loaded' in event && typeof event.loaded === 'number') onDownload(event.loaded);
  });
}

async function* readTexts(
  session: LanguageModelSession,
  input: LanguageModelMessage[],
  { responseFormat }: LLMRequest,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const constraint = responseFormat === 'json' ? { responseConstraint: { type: 'object' } } : {};
  try {
    const reader = session.promptStreaming(input, { signal, ...constraint }).getReader();
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return;
      yield pieceText(value);
    }
  } catch (error) {
    const message = `The reply of the built-in language model broke off: ${String(error)}. Try again.`;
    throw explained(error, signal, new MnemoraError('llm-reply', message, { cause: error }));
  }
}

/** Returns the text of a piece; empty for other types of pieces, such as thoughts. */
function pieceText(piece: unknown): string {
  return isRecord(piece) && piece['type'] === 'text' ? textOf(piece['value']) : textOf(piece);
}

/** Returns the error for a failed wait: the caller's abort reason and MnemoraErrors unchanged, others explained. */
function explained(error: unknown, signal: AbortSignal, explanation: MnemoraError): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof MnemoraError) return error;
  if (!isNamed(error, 'QuotaExceededError')) return explanation;
  return new MnemoraError(
    'over-budget',
    'The messages do not fit in the context of the built-in language model. Send fewer, or lower maxTokens of the memory.',
    { cause: error },
  );
}

function unavailable(what: string, cause?: unknown): MnemoraError {
  return new MnemoraError('model-unavailable', `${what}. Where it is not available, use fetchLLM.`, {
    cause,
  });
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
