import { Chat } from '@ai-sdk/react';
import type { RemoteThreadListAdapter, ThreadMessage } from '@assistant-ui/react';
import type { ChatTransport, UIMessage } from 'ai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemory, type Memory } from '../../../../src/index.ts';
import { memoryTransport } from '../../../../src/integrations/ai-sdk.ts';
import { memoryThreadHistory, memoryThreadList } from '../../../../src/integrations/assistant-ui.ts';
import { scriptedAIModel } from '../../../fakes/scripted-ai-model.ts';
import { timeoutMs } from '../../../fixtures/integrations/ai-sdk-chat.ts';
import { said, uiMessageFormat } from '../../../fakes/ui-message-format.ts';

let memory: Memory;
let threads: RemoteThreadListAdapter;

beforeEach(async () => {
  memory = await createMemory({ storage: 'memory', embedder: false });
  threads = memoryThreadList(memory);
});

afterEach(() => memory.close());

it('AUI-10: each session is a thread, newest first, with the title of the session until it is given a name', async () => {
  await memory.remember({ user: 'About boats.', assistant: 'Yes.' }, { sessionId: 'one' });
  await memory.remember({ user: 'About trains.', assistant: 'Yes.' }, { sessionId: 'a b/é' });
  await threads.initialize('empty');
  await threads.rename('a b/é', 'Railways');
  const byId = async (): Promise<unknown[]> => {
    const { threads: listed } = await threads.list();
    return listed.map(({ remoteId, title, status }) => [remoteId, title, status]);
  };
  const boats = ['one', 'About boats.', 'regular'];
  expect(new Set(await byId())).toEqual(
    new Set([['a b/é', 'Railways', 'regular'], ['empty', undefined, 'regular'], boats]),
  );
  const times = (await threads.list()).threads.flatMap(({ lastMessageAt }) => lastMessageAt?.getTime() ?? []);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(await threads.fetch('one')).toMatchObject({ remoteId: 'one', title: 'About boats.' });

  await threads.archive('a b/é');
  await threads.updateCustom?.('a b/é', { color: 'red' });
  const fetched = { remoteId: 'a b/é', title: 'Railways', status: 'archived', custom: { color: 'red' } };
  expect(await threads.fetch('a b/é')).toMatchObject(fetched);
  await threads.unarchive('a b/é');
  await threads.updateCustom?.('a b/é', undefined);
  await threads.rename('a b/é', '');
  const renamed = await threads.fetch('a b/é');
  expect(renamed).toMatchObject({ title: 'About trains.', status: 'regular' });
  expect(renamed.custom).toBeUndefined();
  expect(await byId()).toContainEqual(boats);
});

it('AUI-15: a list that is read while the page begins a thread does not have that thread, the next one has it', async () => {
  await memory.remember({ user: 'About boats.', assistant: 'Yes.' }, { sessionId: 'one' });
  const ids = async (): Promise<string[]> =>
    (await threads.list()).threads.map(({ remoteId }) => remoteId).toSorted();
  const sessions = memory.sessions.bind(memory);
  vi.spyOn(memory, 'sessions').mockImplementationOnce(async () => {
    await threads.initialize('two');
    await memory.remember({ user: 'About trains.', assistant: 'Yes.' }, { sessionId: 'two' });
    return sessions();
  });
  expect(await ids()).toEqual(['one']);
  expect(await ids()).toEqual(['one', 'two']);
});

it('AUI-10: changes of two tabs to one thread are both kept', async () => {
  await threads.initialize('one');
  await Promise.all([threads.rename('one', 'Boats'), threads.archive('one'), threads.initialize('one')]);
  expect(await threads.fetch('one')).toMatchObject({ title: 'Boats', status: 'archived' });
});

it('AUI-10: a session that is forgotten elsewhere is no thread, and its name is gone', async () => {
  await memory.remember({ user: 'About boats.', assistant: 'Yes.' }, { sessionId: 'one' });
  await threads.rename('one', 'Yachts');
  await memory.forget({ sessionId: 'one' });
  expect((await threads.list()).threads).toEqual([]);
  expect(await memory.records('assistant-ui/threads').list()).toEqual([]);
});

it('AUI-11: the title of a thread is its name, the title of its session, or the beginning of its question', async () => {
  const question = { role: 'user', content: [{ type: 'text', text: ` About\nboats ${'and '.repeat(30)}` }] };
  const titleOf = async (threadId: string): Promise<string> => {
    let text = '';
    for await (const chunk of await threads.generateTitle(threadId, [question as unknown as ThreadMessage]))
      if (chunk.type === 'text-delta') text += chunk.textDelta;
    return text;
  };
  await threads.initialize('one');
  expect(await titleOf('one')).toBe('About boats and and and and and and and and and and and and…');
  await memory.remember({ user: 'About trains.', assistant: 'Yes.' }, { sessionId: 'one' });
  expect(await titleOf('one')).toBe('About trains.');
  await threads.rename('one', 'Railways');
  expect(await titleOf('one')).toBe('Railways');
  expect((await threads.generateTitle('two', [])).getReader).toBeDefined();
});

