import { checkOptionNames } from '../model/check-options.ts';
import { invalidOption, type MnemoraError } from '../model/error.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import type { WireFormat } from './wire-format.ts';

export interface FetchLLMOptions {
  /**
   * URL of the endpoint, or its usual base, which is completed. For `'openai'` the base ends in `/v1`, for
   * `'anthropic'` it is `https://api.anthropic.com` or ends in `/v1`, for `'ollama'` it is `http://localhost:11434` or
   * ends in `/api`.
   */
  url: string;
  /** Name of the model. Optional for endpoints that serve a single model. */
  model?: string;
  /**
   * API of the endpoint: chat completions, which most servers support, Anthropic's Messages API, or Ollama's chat API.
   * Anthropic's has no JSON mode, so `responseFormat: 'json'` becomes a sentence of the system text; it requires a limit,
   * which defaults to 4096 tokens; and system messages are moved to the front.
   * @default 'openai'
   */
  api?: 'openai' | 'anthropic' | 'ollama';
  /** Headers of each request. They override the headers that this library sets. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`, or in the header that the API requires. Never part of an error message. */
  apiKey?: string;
  /** Function that sends the requests. @default the global `fetch`, looked up at each call */
  fetch?: typeof fetch;
  /**
   * Number of retries after status 408, 429 or 5xx and after a network failure. A reply is never requested again once
   * `onToken` has been called.
   * @default 2
   */
  retries?: number;
  /**
   * Maximum wait for the first byte and between two pieces of the reply, in milliseconds; `Infinity` for no limit.
   * @default 60_000
   */
  timeoutMs?: number;
  /**
   * Maximum time of one whole reply, however steadily it arrives, in milliseconds; `Infinity` for no limit. A retry has
   * the full time again.
   * @default 600_000
   */
  totalTimeoutMs?: number;
  /**
   * Maximum size of one whole reply in bytes, with all of its JSON: a stream sends some 300 bytes for each token.
   * @default 64_000_000
   */
  maxReplyBytes?: number;
  /** Returns the JSON body to send, given the request and the default body. Use it to add `tools`, for example. */
  buildRequest?: (request: LLMRequest, body: Record<string, unknown>) => unknown;
  /** Reads the JSON of a whole reply. It turns streaming off: `onToken` is called once, with the whole text. */
  parseReply?: (body: unknown) => LLMReply;
  /** @internal Waits before a retry. @default a timer */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The checked options, with the headers as they are sent and the wire format of the API. */
export interface Endpoint extends Omit<FetchLLMOptions, 'api' | 'headers'> {
  readonly retries: number;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxReplyBytes: number;
  readonly headers: Headers;
  readonly loadFormat: () => Promise<WireFormat>;
  /** What no error may contain. */
  readonly secrets: readonly string[];
}

/** Returns the checked options. @throws MnemoraError `invalid-option` if one is invalid */
export function readEndpoint(options: FetchLLMOptions): Endpoint {
  checkOptionNames('fetchLLM', options, OPTION_NAMES);
  const { api: apiName = 'openai', retries = 2 } = options;
  const { timeoutMs = 60_000, totalTimeoutMs = 600_000, maxReplyBytes = 64_000_000 } = options;
  const api = Object.hasOwn(APIS, apiName) ? APIS[apiName] : undefined;
  if (!api) throw invalid(`speaks ${Object.keys(APIS).join(', ')}, not api "${apiName}"`);
  if (!Number.isInteger(retries) || retries < 0) throw invalid('needs a whole number of retries, 0 or more');
  for (const [name, limit] of Object.entries({ timeoutMs, totalTimeoutMs, maxReplyBytes }))
    if (!(limit > 0)) throw invalid(`needs a ${name} above 0`);
  const { username, password, searchParams } = parseUrl(options.url);
  if (username || password) throw invalid('takes no credentials in its url; put them in headers');
  const apiKey = options.apiKey || '';
  const headers = Object.entries(options.headers ?? {});
  // The words after the first too: the first may name a scheme such as `Bearer`.
  const sent = headers.flatMap(([, value]) => [value, ...value.split(' ').slice(1)]);
  // Hiding "1" or "json" would make messages unreadable.
  const secrets = [...searchParams.values(), ...sent].filter((value) => value.length >= 6);
  return {
    ...options,
    retries,
    timeoutMs,
    totalTimeoutMs,
    maxReplyBytes,
    url: api.endpointUrl(options.url),
    headers: readHeaders([...Object.entries(api.headers(apiKey)), ...headers]),
    loadFormat: api.loadFormat,
    secrets: [apiKey, apiKey.trim(), ...secrets],
  };
}

const OPTION_NAMES =
  'url model api headers apiKey fetch retries timeoutMs totalTimeoutMs maxReplyBytes buildRequest parseReply sleep'.split(
    ' ',
  );

/** URL and headers of an HTTP API. Its wire format is loaded by the first call. */
interface Api {
  /** Returns the URL of the endpoint, given that URL itself or its usual base. */
  endpointUrl(url: string): string;
  /** Returns the headers of each request; the caller's own headers override them. */
  headers(apiKey: string): Record<string, string>;
  loadFormat(): Promise<WireFormat>;
}

/** The APIs that `fetchLLM` speaks, by the name of its option `api`. */
const APIS: Readonly<Record<'openai' | 'anthropic' | 'ollama', Api>> = {
  openai: {
    endpointUrl: (url) => url.replace(/\/v1\/?(?=$|[?#])/, '/v1/chat/completions'),
    headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
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
    headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    loadFormat: async () => (await import('./ollama-chat.ts')).ollamaChat,
  },
};

function parseUrl(text: unknown): URL {
  try {
    // The URL may be relative to the page; the base is needed only to parse it.
    const url = new URL(typeof text === 'string' ? text : 'none:', 'http://localhost');
    if (text !== '' && /^https?:$/.test(url.protocol)) return url;
  } catch {
    // Handled like an address of another protocol.
  }
  throw invalid('needs an http(s) address as url');
}

function readHeaders(entries: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of entries) {
    try {
      headers.set(name, value);
    } catch {
      // The browser's own error message would quote the value.
      throw invalid(`was given a value for the header "${name}" that no header may have`);
    }
  }
  return headers;
}

function invalid(what: string): MnemoraError {
  return invalidOption(`fetchLLM ${what}.`);
}
