import { Chat } from '@ai-sdk/react';
import type { GenericThreadHistoryAdapter, ThreadMessage } from '@assistant-ui/react';
import { jsonSchema, tool, ToolLoopAgent, type UIMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemory, type Memory } from '../../../../src/index.ts';
import { memoryTransport, saveUIMessages } from '../../../../src/integrations/ai-sdk.ts';
import { memoryThreadHistory, memoryThreadList } from '../../../../src/integrations/assistant-ui.ts';
import { scriptedAIModel, type ScriptedStep } from '../../../fakes/scripted-ai-model.ts';
import { said, uiMessageFormat } from '../../../fakes/ui-message-format.ts';

/** Longer than a busy machine takes to load the tokenizer. */
const timeoutMs = 60_000;

let memory: Memory;

beforeEach(async () => {
  memory = await createMemory({ storage: 'memory', embedder: false });
});

afterEach(() => memory.close());

type UIHistory = GenericThreadHistoryAdapter<UIMessage>;

function historyOf(threadId = 'trip'): UIHistory {
  const history = memoryThreadHistory(memory, threadId).withFormat?.(uiMessageFormat);
  if (!history) throw new Error('The history has no withFormat.');
  return history;
}

/** Appends messages as `id<parent`, each with its id as its text. */
async function write(history: UIHistory, ...items: string[]): Promise<void> {
  for (const item of items) {
    const [id = '', parentId = null] = item.split('<');
    await history.append({ parentId, message: said(id, id.startsWith('u') ? 'user' : 'assistant', id) });
  }
}

/** The loaded messages as `id<parent`, then the head. */
async function shownBy(history: UIHistory): Promise<string[]> {
  const { headId, messages } = await history.load();
  const shown = messages.map(({ parentId, message }) =>
    parentId === null ? message.id : `${message.id}<${parentId}`,
  );
  return [...shown, `head ${String(headId)}`];
}

async function textsIn(history: UIHistory): Promise<string[]> {
  const { messages } = await history.load();
  return messages.map(({ message }) =>
    message.parts.map((part) => ('text' in part ? part.text : '')).join(''),
  );
}

/** A chat of the AI SDK whose messages are written to the history after each answer, as the runtime does. */
function chatWith(steps: readonly ScriptedStep[], messages: UIMessage[] = []) {
  const weather = tool({
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: async () => 'Snow.',
    needsApproval: true,
  });
  const { model } = scriptedAIModel(steps);
  const agent = new ToolLoopAgent({ model, tools: { weather } });
  const chat = new Chat({ id: 'trip', messages, transport: memoryTransport(memory, { agent, timeoutMs }) });
  const history = historyOf();
  const written = new Map<string, string>();
  const persist = async (): Promise<void> => {
    for (const [index, message] of chat.messages.entries()) {
      const item = { parentId: chat.messages[index - 1]?.id ?? null, message };
      const json = JSON.stringify(message);
      const before = written.get(message.id);
      if (before === undefined) await history.append(item);
      else if (before !== json) await history.update?.(item, message.id);
      written.set(message.id, json);
    }
  };
  return { chat, history, persist };
}

