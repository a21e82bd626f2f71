import { abortable, LONGEST_TIMER_MS, pause } from '../model/abortable.ts';
import { MnemoraError, type MnemoraErrorCode } from '../model/error.ts';
import type { Endpoint } from './endpoint.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import { errorMessage, parseJson, parseReplyObject } from './reply-json.ts';
import { filledLines, sseData } from './lines.ts';
import { scrubError, secretScrubber } from './secret-scrubber.ts';
import { ReplyParts, type WireFormat } from './wire-format.ts';
import { defined } from '../model/defined.ts';

/** One attempt of a request. */
interface Call {
  readonly endpoint: Endpoint;
  readonly format: WireFormat;
  readonly request: LLMRequest;
  readonly body: string;
  readonly isStream: boolean;
  /** URL without its query and without secrets, for error messages. */
  readonly name: string;
  /** Hides the secrets in a text. */
  readonly scrub: (text: string) => string;
  /** Aborts when the caller's signal does, or when a wait takes too long. */
  readonly abort: AbortController;
  isConnectionLost: boolean;
  /** Whether `onToken` has been called, after which the request must not be sent again. */
  hasDelivered: boolean;
}

/**
 * Sends a request and reads the reply. Retries temporary failures with exponential backoff; a wait that the endpoint
 * asks for takes precedence. Rejects with the MnemoraError of the last attempt, the signal's reason, or the error of
 * `onToken`.
 */
export async function callEndpoint(
  endpoint: Endpoint,
  format: WireFormat,
  request: LLMRequest,
): Promise<LLMReply> {
  const { model, buildRequest, retries, sleep = (ms, end) => pause(ms, [end]) } = endpoint;
  const { signal } = request;
  const isStream = request.onToken !== undefined && endpoint.parseReply === undefined;
  const usual = format.requestBody(request, { model, stream: isStream });
  const body = JSON.stringify(buildRequest ? buildRequest(request, usual) : usual);
  const scrub = secretScrubber(endpoint.secrets);
  const name = scrub(endpoint.url.replace(/[?#].*$/s, ''));
  const shared = { endpoint, format, request, body, isStream, name, scrub };
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    const abort = new AbortController();
    const follow = (): void => abort.abort(signal?.reason);
    signal?.addEventListener('abort', follow);
    const call = { ...shared, abort, isConnectionLost: false, hasDelivered: false };
    const stop = endAfter(call, endpoint.totalTimeoutMs, 'sent no whole reply within', 'totalTimeoutMs');
    try {
      const response = await send(call);
      if (!response.ok) throw await refusal(call, response);
      return await readReply(call, response);
    } catch (error) {
      if (failures >= retries || !isWorthRetrying(call, error)) throw error;
      await sleep(Math.min(error.retryAfterMs ?? backoffMs(failures), LONGEST_WAIT_MS), signal);
    } finally {
      stop();
      signal?.removeEventListener('abort', follow);
    }
  }
}

/** Longest wait that an endpoint may ask for. A user is waiting, so after a longer wait an error is more useful. */
const LONGEST_WAIT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** Returns the backoff. Half of it is random, so that clients rejected at the same time do not retry at the same time. */
function backoffMs(failures: number): number {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS);
  return Math.round((full / 2) * (1 + Math.random()));
}

function isWorthRetrying(call: Call, error: unknown): error is MnemoraError {
  if (!(error instanceof MnemoraError) || call.hasDelivered) return false;
  const { status = 0 } = error;
  return call.isConnectionLost || status >= 500 || status === 408 || status === 429;
}

async function send(call: Call): Promise<Response> {
  const { body, name } = call;
  const { url, headers, fetch = globalThis.fetch } = call.endpoint;
  // A redirect would take headers, and with some codes the whole prompt, to an address that the caller has not chosen.
  // `manual` rather than `error`, which a page cannot tell from an endpoint that is not there.
  const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual', signal: call.abort.signal };
  try {
    // In an async function, so that a synchronous throw of `fetch` becomes a rejection.
    return await wait(call, (async () => fetch(url, init))());
  } catch (error) {
    throw lostConnection(
      call,
      error,
      'llm-network',
      `The model's endpoint ${name} could not be reached. Check the address, that the server is running, and that it allows this page (CORS).`,
    );
  }
}

/** Returns the promise, or rejects if the call is aborted or takes too long. Each wait has the full time. */
async function wait<T>(call: Call, promise: Promise<T>): Promise<T> {
  const stop = endAfter(call, call.endpoint.timeoutMs, 'sent nothing for', 'timeoutMs');
  try {
    return await abortable(promise, call.abort.signal);
  } finally {
    stop();
  }
}

/** Aborts the call with `llm-timeout` after this time, unless the returned function is called before. */
function endAfter({ name, abort }: Call, ms: number, what: string, option: string): () => void {
  const message = `The model's endpoint ${name} ${what} ${ms} ms. Try again, or raise ${option}.`;
  const expire = (): void => abort.abort(new MnemoraError('llm-timeout', message));
  const timer = ms <= LONGEST_TIMER_MS ? setTimeout(expire, ms) : undefined;
  return () => clearTimeout(timer);
}

async function refusal(call: Call, response: Response): Promise<MnemoraError> {
  const { name, scrub } = call;
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return new MnemoraError(
      'llm-http',
      `The model's endpoint ${name} redirects to another address. The redirect is not followed, because it would receive the key and the messages. Set url to the final address.`,
      status === 0 ? {} : { status },
    );
  }
  const excerpt = shorten(scrub(await readExcerpt(call, response)));
  const waitMs = readRetryAfter(response.headers.get('retry-after'));
  return new MnemoraError(
    'llm-http',
    `The model's endpoint ${name} answered with status ${status}${excerpt ? `: ${excerpt}` : ''}. ${adviceFor(status)}`,
    defined({ status, retryAfterMs: waitMs }),
  );
}

