import { Chat } from '@ai-sdk/react';
import {
  jsonSchema,
  simulateReadableStream,
  tool,
  ToolLoopAgent,
  validateUIMessages,
  wrapLanguageModel,
  type LanguageModel,
  type ToolSet,
  type UIMessage,
} from 'ai';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemory, type Memory, type StoredMessage, type Warning } from '../../../../src/index.ts';
import { loadUIMessages, memoryMiddleware, memoryTransport } from '../../../../src/integrations/ai-sdk.ts';
import { deferred } from '../../../../src/model/abortable.ts';
import { scriptedAIModel, type ScriptedStep } from '../../../fakes/scripted-ai-model.ts';
import { timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';
import { listVisibleTurns } from '../../../../src/integrations/ai-sdk/chats/chat-turns.ts';

let memory: Memory;
let warnings: Warning[];

beforeEach(async () => {
  warnings = [];
  memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: false,
    onWarning: (warning) => warnings.push(warning),
  });
});

afterEach(() => memory.close());

function chatOf(
  steps: readonly ScriptedStep[],
  { tools = {}, messages = [], by = memory }: { tools?: object; messages?: UIMessage[]; by?: Memory } = {},
) {
  const { model, prompts } = scriptedAIModel(steps);
  const agent = new ToolLoopAgent({ model, tools: tools as ToolSet });
  return {
    chat: new Chat({ id: 'trip', messages, transport: memoryTransport(by, { agent, timeoutMs }) }),
    prompts,
  };
}

async function liveNow(): Promise<string[]> {
  const stored = await memory.history({ sessionId: 'trip' });
  return stored
    .filter(({ state }) => state !== 'replaced')
    .map(({ role, content, state }) => `${role} ${String(content)} ${state}`);
}

/** Lets an answer go on for a while, so that what follows meets it anywhere. */
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A model that says a word every few milliseconds, until it is stopped, and ends when it may. */
function slowModel(text: string, mayEnd?: Promise<void>): LanguageModel {
  const words = text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '0', delta }));
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  return {
    specificationVersion: 'v3',
    provider: 'p',
    modelId: 'm',
    supportedUrls: {},
    doStream: async () => ({
      stream: simulateReadableStream({
        chunkDelayInMs: 4,
        initialDelayInMs: 4,
        chunks: [
          { type: 'text-start', id: '0' },
          ...words,
          { type: 'text-end', id: '0' },
          { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
        ],
      }).pipeThrough(
        new TransformStream({
          async transform(chunk, controller) {
            if (chunk.type === 'text-end') await mayEnd;
            controller.enqueue(chunk);
          },
        }),
      ),
    }),
  } as unknown as LanguageModel;
}

describe('a chat goes on', () => {
  it.each([
    ['a date', new Date(0)],
    ['NaN', { n: Number.NaN }],
    ['a map', new Map([[1, 2]])],
    ['an error', new Error('no')],
    ['nothing', undefined],
    ['a function', { read: () => 1 }],
  ])('AIX-8: after a tool has returned what JSON does not have: %s', async (_name, output) => {
    const odd = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => output });
    const { chat } = chatOf([{ call: 'odd', input: {} }, { say: 'Fine.' }], { tools: { odd } });
    await chat.sendMessage({ text: 'First?' });
    await chat.sendMessage({ text: 'Second?' });
    expect(chat.error).toBeUndefined();
    const loaded = await loadUIMessages(memory, 'trip');
    expect(loaded).toEqual(JSON.parse(JSON.stringify(chat.messages)));
    expect(await validateUIMessages({ messages: loaded })).toEqual(loaded);
    expect(warnings).toEqual([]);
  });

  it('AIX-8: after messages that are too long, empty, files alone, or half an emoji', async () => {
    const { chat } = chatOf([{ say: 'Fine.' }]);
    const url = `data:image/png;base64,${'A'.repeat(4_000_000)}`;
    await chat.sendMessage({ text: '' });
    await chat.sendMessage({ text: '', files: [{ type: 'file', mediaType: 'image/png', url }] });
    await chat.sendMessage({ files: [{ type: 'file', mediaType: 'image/png', filename: 'a.png', url }] });
    await chat.sendMessage({ text: 'Half \ud83d' });
    expect(chat.error).toBeUndefined();
    expect(await loadUIMessages(memory, 'trip')).toEqual(
      JSON.parse(JSON.stringify(chat.messages).replaceAll('\\ud83d', '\ufffd')),
    );
    expect(warnings).toEqual([]);
    await chat.sendMessage({ text: 'x'.repeat(2_000_001) });
    expect(chat.error).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toEqual(['memory-skipped', 'save-failed']);
    await chat.sendMessage({ text: 'And now?' });
    expect(warnings).toHaveLength(2);
    expect((await liveNow()).at(-2)).toBe('user And now? complete');
  });
});

