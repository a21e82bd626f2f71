import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createOpenAICompatible as createFor7 } from '@ai-sdk/openai-compatible';
import * as sdk7 from 'ai';
import * as sdk6 from 'ai-6';
import { createOpenAICompatible as createFor6 } from 'openai-compatible-2';
import { requestBody } from '../../fakes/request-body.ts';

/** Versions of the SDK that the route is tried with. */
export type Version = 'ai 6' | 'ai 7';

type Route = (request: Request) => Promise<Response>;

/** The route of a page, as a guide of the SDK writes it: nothing in it knows of a memory. */
function routeOf(version: Version, baseURL: string): Route {
  // What the route uses is the same in both versions, though their types are not.
  const sdk = version === 'ai 7' ? sdk7 : (sdk6 as unknown as typeof sdk7);
  const { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool } = sdk;
  const create = version === 'ai 7' ? createFor7 : (createFor6 as unknown as typeof createFor7);
  const scripted = create({ name: 'scripted', baseURL });
  const weather = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'Snow.' });

  return async function POST(request) {
    const { messages } = (await request.json()) as { messages: sdk7.UIMessage[] };
    const result = streamText({
      model: scripted('scripted'),
      system: 'You are brief.',
      messages: await convertToModelMessages(messages),
      tools: { weather },
      stopWhen: stepCountIs(3),
      abortSignal: request.signal,
      onError: () => undefined,
    });
    return result.toUIMessageStreamResponse({ onError: (error) => (error as Error).message });
  };
}

/** Longest body that the route takes, as servers limit it. */
const MAX_BODY = 100_000;

/** Returns what answers `POST /api/chat` of a server. */
export function chatRoute(
  version: Version,
  baseURL: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const route = routeOf(version, baseURL);
  return (request, response) => {
    if (request.method !== 'POST' || request.url !== '/api/chat') return false;
    void answer(route, request, response);
    return true;
  };
}

async function answer(route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await requestBody(request);
  if (!body) return;
  if (body.length > MAX_BODY) {
    response.writeHead(413).end('The body is too long.');
    return;
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  const url = `http://localhost${request.url ?? '/'}`;
  const answered = await route(new Request(url, { method: 'POST', body, signal: left.signal }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body)
    Readable.fromWeb(answered.body as never)
      .on('error', () => undefined)
      .pipe(response);
  else response.end();
}