it('AUI-11: a thread in which the user has said nothing, such as the notes of a model, begins with its first message', async () => {
  const messages = [{ role: 'assistant', content: 'The user  sails on Sundays.' }] as const;
  const { turnId } = await memory.remember({ messages }, { sessionId: 'notes' });
  const titles = async (): Promise<unknown[]> => (await threads.list()).threads.map(({ title }) => title);
  expect(await titles()).toEqual(['The user sails on Sundays.']);
  expect(await threads.fetch('notes')).toMatchObject({ title: 'The user sails on Sundays.' });
  await memory.remember({ messages: [{ role: 'assistant', content: 'Another.' }] }, { sessionId: 'notes' });
  await memory.forget({ turnId });
  expect(await titles()).toEqual(['Another.']);
});

it('AUI-40: what is asked in a thread that was deleted in another tab is neither sent nor stored', async () => {
  const { model, prompts } = scriptedAIModel([{ say: 'Hello.' }, { say: 'Again.' }, { say: 'New.' }]);
  const chatOf = (transport: ChatTransport<UIMessage>): Chat<UIMessage> => new Chat({ id: 'one', transport });
  const chat = chatOf(memoryTransport(memory, { model, timeoutMs }));
  await threads.initialize('one');
  await chat.sendMessage({ text: 'My sister Nadia lives in Brno.' });
  await threads.delete('one');
  await chat.sendMessage({ text: 'Where does she live?' });
  expect(chat.error).toMatchObject({
    code: 'not-found',
    message: 'The chat "one" was deleted. Nothing was sent or stored. Start a new chat.',
  });
  expect(prompts).toHaveLength(1);
  expect((await threads.list()).threads).toEqual([]);
  expect(await memory.history({ sessionId: 'one' })).toEqual([]);
  const backup = await (await memory.backup.export()).text();
  expect(backup).not.toMatch(/Nadia|Where does she/u);

  await threads.initialize('one'); // begun again
  await chatOf(memoryTransport(memory, { model, timeoutMs })).sendMessage({ text: 'Hi.' });
  expect(prompts).toHaveLength(2);
  expect(await memory.history({ sessionId: 'one' })).toHaveLength(2);
});

it('AUI-40: a thread without a list is begun again when it is loaded', async () => {
  const { model, prompts } = scriptedAIModel([{ say: 'Hello.' }]);
  await memory.remember({ user: 'About boats.', assistant: 'Yes.' }, { sessionId: 'one' });
  await threads.delete('one');
  await memoryThreadHistory(memory, 'one').load();
  const chat = new Chat({ id: 'one', transport: memoryTransport(memory, { model, timeoutMs }) });
  await chat.sendMessage({ text: 'Hi.' });
  expect(prompts).toHaveLength(1);
});

it('AUI-40: a deleted thread that a backup has brought back goes on', async () => {
  const { model, prompts } = scriptedAIModel([{ say: 'Hello.' }]);
  await memory.remember({ user: 'About boats.', assistant: 'Yes.' }, { sessionId: 'one' });
  const backup = await memory.backup.export();
  await threads.delete('one');
  await memory.backup.import(backup, { restoreForgotten: true });
  const chat = new Chat({ id: 'one', transport: memoryTransport(memory, { model, timeoutMs }) });
  await chat.sendMessage({ text: 'And trains?' });
  expect(prompts).toHaveLength(1);
  expect(await memory.history({ sessionId: 'one' })).toHaveLength(4);
});

it('AUI-12: deleting a thread forgets its session with its messages, and no other', async () => {
  for (const id of ['one', 'one two']) {
    await memory.remember({ user: `About ${id}.`, assistant: 'Yes.' }, { sessionId: id });
    await threads.rename(id, `Name of ${id}`);
    const history = memoryThreadHistory(memory, id).withFormat?.(uiMessageFormat);
    await history?.append({ parentId: null, message: said('u1', 'user', `Row of ${id}`) });
  }
  await threads.initialize('empty');
  await threads.delete('one');
  await threads.delete('empty');
  expect((await threads.list()).threads.map(({ remoteId }) => remoteId)).toEqual(['one two']);
  expect(await memory.history({ sessionId: 'one' })).toEqual([]);
  const kept = await Promise.all(
    ['messages', 'links', 'threads'].map((name) => memory.records(`assistant-ui/${name}`).list()),
  );
  expect(kept.flat().every(({ sessionId }) => sessionId === 'one two')).toBe(true);
  expect(kept.map((records) => records.length)).toEqual([1, 1, 2]);
});

it('AUI-9: a thread that does not exist is refused by its id, and nothing is changed', async () => {
  await memory.remember({ user: 'About boats.', assistant: 'Yes.' }, { sessionId: 'one' });
  const before = await threads.list();
  const refused = { code: 'not-found', message: expect.stringContaining('"nobody"') };
  await expect(threads.rename('nobody', 'x')).rejects.toMatchObject(refused);
  await expect(threads.archive('nobody')).rejects.toMatchObject(refused);
  await expect(threads.unarchive('nobody')).rejects.toMatchObject(refused);
  await expect(threads.updateCustom?.('nobody', {})).rejects.toMatchObject(refused);
  await expect(threads.delete('nobody')).rejects.toMatchObject(refused);
  await expect(threads.fetch('nobody')).rejects.toMatchObject(refused);
  await expect(threads.rename('one', 5 as unknown as string)).rejects.toMatchObject({
    code: 'invalid-input',
  });
  await expect(threads.initialize('')).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(threads.fetch(undefined as unknown as string)).rejects.toMatchObject({
    code: 'invalid-input',
  });
  expect(await threads.list()).toEqual(before);
  expect(await memory.records('assistant-ui/threads').list()).toEqual([]);
});
