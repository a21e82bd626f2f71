import { Chat } from '@ai-sdk/react';
import { validateUIMessages, type UIMessage } from 'ai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { createMemory, type Memory } from '../../../../src/index.ts';
import { loadUIMessages, memoryTransport, saveUIMessages } from '../../../../src/integrations/ai-sdk.ts';
import { timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';
import {
  answerOf,
  ScriptedTransport,
  textChunks,
} from '../../../fixtures/integrations/scripted-transport.ts';

const offline = { storage: 'memory', embedder: false, learning: false } as const;

let memory: Memory;

beforeEach(async () => {
  memory = await createMemory(offline);
});
afterEach(() => memory.close());

const text = (id: string, role: UIMessage['role'], words: string): UIMessage => ({
  id,
  role,
  parts: [{ type: 'text', text: words }],
});

const word = fc.string({ minLength: 1, unit: 'grapheme' });
const part = fc.oneof(
  word.map((given) => ({ type: 'text', text: given, state: 'done' })),
  word.map((given) => ({ type: 'reasoning', text: given })),
  word.map((url) => ({
    type: 'file',
    mediaType: 'image/png',
    filename: 'a.png',
    url: `https://host.example/${encodeURIComponent(url)}`,
  })),
  word.map((title) => ({ type: 'source-url', sourceId: 's', url: 'https://host.example/', title })),
  fc.record({ n: fc.integer(), words: fc.array(word) }).map((data) => ({ type: 'data-note', data })),
);
// AIU-3 refuses the others.
const storable = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));
const toolPart = fc.record({ city: word, output: storable }).map(({ city, output }) => ({
  type: 'tool-weather',
  toolCallId: `call ${city}`,
  state: 'output-available',
  input: { city },
  output,
}));
const turn = fc.record({
  user: fc.array(part, { minLength: 1, maxLength: 3 }),
  assistant: fc.array(fc.oneof(part, toolPart, fc.constant({ type: 'step-start' })), {
    minLength: 1,
    maxLength: 4,
  }),
  mood: word,
});
const conversation = fc.array(turn, { maxLength: 4 }).map((turns) =>
  turns.flatMap(({ user, assistant, mood }, index) => [
    {
      id: `u${index}`,
      role: 'user',
      metadata: { mood },
      parts: user.filter(({ type }) => type !== 'reasoning'),
    },
    { id: `a${index}`, role: 'assistant', parts: assistant },
  ]),
) as unknown as fc.Arbitrary<UIMessage[]>;

it('AIU-1: whatever the parts, saved messages are loaded deep-equal and valid, and saving them again writes nothing', async () => {
  let chat = 0;
  await fc.assert(
    fc.asyncProperty(conversation, async (messages) => {
      const id = `chat ${(chat += 1)}`;
      const shown = messages.filter(({ parts }) => parts.length > 0);
      await saveUIMessages(memory, id, shown);
      const loaded = await loadUIMessages(memory, id);
      expect(loaded).toEqual(shown.filter(({ parts }) => parts.length > 0));
      if (loaded.length > 0) expect(await validateUIMessages({ messages: loaded })).toEqual(loaded);
      const before = await memory.history({ sessionId: id });
      await saveUIMessages(memory, id, loaded);
      expect(await memory.history({ sessionId: id })).toEqual(before);
    }),
    { numRuns: 40 },
  );
});

it('AIU-2: from the first turn that differs on, saved turns replace the stored ones, and nothing is deleted', async () => {
  const [a, b, c] = ['First', 'Second', 'Third'].map((words, index) => [
    text(`u${index}`, 'user', `${words}?`),
    text(`a${index}`, 'assistant', `${words}.`),
  ]) as [UIMessage[], UIMessage[], UIMessage[]];
  await saveUIMessages(memory, 'trip', [...a, ...b, ...c]);
  const edited = [text('u1', 'user', 'Second, but better?'), text('a9', 'assistant', 'Better.')];
  await saveUIMessages(memory, 'trip', [...a, ...edited, ...c]);
  expect(await loadUIMessages(memory, 'trip')).toEqual([...a, ...edited, ...c]);
  const states = (await memory.history({ sessionId: 'trip' })).map(
    ({ content, state }) => `${String(content)} ${state}`,
  );
  expect(states).toEqual([
    'First? complete',
    'First. complete',
    'Second? replaced',
    'Second. replaced',
    'Third? replaced',
    'Third. replaced',
    'Second, but better? complete',
    'Better. complete',
    'Third? complete',
    'Third. complete',
  ]);
  await saveUIMessages(memory, 'trip', a);
  expect(await loadUIMessages(memory, 'trip')).toHaveLength(6);
});