describe('a history', () => {
  it('AUI-2: loads all branches in the order in which they were written, and the newest one as the head', async () => {
    const history = historyOf();
    await write(history, 'u1', 'a1<u1', 'u2<a1', 'a2<u2', 'u3<a1', 'a3<u3', 'a4<u2', 'u5<a3');
    const written = ['u1', 'a1<u1', 'u2<a1', 'a2<u2', 'u3<a1', 'a3<u3', 'a4<u2', 'u5<a3', 'head u5'];
    expect(await shownBy(history)).toEqual(written);
    expect(await shownBy(historyOf())).toEqual(written);
    expect(await shownBy(historyOf('another thread'))).toEqual(['head null']);
  });

  it('AUI-2: messages that are written at the same time keep their order', async () => {
    const history = historyOf();
    await Promise.all([write(history, 'u1'), write(history, 'a2'), write(history, 'u0')]);
    expect(await shownBy(history)).toEqual(['u1', 'a2', 'u0', 'head u0']);
  });

  it('AUI-3: messages that are appended before their thread has an id are stored under the one that it is given', async () => {
    const threads = memoryThreadList(memory);
    let remoteId: string | undefined;
    let giveId = (): void => undefined;
    const given = new Promise<void>((resolve) => (giveId = resolve));
    const initialize = async (): Promise<{ remoteId: string }> => {
      await given;
      ({ remoteId } = await threads.initialize('local'));
      return { remoteId };
    };
    const thread = { getState: () => ({ remoteId }), initialize };
    const history = memoryThreadHistory(memory, () => thread).withFormat?.(uiMessageFormat) as UIHistory;
    expect(await shownBy(history)).toEqual(['head null']);
    const writing = Promise.all([write(history, 'u1'), write(history, 'a1<u1')]);
    giveId();
    await writing;
    expect(remoteId).toBe('local');
    expect(await shownBy(history)).toEqual(['u1', 'a1<u1', 'head a1']);
    expect(await shownBy(historyOf('local'))).toEqual(['u1', 'a1<u1', 'head a1']);
    expect((await threads.list()).threads).toMatchObject([{ remoteId: 'local', status: 'regular' }]);
  });

  it('AUI-3: after pin, messages go to the thread that was shown then', async () => {
    const itemOf = (remoteId: string) => ({
      getState: () => ({ remoteId }),
      initialize: () => memoryThreadList(memory).initialize(remoteId),
    });
    let shown = itemOf('one');
    const history = memoryThreadHistory(memory, () => shown).withFormat?.(uiMessageFormat) as UIHistory;
    history.pin?.();
    shown = itemOf('two');
    await write(history, 'u1');
    expect(await shownBy(historyOf('one'))).toEqual(['u1', 'head u1']);
    expect(await shownBy(historyOf('two'))).toEqual(['head null']);
  });

  it('AUI-4: a run that waits for an approval is kept, and the answer takes its place', async () => {
    const steps: ScriptedStep[] = [{ call: 'weather', input: { city: 'Oslo' } }, { say: 'Bring a coat.' }];
    const first = chatWith(steps);
    await first.chat.sendMessage({ text: 'How is the weather?' });
    await first.persist();
    const paused = (await historyOf().load()).messages;
    expect(paused.map(({ message }) => message)).toEqual(JSON.parse(JSON.stringify(first.chat.messages)));
    expect(paused[1]?.message.parts.at(-1)).toMatchObject({ state: 'approval-requested' });

    const approval = paused[1]?.message.parts.at(-1) as { approval: { id: string } };
    await first.chat.addToolApprovalResponse({ id: approval.approval.id, approved: true });
    await first.chat.sendMessage();
    await first.persist();
    const ended = (await historyOf().load()).messages;
    expect(ended.map(({ message }) => message.id)).toEqual(paused.map(({ message }) => message.id));
    expect((await textsIn(historyOf())).at(-1)).toContain('Bring a coat.');
  });

  it('AUI-4: an update stores a message that could not be appended', async () => {
    const history = historyOf();
    await write(history, 'u1');
    await history.update?.({ parentId: 'u1', message: said('a1', 'assistant', 'again') }, 'a1');
    expect(await shownBy(history)).toEqual(['u1', 'a1<u1', 'head a1']);
  });

  it('AUI-13: messages of useLocalRuntime are loaded with their times, run configuration and parts', async () => {
    const history = memoryThreadHistory(memory, 'trip');
    const file = new File(['x'], 'x.txt');
    const asked = {
      id: 'u1',
      role: 'user',
      content: [{ type: 'text', text: 'Look at this.' }],
      attachments: [
        {
          id: 'f',
          type: 'file',
          name: 'x.txt',
          contentType: 'text/plain',
          content: [],
          status: { type: 'complete' },
          file,
        },
      ],
      createdAt: new Date(5),
      metadata: { custom: { a: 1 } },
    } as unknown as ThreadMessage;
    const call = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 't',
      args: {},
      argsText: '{}',
      messages: [asked],
    };
    const answered = {
      id: 'a1',
      role: 'assistant',
      content: [call],
      status: { type: 'requires-action', reason: 'tool-calls' },
      createdAt: new Date(6),
      metadata: { unstable_state: null, unstable_annotations: [], unstable_data: [], steps: [], custom: {} },
    } as unknown as ThreadMessage;
    await history.append({ parentId: null, message: asked, runConfig: { custom: { b: 2 } } });
    await history.append({ parentId: 'u1', message: answered });
    await history.update?.({ parentId: 'u1', message: { ...answered, createdAt: new Date(7) } });
    const { headId, messages } = await memoryThreadHistory(memory, 'trip').load();
    expect(headId).toBe('a1');
    const [{ file: _file, ...attachment }] = asked.attachments as unknown as [{ file: File }];
    const stored = { ...asked, attachments: [attachment] };
    expect(messages).toEqual([
      { parentId: null, message: stored, runConfig: { custom: { b: 2 } } },
      {
        parentId: 'u1',
        message: { ...answered, createdAt: new Date(7), content: [{ ...call, messages: [stored] }] },
      },
    ]);
    await history.delete?.(messages.slice(1));
    expect((await history.load()).messages.map(({ message }) => message.id)).toEqual(['u1']);
  });

  it('AUI-13: a message of another format is not loaded, and what follows it is', async () => {
    await write(historyOf(), 'u1');
    const other = memoryThreadHistory(memory, 'trip').withFormat?.({
      ...uiMessageFormat,
      format: 'other',
    }) as UIHistory;
    await write(other, 'a1<u1');
    await write(historyOf(), 'u2<a1');
    expect(await shownBy(historyOf())).toEqual(['u1', 'u2<u1', 'head u2']);
    expect(await shownBy(other)).toEqual(['a1', 'head a1']);
  });
});

