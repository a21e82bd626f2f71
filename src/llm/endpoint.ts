import { MnemoraError } from '../model/error.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import type { Sleep } from './retry.ts';
import { secretScrubber, type Scrubber } from './secret-scrubber.ts';

export interface FetchLLMOptions {
  /** The endpoint: its full address, or a base ending in `/v1`, to which `/chat/completions` is added. */
  url: string;
  /** Left out of the request where absent, for endpoints that serve one model. */
  model?: string;
  /** The protocol. Only `'openai'` (chat completions) is spoken so far. @default 'openai' */
  api?: 'openai' | 'anthropic' | 'ollama';
  /** Sent with each request; they win over the ones that are set here. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`. Never part of an error. */
  apiKey?: string;
  /** @default the global `fetch`, looked up at each call */
  fetch?: typeof fetch;
  /** Further tries after status 408, 429 or 5xx and after a network failure, while no token has been passed on. @default 2 */
  retries?: number;
  /** Longest wait for the first byte and between two pieces of the reply, in ms; `Infinity` for none. @default 60_000 */
  timeoutMs?: number;
  /** Makes the JSON body to send from the request and from the usual body. */
  buildRequest?: (request: LLMRequest, body: Record<string, unknown>) => unknown;
  /** Reads the JSON of a whole reply. Giving it turns streaming off: `onToken` then gets the text in one piece. */
  parseReply?: (body: unknown) => LLMReply;
  /** Waits before a further try. @default a timer */
  sleep?: Sleep;
}

/** Checked options: where to send, and what never to repeat. */
export interface Endpoint {
  readonly options: FetchLLMOptions;
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
  const unknown = Object.keys(options).find((name) => !KNOWN_OPTIONS.has(name));
  if (unknown !== undefined) throw invalid(`has no option "${unknown}"`);
  const { api = 'openai', retries = 2, timeoutMs = 60_000 } = options;
  if (api !== 'openai') throw invalid(`does not speak api "${api}" yet; use an OpenAI-compatible endpoint`);
  if (!Number.isInteger(retries) || retries < 0) throw invalid('needs a whole number of retries, 0 or more');
  if (!(timeoutMs > 0)) throw invalid('needs a timeoutMs above 0');
  const { url, secrets } = readUrl(options.url);
  const scrub = secretScrubber([
    ...(options.apiKey ? [options.apiKey, options.apiKey.trim()] : []),
    ...secrets,
    ...Object.values(options.headers ?? {}).flatMap(headerSecrets),
  ]);
  return {
    options,
    retries,
    timeoutMs,
    url,
    name: scrub(url.replace(/[?#].*$/s, '')),
    headers: readHeaders(options),
    scrub,
  };
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set<keyof FetchLLMOptions>([
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
]);

function readUrl(text: string): { url: string; secrets: string[] } {
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
    url: text.replace(/\/v1\/?(?=$|[?#])/, '/v1/chat/completions'),
    secrets: [...parsed.searchParams.values()].filter(isLongEnough),
  };
}

function readHeaders({ headers = {}, apiKey }: FetchLLMOptions): Headers {
  const all = new Headers({ 'content-type': 'application/json' });
  const wanted = Object.entries(headers);
  if (apiKey) wanted.unshift(['authorization', `Bearer ${apiKey}`]);
  for (const [name, value] of wanted) {
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
