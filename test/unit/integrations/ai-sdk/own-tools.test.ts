import {
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  ToolLoopAgent,
  wrapLanguageModel,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChatMessage, Memory, ToolCall, Warning } from '../../../../src/index.ts';
import {
  anthropicMemoryHandlers,
  loadUIMessages,
  memoryMiddleware,
  memoryTools,
  memoryTransport,
  type AnthropicMemoryAction,
} from '../../../../src/integrations/ai-sdk.ts';
import { scriptedAIModel, type ScriptedStep } from '../../../fakes/scripted-ai-model.ts';
import { openTold, timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';

const CANARY = 'quokka';
const SEARCH: readonly ScriptedStep[] = [
  { call: 'search_memory', input: { query: 'what the doctor found' } },
  { call: 'remember_this', input: { text: 'The user likes short answers.' } },
  { call: 'memory', input: { command: 'view', path: '/memories/notes' } },
  { say: 'Done.' },
];

let memory: Memory;
let warnings: Warning[];
let tools: ToolSet;

beforeEach(async () => {
  warnings = [];
  memory = await openTold(warnings, { learning: false });
  await memory
    .session('secret')
    .remember(
      { user: `The doctor found a ${CANARY} and is sure of it.`, assistant: 'I am sorry.' },
      { turnId: 'doctor' },
    );
  const { execute } = anthropicMemoryHandlers(memory);
  await execute({ command: 'create', path: '/memories/notes', file_text: `A ${CANARY}.` });
  tools = {
    ...memoryTools(memory, { sessionId: 'notes' }),
    memory: tool({
      inputSchema: jsonSchema<AnthropicMemoryAction>({ type: 'object' }),
      execute: (action) => execute(action),
    }),
  };
});

afterEach(() => memory.close());

/** Everything that is stored outside of the forgotten turn and the file. */
async function copies(): Promise<number> {
  const text = await (await memory.backup.export()).text();
  return text.split(CANARY).length - 1;
}

async function ask(steps: readonly ScriptedStep[], messages: UIMessage[], text: string): Promise<unknown[]> {
  const { model, prompts } = scriptedAIModel(steps);
  const agent = new ToolLoopAgent({ model, tools, stopWhen: isStepCount(9) });
  const transport = memoryTransport(memory, { agent, timeoutMs });
  const asked: UIMessage = { id: text, role: 'user', parts: [{ type: 'text', text }] };
  const stream = await transport.sendMessages({
    chatId: 'chat',
    trigger: 'submit-message',
    messageId: undefined,
    messages: [...messages, asked],
    abortSignal: undefined,
  });
  for await (const chunk of stream) expect(chunk.type).not.toBe('error');
  return prompts;
}

it('AIT-64: a chat stores what tools of the memory return as references, which are quoted again until the source is forgotten', async () => {
  const before = await copies();
  const prompts = await ask(SEARCH, [], 'Please search.');
  expect(JSON.stringify(prompts[1])).toContain(CANARY);
  expect(await copies()).toBe(before);
  const stored = await memory.history({ sessionId: 'chat' });
  expect(stored.filter(({ role }) => role === 'tool')).toMatchObject(
    SEARCH.slice(1).map(() => ({ origin: 'memory', content: expect.not.stringContaining('{') as string })),
  );
  const again = await ask([{ say: 'Yes.' }], await loadUIMessages(memory, 'chat'), 'And now?');
  expect(JSON.stringify(again)).toMatch(/<memory-[\da-f]{24}>[^<]*quokka/u);

  await memory.forget({ turnId: 'doctor' });
  await anthropicMemoryHandlers(memory).delete({ command: 'delete', path: '/memories/notes' });
  expect(await copies()).toBe(0);
  const messages = await loadUIMessages(memory, 'chat');
  expect(JSON.stringify(messages)).not.toContain(CANARY);
  const after = await ask([{ say: 'Yes.' }], messages, 'And after that?');
  expect(JSON.stringify(after)).not.toContain(CANARY);
  expect(JSON.stringify(after)).toContain('The messages found here have been forgotten.');
  expect(warnings).toEqual([]);
});

it('AIT-65: a turn of the middleware stores no copy of what tools of the memory returned', async () => {
  const before = await copies();
  const { model, prompts } = scriptedAIModel(SEARCH);
  const middleware = memoryMiddleware(memory, { timeoutMs });
  await generateText({
    model: wrapLanguageModel({ model: model as never, middleware }),
    prompt: 'Please search.',
    tools,
    stopWhen: isStepCount(9),
    providerOptions: { mnemora: { sessionId: 'chat' } },
  });
  expect(JSON.stringify(prompts[1])).toContain(CANARY);
  expect(await copies()).toBe(before);
  const results = (await memory.history({ sessionId: 'chat' })).filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(3);
  for (const result of results) expect(result).toMatchObject({ origin: 'memory' });
});

it.each([
  [
    'parts of a line each',
    (quote: string) => ({ content: quote.split('\n').map((text) => ({ type: 'text', text })) }),
  ],
  ['a quote without its beginning', (quote: string) => quote.slice(40)],
  ['a key', (quote: string) => ({ [quote]: 1 })],
  ['a nested text', (quote: string) => ({ found: { first: [quote] } })],
  ['HTML', (quote: string) => quote.replaceAll('<', '&lt;')],
  ['JSON with escapes', (quote: string) => JSON.stringify(quote).replaceAll('<', String.raw`\u003c`)],
])('AIT-66: %s of a quote, as a tool of the page returns it, is stored in no copy', async (_how, shape) => {
  const before = await copies();
  const own = tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: async () => {
      const found = await memory.search('what the doctor found');
      return shape(await memory.quote(found.map(({ message }) => message.id)));
    },
  });
  tools = { own };
  const prompts = await ask([{ call: 'own', input: {} }, { say: 'Done.' }], [], 'Please search.');
  expect(JSON.stringify(prompts[1])).toContain(CANARY);
  expect(await copies()).toBe(before);
  expect(JSON.stringify(await loadUIMessages(memory, 'chat'))).not.toContain(CANARY);
});

