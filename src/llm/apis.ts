import type { WireFormat } from './wire-format.ts';

/** URL and headers of an HTTP API. Its wire format is loaded by the first call. */
export interface Api {
  /** Returns the URL of the endpoint, given that URL itself or its usual base. */
  endpointUrl(url: string): string;
  /** Returns the headers of each request; the caller's own headers override them. */
  headers(apiKey: string | undefined): Record<string, string>;
  load(): Promise<WireFormat>;
}

/** The APIs that `fetchLLM` speaks, by the name of its option `api`. */
export const APIS: Readonly<Record<'openai' | 'anthropic' | 'ollama', Api>> = {
  openai: {
    endpointUrl: (url) => url.replace(/\/v1\/?(?=$|[?#])/, '/v1/chat/completions'),
    headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    load: async () => (await import('./chat-completions.ts')).chatCompletions,
  },
  anthropic: {
    endpointUrl: (url) =>
      url
        .replace(/^(https?:\/\/[^/?#]+)\/?(?=$|[?#])/i, '$1/v1')
        .replace(/\/v1\/?(?=$|[?#])/, '/v1/messages'),
    headers: (apiKey) => ({
      'anthropic-version': '2023-06-01',
      // Without it the API rejects calls from pages. The key belongs to the user of the page, who has entered it.
      'anthropic-dangerous-direct-browser-access': 'true',
      ...(apiKey ? { 'x-api-key': apiKey } : {}),
    }),
    load: async () => (await import('./anthropic-messages.ts')).anthropicMessages,
  },
  ollama: {
    endpointUrl: (url) =>
      url.replace(/^(https?:\/\/[^/?#]+)\/?(?=$|[?#])/i, '$1/api').replace(/\/api\/?(?=$|[?#])/, '/api/chat'),
    headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    load: async () => (await import('./ollama-chat.ts')).ollamaChat,
  },
};
