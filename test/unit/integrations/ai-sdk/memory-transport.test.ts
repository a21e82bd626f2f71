import { Chat } from '@ai-sdk/react';
import { jsonSchema, ToolLoopAgent, validateUIMessages, wrapLanguageModel, type UIMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Memory, type Warning } from '../../../../src/index.ts';
import {
  loadUIMessages,
  memoryMiddleware,
  memoryTransport,
  saveUIMessages,
} from '../../../../src/integrations/ai-sdk.ts';
import { scriptedAIModel, type ScriptedStep } from '../../../fakes/scripted-ai-model.ts';
import {
  LOOP,
  askedIn,
  linesOf,
  openTold,
  timeoutMs,
  weather,
} from '../../../fixtures/integrations/ai-sdk-chat.ts';

let memory: Memory;
let warnings: Warning[];

beforeEach(async () => {
  warnings = [];
  memory = await openTold(warnings);
});

afterEach(() => memory.close());

function chatWith(steps: readonly ScriptedStep[], messages: UIMessage[] = []) {
  const { model, prompts } = scriptedAIModel(steps);
  const agent = new ToolLoopAgent({ model, tools: { weather } });
  return {
    chat: new Chat({ id: 'trip', messages, transport: memoryTransport(memory, { agent, timeoutMs }) }),
    prompts,
  };
}

/** Stores a turn of the chat, with the messages that show it, as another page does. */
async function addFromOtherPage(user: string, assistant: string): Promise<void> {
  const { turnId, messageIds } = await memory.remember({ user, assistant }, { sessionId: 'trip' });
  const shown = [
    { id: `u ${turnId}`, role: 'user', parts: [{ type: 'text', text: user }] },
    { id: `a ${turnId}`, role: 'assistant', parts: [{ type: 'text', text: assistant }] },
  ];
  await memory.records('ai-sdk/ui-messages').put(`trip ${turnId}`, shown, { sessionId: 'trip', messageIds });
}

