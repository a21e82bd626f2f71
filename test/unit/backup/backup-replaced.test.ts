import { expect, it, onTestFinished } from 'vitest';
import { createMemory, openDatabase, type Memory } from '../../../src/index.ts';
import { memoryRetriever } from '../../../src/search.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

async function open(): Promise<Memory> {
  const memory = await createMemory({ storage: 'memory', sessionId: 's', embedder: false });
  onTestFinished(() => memory.close());
  return memory;
}

async function pets(memory: Memory): Promise<string[]> {
  await memory.work.settled();
  const facts = await memory.facts.list();
  return facts.filter(({ predicate }) => predicate === 'has cat').map(({ object }) => object);
}

it('BAK-73: an import replaces the turns that were replaced in the file', async () => {
  const [here, there] = [await open(), await open()];
  const old = await here.remember({ user: 'My cat is called Faro.', assistant: 'I see.' });
  await there.backup.import(await here.backup.export());
  await there.remember({ user: 'My cat is called Miso.', assistant: 'I see.' }, { replaces: old.turnId });
  expect(await pets(here)).toEqual(['Faro']);
  await here.backup.import(await there.backup.export());
  expect(await pets(here)).toEqual(['Miso']);
  expect(await here.search('Faro')).toEqual([]);
  const states = (await here.history()).map(({ content, state }) => `${String(content)} ${state}`);
  expect(states).toContain('My cat is called Faro. replaced');
  expect((await here.sessions())[0]?.title).toBe('My cat is called Miso.');
  expect((await here.backup.verify()).problems).toEqual([]);
});

it('BAK-73: an import that completes a turn replaces what the turn was to replace', async () => {
  const [here, there] = [await open(), await open()];
  const old = await here.remember({ user: 'My cat is called Faro.', assistant: 'I see.' });
  const question = { role: 'user', content: 'My cat is called Miso.' } as const;
  const pending = { turnId: 'new', replaces: old.turnId, state: 'pending' } as const;
  await here.remember({ messages: [question] }, pending);
  await there.backup.import(await here.backup.export());
  await there.remember(
    { messages: [question, { role: 'assistant', content: 'I see.' }] },
    { turnId: 'new', replaces: old.turnId },
  );
  expect(await pets(here)).toEqual(['Faro']);
  await here.backup.import(await there.backup.export());
  expect(await pets(here)).toEqual(['Miso']);
});

it('BAK-82: an older backup brings back no fact of a turn that was replaced since', async () => {
  const here = await open();
  const old = await here.remember({ user: 'My cat is called Faro.', assistant: 'I see.' });
  expect(await pets(here)).toEqual(['Faro']);
  const backup = await here.backup.export();
  await here.remember({ user: 'My cat is called Miso.', assistant: 'I see.' }, { replaces: old.turnId });
  expect(await pets(here)).toEqual(['Miso']);
  await here.backup.import(backup);
  expect(await pets(here)).toEqual(['Miso']);
  const { messages } = await here.recall('What is my cat called?');
  expect(JSON.stringify(messages)).not.toContain('Faro');
  expect(await here.search('Faro')).toEqual([]);
  expect((await here.backup.verify()).problems).toEqual([]);
});

it('BAK-82: an older backup brings back no summary of turns that were replaced since', async () => {
  const here = await memoryOf({ storage: 'memory', sessionId: 's', recentTurns: 2 });
  const turnIds: string[] = [];
  for (const user of ['My cat is called Faro.', 'I had rice.', 'I had soup.', 'I had tea.', 'I had figs.'])
    turnIds.push((await here.remember({ user, assistant: 'I see.' })).turnId);
  await here.work.settled();
  expect((await here.summary())?.text).toContain('Faro');
  const backup = await here.backup.export();
  await here.remember({ user: 'Nothing.', assistant: 'I see.' }, { replaces: turnIds });
  await here.work.settled();
  await here.backup.import(backup);
  await here.work.settled();
  expect((await here.summary())?.text ?? '').not.toContain('Faro');
});

it('FGT-70: everything goes with the lists of chat memories and texts of retrievers, and no older backup restores them', async () => {
  const database = await openDatabase({ storage: 'memory' });
  const memory = await createMemory({ database, sessionId: 's', embedder: false });
  onTestFinished(() => memory.close());
  const retriever = memoryRetriever({ database, sessionId: 's', embedder: false });
  await memory.remember({ user: 'I love sailing.', assistant: 'I see.' });
  await retriever.add([{ id: 'd', text: 'A note on Zaphod.' }]);
  await database.chatMemoryStore().updateMessages('s', [{ role: 'user', content: 'Zaphod, only here.' }]);
  const backup = await memory.backup.export();
  const preview = await memory.forget({ everything: true }, { preview: true });
  expect(await memory.forget({ everything: true })).toEqual(preview);
  expect(await database.chatMemoryStore().getMessages('s')).toEqual([]);
  await memory.backup.import(backup);
  expect(await retriever.search('note on Zaphod')).toEqual([]);

  await retriever.add([{ id: 'd', text: 'Another note.' }]);
  const other = await openDatabase({ storage: 'memory' });
  const copy = await createMemory({ database: other, embedder: false });
  onTestFinished(() => copy.close());
  await copy.backup.import(await memory.backup.export());
  expect(await memoryRetriever({ database: other, embedder: false }).search('another note')).toHaveLength(1);
});
