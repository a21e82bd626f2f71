import {
  objectWith,
  type OptionChecks,
  anything,
  checkFunction,
  checkOptions,
  mustBe,
  oneOf,
  wholeNumber,
} from '../model/check-options.ts';
import { describe, quote } from '../model/describe.ts';
import { invalidOption, type MnemoraError } from '../model/error.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import type { WireFormat } from './wire-format.ts';
import { ownApi, WIRE_FORMATS, type BuiltInApi } from './wire-formats.ts';

export interface FetchLLMOptions {
  /**
   * URL of the endpoint, or its usual base, which is completed. For `'openai'` the base ends in `/v1`, for
   * `'anthropic'` it is `https://api.anthropic.com` or ends in `/v1`, for `'ollama'` it is `http://localhost:11434` or
   * ends in `/api`. A path such as `/api/chat` is relative to the page.
   */
  url: string;
  /** Name of the model. Optional for endpoints that serve a single model. */
  model?: string;
  /**
   * API of the endpoint: chat completions, which most servers support, Anthropic's Messages API, or Ollama's chat API.
   * Anthropic's has no JSON mode, so `responseFormat: 'json'` becomes a sentence of the system text; it requires a
   * limit, which defaults to 4096 tokens; and system messages are moved to the front. For any other API, pass a {@link
   * WireFormat}; `url` is then used unchanged.
   * @default 'openai'
   */
  api?: 'openai' | 'anthropic' | 'ollama' | WireFormat;
  /** Headers of each request. They override the headers that this library sets. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`, or in the header that the API requires. Hidden in error messages. */
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
  /** Strings that no error may contain. */
  readonly secrets: readonly string[];
}

/** Returns the checked options. @throws MnemoraError `invalid-option` if one is invalid */
export function readEndpoint(options: FetchLLMOptions): Endpoint {
  checkOptions('fetchLLM', options, CHECKS);
  const { api: given = 'openai', retries = 2 } = options;
  const { timeoutMs = 60_000, totalTimeoutMs = 600_000, maxReplyBytes = 64_000_000 } = options;
  const api = chooseApi(given);
  const { username, password, pathname, searchParams } = parseUrl(options.url);
  if (/\/chat\/completions\/?$/.test(pathname) && (given === 'anthropic' || given === 'ollama'))
    throw invalid(`got a url of the api 'openai', which ends in /chat/completions, but the api '${given}'`);
  if (username || password) throw invalid('does not accept credentials in its url; put them in headers');
  const apiKey = options.apiKey || '';
  const headers = Object.entries(options.headers ?? {});
  // Includes the value without its first word, which may be a scheme such as `Bearer`.
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

const isPositive = mustBe('a number above 0', (value) => typeof value === 'number' && value > 0);

const CHECKS: OptionChecks<FetchLLMOptions> = {
  url: anything, // parsed
  model: anything,
  api: anything,
  headers: mustBe(
    'an object of strings',
    (value) =>
      // A `Headers` object or a `Map` has no fields.
      Object.prototype.toString.call(value) === '[object Object]' &&
      Object.values(value as object).every((each) => typeof each === 'string'),
    describe,
  ),
  // A page may pass what it has stored, which is null before there is a key. Errors never tell what was given.
  apiKey: mustBe('a string', (value) => value === null || typeof value === 'string', describe),
  fetch: checkFunction,
  retries: wholeNumber(0),
  timeoutMs: isPositive,
  totalTimeoutMs: isPositive,
  maxReplyBytes: isPositive,
  buildRequest: checkFunction,
  parseReply: checkFunction,
  sleep: checkFunction,
};

/** @throws MnemoraError `invalid-option` */
function chooseApi(api: unknown): BuiltInApi {
  if (typeof api === 'object' && api !== null) {
    const format = objectWith<WireFormat>('requestBody', 'addReply', 'addData')('fetchLLM: api', api);
    oneOf('events', 'lines')('fetchLLM: the framing of api', format.framing ?? 'events');
    return ownApi(format);
  }
  const found = Object.entries(WIRE_FORMATS).find(([name]) => name === api);
  if (found) return found[1];
  const names = Object.keys(WIRE_FORMATS).join(', ');
  throw invalid(`takes as api one of ${names}, or a WireFormat object, not ${quote(api)}`);
}

function parseUrl(text: unknown): URL {
  try {
    // The URL may be relative to the page; the base is needed only to parse it.
    if (typeof text === 'string' && /^(?:https?:|\.{0,2}\/)/i.test(text))
      return new URL(text, 'http://localhost');
  } catch {
    // An unparsable URL gets the same error. The text may contain credentials, so it is not quoted.
  }
  const got = typeof text === 'string' ? 'another string' : describe(text);
  throw invalid(`needs a url that begins with http://, https://, / or ./; got ${got}`);
}

function readHeaders(entries: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of entries) {
    try {
      headers.set(name, value);
    } catch {
      // The browser's own error message would quote the value.
      throw invalid(`got an invalid value for the header "${name}"`);
    }
  }
  return headers;
}

function invalid(what: string): MnemoraError {
  return invalidOption(`fetchLLM ${what}.`);
}
