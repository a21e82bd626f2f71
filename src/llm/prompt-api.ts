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
 * text is supported: messages with tool calls, tool results or images are rejected. As plain text, tool calls would teach
 * the model to invent some, and tool results would look like the user's own words.
 *
 * The returned function rejects with MnemoraError `model-unavailable` (the browser has no such model, or not yet),
 * `over-budget` (the messages do not fit in its context), `llm-reply` (the answer is incomplete) or `invalid-input`; with
 * the signal's reason if it aborts; and with any error that `onToken` throws.
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
        // This ends its stream as well.
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

/** Returns the text of a piece; empty for other types of pieces, such as thoughts. */
function pieceText(piece: unknown): string {
  return isRecord(piece) && piece['type'] === 'text' ? textOf(piece['value']) : textOf(piece);
}

/** Returns the error for a failed wait: the caller's abort reason and MnemoraErrors unchanged, others explained. */
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