it('FENCE-32: a quote in a tool message that the page remembers itself is stored without its text', async () => {
  const before = await copies();
  const found = await memory.search('what the doctor found');
  const call: ToolCall = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } };
  const content = await memory.quote(found.map(({ message }) => message.id));
  expect(content).toContain(CANARY);
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Search, please.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content },
    { role: 'assistant', content: 'Done.' },
  ];
  const first = await memory.remember({ messages }, { turnId: 'own' });
  expect(await memory.remember({ messages }, { turnId: 'own' })).toEqual({ ...first, duplicate: true });
  expect(await copies()).toBe(before);
  expect((await memory.history())[2]).toMatchObject({ role: 'tool', origin: 'memory' });
});

it('FENCE-30: what a tool of the memory has returned is not recalled, and an import does not change that', async () => {
  const turn = {
    messages: [
      { role: 'user', content: 'Which boats do I know?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'search_memory', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'a copy of the Heron', origin: 'memory' },
      { role: 'assistant', content: 'You know two boats.' },
    ],
  } as const;
  await memory
    .session('boats')
    .remember({ messages: turn.messages.map((message) => structuredClone(message)) as never });
  const other = await openTold([], { learning: false });
  await other.backup.import(await memory.backup.export(), { as: 'foreign' });
  for (const each of [memory, other]) {
    const { text } = await each.session('new').recall('Which boats do I know?');
    expect(text).toContain('You know two boats.');
    expect(text).not.toContain('Heron');
  }
  await other.close();
});

it('AIM-40: an answer without any content is a failed turn, and its question is not sent with the next one', async () => {
  const { model, prompts } = scriptedAIModel([{ say: '' }, { say: ' ' }, { say: 'Yes.' }]);
  const remembering = wrapLanguageModel({
    model: model as never,
    middleware: memoryMiddleware(memory, { timeoutMs }),
  });
  await generateText({ model: remembering, prompt: 'one?' });
  await streamText({ model: remembering, prompt: 'two?' }).consumeStream();
  await generateText({ model: remembering, prompt: 'three?' });
  expect(JSON.stringify(prompts[2])).not.toMatch(/one\?|two\?/u);
  await ask([{ say: '' }], [], 'four?');
  const states = [...(await memory.history()), ...(await memory.history({ sessionId: 'chat' }))];
  expect(states.map(({ content, state }) => `${String(content)} ${state}`)).toEqual([
    'one? failed',
    'two? failed',
    '  failed',
    'three? complete',
    'Yes. complete',
    'four? failed',
  ]);
});
