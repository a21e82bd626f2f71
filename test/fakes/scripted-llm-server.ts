import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { wireShapeOf, type ScriptedAnswer, type WireShape } from './llm-wire-shapes.ts';
import { requestBody } from './request-body.ts';

/** What the server does with one request. Where the request asks for a stream, a `reply` is streamed in words. */
export type ScriptedReply =
  | ({ kind: 'reply' } & ScriptedAnswer)
  /** Streams these tokens, so long apart, then finishes unless told not to. */
  | { kind: 'stream'; tokens: readonly string[]; delayMs?: number; isFinished?: boolean }
  | { kind: 'error'; status: number; headers?: Record<string, string>; body?: unknown }
  /** Status 200 and half of a JSON text. */
  | { kind: 'broken-json' }
  /**
   * Sends these tokens (or half of a JSON text), then destroys the connection: at once, or when it is told to. A browser
   * may drop what it has not passed to the page when the connection breaks, so a test tells it when the page has it.
   */
  | { kind: 'cut'; tokens: readonly string[]; waits?: true }
  /** Destroys the connection before any answer. */
  | { kind: 'drop' }
  /** Like `reply`, after this wait. */
  | { kind: 'slow'; delayMs: number; text: string }
  /** Never answers. */
  | { kind: 'hang' }
  /** Answers with the text of the last user message. */
  | { kind: 'echo' }
  /** Exactly these pieces of bytes (base64), each in a write of its own. */
  | { kind: 'raw'; contentType?: string; pieces: readonly string[]; isCut?: boolean };

export interface RecordedRequest {
  /** The part of the path before `/v1` or `/api`: callers with different channels do not meet. */
  channel: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: RequestBody;
  /** Whether the caller hung up before the answer was complete. */
  wasAborted: boolean;
}

export interface RequestBody {
  model?: string;
  messages: { role: string; content: unknown; [field: string]: unknown }[];
  stream?: boolean;
  [field: string]: unknown;
}

export interface ScriptedLLMServer {
  /** Base address ending in `/v1`, of the default channel. */
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: RecordedRequest[];
  /** Adds replies for the next requests on the default channel, in order. */
  enqueue(...replies: ScriptedReply[]): void;
  /** Destroys the connections of the default channel whose `cut` waits. */
  cut(): void;
  close(): Promise<void>;
}

export interface ScriptedLLMServerOptions {
  /** Answers requests for which nothing is queued. @default echo */
  respond?: (request: RecordedRequest) => ScriptedReply;
}

/**
 * A real HTTP server that speaks chat completions, Anthropic's Messages API and Ollama's chat API from a script.
 *
 * A page controls it over HTTP: `POST /CHANNEL/__script` adds a JSON array of replies for requests to
 * `/CHANNEL/v1/chat/completions`, `/CHANNEL/v1/messages` and `/CHANNEL/api/chat`, `GET /CHANNEL/__requests` lists that channel's requests, `POST /CHANNEL/__reset`
 * forgets both, and `POST /CHANNEL/__cut` destroys the connections whose \`cut\` waits.
 */
export async function startScriptedLLMServer(
  options: ScriptedLLMServerOptions = {},
): Promise<ScriptedLLMServer> {
  const requests: RecordedRequest[] = [];
  const queues = new Map<string, ScriptedReply[]>();
  const cuts = new Map<string, ServerResponse[]>();
  const cut = (channel: string): void => {
    for (const response of cuts.get(channel) ?? []) response.destroy();
    cuts.delete(channel);
  };
  const respond = options.respond ?? ((): ScriptedReply => ({ kind: 'echo' }));
  const enqueue = (channel: string, replies: readonly ScriptedReply[]): void => {
    queues.set(channel, [...(queues.get(channel) ?? []), ...replies]);
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowEveryOrigin(request, response);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [, channel = '', action = ''] =
      /^(.*?)\/(v1\/chat\/completions|v1\/messages|api\/chat|__\w+)$/.exec(path) ?? [];
    const text = (await requestBody(request))?.toString();
    if (text === undefined) return;
    if (request.method === 'OPTIONS') return sendJson(response, 204, undefined);
    switch (action) {
      case '__script':
        enqueue(channel, JSON.parse(text) as ScriptedReply[]);
        return sendJson(response, 200, {});
      case '__requests':
        return sendJson(
          response,
          200,
          requests.filter((each) => each.channel === channel),
        );
      case '__reset':
        queues.delete(channel);
        requests.splice(0, requests.length, ...requests.filter((each) => each.channel !== channel));
        return sendJson(response, 200, {});
      case '__cut':
        cut(channel);
        return sendJson(response, 200, {});
      case 'v1/chat/completions':
      case 'v1/messages':
      case 'api/chat': {
        const body = JSON.parse(text) as RequestBody;
        const recorded = { channel, path, headers: request.headers, body, wasAborted: false };
        requests.push(recorded);
        response.on('close', () => {
          recorded.wasAborted = !response.writableFinished;
        });
        const reply = queues.get(channel)?.shift() ?? respond(recorded);
        if (reply.kind === 'cut' && reply.waits) cuts.set(channel, [...(cuts.get(channel) ?? []), response]);
        return play(reply, { body, shape: wireShapeOf(action), response });
      }
      default:
        return sendJson(response, 404, { error: { message: `No such address: ${path}` } });
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(error) } });
      else response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    enqueue: (...replies) => enqueue('', replies),
    cut: () => cut(''),
    close: () => closeServer(server),
  };
}

