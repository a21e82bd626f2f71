import { MnemoraError, type MnemoraErrorCode, type LLMReply, type LLMRequest } from '../../index.ts';
import { abortable } from '../../model/abortable.ts';
import { defined } from '../../model/defined.ts';
import { textOf, toChatMessages, toPrompt, type ModelVersion, type PromptPart } from './prompt-messages.ts';
import { Generated, reasonOf, type StreamPart } from './watched-stream.ts';

/** Members that models of all three specifications have. */
export interface CommonModel {
  doGenerate(call: object): PromiseLike<GenerateResult>;
  doStream(call: object): PromiseLike<{ readonly stream: ReadableStream<ReplyPart> }>;
}

interface GenerateResult {
  readonly content?: unknown;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
}

type ReplyPart = StreamPart & { readonly usage?: unknown; readonly error?: unknown };

/** Calls a model of the AI SDK as a model of Mnemora. @throws MnemoraError the `llm-…` codes */
export async function callModel(
  model: CommonModel,
  version: ModelVersion,
  request: LLMRequest,
): Promise<LLMReply> {
  const { signal, onToken } = request;
  signal?.throwIfAborted();
  const call = callOf(request, version);
  try {
    if (!onToken) return replyFrom(await abortable(model.doGenerate(call), signal));
    const { stream } = await abortable(model.doStream(call), signal);
    return await replyFromStream(stream, onToken, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof TokenListenerError ? error.cause : asModelError(error);
  }
}

function callOf(
  { messages, temperature, maxTokens, responseFormat, signal }: LLMRequest,
  version: ModelVersion,
): object {
  return defined({
    prompt: toPrompt(messages, version),
    temperature,
    maxOutputTokens: maxTokens,
    responseFormat: responseFormat === 'json' ? { type: 'json' } : undefined,
    abortSignal: signal,
  });
}

function replyFrom({ content, finishReason, usage }: GenerateResult): LLMReply {
  if (!Array.isArray(content)) {
    throw new MnemoraError('llm-reply', 'The model of the AI SDK did not return a list of content parts.');
  }
  const parts = content as readonly PromptPart[];
  // Calls that the provider has run already are none for the caller, and neither are their results.
  const own = parts.filter((part) => part.type !== 'tool-result' && part['providerExecuted'] !== true);
  const [message] = toChatMessages([{ role: 'assistant', content: own }]);
  const toolCalls = message?.role === 'assistant' ? message.tool_calls : undefined;
  const named = reasonOf(finishReason);
  const reason = named === 'tool-calls' ? 'tool_calls' : named;
  return defined({
    text: textOf(parts, ''),
    toolCalls,
    usage: usageOf(usage),
    finishReason: typeof reason === 'string' ? reason : undefined,
  });
}

/** Since specification V3, a token count is an object with parts. */
function usageOf(usage: unknown): LLMReply['usage'] {
  const { inputTokens, outputTokens } = Object(usage) as Record<string, unknown>;
  const total = (tokens: unknown): number | undefined => {
    const { total: sum = tokens } = Object(tokens) as { total?: unknown };
    return typeof sum === 'number' ? sum : undefined;
  };
  const found = defined({ inputTokens: total(inputTokens), outputTokens: total(outputTokens) });
  return Object.keys(found).length > 0 ? found : undefined;
}

async function replyFromStream(
  stream: ReadableStream<ReplyPart>,
  onToken: (text: string) => void,
  signal: AbortSignal | undefined,
): Promise<LLMReply> {
  const reader = stream.getReader();
  const generated = new Generated();
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) throw new MnemoraError('llm-reply', "The model's answer broke off before its end.");
      if (value.type === 'error') throw value.error;
      generated.add(value);
      if (value.type === 'text-delta' && value.delta) tell(onToken, value.delta);
      if (value.type === 'finish') return replyFrom({ ...value, content: generated.parts() });
    }
  } catch (error) {
    reader.cancel(error).catch(() => undefined);
    if (generated.parts().length > 0 && !(error instanceof TokenListenerError))
      throw error instanceof MnemoraError
        ? error
        : modelError('llm-reply', "The model's answer broke off.", error);
    throw error;
  }
}

/** Wraps an error thrown by `onToken`, so that it is not reported as a failure of the model. */
class TokenListenerError extends Error {}

function tell(onToken: (text: string) => void, text: string): void {
  try {
    onToken(text);
  } catch (cause) {
    throw new TokenListenerError('onToken threw.', { cause });
  }
}

/** Keeps the status and the message only: errors of the SDK contain the request. */
function asModelError(error: unknown): unknown {
  if (error instanceof MnemoraError) return error;
  const { statusCode } = Object(error) as { statusCode?: unknown };
  if (typeof statusCode === 'number')
    return modelError(
      'llm-http',
      `The model's endpoint answered with status ${statusCode}.`,
      error,
      statusCode,
    );
  return modelError('llm-network', 'The model of the AI SDK failed.', error);
}

function modelError(code: MnemoraErrorCode, what: string, cause: unknown, status?: number): MnemoraError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new MnemoraError(code, `${what} ${why}`, defined({ cause, status }));
}
