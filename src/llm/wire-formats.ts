import type { WireFormat } from './wire-format.ts';

/** An API that is built in: its URL, its headers, and its wire format, which the first call loads. */
export interface BuiltInApi {
  /** Returns the URL of the endpoint, given that URL itself or its usual base. */
  endpointUrl(url: string): string;
  /** Returns the headers of each request; the caller's own headers override them. */
  headers(apiKey: string): Record<string, string>;
  loadFormat(): Promise<WireFormat>;
}

/** The APIs that `fetchLLM` knows by name. A new one is a row here and a file with its {@link WireFormat}. */
export const WIRE_FORMATS: Readonly<Record<'openai' | 'anthropic' | 'ollama', BuiltInApi>> = {
  openai: {
    endpointUrl: (url) => url.replace(/\/v1(?:\/chat\/completions)?\/?(?=$|[?#])/, '/v1/chat/completions'),
    headers: bearer,
    loadFormat: async () => (await import('./chat-completions.ts')).chatCompletions,
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
    loadFormat: async () => (await import('./anthropic-messages.ts')).anthropicMessages,
  },
  ollama: {
    endpointUrl: (url) =>
      url.replace(/^(https?:\/\/[^/?#]+)\/?(?=$|[?#])/i, '$1/api').replace(/\/api\/?(?=$|[?#])/, '/api/chat'),
    headers: bearer,
    loadFormat: async () => (await import('./ollama-chat.ts')).ollamaChat,
  },
};

/** Returns what `fetchLLM` needs to know of a caller's own wire format: the URL is used as it is. */
export function ownApi(format: WireFormat): BuiltInApi {
  return { endpointUrl: (url) => url, headers: bearer, loadFormat: async () => format };
}

function bearer(apiKey: string): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}
