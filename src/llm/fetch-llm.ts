import { loadAhead } from '../model/loading.ts';
import { readEndpoint, type FetchLLMOptions } from './endpoint.ts';
import { checkRequest, type LLMReply, type LLMRequest } from './llm.ts';

export type { FetchLLMOptions } from './endpoint.ts';

/**
 * Returns a language model behind an HTTP endpoint with OpenAI's chat-completions API, Anthropic's Messages API or
 * Ollama's chat API, or with an API whose {@link WireFormat} you pass. It streams if the request has `onToken`.
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
 * fetchLLM({ api: myWireFormat, url: 'https://llm.example.com/answer' })
 */
export function fetchLLM(options: FetchLLMOptions): (request: LLMRequest) => Promise<LLMReply> {
  const endpoint = readEndpoint(options);
  loadAhead([endpoint.loadFormat, loadCall]);
  return async (request) => {
    checkRequest(request);
    const [format, { callEndpoint }] = await Promise.all([endpoint.loadFormat(), loadCall()]);
    return callEndpoint(endpoint, format, request);
  };
}

const loadCall = () => import('./http-call.ts');
