import type { WireFormat } from './wire-format.ts';

/** Where an HTTP API is called, and with which headers. How it says things is loaded with the first call. */
export interface Api {
  /** The address to send to, from a full address or from the usual base of one. */
  endpointUrl(url: string): string;
  /** Sent with each request; the caller's own win over them. */
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
      // Without it the API refuses calls from pages. The key is the page's own user's, who knows where it goes.
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