describe('what the memory has stored', () => {
  it('AUI-5: forgetting a turn erases its messages, and what followed them follows what is left', async () => {
    const { chat, history, persist } = chatWith([{ say: 'A1' }, { say: 'A2' }, { say: 'A3' }]);
    for (const text of ['Q1', 'Q2', 'Q3']) {
      await chat.sendMessage({ text });
      await persist();
    }
    expect(await textsIn(history)).toEqual(['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3']);
    const second = (await memory.history({ sessionId: 'trip' })).find(({ content }) => content === 'Q2');
    await memory.forget({ turnId: second?.turnId ?? '' });
    expect(await textsIn(history)).toEqual(['Q1', 'A1', 'Q3', 'A3']);
    const { messages } = await history.load();
    expect(messages.map(({ parentId }) => parentId)).toEqual([
      null,
      ...messages.slice(0, 3).map(({ message }) => message.id),
    ]);
    expect(await recordsWith('Q2')).toEqual([]);
    expect(await recordsWith('A2')).toEqual([]);
  });

  it('AUI-5: an answer that is made again is another branch, and its question belongs to the newest turn', async () => {
    const { chat, history, persist } = chatWith([{ say: 'Old' }, { say: 'New' }]);
    await chat.sendMessage({ text: 'Q1' });
    await persist();
    await chat.regenerate();
    await persist();
    expect(await textsIn(history)).toEqual(['Q1', 'Old', 'New']);
    const stored = await memory.history({ sessionId: 'trip' });
    await memory.forget({ turnId: stored.find(({ content }) => content === 'Old')?.turnId ?? '' });
    expect(await textsIn(history)).toEqual(['Q1', 'New']);
    await memory.forget({ turnId: stored.find(({ content }) => content === 'New')?.turnId ?? '' });
    expect(await textsIn(history)).toEqual([]);
  });

  it('AUI-6: deleting a message forgets what was stored of it, and nothing else', async () => {
    const { chat, history, persist } = chatWith([{ say: 'A1' }, { say: 'A2' }]);
    await chat.sendMessage({ text: 'Q1' });
    await persist();
    await chat.regenerate();
    await persist();
    const { messages } = await history.load();
    await history.delete?.(messages.slice(0, 1));
    expect(await textsIn(history)).toEqual(['A1', 'A2']);
    expect((await memory.history({ sessionId: 'trip' })).map(({ content }) => content)).toEqual(['A1', 'A2']);
    expect(await recordsWith('Q1')).toEqual([]);
  });

  it('AUI-7: what was forgotten is not stored again by a later update', async () => {
    const { chat, history, persist } = chatWith([{ say: 'A1' }, { say: 'A2' }]);
    await chat.sendMessage({ text: 'Q1' });
    await persist();
    await chat.sendMessage({ text: 'Q2' });
    await persist();
    const [question, answer] = chat.messages as [UIMessage, UIMessage];
    const first = (await memory.history({ sessionId: 'trip' }))[0];
    await memory.forget({ turnId: first?.turnId ?? '' });
    await history.update?.({ parentId: null, message: question }, question.id);
    await history.append({ parentId: question.id, message: answer });
    expect(await textsIn(history)).toEqual(['Q2', 'A2']);
    expect(await recordsWith('Q1')).toEqual([]);
  });

  it('AUI-8: turns that no page has appended are loaded after the others', async () => {
    await saveUIMessages(memory, 'trip', [said('u1', 'user', 'Q1'), said('a1', 'assistant', 'A1')]);
    expect(await shownBy(historyOf())).toEqual(['u1', 'a1<u1', 'head a1']);
    const { chat, persist } = chatWith(
      [{ say: 'A2' }, { say: 'A3' }],
      [said('u1', 'user', 'Q1'), said('a1', 'assistant', 'A1')],
    );
    await chat.sendMessage({ text: 'Q2' });
    expect(await textsIn(historyOf())).toEqual(['Q1', 'A1', 'Q2', 'A2']);
    await chat.sendMessage({ text: 'Q3' });
    await persist();
    const { headId, messages } = await historyOf().load();
    expect(await textsIn(historyOf())).toEqual(['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3']);
    expect(messages.map(({ message }) => message.id)).toEqual(chat.messages.map(({ id }) => id));
    expect(headId).toBe(chat.messages.at(-1)?.id);
  });

  it('AUI-8: turns that withMemory stores are shown once, and their rows are forgotten with them', async () => {
    const history = historyOf();
    await write(history, 'u1');
    await memory.session('trip').remember({ user: 'u1', assistant: 'a1' });
    await write(history, 'a1<u1', 'u2<a1');
    await memory.session('trip').remember({ user: 'u2', assistant: 'a2' });
    expect(await shownBy(history)).toEqual(['u1', 'a1<u1', 'u2<a1', 'head u2']);
    await write(history, 'a2<u2');
    await history.update?.({ parentId: 'u2', message: said('a2', 'assistant', 'a2, more') }, 'a2');
    expect(await textsIn(history)).toEqual(['u1', 'a1', 'u2', 'a2, more']);
    const [first] = await memory.history({ sessionId: 'trip' });
    await memory.forget({ turnId: first?.turnId ?? '' });
    expect(await shownBy(history)).toEqual(['u2', 'a2<u2', 'head a2']);
    expect((await memory.records('assistant-ui/messages').list()).length).toBe(2);
  });

  it('AUI-8: a chat that no page has shown is loaded in both formats', async () => {
    const there = memory.session('trip');
    await there.remember({ user: 'Q1', assistant: 'A1' }, { createdAt: 5 });
    await there.remember({ user: 'Q2', assistant: 'A2' });
    expect(await textsIn(historyOf())).toEqual(['Q1', 'A1', 'Q2', 'A2']);
    const local = memoryThreadHistory(memory, 'trip');
    const { messages } = await local.load();
    expect(messages.map(({ message }) => message.content)).toMatchObject(
      ['Q1', 'A1', 'Q2', 'A2'].map((text) => [{ type: 'text', text }]),
    );
    expect(messages[0]?.message.createdAt).toEqual(new Date(5));
    await local.delete?.(messages.slice(0, 1));
    expect((await memory.history({ sessionId: 'trip' })).map(({ content }) => content)).toEqual([
      'A1',
      'Q2',
      'A2',
    ]);
  });
});