it('AIU-6: a chat that goes on adds to its turns, also if redact has changed their words', async () => {
  const redact = (given: string): string => given.replaceAll('hunter2', '[secret]');
  await using careful = await createMemory({ ...offline, redact });
  const messages: UIMessage[] = [];
  for (const [index, words] of ['hunter2', 'Second', 'Third'].entries()) {
    messages.push(text(`u${index}`, 'user', `${words}?`), text(`a${index}`, 'assistant', `${words}.`));
    await saveUIMessages(careful, 'trip', messages);
    await saveUIMessages(careful, 'trip', messages);
  }
  const stored = await careful.history({ sessionId: 'trip' });
  expect(stored.map(({ content, state }) => `${String(content)} ${state}`)).toEqual([
    '[secret]? complete',
    '[secret]. complete',
    'Second? complete',
    'Second. complete',
    'Third? complete',
    'Third. complete',
  ]);
});

it('AIU-6: saving a chat that the transport has stored writes nothing, also if redact has changed its words', async () => {
  const redact = (given: string): string => given.replaceAll('hunter2', '[secret]');
  await using careful = await createMemory({ ...offline, redact });
  const transport = new ScriptedTransport(answerOf(...textChunks('Noted.')));
  const chat = new Chat({ id: 'trip', transport: memoryTransport(careful, { transport, timeoutMs }) });
  await chat.sendMessage({ text: 'It is hunter2.' });
  const stored = await careful.history({ sessionId: 'trip' });
  expect(stored.map(({ content }) => content)).toEqual(['It is [secret].', 'Noted.']);
  await saveUIMessages(careful, 'trip', chat.messages);
  expect(await careful.history({ sessionId: 'trip' })).toEqual(stored);
});

it('AIU-6: saving a chat again writes nothing, also if storing has changed its words', async () => {
  const messages = [text('a', 'user', 'Half \ud83d.'), text('b', 'assistant', 'Ok.')];
  await saveUIMessages(memory, 'trip', messages);
  const stored = await memory.history({ sessionId: 'trip' });
  expect(stored.map(({ content }) => content)).toEqual(['Half \ufffd.', 'Ok.']);
  await saveUIMessages(memory, 'trip', messages);
  expect(await memory.history({ sessionId: 'trip' })).toEqual(stored);
});

it('AIU-6: a chat that is saved twice at the same time is stored once', async () => {
  const messages = [text('a', 'user', 'Hi.'), text('b', 'assistant', 'Hello.')];
  await Promise.all([saveUIMessages(memory, 'trip', messages), saveUIMessages(memory, 'trip', messages)]);
  expect(await memory.history({ sessionId: 'trip' })).toHaveLength(2);
  expect(await loadUIMessages(memory, 'trip')).toEqual(messages);
});

it('AIU-20: a page that still shows a forgotten turn does not store it again, and stores what it has not yet stored', async () => {
  const [a, b, c] = ['First', 'Second', 'Third'].map((words, index) => [
    text(`u${index}`, 'user', `${words}?`),
    text(`a${index}`, 'assistant', `${words}.`),
  ]) as [UIMessage[], UIMessage[], UIMessage[]];
  await saveUIMessages(memory, 'trip', [...a, ...b]);
  const [first] = await memory.history({ sessionId: 'trip' });
  await memory.forget({ turnId: first?.turnId ?? '' });
  await saveUIMessages(memory, 'trip', [...a, ...b, ...c]);
  expect(await loadUIMessages(memory, 'trip')).toEqual([...b, ...c]);
  expect(await (await memory.backup.export()).text()).not.toContain('First');
  const other = await createMemory(offline);
  await saveUIMessages(other, 'trip', [...a, ...b, ...c]); // another memory has never stored it
  expect(await loadUIMessages(other, 'trip')).toEqual([...a, ...b, ...c]);
  await other.close();
});

