import { MnemoraError } from '../model/error.ts';
import { checkRequest } from './check-request.ts';
import { idleTimeout, type IdleTimeout } from './idle-timeout.ts';
import type {
  LanguageModelApi,
  LanguageModelCreateOptions,
  LanguageModelSession,
} from './language-model-api.ts';
import type { LLM, LLMRequest } from './llm.ts';
import { toPrompt, type Prompt } from './prompt-messages.ts';
import { isRecord, textOf } from './reply-json.ts';

export interface PromptApiLLMOptions {
  /** The languages of the chat, as tags like `'en'` or `'ja'`. @default what the browser assumes */
  languages?: readonly string[];
  /** Gets the part of the model that is downloaded, from 0 to 1, while the browser fetches it. */
  onDownload?: (part: number) => void;
  /**
   * Further options for `LanguageModel.create` and `availability`, such as `samplingMode`, and in an extension
   * `temperature` and `topK`.
   */
  sessionOptions?: Readonly<Record<string, unknown>>;
  /** @default the global `LanguageModel`, looked up at each call */
  languageModel?: LanguageModelApi;
}

/**
 * The model that is built into the browser (Chrome's and Edge's Prompt API): no server, no key, no network once the
 * browser has it. The first call may start a download of some gigabytes, which the browser allows only after a click.
 *
 * `responseFormat: 'json'` asks for an object. `temperature` and `maxTokens` of a request are passed over, for a page
 * cannot set them, and replies have neither `usage` nor `finishReason`, for the browser tells neither. It takes text
 * only: messages with tool calls, tool results or images are refused, because calls retold as text teach the model to
 * make some up, and a tool's result retold as the user's words would speak with the user's voice.
 *
 * The returned function rejects with MnemoraError `model-unavailable` (there is no such model, or it cannot be had
 * now), `over-budget` (the messages do not fit in its context), `llm-reply` (the answer broke off) or `invalid-input`;
 * with the signal's reason when it is aborted; and with whatever `onToken` throws.
 *
 * @throws MnemoraError `invalid-option`
 * @example const llm = promptApiLLM({ onDownload: (part) => (bar.value = part) })
 */
export function promptApiLLM(options: PromptApiLLMOptions = {}): LLM {
  const unknown = Object.keys(options).find((name) => !KNOWN_OPTIONS.has(name));
  if (unknown !== undefined) {
    throw new MnemoraError('invalid-option', `promptApiLLM has no option "${unknown}".`);
  }
  return async (request) => {
    checkRequest(request);
    const prompt = toPrompt(request.messages);
    request.signal?.throwIfAborted();
    const waits = idleTimeout({ timeoutMs: Infinity, signal: request.signal, timeoutError: Error });
    try {
      const session = await openSession(options, prompt, waits);
      try {
        return { text: await readAnswer(session, prompt, request, waits) };
      } finally {
        // Ends its stream as well.
        session.destroy();
      }
    } finally {
      waits.close();
    }
  };
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set<keyof PromptApiLLMOptions>([
  'languages',
  'onDownload',
  'sessionOptions',
  'languageModel',
]);

async function openSession(
  options: PromptApiLLMOptions,
  { initialPrompts }: Prompt,
  waits: IdleTimeout,
): Promise<LanguageModelSession> {
  const api = options.languageModel ?? globalLanguageModel();
  const { onDownload } = options;
  const core = sessionOptions(options);
  const create: LanguageModelCreateOptions = {
    ...core,
    ...(initialPrompts.length === 0 ? {} : { initialPrompts }),
    ...(onDownload ? { monitor: (monitor) => listen(monitor, onDownload) } : {}),
    signal: waits.signal,
  };
  try {
    const availability = await waits.wait(api.availability(core));
    if (availability === 'unavailable') {
      throw unavailable('The built-in language model does not run on this device, or not with these options');
    }
    return await waits.wait(api.create(create));
  } catch (error) {
    throw typed(error, waits, whyNotOpened);
  }
}

function globalLanguageModel(): LanguageModelApi {
  const api = (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;
  if (!api) throw unavailable('This browser has no built-in language model (no LanguageModel)');
  return api;
}

function sessionOptions({
  languages,
  sessionOptions: further,
}: PromptApiLLMOptions): Record<string, unknown> {
  if (!languages) return { ...further };
  const texts = [{ type: 'text', languages: [...languages] }];
  return { expectedInputs: texts, expectedOutputs: texts, ...further };
}

function listen(monitor: EventTarget, onDownload: (part: number) => void): void {
  monitor.addEventListener('downloadprogress', (event) => {
    if ('loaded' in event && typeof event.loaded === 'number') onDownload(event.loaded);
  });
}

async function readAnswer(
  session: LanguageModelSession,
  { input }: Prompt,
  request: LLMRequest,
  waits: IdleTimeout,
): Promise<string> {
  const texts: string[] = [];
  for await (const text of readTexts(session, input, request, waits)) {
    if (text === '') continue;
    texts.push(text);
    request.onToken?.(text);
  }
  return texts.join('');
}

async function* readTexts(
  session: LanguageModelSession,
  input: Prompt['input'],
  request: LLMRequest,
  waits: IdleTimeout,
): AsyncGenerator<string, void, undefined> {
  try {
    const reader = session
      .promptStreaming(input, {
        signal: waits.signal,
        ...(request.responseFormat === 'json' ? { responseConstraint: { type: 'object' } } : {}),
      })
      .getReader();
    for (;;) {
      const { done, value } = await waits.wait(reader.read());
      if (done) return;
      yield pieceText(value);
    }
  } catch (error) {
    throw typed(error, waits, whyBrokenOff);
  }
}

/** Thoughts come as pieces of another type. */
function pieceText(piece: unknown): string {
  return isRecord(piece) && piece['type'] === 'text' ? textOf(piece['value']) : textOf(piece);
}

/** The error to throw for a failed wait: an abort as the caller's reason, and what is typed already, as they are. */
function typed(error: unknown, waits: IdleTimeout, explain: (error: unknown) => MnemoraError): unknown {
  if (waits.signal.aborted) return waits.signal.reason;
  if (error instanceof MnemoraError) return error;
  if (nameOf(error) !== 'QuotaExceededError') return explain(error);
  return new MnemoraError(
    'over-budget',
    'The messages do not fit in the context of the built-in language model. Send fewer, or lower maxTokens of the memory.',
    { cause: error },
  );
}

function whyNotOpened(error: unknown): MnemoraError {
  return nameOf(error) === 'NotAllowedError'
    ? unavailable(
        'The browser must first download its language model, which it does only in answer to a click or key press (or this page may not use it)',
        error,
      )
    : unavailable(`The built-in language model could not be started: ${String(error)}`, error);
}

function whyBrokenOff(error: unknown): MnemoraError {
  return new MnemoraError(
    'llm-reply',
    `The reply of the built-in language model broke off: ${String(error)}. Try again.`,
    {
      cause: error,
    },
  );
}

function unavailable(what: string, cause?: unknown): MnemoraError {
  return new MnemoraError(
    'model-unavailable',
    `${what}. Use fetchLLM where it is not at hand.`,
    cause === undefined ? undefined : { cause },
  );
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
