import { afterAll, beforeAll, expect, it } from 'vitest';
import * as extract from '../../../src/extract.ts';
import * as graph from '../../../src/graph.ts';
import * as index from '../../../src/index.ts';
import * as aiSdk from '../../../src/integrations/ai-sdk.ts';
import * as assistantUi from '../../../src/integrations/assistant-ui.ts';
import * as langchain from '../../../src/langchain.ts';
import * as langchain4j from '../../../src/langchain4j.ts';
import * as search from '../../../src/search.ts';

const { createMemory } = index;
type Memory = index.Memory;
const entries = {
  ...langchain,
  ...langchain4j,
  ...graph,
  ...search,
  ...extract,
  ...aiSdk,
  ...assistantUi,
  ...index,
};

/** A usage as somebody writes it, and the error: its code and its message. */
const MISUSES: readonly (readonly [usage: string, error: string])[] = [
  [
    "withMemory('gpt-4', memory)",
    "invalid-option: llm must be a model: a function, such as the one that fetchLLM({ url, model }) returns; got the string 'gpt-4'.",
  ],
  [
    'withMemory(memory, llm)',
    'invalid-option: llm must be a model: a function, such as the one that fetchLLM({ url, model }) returns; got an object with sessionId, maxTokens, session, records, remember.',
  ],
  [
    "withMemory(llm, createMemory({ storage: 'memory' }))",
    'invalid-option: memory must be a memory returned by `await createMemory()`; got a promise, which must be awaited.',
  ],
  [
    "withMemory(llm, memory, 'You are kind.')",
    "invalid-option: The options of withMemory must be an object; got the string 'You are kind.'.",
  ],
  [
    "withMemory(llm, memory, { prompt: 'You are kind.' })",
    'invalid-option: withMemory has no option prompt. Its options are system, onAbort, onFailure, onContext, metadata.',
  ],
  [
    "withMemory(llm, memory, { onFailure: 'drop' })",
    "invalid-option: onFailure must be one of keep, discard; got the string 'drop'.",
  ],
  [
    "withMemory(llm, memory, { metadata: 'tag' })",
    'invalid-input: metadata must be an object; got a string.',
  ],
  [
    "withMemory(llm, memory).send({ text: 'hi' })",
    'invalid-message: Message 0: The content of a message must be a string, not an object with text.',
  ],
  [
    "withMemory(llm, memory).send('hi', null)",
    'invalid-option: The options of send must be an object; got null.',
  ],
  [
    "withMemory(llm, memory).send('hi', { onTokens: () => undefined })",
    'invalid-option: send has no option onTokens. Its options are onToken, signal.',
  ],
  [
    "withMemory(llm, memory).send('hi', { onToken: 'x' })",
    "invalid-option: onToken must be a function; got the string 'x'.",
  ],
  [
    "withMemory(llm, memory).send('hi', { signal: new AbortController() })",
    'invalid-input: The signal given to send must be an AbortSignal; got a value of type AbortController.',
  ],
  [
    "withMemory(llm, memory).stream('hi', { onToken: () => undefined })",
    'invalid-option: stream has no option onToken. Its options are signal.',
  ],
  [
    "fetchLLM('http://localhost:11434/v1')",
    "invalid-option: The options of fetchLLM must be an object; got the string 'http://localhost:11434/v1'.",
  ],
  [
    "fetchLLM({ api: 'openai' })",
    'invalid-option: fetchLLM needs a url that begins with http://, https://, / or ./; got undefined.',
  ],
  [
    "fetchLLM({ url: 'not a url' })",
    'invalid-option: fetchLLM needs a url that begins with http://, https://, / or ./; got another string.',
  ],
  [
    "fetchLLM({ url: 'api.openai.com/v1' })",
    'invalid-option: fetchLLM needs a url that begins with http://, https://, / or ./; got another string.',
  ],
  [
    "fetchLLM({ url: 'localhost:11434/v1' })",
    'invalid-option: fetchLLM needs a url that begins with http://, https://, / or ./; got another string.',
  ],
  [
    "fetchLLM({ baseURL: 'http://localhost:11434/v1' })",
    'invalid-option: fetchLLM has no option baseURL. Its options are url, model, api, headers, apiKey, fetch, retries, timeoutMs, totalTimeoutMs, maxReplyBytes, buildRequest, parseReply, sleep.',
  ],
  [
    "fetchLLM({ url: '/v1', api: 'chatgpt' })",
    "invalid-option: fetchLLM takes as api one of openai, anthropic, ollama, or a WireFormat object, not the string 'chatgpt'.",
  ],
  [
    "fetchLLM({ url: 'http://localhost:11434/v1/chat/completions', api: 'ollama' })",
    "invalid-option: fetchLLM got a url of the api 'openai', which ends in /chat/completions, but the api 'ollama'.",
  ],
  [
    "fetchLLM({ url: '/v1', retries: '3' })",
    "invalid-option: retries must be a whole number of at least 0; got the string '3'.",
  ],
  ["fetchLLM({ url: '/v1', timeoutMs: 0 })", 'invalid-option: timeoutMs must be a number above 0; got 0.'],
  [
    "fetchLLM({ url: '/v1' })([{ role: 'user', content: 'hi' }])",
    "invalid-input: A model takes a request; got an array. Write llm({ messages: [{ role: 'user', content: '…' }] }).",
  ],
  [
    "fetchLLM({ url: '/v1' })('hi')",
    "invalid-input: A model takes a request; got a string. Write llm({ messages: [{ role: 'user', content: '…' }] }).",
  ],
  [
    "tiktokenTokenizer('gpt-4')",
    'invalid-option: There is no encoding "gpt-4": use one of o200k_base, cl100k_base.',
  ],
  [
    "openDatabase('chats')",
    "invalid-option: The options of openDatabase must be an object; got the string 'chats'.",
  ],
  [
    "openDatabase({ storage: 'ram' })",
    "invalid-option: storage must be one of indexeddb, memory; got the string 'ram'.",
  ],
  [
    "openDatabase({ storage: 'memory', clock: 1700000000000 })",
    'invalid-option: clock must be a function; got 1700000000000.',
  ],
  [
    "openDatabase({ storage: 'memory', onWarning: 'log' })",
    "invalid-option: onWarning must be a function; got the string 'log'.",
  ],
  [
    "transformersEmbedder('Xenova/all-MiniLM-L6-v2')",
    "invalid-option: The options of transformersEmbedder must be an object; got the string 'Xenova/all-MiniLM-L6-v2'.",
  ],
  [
    "transformersEmbedder({ modelUrl: '/models' })",
    'invalid-option: transformersEmbedder has no option modelUrl. Its options are model, assetsUrl, modelBaseUrl, pooling, queryPrefix, documentPrefix, quantized, onProgress, worker, batchSize, cacheSize, timeoutMs.',
  ],
  [
    "llmExtractor('gpt-4')",
    "invalid-option: llm must be a model: a function, such as the one that fetchLLM({ url, model }) returns; got the string 'gpt-4'.",
  ],
  [
    "llmExtractor(llm, { temperature: 'low' })",
    "invalid-option: temperature must be a number of at least 0; got the string 'low'.",
  ],
  [
    "llmExtractor(llm, { prompts: { summary: 'x' } })",
    'invalid-option: The prompt "summary" must have exactly the variables {summary}, {new_lines}, but has none.',
  ],
  [
    'new ConversationBufferMemory({ k: 5 })',
    'invalid-option: ConversationBufferMemory has no option k. Use new ConversationBufferWindowMemory({ k }).',
  ],
  [
    "new ConversationBufferMemory('history')",
    "invalid-option: The options of ConversationBufferMemory must be an object; got the string 'history'.",
  ],
  [
    "new ConversationBufferMemory({ memoryKeys: 'history' })",
    'invalid-option: ConversationBufferMemory has no option memoryKeys. Its options are chatHistory, memoryKey, inputKey, outputKey, humanPrefix, aiPrefix, returnMessages, format, onWarning, maxTokenLimit, tokenizer.',
  ],
  [
    "new ConversationBufferMemory().saveContext('hi', 'hello')",
    "invalid-input: The input must be an object of named values, such as { input: 'hi' }; got a string.",
  ],
  [
    "new ConversationBufferMemory().saveContext({ input: 'hi', question: 'x' }, { output: 'hello' })",
    'invalid-input: Expected exactly one input key, got: input, question. Set inputKey to choose which one to store.',
  ],
  [
    "new ConversationBufferWindowMemory({ k: '5' })",
    "invalid-option: k must be a whole number of at least 0; got the string '5'.",
  ],
  [
    'new ConversationTokenBufferMemory({ maxTokenLimit: -1 })',
    'invalid-option: maxTokenLimit must be a whole number of at least 0; got -1.',
  ],
  [
    "new ConversationSummaryMemory({ llm: 'gpt-4' })",
    "invalid-option: llm must be a model: a function, such as the one that fetchLLM({ url, model }) returns; got the string 'gpt-4'.",
  ],
  [
    'new ConversationSummaryMemory({})',
    'invalid-option: ConversationSummaryMemory needs either an llm or an extractor.',
  ],
  [
    'new ConversationEntityMemory({ llm, extractor: llmExtractor(llm) })',
    'invalid-option: ConversationEntityMemory needs either an llm or an extractor.',
  ],
  [
    "new ConversationChain({ llm: 'gpt-4' })",
    "invalid-option: llm of ConversationChain must be a model: a function, such as the one that fetchLLM({ url, model }) returns; got the string 'gpt-4'.",
  ],
  [
    'new VectorStoreRetrieverMemory({})',
    'invalid-option: VectorStoreRetrieverMemory needs a retriever: pass memoryRetriever({ embedder: transformersEmbedder() }).',
  ],
  [
    'memoryRetriever({})',
    'invalid-option: embedder must be an embedder, such as transformersEmbedder(), or false for keyword search; got undefined.',
  ],
  [
    'new CombinedMemory({ memories: [] })',
    'invalid-option: The memories of CombinedMemory must be a list of at least one; got an empty array.',
  ],
  [
    "withMessageHistory('chain', { getSessionHistory: () => new InMemoryChatMessageHistory() })",
    'invalid-option: A runnable must have the methods invoke; got a string.',
  ],
  [
    'withMessageHistory(llmRunnable(llm), {})',
    'invalid-option: withMessageHistory needs the function getSessionHistory.',
  ],
  [
    "withMessageHistory(llmRunnable(llm), { getSessionHistory: () => new InMemoryChatMessageHistory() }).invoke('hi')",
    'invalid-input: sessionId is required: pass { configurable: { sessionId } } with a string that is not empty.',
  ],
  [
    "trimMessages([], { maxTokens: '100' })",
    "invalid-option: maxTokens must be a number of at least 0; got the string '100'.",
  ],
  [
    'new MessageWindowChatMemory({ maxMessages: 0 })',
    'invalid-option: maxMessages must be a whole number of at least 1; got 0.',
  ],
  [
    'new MessageWindowChatMemory({ k: 5 })',
    'invalid-option: MessageWindowChatMemory has no option k. Its options are id, store, alwaysKeepSystemMessageFirst, evictionUnit, onWarning, maxMessages.',
  ],
  [
    'new TokenWindowChatMemory({ maxTokens: 100 })',
    'invalid-option: TokenWindowChatMemory needs a tokenizer: pass await tiktokenTokenizer().',
  ],
  [
    "new VectorIndex({ dimensions: '384' })",
    "invalid-option: The dimensions of a VectorIndex must be a whole number of at least 1; got the string '384'.",
  ],
  [
    "new VectorIndex({ dimensions: 2 }).add('a', [1])",
    'invalid-input: The vector "a" has 1 dimensions; this index holds vectors of 2.',
  ],
  [
    "new KeywordIndex('english')",
    "invalid-option: The options of KeywordIndex must be an object; got the string 'english'.",
  ],
  [
    "new KnowledgeGraph({ singleValued: 'lives in' })",
    'invalid-option: singleValued must be a list of predicates.',
  ],
  [
    "new KnowledgeGraph().addTriple({ subject: 'Nora', object: 'Oslo' })",
    'invalid-input: The predicate of a fact must be a non-empty string. Nothing was changed.',
  ],
  [
    'memoryTransport(memory, {})',
    'invalid-option: memoryTransport needs one of agent, model and transport, as in memoryTransport(memory, { model }).',
  ],
  [
    "memoryTransport(createMemory({ storage: 'memory' }), { model: 'openai/gpt-4' })",
    'invalid-option: memory must be a memory returned by `await createMemory()`; got a promise, which must be awaited.',
  ],
  [
    'memoryMiddleware({})',
    'invalid-option: memory must be a memory returned by `await createMemory()`; got an empty object.',
  ],
  [
    "memoryMiddleware(memory, { maxTokens: '100' })",
    "invalid-option: maxTokens must be a whole number of at least 1; got the string '100'.",
  ],
  [
    'memoryTools(memory, { confirmForget: true })',
    'invalid-option: confirmForget must be a function; got true.',
  ],
  [
    "fromAISDK('openai/gpt-4')",
    'invalid-option: Pass the model itself, as a provider returns it, instead of its name "openai/gpt-4".',
  ],
  [
    'memoryThreadHistory(memory, 5)',
    'invalid-option: memoryThreadHistory needs the id of a thread, or a function that returns its item.',
  ],
];

