import { MnemoraError, type LLMReply, type LLMRequest } from '../../index.ts';
import { textOf, toChatMessages, toPrompt, type ModelVersion, type PromptPart } from './prompt-messages.ts';
import { untilAborted } from './until-aborted.ts';
import { Generated } from './watched-stream.ts';

/** Members that models of all three specifications have. */
export interface CommonModel {
  doGenerate(call: object): PromiseLike<GenerateResult>;
  doStream(call: object): PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;
}

interface GenerateResult {
  readonly content?: unknown;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
}

type StreamPart = { readonly type: string; readonly id?: string; readonly delta?: string } & Omit<
  GenerateResult,
  'content'
> & {
    readonly error?: unknown;
  };

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
    if (!onToken) return replyFrom(await untilAborted(model.doGenerate(call), signal));
    const { stream } = await untilAborted(model.doStream(call), signal);
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
  return {
    prompt: toPrompt(messages, version),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(responseFormat === 'json' ? { responseFormat: { type: 'json' } } : {}),
    ...(signal ? { abortSignal: signal } : {}),
  };
}

function replyFrom({ content, finishReason, usage }: GenerateResult): LLMReply {
  if (!Array.isArray(content)) {
    throw new MnemoraError('llm-reply', 'The model of the AI SDK did not return a list of content parts.');
  }
  const parts = content as readonly PromptPart[];
  const [message] = toChatMessages([{ role: 'assistant', content: parts }]);
  const toolCalls = message?.role === 'assistant' ? message.tool_calls : undefined;
  const reason = Object(finishReason) as { unified?: unknown };
  const named = reason.unified ?? finishReason;
  return {
    text: textOf(parts, ''),
    ...(toolCalls ? { toolCalls } : {}),
    ...usageOf(usage),
    ...(typeof named === 'string' ? { finishReason: named === 'tool-calls' ? 'tool_calls' : named } : {}),
  };
}

/** Since specification V3, a token count is an object with parts. */
function usageOf(usage: unknown): Pick<LLMReply, 'usage'> {
  const { inputTokens, outputTokens } = Object(usage) as Record<string, unknown>;
  const total = (tokens: unknown): number | undefined => {
    const { total: sum = tokens } = Object(tokens) as { total?: unknown };
    return typeof sum === 'number' ? sum : undefined;
  };
  const [input, output] = [total(inputTokens), total(outputTokens)];
  if (input === undefined && output === undefined) return {};
  return {
    usage: {
      ...(input === undefined ? {} : { inputTokens: input }),
      ...(output === undefined ? {} : { outputTokens: output }),
    },
  };
}

async function replyFromStream(
  stream: ReadableStream<StreamPart>,
  onToken: (text: string) => void,
  signal: AbortSignal | undefined,
): Promise<LLMReply> {
  const reader = stream.getReader();
  const generated = new Generated();
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) throw new MnemoraError('llm-reply', "The model's answer broke off before its end.");
      if (value.type === 'error') throw value.error;
      generated.add(value);
      if (value.type === 'text-delta' && value.delta) tell(onToken, value.delta);
      if (value.type === 'finish') return replyFrom({ ...value, content: generated.parts() });
    }
  } catch (error) {
    reader.cancel(error).catch(() => undefined);
    if (generated.parts().length > 0 && !(error instanceof TokenListenerError)) throw brokenOff(error);
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

function brokenOff(cause: unknown): MnemoraError {
  if (cause instanceof MnemoraError) return cause;
  return new MnemoraError('llm-reply', `The model's answer broke off. ${messageOf(cause)}`, { cause });
}

/** Keeps the status and the message only: errors of the SDK contain the request. */
function asModelError(error: unknown): unknown {
  if (error instanceof MnemoraError) return error;
  const { statusCode } = Object(error) as { statusCode?: unknown };
  if (typeof statusCode === 'number')
    return new MnemoraError(
      'llm-http',
      `The model's endpoint answered with status ${statusCode}. ${messageOf(error)}`,
      {
        status: statusCode,
        cause: error,
      },
    );
  return new MnemoraError('llm-network', `The model of the AI SDK failed. ${messageOf(error)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