/** Returns the milliseconds that the header asks for, as seconds or as a date; undefined if it is missing or invalid. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const asked = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(asked) ? undefined : Math.max(asked, 0);
}

async function readReply(call: Call, response: Response): Promise<LLMReply> {
  const { parseReply } = call.endpoint;
  // Newline-delimited JSON (application/x-ndjson) is a stream.
  const isWhole = /\b(json|html)\b/i.test(response.headers.get('content-type') ?? '');
  // Some endpoints answer a streaming request with a whole reply.
  if (call.isStream && !isWhole) return readStream(call, response);
  let text = '';
  for await (const piece of readTexts(call, response)) text += piece;
  const reply = readable(call, () => {
    if (parseReply) return parseReply(parseJson(text));
    const parts = new ReplyParts();
    call.format.addReply(parts, parseReplyObject(text));
    return parts.toReply();
  });
  deliver(call, reply.text);
  return reply;
}

async function readStream(call: Call, response: Response): Promise<LLMReply> {
  const { format, request, abort } = call;
  const reply = new ReplyParts();
  const split = format.framing === 'lines' ? filledLines : sseData;
  try {
    for await (const data of split(readTexts(call, response))) {
      const known = reply.texts.length;
      readable(call, () => format.addData(reply, data));
      deliver(call, reply.texts.slice(known).join(''));
      if (reply.isClosed) break;
    }
  } catch (error) {
    // The reply was complete before the connection was lost.
    const isOver = call.isConnectionLost || (error === abort.signal.reason && !request.signal?.aborted);
    if (!(isOver && reply.isFinished)) throw error;
  }
  if (reply.isFinished) return reply.toReply();
  throw brokenOff(call);
}

async function* readTexts(call: Call, response: Response): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const { maxReplyBytes } = call.endpoint;
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await wait(call, reader.read());
      bytes += value?.byteLength ?? 0;
      if (bytes > maxReplyBytes) call.abort.abort(tooLarge(call));
      call.abort.signal.throwIfAborted();
      yield decoder.decode(value, { stream: !done });
      if (done) return;
    }
  } catch (error) {
    throw brokenOff(call, error);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Returns the beginning of an error body; empty if it cannot be read, because the status is what matters. */
async function readExcerpt(call: Call, response: Response): Promise<string> {
  let text = '';
  const stop = endAfter(call, call.endpoint.timeoutMs, 'sent no whole error within', 'timeoutMs');
  try {
    for await (const piece of readTexts(call, response)) {
      text += piece;
      if (text.length > ERROR_BODY_CHARACTERS) break;
    }
  } catch (error) {
    if (call.request.signal?.aborted) throw error;
    call.isConnectionLost = false;
  } finally {
    stop();
  }
  try {
    return errorMessage(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}

/** Calls `onToken`. Its errors are passed to the caller unchanged. */
function deliver(call: Call, text: string): void {
  if (text === '' || !call.request.onToken) return;
  call.hasDelivered = true;
  call.request.onToken(text);
}

/** Runs a parser and scrubs its errors, which may quote the endpoint's text and, with it, the API key. */
function readable<T>(call: Call, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { scrub } = call;
    if (error instanceof MnemoraError) {
      // Shortened after scrubbing, because half a key would not be recognized.
      throw new MnemoraError(error.code, shorten(scrub(error.message)));
    }
    const cause = scrubError(error, scrub);
    throw new MnemoraError(
      'llm-reply',
      `The reply of the model's endpoint could not be read: ${shorten(cause.message)}`,
      { cause },
    );
  }
}

/** Returns the error for a failed wait: an abort or timeout unchanged, anything else as a lost connection. */
function lostConnection(call: Call, error: unknown, code: MnemoraErrorCode, message: string): unknown {
  const { signal } = call.abort;
  if (signal.aborted) return signal.reason;
  call.isConnectionLost = true;
  return new MnemoraError(code, message, error === undefined ? {} : { cause: scrubError(error, call.scrub) });
}

function tooLarge({ name, endpoint: { maxReplyBytes } }: Call): MnemoraError {
  return new MnemoraError(
    'llm-reply',
    `The reply of the model's endpoint ${name} has more than ${maxReplyBytes} bytes. Check the endpoint, or raise maxReplyBytes.`,
  );
}

function brokenOff(call: Call, error?: unknown): unknown {
  const message = `The reply of the model's endpoint ${call.name} broke off before its end. Try again.`;
  return lostConnection(call, error, 'llm-reply', message);
}

const EXCERPT_CHARACTERS = 300;
const ERROR_BODY_CHARACTERS = 16_000;

function shorten(text: string): string {
  return text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text;
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check the API key and its permissions.';
  if (status === 404) return 'Check the URL and the name of the model.';
  if (status === 429) return 'Wait a while, or check the quota.';
  return status >= 500 ? 'Try again later.' : 'Check the request.';
}
