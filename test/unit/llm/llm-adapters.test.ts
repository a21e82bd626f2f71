import { afterAll, beforeAll } from 'vitest';
import type { FetchLLMOptions } from '../../../src/llm/endpoint.ts';
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

const apis: { api: NonNullable<FetchLLMOptions['api']>; path: HttpLLMSubject['path'] }[] = [
  { api: 'openai', path: 'v1/chat/completions' },
  { api: 'anthropic', path: 'v1/messages' },
  { api: 'ollama', path: 'api/chat' },
];

for (const { api, path } of apis) {
  const open: HttpLLMSubject['open'] = (options) =>
    fetchLLM({ api, url: new URL(path, server().url).href, model: 'm', ...options });
  describeLLM(`fetchLLM, ${api},`, () => {
    server().requests.length = 0;
    return {
      llm: open({}),
      script: (...answers) => server().enqueue(...answers),
      callCount: () => server().requests.length,
    };
  });
  describeHttpLLM(`fetchLLM, ${api},`, { server, path, open });
}

describeLLM('promptApiLLM', () => {
  const languageModel = fakeLanguageModel();
  return {
    llm: promptApiLLM({ languageModel }),
    script: languageModel.enqueue,
    callCount: () => languageModel.availabilityOptions.length,
  };
});