describe('a turn', () => {
  it('AIX-3: an answer that no page had shown is replaced when it is made again', async () => {
    await memory.remember({ user: 'Who?', assistant: 'You.' }, { sessionId: 'trip' });
    await memory.remember({ user: 'Sure?', assistant: 'No.' }, { sessionId: 'trip' });
    const { chat } = chatOf([{ say: 'Ada.' }], { messages: await loadUIMessages(memory, 'trip') });
    await chat.regenerate({ messageId: chat.messages[1]?.id ?? '' });
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    expect(await liveNow()).toEqual(['user Who? complete', 'assistant Ada. complete']);
  });

  it('AIX-3: an answer that is made again while it arrives is stored once, without a warning', async () => {
    const model = slowModel('One two three four five six seven eight nine ten');
    const chat = new Chat({ id: 'trip', transport: memoryTransport(memory, { model, timeoutMs }) });
    const sent = chat.sendMessage({ text: 'Count.' });
    await expect.poll(() => JSON.stringify(chat.messages)).toContain('two');
    const again = chat.regenerate();
    await Promise.all([sent, again]);
    await expect
      .poll(liveNow)
      .toEqual([
        'user Count. complete',
        'assistant One two three four five six seven eight nine ten complete',
      ]);
    await memory.work.settled();
    expect(await liveNow()).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  it('AIX-5: a turn that is forgotten while it waits for the page comes back neither as turn nor as record', async () => {
    const real = memory.history;
    const ask = { inputSchema: jsonSchema({ type: 'object' }) };
    // It is forgotten as soon as its answer is read for the record.
    const by = Object.assign(memory, {
      history: async (...given) => {
        await memory.forget({ sessionId: 'trip' });
        return real(...given);
      },
    } satisfies Partial<Memory>);
    const { chat } = chatOf([{ call: 'ask', input: { q: 'Rosebud?' } }, { say: 'Rosebud.' }], {
      tools: { ask },
      by,
    });
    await chat.sendMessage({ text: 'Rosebud?' });
    expect(await (await memory.backup.export()).text()).not.toContain('Rosebud');
    await chat.addToolOutput({ tool: 'ask', toolCallId: 'call-1', output: 'Rosebud!' } as never);
    await chat.sendMessage();
    expect(chat.error).toBeUndefined();
    expect(await (await memory.backup.export()).text()).not.toContain('Rosebud');
    expect((await memory.backup.verify()).problems).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('AIX-4: a turn that is forgotten while it is answered comes back neither as turn nor as record', async () => {
    const mayEnd = deferred<void>();
    const model = slowModel('Rosebud is a sled and more.', mayEnd.promise);
    const remember = vi.fn(memory.remember);
    const by: Memory = { ...memory, remember };
    const chat = new Chat({ id: 'trip', transport: memoryTransport(by, { model, timeoutMs }) });
    const sent = chat.sendMessage({ text: 'Rosebud?' });
    await expect.poll(() => JSON.stringify(chat.messages)).toContain('sled');
    const turnId = (await memory.history({ sessionId: 'trip' }))[0]?.turnId ?? '';
    await memory.forget({ turnId });
    mayEnd.resolve();
    await sent;
    // Not even for a moment: the page may be closed in it.
    expect(remember.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled', 'rejected']);
    expect(await loadUIMessages(memory, 'trip')).toEqual([]);
    expect(await (await memory.backup.export()).text()).not.toContain('Rosebud');
  });

  it('AIX-4: an answer that is stopped while memory recalls is cancelled at once, without a warning', async () => {
    let isAsked = false;
    const by = Object.assign(memory, {
      recall: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    } satisfies Partial<Memory>);
    const { chat } = chatOf([{ say: 'Late.' }], { by });
    const sent = chat.sendMessage({ text: 'Stop?' });
    await expect.poll(() => isAsked).toBe(true);
    await chat.stop();
    await sent;
    await expect.poll(liveNow).toEqual(['user Stop? cancelled']);
    expect(warnings).toEqual([]);
  });

  it.each([true, false])('AIX-5: a turn that waits for an approval goes on: %s', async (approved) => {
    const snow = tool({
      inputSchema: jsonSchema({ type: 'object' }),
      needsApproval: true,
      execute: async () => 'Snow.',
    });
    const { chat } = chatOf([{ call: 'snow', input: {} }, { say: 'Done.' }], { tools: { snow } });
    await chat.sendMessage({ text: 'Weather?' });
    expect(await liveNow()).toEqual(['user Weather? pending']);
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    const reloaded = chatOf([{ say: 'Done.' }], {
      tools: { snow },
      messages: await loadUIMessages(memory, 'trip'),
    }).chat;
    const part = reloaded.messages[1]?.parts.find((each) => 'approval' in each) as
      | { approval: { id: string } }
      | undefined;
    await reloaded.addToolApprovalResponse({ id: part?.approval.id ?? '', approved });
    await reloaded.sendMessage();
    expect(reloaded.error).toBeUndefined();
    expect((await liveNow()).map((each) => each.split(' ').at(-1))).toEqual(Array(4).fill('complete'));
    expect((await liveNow())[2]).toEqual(
      approved ? 'tool Snow. complete' : expect.stringContaining('denied'),
    );
    expect(await loadUIMessages(memory, 'trip')).toEqual(reloaded.messages);
    expect(warnings).toEqual([]);
  });

  it('AIX-5: a question that is asked instead of an answer to the page leaves the waiting turn shown', async () => {
    const ask = { inputSchema: jsonSchema({ type: 'object' }) };
    const { chat } = chatOf([{ call: 'ask', input: {} }, { say: 'Fine.' }], { tools: { ask } });
    await chat.sendMessage({ text: 'First?' });
    await chat.regenerate();
    expect(await loadUIMessages(memory, 'trip')).toEqual(chat.messages);
    expect(await liveNow()).toEqual(['user First? complete', 'assistant Fine. complete']);
  });

  it('AIX-2: nothing that redact takes out is in any record, and the chat is loaded', async () => {
    await using careful = await createMemory({
      storage: 'memory',
      embedder: false,
      learning: false,
      redact: (text) => text.replaceAll('hunter2', '[secret]'),
    });
    const look = tool({
      inputSchema: jsonSchema({ type: 'object' }),
      execute: async () => ({ found: 'hunter2' }),
    });
    const { chat } = chatOf([{ call: 'look', input: { for: 'hunter2' } }, { say: 'It is hunter2 .' }], {
      tools: { look },
      by: careful,
    });
    await chat.sendMessage({ text: 'Is it hunter2?', metadata: { note: 'hunter2' } });
    expect(await (await careful.backup.export()).text()).not.toContain('hunter2');
    expect(await loadUIMessages(careful, 'trip')).toEqual(
      JSON.parse(JSON.stringify(chat.messages).replaceAll('hunter2', '[secret]')),
    );
  });

  it('AIX-6: a question with an empty part is stored once by an agent whose model has the middleware', async () => {
    const { model } = scriptedAIModel([{ say: 'In Oslo.' }]);
    const middleware = memoryMiddleware(memory, { timeoutMs });
    const transport = memoryTransport(memory, { model: wrapLanguageModel({ model, middleware }), timeoutMs });
    const chat = new Chat({ id: 'trip', transport });
    const parts = ['Where does Hannah live?', ''].map((text) => ({ type: 'text' as const, text }));
    await chat.sendMessage({ parts });
    expect((await memory.sessions()).map(({ id }) => id)).toEqual(['trip']);
  });

  it('AIX-1: two chats over one transport with the same message ids do not mix', async () => {
    const ask = { inputSchema: jsonSchema({ type: 'object' }) };
    const { model } = scriptedAIModel([
      { call: 'ask', input: {} },
      { call: 'ask', input: {} },
      { say: 'Fine.' },
    ]);
    const agent = new ToolLoopAgent({ model, tools: { ask } as unknown as ToolSet });
    const transport = memoryTransport(memory, { agent, timeoutMs });
    const chats = ['one', 'two'].map((id) => new Chat({ id, transport, generateId: () => 'same' }));
    await Promise.all(chats.map((chat) => chat.sendMessage({ text: `From ${chat.id}.` })));
    for (const chat of chats) {
      const stored = await memory.history({ sessionId: chat.id });
      expect(stored).toMatchObject([{ content: `From ${chat.id}.`, state: 'pending' }]);
    }
  });
});

/** What a chat shows, without answers that were stopped: a few words of them arrive that the page leaves out. */
function shownOf(messages: readonly UIMessage[], cut: ReadonlySet<string>): unknown {
  const isKept = ({ role }: UIMessage, index: number): boolean =>
    role === 'user' || !cut.has(messages[index - 1]?.id ?? '');
  return JSON.parse(JSON.stringify(messages.filter(isKept)));
}

it('AIX-3: questions, answers that are made again and stops while an answer arrives leave no turn twice and none open', async () => {
  const model = slowModel('One two three four.');
  let count = 0;
  const kind = fc.constantFrom('send', 'regenerate', 'stop', 'wait' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(kind, fc.nat(6)), { minLength: 2, maxLength: 6 }), async (steps) => {
      const id = `busy ${(count += 1)}`;
      const chat = new Chat({ id, transport: memoryTransport(memory, { model, timeoutMs }) });
      const work = [chat.sendMessage({ text: 'First?' })];
      for (const [index, [each, pause]] of steps.entries()) {
        await soon(pause * 3);
        if (each === 'send') work.push(chat.sendMessage({ text: `Question ${index}?` }));
        if (each === 'regenerate' && chat.messages.length > 0) work.push(chat.regenerate());
        if (each === 'stop') await chat.stop();
      }
      await Promise.allSettled(work);
      await expect
        .poll(async () => (await memory.history({ sessionId: id })).some(({ state }) => state === 'pending'))
        .toBe(false);
      const live = await visibleMessages(id);
      const questions = live.filter(({ role }) => role === 'user').map(({ content }) => content);
      expect(questions).toEqual([...new Set(questions)]);
      expect((await memory.backup.verify()).problems).toEqual([]);
    }),
    { numRuns: 20 },
  );
  expect(warnings).toEqual([]);
});

/** Returns the stored messages of the turns that a page shows. */
async function visibleMessages(chatId: string): Promise<StoredMessage[]> {
  const ids = new Set((await listVisibleTurns(memory, chatId)).flatMap(({ messageIds }) => messageIds));
  return (await memory.history({ sessionId: chatId })).filter(({ id }) => ids.has(id));
}

type Command =
  | { readonly kind: 'send' | 'regenerate' | 'edit'; readonly at: number; readonly isStopped: boolean }
  | { readonly kind: 'reload' };

it('AIX-2 AIX-3: whatever the user does, the chat that is loaded is the one that is shown, and no turn is doubled', async () => {
  const command: fc.Arbitrary<Command> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('send', 'regenerate', 'edit'),
        at: fc.nat(9),
        isStopped: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'reload' } as const) },
  );
  let count = 0;
  const model = slowModel('One two three four.');
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 7 }), async (commands) => {
      const id = `chat ${(count += 1)}`;
      const chatFrom = (messages: UIMessage[]) =>
        new Chat({ id, messages, transport: memoryTransport(memory, { model, timeoutMs }) });
      const cut = new Set<string>();
      let chat = chatFrom([]);
      for (const [index, each] of commands.entries()) {
        if (each.kind === 'reload') {
          chat = chatFrom(await loadUIMessages(memory, id));
          continue;
        }
        const users = chat.messages.filter(({ role }) => role === 'user');
        const user = users[each.at % Math.max(users.length, 1)];
        const work =
          each.kind === 'send' || !user
            ? chat.sendMessage({ text: `Question ${index}?` })
            : each.kind === 'edit'
              ? chat.sendMessage({ text: `Edited ${index}?`, messageId: user.id })
              : chat.regenerate({ messageId: user.id });
        if (each.isStopped) {
          await soon(each.at * 4);
          await chat.stop();
        }
        await work;
        expect(chat.error).toBeUndefined();
        await expect
          .poll(async () =>
            (await memory.history({ sessionId: id })).some(({ state }) => state === 'pending'),
          )
          .toBe(false);
        if (each.isStopped) cut.add(chat.messages.findLast(({ role }) => role === 'user')?.id ?? '');
        await expect
          .poll(async () => shownOf(await loadUIMessages(memory, id), cut))
          .toEqual(shownOf(chat.messages, cut));
      }
      const live = await visibleMessages(id);
      const questions = live.filter(({ role }) => role === 'user');
      expect(questions).toHaveLength(chat.messages.filter(({ role }) => role === 'user').length);
      expect((await memory.backup.verify()).problems).toEqual([]);
    }),
    { numRuns: 25 },
  );
  expect(warnings).toEqual([]);
});
