import { afterAll, beforeAll } from 'vitest';
import type { FetchLLMOptions } from '../../../src/llm/endpoint.ts';
import type { ReplyParts, WireFormat } from '../../../src/index.ts';
import { fetchLLM } from '../../../src/llm/fetch-llm.ts';
import { promptApiLLM } from '../../../src/llm/prompt-api.ts';
import { describeHttpLLM, describeLLM, type HttpLLMSubject } from '../../contracts/llm-contract.ts';
import { fakeLanguageModel } from '../../fakes/fake-language-model.ts';
import { startScriptedLLMServer, type ScriptedLLMServer } from '../../fakes/scripted-llm-server.ts';

let running: ScriptedLLMServer;
const server = (): ScriptedLLMServer => running;

beforeAll(async () => {
  running = await startScriptedLLMServer();
});
afterAll(() => running.close());

/** Chat completions as a caller would write them, without this library's helpers. */
const ownFormat: WireFormat = {
  requestBody: ({ messages }, { model, stream }) => ({ model, messages, stream }),
  addReply: (reply, body) => addChoice(reply, body),
  addData(reply, data) {
    if (data === '[DONE]') reply.isClosed = true;
    else addChoice(reply, JSON.parse(data) as object);
  },
};

function addChoice(
  reply: ReplyParts,
  body: { choices?: OwnChoice[]; usage?: Record<string, number>; error?: unknown },
): void {
  if (body.error) throw new Error(JSON.stringify(body.error));
  const [choice] = body.choices ?? [];
  reply.addUsage(body.usage?.['prompt_tokens'], body.usage?.['completion_tokens']);
  if (!choice) {
    if (body.usage) return;
    throw new Error('The body has no choice.');
  }
  const { content, tool_calls: calls = [] } = choice.message ?? choice.delta ?? {};
  reply.texts.push(content ?? '');
  calls.forEach((call, index) => reply.addToCall(call.index ?? index, { ...call, ...call.function }));
  reply.finishReason = choice.finish_reason ?? reply.finishReason;
}

interface OwnMessage {
  content?: string | null;
  tool_calls?: { index?: number; id?: string; function: { name?: string; arguments?: string } }[];
}

interface OwnChoice {
  message?: OwnMessage;
  delta?: OwnMessage;
  finish_reason?: string | null;
}

const apis: { api: NonNullable<FetchLLMOptions['api']>; path: HttpLLMSubject['path'] }[] = [
  { api: 'openai', path: 'v1/chat/completions' },
  { api: 'anthropic', path: 'v1/messages' },
  { api: 'ollama', path: 'api/chat' },
  { api: ownFormat, path: 'v1/chat/completions' },
];

for (const { api, path } of apis) {
  const open: HttpLLMSubject['open'] = (options) =>
    fetchLLM({ api, url: new URL(path, server().url).href, model: 'm', ...options });
  const name = typeof api === 'string' ? api : 'a wire format of the caller';
  describeLLM(`fetchLLM, ${name},`, () => {
    server().requests.length = 0;
    return {
      llm: open({}),
      script: (...answers) => server().enqueue(...answers),
      callCount: () => server().requests.length,
    };
  });
  describeHttpLLM(`fetchLLM, ${name},`, { server, path, open });
}

describeLLM('promptApiLLM', () => {
  const languageModel = fakeLanguageModel();
  return {
    llm: promptApiLLM({ languageModel }),
    script: languageModel.enqueue,
    callCount: () => languageModel.availabilityOptions.length,
  };
});
