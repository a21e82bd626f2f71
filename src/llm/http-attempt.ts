import type { WireFormat } from './wire-format.ts';
import { MnemoraError } from '../model/error.ts';
import type { Endpoint } from './endpoint.ts';
import { idleTimeout, type IdleTimeout } from './idle-timeout.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import { errorMessage, parseJson } from './reply-json.ts';
import { retryAfterMs, type Attempt } from './retry.ts';
import { scrubError } from './secret-scrubber.ts';

/** An endpoint with the wire format of its API. */
export type CalledEndpoint = Endpoint & { readonly format: WireFormat };

/** Whether `onToken` has been called, after which the request must not be sent again. */
export interface Delivery {
  hasBegun: boolean;
}

/**
 * Sends the body once and reads the reply. Returns `failed` if a retry may help, and throws otherwise: a MnemoraError, the
 * signal's reason, or the error of `onToken`.
 */
export async function attemptRequest(
  endpoint: CalledEndpoint,
  request: LLMRequest,
  body: string,
  delivery: Delivery,
): Promise<Attempt<LLMReply>> {
  const idle = idleTimeout({
    timeoutMs: endpoint.timeoutMs,
    signal: request.signal,
    timeoutError: () => timedOut(endpoint),
  });
  const call: Call = { endpoint, request, delivery, idle, isConnectionLost: false };
  try {
    const response = await send(call, body);
    if (!response.ok) return await refusal(call, response);
    return { kind: 'done', value: await readReply(call, response) };
  } catch (error) {
    const isWorthRetrying = call.isConnectionLost && !delivery.hasBegun;
    if (isWorthRetrying && error instanceof MnemoraError) return { kind: 'failed', error };
    throw error;
  } finally {
    idle.close();
  }
}

interface Call {
  readonly endpoint: CalledEndpoint;
  readonly request: LLMRequest;
  readonly delivery: Delivery;
  readonly idle: IdleTimeout;
  isConnectionLost: boolean;
}

async function send(call: Call, body: string): Promise<Response> {
  const { endpoint, idle } = call;
  const request = endpoint.options.fetch ?? globalThis.fetch;
  try {
    return await idle.wait(
      // In an async function, so that a synchronous throw of `fetch` becomes a rejection.
      (async () =>
        request(endpoint.url, { method: 'POST', headers: endpoint.headers, body, signal: idle.signal }))(),
    );
  } catch (error) {
    throw lostConnection(
      call,
      error,
      'llm-network',
      `The model's endpoint ${endpoint.name} could not be reached. Check the address, that the server runs, and that it lets this page in (CORS).`,
    );
  }
}

async function refusal(call: Call, response: Response): Promise<Attempt<LLMReply>> {
  const { endpoint } = call;
  const { status } = response;
  const excerpt = shorten(endpoint.scrub(await readExcerpt(call, response)));
  const askedWaitMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
  const error = new MnemoraError(
    'llm-http',
    `The model's endpoint ${endpoint.name} answered with status ${status}${excerpt ? `: ${excerpt}` : ''}. ${adviceFor(status)}`,
    { status, ...(askedWaitMs === undefined ? {} : { retryAfterMs: askedWaitMs }) },
  );
  if (status !== 408 && status !== 429 && status < 500) throw error;
  return { kind: 'failed', error, retryAfterMs: askedWaitMs };
}

async function readReply(call: Call, response: Response): Promise<LLMReply> {
  const { endpoint, request } = call;
  // Newline-delimited JSON (application/x-ndjson) is a stream.
  const isWhole = /\b(json|html)\b/i.test(response.headers.get('content-type') ?? '');
  // Some endpoints answer a streaming request with a whole reply.
  const wantsStream = request.onToken !== undefined && endpoint.options.parseReply === undefined;
  if (wantsStream && !isWhole) return readStream(call, response);
  const text = await readText(call, response);
  const reply = readable(call, () =>
    (endpoint.options.parseReply ?? endpoint.format.parseReply)(parseJson(text)),
  );
  deliver(call, reply.text);
  return reply;
}

async function readStream(call: Call, response: Response): Promise<LLMReply> {
  const { endpoint, request } = call;
  const events = endpoint.format.openStream();
  const stream = endpoint.format.openReply();
  const take = (data: readonly string[]): void => {
    for (const event of data) {
      if (stream.isClosed) return;
      deliver(
        call,
        readable(call, () => stream.push(event)),
      );
    }
  };
  try {
    for await (const bytes of readBytes(call, response)) {
      take(events.push(bytes));
      if (stream.isClosed) return stream.reply();
    }
    take(events.end());
  } catch (error) {
    // The reply was complete before the connection was lost.
    const isOver = call.isConnectionLost || (error === call.idle.signal.reason && !request.signal?.aborted);
    if (!(isOver && stream.isFinished)) throw error;
  }
  if (stream.isFinished) return stream.reply();
  throw lostConnection(call, undefined, 'llm-reply', brokenOff(call));
}

async function readText(call: Call, response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of readBytes(call, response)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

async function* readBytes(call: Call, response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await call.idle.wait(reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw lostConnection(call, error, 'llm-reply', brokenOff(call));
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Returns the beginning of an error body; empty if it cannot be read, because the status is what matters. */
async function readExcerpt(call: Call, response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of readBytes(call, response)) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > ERROR_BODY_CHARACTERS) break;
    }
  } catch (error) {
    if (call.request.signal?.aborted) throw error;
    call.isConnectionLost = false;
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
  call.delivery.hasBegun = true;
  call.request.onToken(text);
}

/** Runs a parser and scrubs its errors, which may quote the endpoint's text and, with it, the API key. */
function readable<T>(call: Call, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { scrub } = call.endpoint;
    if (error instanceof MnemoraError) {
      // Shortened after scrubbing, because half a key would not be recognized.
      throw new MnemoraError(error.code, shorten(scrub(error.message)));
    }
    throw new MnemoraError('llm-reply', `The reply of the model's endpoint could not be read.`, {
      cause: scrubError(error, scrub),
    });
  }
}

/** Returns the error for a failed wait: an abort or timeout unchanged, anything else as a lost connection. */
function lostConnection(
  call: Call,
  error: unknown,
  code: 'llm-network' | 'llm-reply',
  message: string,
): unknown {
  const { signal } = call.idle;
  if (signal.aborted) return signal.reason;
  call.isConnectionLost = true;
  return new MnemoraError(
    code,
    message,
    error === undefined ? undefined : { cause: scrubError(error, call.endpoint.scrub) },
  );
}

function brokenOff({ endpoint }: Call): string {
  return `The reply of the model's endpoint ${endpoint.name} broke off before its end. Try again.`;
}

function timedOut({ name, timeoutMs }: Endpoint): MnemoraError {
  return new MnemoraError(
    'llm-timeout',
    `The model's endpoint ${name} sent nothing for ${timeoutMs} ms. Try again, or raise timeoutMs.`,
  );
}

const EXCERPT_CHARACTERS = 300;
const ERROR_BODY_CHARACTERS = 16_000;

function shorten(text: string): string {
  return text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text;
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check the API key and what it may do.';
  if (status === 404) return 'Check the address and the name of the model.';
  if (status === 429) return 'Wait a while, or check the quota.';
  return status >= 500 ? 'Try again later.' : 'Check the request.';
}