describe('bad input', () => {
  it('AUI-9: a message that follows or is an unknown one is refused by its id, and the thread is unchanged', async () => {
    const history = historyOf();
    await write(history, 'u1', 'a1<u1');
    const before = await history.load();
    const unknown = { parentId: 'nobody', message: said('u2', 'user', 'x') };
    await expect(history.append(unknown)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('"nobody"'),
    });
    await expect(history.append({ parentId: 'u3', message: said('u3', 'user', 'x') })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await expect(history.append({ parentId: null, message: said('', 'user', 'x') })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const items = [before.messages[0], unknown].filter((item) => item !== undefined);
    await expect(history.delete?.(items)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('"u2"'),
    });
    const endless: UIMessage = { ...said('u4', 'user', 'x'), metadata: {} };
    endless.metadata = endless;
    await expect(history.append({ parentId: 'a1', message: endless })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(await history.load()).toEqual(before);
  });

  it('AUI-9: a message nested too deeply is refused before anything is written', async () => {
    const history = historyOf();
    await write(history, 'u1');
    const before = await recordsWith();
    const data = Array.from({ length: 300 }).reduce<unknown>((nested) => [nested], 'x');
    const deep: UIMessage = { id: 'a1', role: 'assistant', parts: [{ type: 'data-x', data }] };
    const item = { parentId: 'u1', message: deep };
    await expect(history.append(item)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(history.update?.(item, 'a1')).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await recordsWith()).toEqual(before);
    await write(history, 'a2<u1');
    expect(await shownBy(history)).toEqual(['u1', 'a2<u1', 'head a2']);
  });

  it('AUI-9: a thread that was deleted takes no more messages', async () => {
    const history = historyOf();
    await write(history, 'u1');
    await memoryThreadList(memory).delete('trip');
    const late = { parentId: 'u1', message: said('a1', 'assistant', 'late') };
    await expect(history.append(late)).rejects.toMatchObject({ code: 'not-found' });
    await expect(history.update?.(late, 'a1')).rejects.toMatchObject({ code: 'not-found' });
    await expect(history.delete?.([late])).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('"trip"'),
    });
    expect(await recordsWith()).toEqual([]);
  });

  it('AUI-9: what is no memory or no thread is refused', () => {
    expect(() => memoryThreadHistory({} as Memory, 'trip')).toThrow(/memory must be/);
    for (const thread of ['', undefined, 5])
      expect(() => memoryThreadHistory(memory, thread as string)).toThrow(/needs the id of a thread/);
    expect(() => memoryThreadList({} as Memory)).toThrow(/memory must be/);
  });
});