it.each([
  ['an unknown part', { id: 'b', role: 'user', parts: [{ type: 'unheard-of' }] }],
  ['no parts', { id: 'b', role: 'user' }],
  ['a date', { id: 'b', role: 'user', metadata: new Date(), parts: [{ type: 'text', text: 'Hi.' }] }],
  ['NaN', { id: 'b', role: 'assistant', parts: [{ type: 'data-n', data: Number.NaN }] }],
  ['nothing', undefined],
])('AIU-3: a message with %s is refused by name, and the chat is unchanged', async (_name, bad) => {
  const good = [text('a', 'user', 'Hi.'), text('c', 'assistant', 'Hello.')];
  await saveUIMessages(memory, 'trip', good);
  const saved = saveUIMessages(memory, 'trip', [text('z', 'user', 'Hm.'), bad as never]);
  await expect(saved).rejects.toMatchObject({
    code: 'invalid-message',
    message: expect.stringContaining('Message 1'),
  });
  expect(await loadUIMessages(memory, 'trip')).toEqual(good);
});

it('AIU-4: turns that no page has shown are loaded with their texts and tool calls', async () => {
  const call = { id: 'c', type: 'function' as const, function: { name: 'see', arguments: '{"n":1}' } };
  await memory.remember(
    {
      messages: [
        { role: 'user', content: 'What is this?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'a cat' },
        { role: 'assistant', content: 'A cat.' },
      ],
    },
    { sessionId: 'trip' },
  );
  const messages = await loadUIMessages(memory, 'trip');
  expect(messages).toMatchObject([
    { role: 'user', parts: [{ type: 'text', text: 'What is this?' }] },
    {
      role: 'assistant',
      parts: [
        {
          type: 'dynamic-tool',
          toolName: 'see',
          toolCallId: 'c',
          state: 'output-available',
          input: { n: 1 },
          output: 'a cat',
        },
        { type: 'step-start' },
        { type: 'text', text: 'A cat.' },
      ],
    },
  ]);
  expect(await validateUIMessages({ messages })).toEqual(messages);
  expect(await loadUIMessages(memory, 'no such chat')).toEqual([]);
});

it('AIU-5: UI messages are in backups, and are erased with their turn or session', async () => {
  const first = [text('a', 'user', 'Rosebud?'), text('b', 'assistant', 'A sled.')];
  const second = [text('c', 'user', 'Sure?'), text('d', 'assistant', 'Sure.')];
  await saveUIMessages(memory, 'trip', [...first, ...second]);
  await using copy = await createMemory(offline);
  await copy.backup.import(await memory.backup.export());
  expect(await loadUIMessages(copy, 'trip')).toEqual([...first, ...second]);
  const turnId = (await memory.history({ sessionId: 'trip' }))[0]?.turnId ?? '';
  await memory.forget({ turnId });
  expect(await loadUIMessages(memory, 'trip')).toEqual(second);
  expect(await (await memory.backup.export()).text()).not.toContain('Rosebud');
  await memory.forget({ sessionId: 'trip' });
  expect(await loadUIMessages(memory, 'trip')).toEqual([]);
  expect(await (await memory.backup.export()).text()).not.toContain('Sure');
});

it('AIU-5: UI messages are stored as redact returns them', async () => {
  const redact = vi.fn((given: string) => given.replaceAll('hunter2', '[secret]'));
  await using careful = await createMemory({ ...offline, redact });
  await saveUIMessages(careful, 'trip', [
    text('a', 'user', 'My password is hunter2.'),
    {
      id: 'b',
      role: 'assistant',
      metadata: { note: 'hunter2' },
      parts: [
        { type: 'reasoning', text: 'hunter2!' },
        { type: 'text', text: 'Ok.' },
      ],
    },
  ]);
  expect(await (await careful.backup.export()).text()).not.toContain('hunter2');
  expect(JSON.stringify(await loadUIMessages(careful, 'trip'))).toContain('[secret]');
});

it('AIM-42: in a saved chat, what the model says after the result of a tool that its provider has run is stored after it', async () => {
  const search = {
    type: 'tool-search',
    toolCallId: 's',
    state: 'output-available',
    input: { query: 'Oslo' },
    output: 'Snow.',
    providerExecuted: true,
  } as const;
  const cold = { type: 'text', text: 'Cold.' } as const;
  await saveUIMessages(memory, 'trip', [
    text('u1', 'user', 'Weather?'),
    { id: 'a1', role: 'assistant', parts: [search, cold] },
  ]);
  const stored = await memory.history({ sessionId: 'trip' });
  expect(stored.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Weather?'],
    ['assistant', null],
    ['tool', 'Snow.'],
    ['assistant', 'Cold.'],
  ]);
});
