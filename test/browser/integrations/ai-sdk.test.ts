import { useChat } from '@ai-sdk/react';
import {
  DirectChatTransport,
  isStepCount,
  ToolLoopAgent,
  validateUIMessages,
  wrapLanguageModel,
  type ChatTransport,
  type UIMessage,
} from 'ai';
import { createElement, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Memory, type Warning } from '../../../src/index.ts';
import { loadUIMessages, memoryMiddleware, memoryTransport } from '../../../src/integrations/ai-sdk.ts';
import { scriptedAIModel } from '../../fakes/scripted-ai-model.ts';
import {
  LOOP,
  askedIn,
  linesOf,
  openTold,
  timeoutMs,
  weather,
} from '../../fixtures/integrations/ai-sdk-chat.ts';

type ChatPage = ReturnType<typeof useChat>;

let name: string;
let memory: Memory;
let warnings: Warning[];
const unmounting: (() => void)[] = [];

beforeEach(async () => {
  name = `ai-sdk-${crypto.randomUUID()}`;
  warnings = [];
  memory = await open();
});

afterEach(async () => {
  for (const unmount of unmounting.splice(0)) unmount();
  await memory.close();
  indexedDB.deleteDatabase(name);
});

function open(): Promise<Memory> {
  return openTold(warnings, { name });
}

/** Shows a chat with `useChat` under StrictMode, and returns what the hook returned last. */
async function mount(
  transport: ChatTransport<UIMessage>,
  messages: UIMessage[] = [],
): Promise<() => ChatPage> {
  let shown: ChatPage | undefined;
  let isMounted = false;
  function Page(): null {
    shown = useChat({ id: 'trip', messages, transport });
    // The hook stops its chat when it unmounts, so that what is sent before StrictMode has mounted it again is aborted.
    useEffect(() => {
      isMounted = true;
      return () => {
        isMounted = false;
      };
    }, []);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  root.render(createElement(StrictMode, undefined, createElement(Page)));
  unmounting.push(() => root.unmount());
  await expect.poll(() => isMounted).toBe(true);
  return () => shown as ChatPage;
}

async function ready(chat: () => ChatPage): Promise<void> {
  await expect.poll(() => chat().status).toBe('ready');
}

async function turnsOf(sessionId: string): Promise<string[]> {
  return linesOf(await memory.history({ sessionId }));
}

const QUESTION = 'What should Hannah wear in Oslo?';
const STORED = [
  `user ${QUESTION} complete`,
  'assistant null complete',
  'tool Snow in Oslo. complete',
  'assistant null complete',
  'tool Snow in Bergen. complete',
  'assistant Bring a coat. complete',
];

it('AIM-1: useChat over DirectChatTransport, with a wrapped model: a tool loop of three steps recalls once and is one turn', async () => {
  const { model, prompts } = scriptedAIModel(LOOP);
  const middleware = memoryMiddleware(memory.session('trip'), { timeoutMs });
  const agent = new ToolLoopAgent({
    model: wrapLanguageModel({ model, middleware }),
    tools: { weather },
    stopWhen: isStepCount(5),
  });
  const chat = await mount(new DirectChatTransport({ agent }) as unknown as ChatTransport<UIMessage>);
  await chat().sendMessage({ text: QUESTION });
  await ready(chat);
  const asked = prompts.map(askedIn);
  expect(asked[0]).toEqual([expect.stringContaining('My sister Hannah lives in Oslo.'), QUESTION]);
  expect(asked).toEqual([asked[0], asked[0], asked[0]]);
  expect(await turnsOf('trip')).toEqual(STORED);
  expect(warnings).toEqual([]);
});

it('AIX-1 AIX-2: useChat over memoryTransport: a tool loop is one turn, and the page shows the same after a reload', async () => {
  const { model, prompts } = scriptedAIModel([...LOOP, { say: 'You are welcome.' }]);
  const agent = new ToolLoopAgent({ model, tools: { weather } });
  const chat = await mount(memoryTransport(memory, { agent, timeoutMs }));
  await chat().sendMessage({ text: QUESTION, metadata: { mood: 'calm' } });
  await ready(chat);
  const asked = prompts.map(askedIn);
  expect(asked[0]).toEqual([expect.stringContaining('My sister Hannah lives in Oslo.'), QUESTION]);
  expect(asked).toEqual([asked[0], asked[0], asked[0]]);
  expect(await turnsOf('trip')).toEqual(STORED);

  const shown = chat().messages;
  await memory.close();
  memory = await open();
  const loaded = await loadUIMessages(memory, 'trip');
  expect(loaded).toEqual(shown);
  expect(await validateUIMessages({ messages: loaded })).toEqual(shown);
  const again = await mount(memoryTransport(memory, { agent, timeoutMs }), loaded);
  await again().sendMessage({ text: 'Thank you!' });
  await ready(again);
  expect(await loadUIMessages(memory, 'trip')).toEqual(again().messages);
  expect(again().messages).toHaveLength(4);
  expect(warnings).toEqual([]);
});

it('AIX-3 AIX-4: useChat regenerates, edits and stops, and the stored turns follow', async () => {
  const { model } = scriptedAIModel([
    { say: 'Oslo, I think.' },
    { say: 'In Oslo.' },
    { say: 'In Bergen.' },
    { say: 'One two', isEndless: true },
  ]);
  const chat = await mount(memoryTransport(memory, { model, timeoutMs }));
  await chat().sendMessage({ text: 'Where does Hannah live?' });
  await ready(chat);
  await chat().regenerate();
  await ready(chat);
  await chat().sendMessage({ text: 'Where does Anna live?', messageId: chat().messages[0]?.id ?? '' });
  await ready(chat);
  const sent = chat().sendMessage({ text: 'Count.' });
  await expect.poll(() => JSON.stringify(chat().messages)).toContain('One two');
  await chat().stop();
  await sent;
  await expect
    .poll(() => turnsOf('trip'))
    .toEqual([
      'user Where does Hannah live? replaced',
      'assistant Oslo, I think. replaced',
      'user Where does Hannah live? replaced',
      'assistant In Oslo. replaced',
      'user Where does Anna live? complete',
      'assistant In Bergen. complete',
      'user Count. cancelled',
      'assistant One two cancelled',
    ]);
  expect((await loadUIMessages(memory, 'trip')).slice(0, 2)).toEqual(chat().messages.slice(0, 2));
  expect(warnings).toEqual([]);
});

it('AIX-8: a chat whose database is deleted under it goes on, and a warning says so', async () => {
  const { model } = scriptedAIModel([{ say: 'Hello.' }]);
  const chat = await mount(memoryTransport(memory, { model, timeoutMs }));
  await memory.close();
  await chat().sendMessage({ text: 'Hi!' });
  await ready(chat);
  expect(chat().messages.at(-1)?.parts).toContainEqual(expect.objectContaining({ text: 'Hello.' }));
  expect(warnings.map(({ code }) => code)).toContain('memory-skipped');
});
