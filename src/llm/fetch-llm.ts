import { checkRequest } from './check-request.ts';
import { readEndpoint, type Endpoint, type FetchLLMOptions } from './endpoint.ts';
import type { LLM, LLMRequest } from './llm.ts';
import { loadAhead } from '../model/loading.ts';
import { retry } from './retry.ts';
import type { WireFormat } from './wire-format.ts';

export type { FetchLLMOptions } from './endpoint.ts';

/**
 * Returns a language model behind an HTTP endpoint with OpenAI's chat-completions API, Anthropic's Messages API or
 * Ollama's chat API. It streams if the request has `onToken`.
 *
 * The returned function rejects with MnemoraError `llm-http` (with `status`), `llm-network`, `llm-timeout`,
 * `llm-reply` (invalid or incomplete) or `invalid-input`; with the signal's reason if it aborts; and with any error that
 * `onToken` throws.
 *
 * @throws MnemoraError `invalid-option`
 * @example
 * fetchLLM({ url: 'http://localhost:11434/v1', model: 'llama3.2' })
 * fetchLLM({ api: 'ollama', url: 'http://localhost:11434', model: 'llama3.2' })
 * fetchLLM({ api: 'anthropic', url: 'https://api.anthropic.com', model, apiKey })
 */
export function fetchLLM(options: FetchLLMOptions): LLM {
  const endpoint = readEndpoint(options);
  loadAhead([() => endpoint.api.load(), loadAttempt]);
  return async (request) => {
    checkRequest(request);
    const [format, { attemptRequest }] = await Promise.all([endpoint.api.load(), loadAttempt()]);
    const body = requestBody(endpoint, format, request);
    const delivery = { hasBegun: false };
    return retry(() => attemptRequest({ ...endpoint, format }, request, body, delivery), {
      retries: endpoint.retries,
      signal: request.signal,
      sleep: options.sleep,
    });
  };
}

const loadAttempt = () => import('./http-attempt.ts');

function requestBody({ options }: Endpoint, format: WireFormat, request: LLMRequest): string {
  const stream = request.onToken !== undefined && options.parseReply === undefined;
  const usual = format.requestBody(request, { model: options.model, stream });
  return JSON.stringify(options.buildRequest ? options.buildRequest(request, usual) : usual);
}
