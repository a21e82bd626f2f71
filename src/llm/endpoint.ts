import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { APIS, type Api } from './apis.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import type { Sleep } from './retry.ts';
import { secretScrubber, type Scrubber } from './secret-scrubber.ts';

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
  /** Returns the JSON body to send, given the request and the default body. Use it to add `tools`, for example. */
  buildRequest?: (request: LLMRequest, body: Record<string, unknown>) => unknown;
  /** Reads the JSON of a whole reply. It turns streaming off: `onToken` is called once, with the whole text. */
  parseReply?: (body: unknown) => LLMReply;
  /** @internal Waits before a retry. @default a timer */
  sleep?: Sleep;
}

/** The checked options with the URL, the headers and the secrets to hide. */
export interface Endpoint {
  readonly options: FetchLLMOptions;
  readonly api: Api;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly url: string;
  /** URL without its query, for error messages. */
  readonly name: string;
  readonly headers: Headers;
  readonly scrub: Scrubber;
}

/** Returns the checked options. @throws MnemoraError `invalid-option` if one is invalid */
export function readEndpoint(options: FetchLLMOptions): Endpoint {
  checkOptionNames('fetchLLM', options, OPTION_NAMES);
  const { api: name = 'openai', retries = 2, timeoutMs = 60_000 } = options;
  const api = Object.hasOwn(APIS, name) ? APIS[name] : undefined;
  if (!api) throw invalid(`speaks ${Object.keys(APIS).join(', ')}, not api "${name}"`);
  if (!Number.isInteger(retries) || retries < 0) throw invalid('needs a whole number of retries, 0 or more');
  if (!(timeoutMs > 0)) throw invalid('needs a timeoutMs above 0');
  const { url, secrets } = readUrl(options.url, api);
  const scrub = secretScrubber([
    ...(options.apiKey ? [options.apiKey, options.apiKey.trim()] : []),
    ...secrets,
    ...Object.values(options.headers ?? {}).flatMap(headerSecrets),
  ]);
  return {
    options,
    api,
    retries,
    timeoutMs,
    url,
    name: scrub(url.replace(/[?#].*$/s, '')),
    headers: readHeaders(options, api),
    scrub,
  };
}

const OPTION_NAMES: readonly (keyof FetchLLMOptions)[] = [
  'url',
  'model',
  'api',
  'headers',
  'apiKey',
  'fetch',
  'retries',
  'timeoutMs',
  'buildRequest',
  'parseReply',
  'sleep',
];

function readUrl(text: string, api: Api): { url: string; secrets: string[] } {
  if (typeof text !== 'string') throw invalid('needs an http(s) address as url');
  let parsed: URL;
  try {
    // The URL may be relative to the page; the base is needed only to parse it.
    parsed = new URL(text, 'http://localhost');
  } catch {
    throw invalid('needs an http(s) address as url');
  }
  if (text === '' || !/^https?:$/.test(parsed.protocol)) throw invalid('needs an http(s) address as url');
  if (parsed.username || parsed.password)
    throw invalid('takes no credentials in its url; put them in headers');
  return {
    url: api.endpointUrl(text),
    secrets: [...parsed.searchParams.values()].filter(isLongEnough),
  };
}

function readHeaders({ headers = {}, apiKey }: FetchLLMOptions, api: Api): Headers {
  const all = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of [...Object.entries(api.headers(apiKey)), ...Object.entries(headers)]) {
    try {
      all.set(name, value);
    } catch {
      // The browser's own error message would quote the value.
      throw invalid(`was given a value for the header "${name}" that no header may have`);
    }
  }
  return all;
}

function headerSecrets(value: string): string[] {
  return [value, ...value.split(' ').slice(1)].filter(isLongEnough);
}

/** Whether a value is long enough to be a secret: hiding "1" or "json" would make messages unreadable. */
function isLongEnough(value: string): boolean {
  return value.length >= 6;
}

function invalid(what: string): MnemoraError {
  return new MnemoraError('invalid-option', `fetchLLM ${what}.`);
}
