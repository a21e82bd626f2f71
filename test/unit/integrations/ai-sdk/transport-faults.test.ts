import { Chat } from '@ai-sdk/react';
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Memory, Warning } from '../../../../src/index.ts';
import { deferred } from '../../../../src/model/abortable.ts';
import { loadUIMessages, memoryTransport, type RecallLimits } from '../../../../src/integrations/ai-sdk.ts';
import { memoryThreadList } from '../../../../src/integrations/assistant-ui.ts';
import { openTold, timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';
import {
  answerOf,
  ScriptedTransport,
  textChunks,
} from '../../../fixtures/integrations/scripted-transport.ts';

const QUESTION = 'Where does my sister Hannah live?';
let memory: Memory;
let warnings: Warning[];
beforeEach(async () => {
  warnings = [];
  memory = await openTold(warnings);
});
afterEach(async () => {
  vi.useRealTimers();
  await memory.close();
});

function chatOver(
  answers: readonly (readonly UIMessageChunk[])[],
  limits: RecallLimits = {},
  { by = memory, messages = [] as UIMessage[] } = {},
): { readonly transport: ScriptedTransport; readonly chat: Chat<UIMessage> } {
  const transport = new ScriptedTransport(...answers);
  const remembering = memoryTransport(by, { transport, timeoutMs, ...limits });
  return { transport, chat: new Chat<UIMessage>({ id: 'trip', transport: remembering, messages }) };
}
const texts = (messages: readonly UIMessage[]): string[] =>
  messages.map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('|'));
const lastSent = ({ sent }: ScriptedTransport): string => JSON.stringify(sent.at(-1)?.messages.at(-1));

it('AIX-82: an answer whose tool has returned a field "constructor" is there after a reload, with its sources', async () => {
  const { chat } = chatOver([
    answerOf(
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'results', input: {} },
      {
        type: 'tool-output-available',
        toolCallId: 'c',
        output: { driver: 'Ada', constructor: 'Ferrari' },
      },
      { type: 'start-step' },
      ...textChunks('Ada won, and Hannah saw it in Oslo.'),
    ),
  ]);
  await chat.sendMessage({ text: `Who won? ${QUESTION}` });
  expect.soft(texts(await loadUIMessages(memory, 'trip'))).toEqual(texts(chat.messages));
  expect.soft(await memory.sources(chat.messages[1]?.id ?? '')).not.toEqual([]);
  expect.soft(warnings.map(({ message }) => message)).toEqual([]);
});

it('AIX-82: an answer with a picture of more than 16 million characters is there after a reload', async () => {
  const url = `data:image/png;base64,${'A'.repeat(17_000_000)}`;
  const { chat } = chatOver([
    answerOf(...textChunks('Here.'), { type: 'file', mediaType: 'image/png', url }),
  ]);
  await chat.sendMessage({ text: 'Draw a cat.' });
  expect(texts(await loadUIMessages(memory, 'trip'))).toEqual(['Draw a cat.', 'Here.']);
});

it('AIX-82: a question with a picture of more than 16 million characters is sent with memory', async () => {
  const url = `data:image/png;base64,${'A'.repeat(17_000_000)}`;
  const { chat, transport } = chatOver([answerOf(...textChunks('In Oslo.'))]);
  await chat.sendMessage({ text: QUESTION, files: [{ type: 'file', mediaType: 'image/png', url }] });
  expect(lastSent(transport).includes('Hannah lives in Oslo')).toBe(true);
});