interface Exchange {
  body: RequestBody;
  shape: WireShape;
  response: ServerResponse;
}

async function play(reply: ScriptedReply, exchange: Exchange): Promise<void> {
  const { body, shape, response } = exchange;
  switch (reply.kind) {
    case 'reply':
      if (!shape.asksForStream(body)) return sendJson(response, 200, shape.whole(reply));
      return playStream(exchange, wordsOf(reply.text), reply);
    case 'stream':
      if (!shape.asksForStream(body))
        return sendJson(response, 200, shape.whole({ text: reply.tokens.join('') }));
      return playStream(exchange, reply.tokens, { ...reply, text: '' });
    case 'error':
      for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
      return sendJson(response, reply.status, reply.body ?? shape.error(`scripted ${reply.status}`));
    case 'broken-json':
      response.setHeader('content-type', 'application/json');
      response.end(halfOf(shape));
      return;
    case 'cut':
      return playCut(exchange, reply);
    case 'drop':
      response.socket?.destroy();
      return;
    case 'slow':
      await pause(reply.delayMs);
      return play({ kind: 'reply', text: reply.text }, exchange);
    case 'hang':
      return;
    case 'echo':
      return play({ kind: 'reply', text: lastUserText(body) }, exchange);
    case 'raw':
      response.setHeader('content-type', reply.contentType ?? shape.streamType);
      for (const piece of reply.pieces) await writeAlone(response, Buffer.from(piece, 'base64'));
      if (reply.isCut) response.destroy();
      else response.end();
  }
}

async function playStream(
  { shape, response }: Exchange,
  tokens: readonly string[],
  answer: ScriptedAnswer & { delayMs?: number; isFinished?: boolean },
): Promise<void> {
  response.setHeader('content-type', shape.streamType);
  response.flushHeaders();
  response.write(shape.opening(answer));
  for (const token of tokens) {
    if (answer.delayMs) await pause(answer.delayMs);
    if (response.destroyed) return;
    await writeAlone(response, shape.token(token));
  }
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    await writeAlone(response, shape.toolCall(call, index));
  }
  if (answer.isFinished !== false) response.write(shape.ending(answer));
  response.end();
}

async function playCut(
  { body, shape, response }: Exchange,
  { tokens, waits = false }: { tokens: readonly string[]; waits?: boolean },
): Promise<void> {
  const isStream = shape.asksForStream(body);
  response.setHeader('content-type', isStream ? shape.streamType : 'application/json');
  response.flushHeaders();
  if (!isStream) await writeAlone(response, halfOf(shape));
  else for (const token of tokens) await writeAlone(response, shape.token(token));
  if (!waits) response.destroy();
}

function wordsOf(text: string | null): readonly string[] {
  return text?.match(/\S+\s*|\s+/g) ?? [];
}

function halfOf(shape: WireShape): string {
  const text = JSON.stringify(shape.whole({ text: 'half of a reply' }));
  return text.slice(0, text.indexOf('half of') + 4);
}

function lastUserText(body: RequestBody): string {
  const content = body.messages.findLast((message) => message.role === 'user')?.content;
  if (typeof content === 'string') return content;
  const texts = (Array.isArray(content) ? content : []).map((part: { text?: string }) => part.text);
  return texts.every((text) => typeof text === 'string') ? texts.join('') : JSON.stringify(content ?? '');
}

/** Waits until the bytes have left, so that they do not travel together with the next ones. */
async function writeAlone(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
  await new Promise((resolve) => setImmediate(resolve));
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  if (value === undefined) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}

function allowEveryOrigin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-expose-headers', 'retry-after');
  response.setHeader('access-control-allow-private-network', 'true');
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
