import { MnemoraError } from '../model/error.ts';
import { completionBody } from './chat-completions.ts';
import { readEndpoint, type Endpoint, type FetchLLMOptions } from './endpoint.ts';
import { exchange } from './exchange.ts';
import type { LLM, LLMRequest } from './llm.ts';
import { retry } from './retry.ts';

export type { FetchLLMOptions } from './endpoint.ts';

/**
 * A language model behind an OpenAI-compatible HTTP endpoint. Streams (SSE) when the request has `onToken`.
 *
 * The returned function rejects with MnemoraError `llm-http` (with `status`), `llm-network`, `llm-timeout`,
 * `llm-reply` (not readable, or broken off) or `invalid-input`; with the signal's reason when it is aborted; and
 * with whatever `onToken` throws.
 *
 * @throws MnemoraError `invalid-option`
 * @example const llm = fetchLLM({ url: 'http://localhost:11434/v1', model: 'llama3.2' })
 */
export function fetchLLM(options: FetchLLMOptions): LLM {
  const endpoint = readEndpoint(options);
  return async (request) => {
    if (!Array.isArray(request?.messages)) {
      throw new MnemoraError(
        'invalid-input',
        'A model takes { messages: [...] }. To give it to withMessageHistory, wrap it: llmRunnable(llm).',
      );
    }
    const body = requestBody(endpoint, request);
    const delivery = { hasBegun: false };
    return retry(() => exchange(endpoint, request, body, delivery), {
      retries: endpoint.retries,
      signal: request.signal,
      sleep: options.sleep,
    });
  };
}

function requestBody({ options }: Endpoint, request: LLMRequest): string {
  const stream = request.onToken !== undefined && options.parseReply === undefined;
  const usual = completionBody(request, { model: options.model, stream });
  return JSON.stringify(options.buildRequest ? options.buildRequest(request, usual) : usual);
}
