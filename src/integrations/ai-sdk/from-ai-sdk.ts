import type { LanguageModel } from 'ai';
import { MnemoraError, type LLM } from '../../index.ts';
import { invalidOption } from '../checks.ts';
import type { CommonModel } from './call-model.ts';

/**
 * Returns a model of the AI SDK as a model for `createMemory` and `withMemory`, so that every provider of the SDK can
 * summarize, extract and answer, those that run in the browser as well.
 *
 * A status of the provider's endpoint becomes `llm-http`, anything else that fails `llm-network`, and a stream that breaks
 * off or an answer of another shape `llm-reply`. A call is not tried again here: background work is.
 *
 * @param model a model object of the specification V2, V3 or V4; the name of a model cannot be resolved here
 * @throws MnemoraError `invalid-option`
 * @example
 * const memory = await createMemory({ llm: fromAISDK(openai('gpt-5-mini')) });
 */
export function fromAISDK(model: Exclude<LanguageModel, string>): LLM {
  const { specificationVersion: version } = Object(model) as { specificationVersion?: unknown };
  if (version !== 'v2' && version !== 'v3' && version !== 'v4') {
    throw invalidOption(
      typeof model === 'string'
        ? `Give the model itself instead of its name "${String(model)}", as a provider returns it.`
        : `The model must be one of the AI SDK, with the specification v2, v3 or v4, not ${String(version)}.`,
    );
  }
  const called = model as unknown as CommonModel;
  return async (request) => {
    if (!Array.isArray(request?.messages)) {
      throw new MnemoraError(
        'invalid-input',
        'A model takes { messages: [...] }. To give it to withMessageHistory, wrap it: llmRunnable(llm).',
      );
    }
    request.signal?.throwIfAborted();
    const { callModel } = await import('./call-model.ts');
    return callModel(called, version, request);
  };
}
