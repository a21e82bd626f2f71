import type { LanguageModel } from 'ai';
import type { LLMReply, LLMRequest } from '../../index.ts';
import { describe } from '../../model/describe.ts';
import { invalidInput, invalidOption } from '../../model/error.ts';
import type { CommonModel } from './call-model.ts';

/**
 * Converts a model of the AI SDK to an `LLM` for `createMemory` and `withMemory`, so that any provider of the SDK can
 * summarize, extract and answer, including those that run in the browser.
 *
 * Rejects with `llm-http` if the endpoint returned an error status, with `llm-reply` if the stream broke off or the
 * answer has an unexpected shape, and with `llm-network` for any other failure. Calls are not retried here; background
 * work retries them.
 *
 * @param model a model object of the specification V2, V3 or V4; the name of a model cannot be resolved here
 * @throws MnemoraError `invalid-option`
 * @example
 * const memory = await createMemory({ learning: { llm: fromAISDK(openai('gpt-5-mini')) } });
 */
export function fromAISDK(model: Exclude<LanguageModel, string>): (request: LLMRequest) => Promise<LLMReply> {
  const { specificationVersion: version } = Object(model) as { specificationVersion?: unknown };
  if (version !== 'v2' && version !== 'v3' && version !== 'v4') {
    throw invalidOption(
      typeof model === 'string'
        ? `Pass the model itself, as a provider returns it, instead of its name "${String(model)}".`
        : `The model must be one of the AI SDK, with the specification v2, v3 or v4, not ${String(version)}.`,
    );
  }
  const called = model as unknown as CommonModel;
  return async (request) => {
    if (!Array.isArray(request?.messages)) {
      throw invalidInput(`A model takes a request { messages: [...] }; got ${describe(request)}.`);
    }
    request.signal?.throwIfAborted();
    const { callModel } = await import('./call-model.ts');
    return callModel(called, version, request);
  };
}