/** Lets everything run that waits for no time. */
async function rounds(): Promise<void> {
  for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** A memory whose calls never end once it hangs. */
function hangingMemory(): { readonly slow: Memory; hang(): void } {
  let hangs = false;
  const orHang =
    <Call extends (...given: never[]) => Promise<unknown>>(call: Call) =>
    (...given: Parameters<Call>): Promise<unknown> =>
      hangs ? new Promise(() => undefined) : call(...given);
  const { remember, recall, history } = memory;
  const slow = {
    ...memory,
    remember: orHang(remember),
    recall: orHang(recall),
    history: orHang(history),
    records: (namespace: string) => {
      const { put, get, list, ...others } = memory.records(namespace);
      return { ...others, put: orHang(put), get: orHang(get), list: orHang(list) };
    },
  } as Memory;
  return { slow, hang: () => (hangs = true) };
}

it('AIR-8: a memory that hangs while a part of an answer is kept delays its end by timeoutMs', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { slow, hang } = hangingMemory();
  const opened = deferred<ReadableStreamDefaultController<UIMessageChunk>>();
  const transport: ChatTransport<UIMessage> = {
    sendMessages: async () => new ReadableStream({ start: (controller) => opened.resolve(controller) }),
    reconnectToStream: async () => null,
  };
  const chat = new Chat<UIMessage>({
    id: 'trip',
    transport: memoryTransport(slow, { transport, timeoutMs }),
  });
  const answered = chat.sendMessage({ text: 'Tell me a story.' });
  const stream = await opened.promise;
  hang();
  vi.useFakeTimers({ now: Date.now() + 2001, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  for (const chunk of answerOf(...textChunks('Once upon a time.'))) stream.enqueue(chunk);
  stream.close();
  await rounds();
  expect(chat.status).toBe('streaming');
  vi.advanceTimersByTime(timeoutMs);
  await answered;
  expect(chat.status).toBe('ready');
});

it.each([
  ['after a turn that waited for the page', {}],
  ['that is not stored', { remember: false }],
])('AIR-8: a memory that hangs delays a question %s by timeoutMs, not by twice that', async (_, limits) => {
  const { slow, hang } = hangingMemory();
  const waiting = answerOf({ type: 'tool-input-available', toolCallId: 'c', toolName: 'ask', input: {} });
  const { chat, transport } = chatOver([waiting, answerOf(...textChunks('Fine.'))], limits, { by: slow });
  await chat.sendMessage({ text: 'Show the menu.' });
  hang();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = chat.sendMessage({ text: 'Never mind.' });
  await rounds();
  expect(transport.sent).toHaveLength(1);
  vi.advanceTimersByTime(timeoutMs);
  await rounds();
  expect(transport.sent).toHaveLength(2);
  while (chat.status !== 'ready') {
    vi.advanceTimersByTime(timeoutMs);
    await rounds();
  }
  await asked;
});

it.each(['regenerated', 'edited'])(
  'AIR-9: with remember: false, an answer that is %s is not recalled for its question',
  async (how) => {
    const first = chatOver([answerOf(...textChunks('Hannah in Oslo cooks pickled herring.'))]);
    await first.chat.sendMessage({ text: 'What does my sister Hannah in Oslo cook?' });
    const { messages } = first.chat;
    const { chat, transport } = chatOver(
      [answerOf(...textChunks('Soup.'))],
      { remember: false },
      { messages },
    );
    if (how === 'regenerated') await chat.regenerate();
    else
      await chat.sendMessage({
        text: 'What does my sister Hannah in Oslo cook on Sundays?',
        messageId: messages[0]?.id ?? '',
      });
    expect(lastSent(transport)).not.toContain('pickled herring');
  },
);

it('AIR-27: a turn that waits for the page is not continued after its thread was deleted in another tab', async () => {
  const threads = memoryThreadList(memory);
  await threads.initialize('trip');
  const { chat, transport } = chatOver([
    answerOf({ type: 'tool-input-available', toolCallId: 'c', toolName: 'ask', input: {} }),
    answerOf(...textChunks('Answered.')),
  ]);
  await chat.sendMessage({ text: 'Show the menu.' });
  await threads.delete('trip');
  await chat.addToolOutput({ tool: 'ask', toolCallId: 'c', output: 'shown' } as never);
  await chat.sendMessage();
  expect(transport.sent).toHaveLength(1);
});

it('AIR-27: nothing is sent of a deleted thread, also with remember: false', async () => {
  const threads = memoryThreadList(memory);
  await threads.initialize('trip');
  await threads.delete('trip');
  const { chat, transport } = chatOver([answerOf(...textChunks('Answered.'))], { remember: false });
  await chat.sendMessage({ text: 'More?' });
  expect(transport.sent).toHaveLength(0);
});

it.each([[''], [undefined]])(
  'AIR-28: if prompt returns %j, nothing is sent, and the answer has no sources',
  async (text) => {
    const { chat, transport } = chatOver([answerOf(...textChunks('No idea.'))], {
      prompt: () => text as string,
    });
    await chat.sendMessage({ text: QUESTION });
    expect.soft(texts(transport.sent[0]?.messages ?? [])).toEqual([QUESTION]);
    expect.soft(warnings).toHaveLength(text === '' ? 0 : 1);
    expect.soft(chat.messages[1]?.metadata).toBeUndefined();
    expect.soft(await memory.sources(chat.messages[1]?.id ?? '')).toEqual([]);
  },
);

it('AIR-6: with history, a bigint in an earlier output of a tool fails no question', async () => {
  const output = { distance: 12n };
  const messages = [
    { id: 'q', role: 'user', parts: [{ type: 'text', text: 'How far is it?' }] },
    {
      id: 'a',
      role: 'assistant',
      parts: [{ type: 'tool-measure', toolCallId: 'c', state: 'output-available', input: {}, output }],
    },
  ] as UIMessage[];
  const { chat, transport } = chatOver(
    [answerOf(...textChunks('In Oslo.'))],
    { history: { maxTokens: 500 } },
    { messages },
  );
  await chat.sendMessage({ text: QUESTION });
  expect(transport.sent).toHaveLength(1);
  expect(chat.status).toBe('ready');
});