describe('a chat', () => {
  it('AIX-1: a tool loop of three steps reads the same recalled bytes and is one turn', async () => {
    const { chat, prompts } = chatWith(LOOP);
    await chat.sendMessage({ text: 'What should Hannah wear in Oslo?' });
    expect(chat.error).toBeUndefined();
    const asked = prompts.map(askedIn);
    expect(asked[0]).toEqual([
      expect.stringContaining('My sister Hannah lives in Oslo.'),
      'What should Hannah wear in Oslo?',
    ]);
    expect(asked).toEqual([asked[0], asked[0], asked[0]]);
    const stored = await memory.history({ sessionId: 'trip' });
    expect(new Set(stored.map(({ turnId }) => turnId)).size).toBe(1);
    expect(linesOf(stored)).toEqual([
      'user What should Hannah wear in Oslo? complete',
      'assistant null complete',
      'tool Snow in Oslo. complete',
      'assistant null complete',
      'tool Snow in Bergen. complete',
      'assistant Bring a coat. complete',
    ]);
    expect(warnings).toEqual([]);
  });

  it('AIX-2: what the page showed is loaded with all parts, and accepted by validateUIMessages', async () => {
    const { chat } = chatWith(LOOP);
    await chat.sendMessage({ text: 'What should Hannah wear in Oslo?', metadata: { mood: 'calm' } });
    const loaded = await loadUIMessages(memory, 'trip');
    expect(loaded).toEqual(chat.messages);
    expect(await validateUIMessages({ messages: loaded })).toEqual(chat.messages);
    expect(JSON.stringify(loaded)).not.toContain('memory-');
  });

  it('AIX-3: a regenerated answer replaces its turn', async () => {
    const { chat, prompts } = chatWith([{ say: 'Oslo, I think.' }, { say: 'In Oslo.' }]);
    await chat.sendMessage({ text: 'Where does Hannah live?' });
    await chat.regenerate();
    expect(prompts).toHaveLength(2);
    expect(JSON.stringify(prompts[1])).not.toContain('I think');
    expect(linesOf(await memory.history({ sessionId: 'trip' }))).toEqual([
      'user Where does Hannah live? replaced',
      'assistant Oslo, I think. replaced',
      'user Where does Hannah live? complete',
      'assistant In Oslo. complete',
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
  });

  it('AIX-3: an edited question replaces its turn and those after it, and leaves those before', async () => {
    const { chat } = chatWith([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }, { say: 'Four.' }]);
    for (const text of ['First?', 'Second?', 'Third?']) await chat.sendMessage({ text });
    await chat.sendMessage({ text: 'Second, but better?', messageId: chat.messages[2]?.id ?? '' });
    expect(
      linesOf(await memory.history({ sessionId: 'trip' })).filter((each) => !each.endsWith('replaced')),
    ).toEqual([
      'user First? complete',
      'assistant One. complete',
      'user Second, but better? complete',
      'assistant Four. complete',
    ]);
    expect(await memory.history({ sessionId: 'trip' })).toHaveLength(8);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
  });

  it.each(['regenerate', 'edit'])(
    'AIX-80: an answer that fails after %s takes nothing away, and the one that succeeds replaces both',
    async (how) => {
      const { chat } = chatWith([{ say: 'Nice.' }, { fail: new Error('broken') }, { say: 'Lovely.' }]);
      await chat.sendMessage({ text: 'I live in Oslo.' });
      const messageId = chat.messages[0]?.id ?? '';
      if (how === 'edit') await chat.sendMessage({ text: 'I live in Bergen.', messageId });
      else await chat.regenerate();
      expect(chat.status).toBe('error');
      const states = async (): Promise<string[]> =>
        (await memory.history({ sessionId: 'trip' })).map(({ role, state }) => `${role} ${state}`);
      const homes = async (): Promise<string[]> =>
        (await memory.facts.list())
          .filter(({ subject, predicate }) => subject === 'user' && predicate === 'lives in')
          .map(({ object }) => object);
      await expect.poll(states).toEqual(['user complete', 'assistant complete', 'user failed']);
      await memory.work.settled();
      expect(await homes()).toEqual(['Oslo']);
      expect(await memory.search('Oslo')).not.toEqual([]);
      expect(await loadUIMessages(memory, 'trip')).toMatchObject([{ id: chat.messages[0]?.id }]);
      await chat.regenerate();
      const live = (await memory.history({ sessionId: 'trip' })).filter(({ state }) => state !== 'replaced');
      expect(live.map(({ role, state }) => `${role} ${state}`)).toEqual([
        'user complete',
        'assistant complete',
      ]);
      await memory.work.settled();
      expect(await homes()).toEqual([how === 'edit' ? 'Bergen' : 'Oslo']);
      expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    },
  );

  it.each(['regenerate', 'edit', 'save'])(
    'AIX-81: what another page has added to the chat outlives %s on a page that has not shown it',
    async (how) => {
      const { chat } = chatWith([{ say: 'Hello.' }, { say: 'Two.' }, { say: 'Three.' }]);
      await chat.sendMessage({ text: 'Hi.' });
      await addFromOtherPage('My brother Rui keeps alpacas in Bern.', 'How nice.');
      await chat.sendMessage({ text: 'Count.' });
      const [first, answer] = chat.messages;
      if (how === 'regenerate') await chat.regenerate({ messageId: answer?.id ?? '' });
      else if (how === 'edit') await chat.sendMessage({ text: 'Hey.', messageId: first?.id ?? '' });
      else await saveUIMessages(memory, 'trip', [{ ...first, id: 'new' } as UIMessage]);
      await memory.work.settled();
      expect((await memory.search('alpacas')).length).toBeGreaterThan(0);
      const live = (await memory.history({ sessionId: 'trip' })).filter(({ state }) => state !== 'replaced');
      const asked = live.filter(({ role }) => role === 'user').map(({ content }) => content);
      expect(asked).toEqual(['My brother Rui keeps alpacas in Bern.', how === 'edit' ? 'Hey.' : 'Hi.']);
      expect(await loadUIMessages(memory, 'trip')).toHaveLength(how === 'save' ? 3 : 4);
    },
  );

  it('AIX-3: a chat that was not loaded adds to the stored one and replaces nothing', async () => {
    await chatWith([{ say: 'One.' }]).chat.sendMessage({ text: 'First?' });
    await chatWith([{ say: 'Two.' }]).chat.sendMessage({ text: 'Second?' });
    expect((await memory.history({ sessionId: 'trip' })).map(({ state }) => state)).toEqual(
      Array(4).fill('complete'),
    );
    expect(await loadUIMessages(memory, 'trip')).toHaveLength(4);
  });

  it('AIX-4: a stopped answer is a cancelled turn', async () => {
    const { chat } = chatWith([{ say: 'One two', isEndless: true }]);
    const sent = chat.sendMessage({ text: 'Count.' });
    await expect.poll(() => JSON.stringify(chat.messages)).toContain('One');
    await chat.stop();
    await sent;
    await expect
      .poll(async () => linesOf(await memory.history({ sessionId: 'trip' })))
      .toEqual(['user Count. cancelled', 'assistant One two cancelled']);
    expect(await loadUIMessages(memory, 'trip')).toMatchObject([
      { role: 'user' },
      { role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'One two' }] },
    ]);
  });

  it('AIX-4: an answer that fails is a failed turn, and the question is kept', async () => {
    const { chat } = chatWith([{ fail: new Error('broken') }]);
    await chat.sendMessage({ text: 'Hello?' });
    expect(chat.status).toBe('error');
    await expect
      .poll(async () => linesOf(await memory.history({ sessionId: 'trip' })))
      .toEqual(['user Hello? failed']);
  });

  it('AIX-5: a turn that waits for a tool of the page goes on with its result', async () => {
    const { model, prompts } = scriptedAIModel([
      { call: 'ask', input: { q: 'Skis?' } },
      { say: 'Take skis.' },
    ]);
    const ask = { inputSchema: jsonSchema({ type: 'object' }) } as never; // without `execute`, the page runs it
    const agent = new ToolLoopAgent({ model, tools: { ask } });
    const chat = new Chat({ id: 'trip', transport: memoryTransport(memory, { agent, timeoutMs }) });
    await chat.sendMessage({ text: 'What does Hannah need in Oslo?' });
    expect(linesOf(await memory.history({ sessionId: 'trip' }))).toEqual([
      'user What does Hannah need in Oslo? pending',
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    await chat.addToolOutput({ tool: 'ask', toolCallId: 'call-1', output: 'yes' } as never);
    await chat.sendMessage();
    expect(askedIn(prompts[1])).toEqual(askedIn(prompts[0]));
    expect(linesOf(await memory.history({ sessionId: 'trip' }))).toEqual([
      'user What does Hannah need in Oslo? complete',
      'assistant null complete',
      'tool yes complete',
      'assistant Take skis. complete',
    ]);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
  });

  it('AIX-6: an agent whose model has the middleware recalls and stores once', async () => {
    const { model, prompts } = scriptedAIModel([{ say: 'In Oslo.' }]);
    const wrapped = wrapLanguageModel({ model, middleware: memoryMiddleware(memory) });
    const chat = new Chat({ id: 'trip', transport: memoryTransport(memory, { model: wrapped, timeoutMs }) });
    await chat.sendMessage({ text: 'Where does my sister Hannah live?' });
    expect(JSON.stringify(prompts[0]).split('lives in Oslo')).toHaveLength(2);
    expect(await memory.sessions()).toHaveLength(2);
  });

  it('AIX-7: messages that are not UI messages are refused by name, and nothing is stored', async () => {
    const { model } = scriptedAIModel([{ say: 'Hello.' }]);
    const transport = memoryTransport(memory, { model, timeoutMs });
    const good = { id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] };
    for (const bad of [
      { id: 'b', role: 'user', parts: [{ type: 'unheard-of' }] },
      { id: 'b', role: 'user', content: 'Hi.' },
      { id: 'b', role: 'robot', parts: [] },
      null,
    ]) {
      const send = {
        trigger: 'submit-message',
        chatId: 'trip',
        messageId: undefined,
        abortSignal: undefined,
      } as const;
      const sent = transport.sendMessages({ ...send, messages: [good, bad] as never });
      await expect(sent).rejects.toMatchObject({
        code: 'invalid-message',
        message: expect.stringContaining('Message 1'),
      });
    }
    expect(await memory.history({ sessionId: 'trip' })).toEqual([]);
  });
});

describe('memory that is broken', () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const broken = (): Promise<never> => Promise.reject(new Error('gone'));

  it.each([
    ['throws', { recall: broken, remember: broken, history: broken }],
    ['hangs', { recall: never, remember: never, history: never }],
    ['hangs when it recalls', { recall: never }],
    ['fails when it stores', { remember: broken }],
  ])('AIX-8: memory that %s never fails a chat, and a warning says so', async (_name, methods) => {
    const { model } = scriptedAIModel([{ say: 'Hello.' }]);
    const transport = memoryTransport(Object.assign(memory, methods), { model, timeoutMs: 20 });
    const chat = new Chat({ id: 'trip', transport });
    await chat.sendMessage({ text: 'Hi!' });
    await chat.regenerate();
    expect(chat.error).toBeUndefined();
    expect(chat.messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({ type: 'text', text: 'Hello.' }),
    );
    expect(warnings.map(({ code }) => code)).toContain('memory-skipped');
  });
});
