import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What the server does with one request. Where the request asks for a stream, a `reply` is streamed in words. */
export type ScriptedReply =
  | {
      kind: 'reply';
      text: string | null;
      toolCalls?: readonly { id: string; name: string; arguments: string }[];
      usage?: { prompt_tokens: number; completion_tokens: number };
      finishReason?: string;
    }
  /** Streams these tokens, so long apart, then finishes unless told not to. */
  | { kind: 'stream'; tokens: readonly string[]; delayMs?: number; isFinished?: boolean }
  | { kind: 'error'; status: number; headers?: Record<string, string>; body?: unknown }
  /** Status 200 and half of a JSON text. */
  | { kind: 'broken-json' }
  /**
   * Sends these tokens (or half of a JSON text), then destroys the connection, after this wait: a browser may drop
   * what it has not handed to the page when the connection breaks.
   */
  | { kind: 'cut'; tokens: readonly string[]; delayMs?: number }
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
  /** The part of the path before `/v1`: callers with different channels do not meet. */
  channel: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: RequestBody;
  /** Whether the caller hung up before the answer was complete. */
  wasAborted: boolean;
}

export interface RequestBody {
  model?: string;
  messages: { role: string; content: unknown }[];
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
  close(): Promise<void>;
}

export interface ScriptedLLMServerOptions {
  /** Answers requests for which nothing is queued. @default echo */
  respond?: (request: RecordedRequest) => ScriptedReply;
}

/**
 * A real HTTP server that speaks the OpenAI-compatible chat-completions protocol from a script.
 *
 * A page controls it over HTTP: `POST /CHANNEL/__script` adds a JSON array of replies for requests to
 * `/CHANNEL/v1/chat/completions`, `GET /CHANNEL/__requests` lists that channel's requests, `POST /CHANNEL/__reset`
 * forgets both.
 */
export async function startScriptedLLMServer(
  options: ScriptedLLMServerOptions = {},
): Promise<ScriptedLLMServer> {
  const requests: RecordedRequest[] = [];
  const queues = new Map<string, ScriptedReply[]>();
  const respond = options.respond ?? ((): ScriptedReply => ({ kind: 'echo' }));
  const enqueue = (channel: string, replies: readonly ScriptedReply[]): void => {
    queues.set(channel, [...(queues.get(channel) ?? []), ...replies]);
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowEveryOrigin(request, response);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [, channel = '', action = ''] = /^(.*?)\/(v1\/chat\/completions|__\w+)$/.exec(path) ?? [];
    const text = await readText(request);
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
      case 'v1/chat/completions': {
        const body = JSON.parse(text) as RequestBody;
        const recorded = { channel, path, headers: request.headers, body, wasAborted: false };
        requests.push(recorded);
        response.on('close', () => {
          recorded.wasAborted = !response.writableFinished;
        });
        const reply = queues.get(channel)?.shift() ?? respond(recorded);
        return play(reply, body, response);
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
    close: () => closeServer(server),
  };
}

async function play(reply: ScriptedReply, body: RequestBody, response: ServerResponse): Promise<void> {
  switch (reply.kind) {
    case 'reply':
      if (body.stream) return playStream(response, deltasOf(reply), reply);
      return sendJson(response, 200, completion(reply));
    case 'stream':
      if (!body.stream) return sendJson(response, 200, completion({ text: reply.tokens.join('') }));
      return playStream(
        response,
        reply.tokens.map((content) => ({ content })),
        reply,
      );
    case 'error':
      for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
      return sendJson(
        response,
        reply.status,
        reply.body ?? { error: { message: `scripted ${reply.status}` } },
      );
    case 'broken-json':
      response.setHeader('content-type', 'application/json');
      response.end('{"choices":[{"message":{"content":"hal');
      return;
    case 'cut':
      return playCut(response, reply, body.stream === true);
    case 'drop':
      response.socket?.destroy();
      return;
    case 'slow':
      await pause(reply.delayMs);
      return play({ kind: 'reply', text: reply.text }, body, response);
    case 'hang':
      return;
    case 'echo':
      return play({ kind: 'reply', text: lastUserText(body) }, body, response);
    case 'raw':
      response.setHeader('content-type', reply.contentType ?? 'text/event-stream');
      for (const piece of reply.pieces) await writeAlone(response, Buffer.from(piece, 'base64'));
      if (reply.isCut) response.destroy();
      else response.end();
  }
}

async function playStream(
  response: ServerResponse,
  deltas: readonly Record<string, unknown>[],
  ending: {
    delayMs?: number;
    isFinished?: boolean;
    finishReason?: string;
    usage?: Record<string, number>;
  },
): Promise<void> {
  response.setHeader('content-type', 'text/event-stream');
  response.flushHeaders();
  for (const delta of deltas) {
    if (ending.delayMs) await pause(ending.delayMs);
    if (response.destroyed) return;
    await writeAlone(response, event({ choices: [{ index: 0, delta }] }));
  }
  if (ending.isFinished !== false) {
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: ending.finishReason ?? 'stop' }] };
    response.write(event(finish));
    if (ending.usage) response.write(event({ choices: [], usage: ending.usage }));
    response.write('data: [DONE]\n\n');
  }
  response.end();
}

async function playCut(
  response: ServerResponse,
  { tokens, delayMs }: { tokens: readonly string[]; delayMs?: number },
  isStream: boolean,
): Promise<void> {
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  response.flushHeaders();
  if (!isStream) await writeAlone(response, '{"choices":[{"message":');
  else
    for (const content of tokens) {
      await writeAlone(response, event({ choices: [{ index: 0, delta: { content } }] }));
    }
  if (delayMs) await pause(delayMs);
  response.destroy();
}

function deltasOf(reply: Extract<ScriptedReply, { kind: 'reply' }>): Record<string, unknown>[] {
  const words = reply.text?.match(/\S+\s*|\s+/g) ?? [];
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    tool_calls: [
      { index, id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } },
    ],
  }));
  return [{ role: 'assistant', content: '' }, ...words.map((content) => ({ content })), ...calls];
}

function completion(reply: Omit<Extract<ScriptedReply, { kind: 'reply' }>, 'kind'>): unknown {
  const calls = reply.toolCalls?.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
  return {
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.text, ...(calls ? { tool_calls: calls } : {}) },
        finish_reason: reply.finishReason ?? 'stop',
      },
    ],
    ...(reply.usage ? { usage: reply.usage } : {}),
  };
}

function lastUserText(body: RequestBody): string {
  const content = body.messages.findLast((message) => message.role === 'user')?.content;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

function event(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
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

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
