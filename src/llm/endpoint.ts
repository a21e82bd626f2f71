import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { APIS, type Api } from './apis.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import type { Sleep } from './retry.ts';
import { secretScrubber, type Scrubber } from './secret-scrubber.ts';

export interface FetchLLMOptions {
  /**
   * The endpoint: its full address, or the usual base, which is completed. For `'openai'` the base ends in `/v1`, for
   * `'anthropic'` it is `https://api.anthropic.com` or ends in `/v1`, for `'ollama'` it is `http://localhost:11434` or
   * ends in `/api`.
   */
  url: string;
  /** Left out of the request where absent, for endpoints that serve one model. */
  model?: string;
  /**
   * The protocol: chat completions, which most servers speak, Anthropic's Messages API, or Ollama's own chat API.
   * Anthropic has no JSON mode, so that `responseFormat: 'json'` becomes a sentence of the system text; it wants a
   * limit, which is 4096 tokens where `maxTokens` is not given; and system messages are moved to its front.
   * @default 'openai'
   */
  api?: 'openai' | 'anthropic' | 'ollama';
  /** Sent with each request; they win over the ones that are set here. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`, or as the API wants it. Never part of an error. */
  apiKey?: string;
  /** @default the global `fetch`, looked up at each call */
  fetch?: typeof fetch;
  /** Further tries after status 408, 429 or 5xx and after a network failure, while no token has been passed on. @default 2 */
  retries?: number;
  /** Longest wait for the first byte and between two pieces of the reply, in ms; `Infinity` for none. @default 60_000 */
  timeoutMs?: number;
  /** Makes the JSON body to send from the request and from the usual body: the place to add `tools`. */
  buildRequest?: (request: LLMRequest, body: Record<string, unknown>) => unknown;
  /** Reads the JSON of a whole reply. Giving it turns streaming off: `onToken` then gets the text in one piece. */
  parseReply?: (body: unknown) => LLMReply;
  /** @internal Waits before a further try. @default a timer */
  sleep?: Sleep;
}

/** Checked options: where to send, and what never to repeat. */
export interface Endpoint {
  readonly options: FetchLLMOptions;
  readonly api: Api;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly url: string;
  /** The address without query, for messages. */
  readonly name: string;
  readonly headers: Headers;
  readonly scrub: Scrubber;
}

/** @throws MnemoraError `invalid-option` */
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
    // A page may give an address relative to itself; the base only serves to check it.
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
      // The browser's own error would quote the value.
      throw invalid(`was given a value for the header "${name}" that no header may have`);
    }
  }
  return all;
}

function headerSecrets(value: string): string[] {
  return [value, ...value.split(' ').slice(1)].filter(isLongEnough);
}

/** Hiding "1" or "json" would only make messages unreadable. */
function isLongEnough(value: string): boolean {
  return value.length >= 6;
}

function invalid(what: string): MnemoraError {
  return new MnemoraError('invalid-option', `fetchLLM ${what}.`);
}