describe('a thread that is erased', () => {
  it.each([
    ['link is written while the thread is deleted', 'links', () => memoryThreadList(memory).delete('trip')],
    ['row is written while the thread is deleted', 'messages', () => memoryThreadList(memory).delete('trip')],
    ['link is written while the session is forgotten', 'links', () => memory.forget({ sessionId: 'trip' })],
    ['row is written while the session is forgotten', 'messages', () => memory.forget({ sessionId: 'trip' })],
  ])('AUI-41: a message whose %s is not left in the database', async (_when, name, erase) => {
    await write(historyOf(), 'u1');
    const history = historyOf();
    eraseBeforeNextWrite(`assistant-ui/${name}`, erase);
    const late = { parentId: 'u1', message: said('a1', 'assistant', 'late') };
    await expect(history.append(late)).rejects.toMatchObject({ code: 'not-found' });
    expect(await recordsWith()).toEqual([]);
    expect((await memoryThreadList(memory).list()).threads).toEqual([]);
  });

  it('AUI-41: the name that is given to a thread while its session is forgotten is not left in the database', async () => {
    await write(historyOf(), 'u1');
    eraseBeforeNextWrite('assistant-ui/threads', () => memory.forget({ sessionId: 'trip' }));
    const renaming = memoryThreadList(memory).rename('trip', 'Hannah');
    await expect(renaming).rejects.toMatchObject({ code: 'not-found' });
    expect(await recordsWith()).toEqual([]);
  });

  it('AUI-42: a thread without a list that was forgotten and loaded again takes messages', async () => {
    const history = historyOf();
    await write(history, 'u1', 'a1<u1');
    await memory.forget({ everything: true });
    await expect(write(history, 'u2')).rejects.toMatchObject({ code: 'not-found' });
    expect(await shownBy(history)).toEqual(['head null']);
    await write(history, 'u2', 'a2<u2');
    expect(await shownBy(history)).toEqual(['u2', 'a2<u2', 'head a2']);
  });

  /** Erases at the moment at which a checked write would reach the storage, as another tab may. */
  function eraseBeforeNextWrite(namespace: string, erase: () => Promise<unknown>): void {
    const records = memory.records.bind(memory);
    const store = records(namespace);
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementationOnce(async (...given) => {
      await erase();
      return put(...given);
    });
    vi.spyOn(memory, 'records').mockImplementation((name) => (name === namespace ? store : records(name)));
  }
});

/** The keys of all records of the two integrations, or of those that contain a text: ids can contain its letters. */
async function recordsWith(text?: string): Promise<string[]> {
  const namespaces = [
    'assistant-ui/messages',
    'assistant-ui/links',
    'assistant-ui/threads',
    'ai-sdk/ui-messages',
  ];
  const rows = await Promise.all(namespaces.map((namespace) => memory.records(namespace).list()));
  const isFound = (value: unknown): boolean =>
    text === undefined || JSON.stringify(value).includes(JSON.stringify(text));
  return rows.flat().flatMap(({ key, value }) => (isFound(value) ? [key] : []));
}