let memory: Memory;
let before: string;

/** All that is stored, without the first line, which has the time of the export. */
async function stored(): Promise<string> {
  return (await (await memory.backup.export()).text()).split('\n').slice(1).join('\n');
}

beforeAll(async () => {
  memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
  await memory.remember({ user: 'My name is Ada.', assistant: 'Hello.' });
  before = await stored();
});

afterAll(() => memory.close());

const llm: index.LLM = async () => ({ text: 'x' });

it.each(MISUSES)('MEM-61: %s is refused, told, and changes nothing', async (usage, error) => {
  expect(await errorOf(usage)).toBe(error);
  expect(await stored()).toBe(before);
});

it('LLM-80: a model that is given by its name raises a warning, because requests leave the browser', async () => {
  const codes: string[] = [];
  memory.addEventListener('warning', ({ detail }) => codes.push(`${detail.code}: ${detail.message}`));
  aiSdk.memoryTransport(memory, { model: 'openai/gpt-4' });
  expect(codes).toEqual([expect.stringMatching(/^remote-model: .*'openai\/gpt-4'.* leave this browser/)]);
});

async function errorOf(usage: string): Promise<string> {
  try {
    // The usages are text, so that they are checked as they stand, and types that would refuse them stay out of the way.
    // oxlint-disable-next-line typescript/no-implied-eval
    const run = new Function(...Object.keys({ ...entries, llm, memory }), `return ${usage}`) as (
      ...values: unknown[]
    ) => unknown;
    await run(...Object.values({ ...entries, llm, memory }));
    return 'accepted';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}
