import { expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

async function told(options: object = {}): Promise<Memory> {
  const memory = await memoryOf({ name: newId(), sessionId: 's', learning: { delayMs: 0 }, ...options });
  await memory.remember({ user: 'I live in Paris. Sam lives in Lisbon.', assistant: 'Oh.' });
  await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
  await memory.work.settled();
  return memory;
}

/** What a person sees of it. */
async function seen(memory: Memory): Promise<unknown> {
  const facts = await memory.facts.list();
  return {
    history: (await memory.history()).map(({ content }) => content),
    facts: facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).toSorted(),
    titles: (await memory.sessions()).map(({ title }) => title),
    profile: (await memory.profile()).map(({ text }) => text).toSorted(),
  };
}

it('BAK-37: with restoreForgotten everything forgotten is restored, and without it nothing', async () => {
  const memory = await told();
  const home = (await memory.facts.list()).find(({ object }) => object === 'Paris');
  await memory.facts.correct(home?.id ?? '', { object: 'Basel' });
  const before = await seen(memory);
  const backup = await memory.backup.export();
  await memory.forget({ everything: true });
  const nothing = { messages: 0, sessions: 0, facts: 0, entities: 0, summaries: 0 };
  expect(await memory.backup.import(backup)).toMatchObject(nothing);
  expect(await memory.facts.list({ includeHistory: true })).toEqual([]);
  expect(await memory.facts.entities()).toEqual([]);
  const receipt = await memory.backup.import(backup, { restoreForgotten: true });
  expect(receipt).toMatchObject({ messages: 4, sessions: 1 });
  await memory.work.settled();
  expect(await seen(memory)).toEqual(before);
  // What has come back is forgotten no more: the same file changes nothing, and it may be forgotten again.
  expect(await memory.backup.import(backup)).toMatchObject(nothing);
  expect(await seen(memory)).toEqual(before);
  await memory.backup.rebuild();
  expect(await seen(memory)).toEqual(before);
  await memory.forget({ everything: true });
  expect(await memory.backup.import(backup)).toMatchObject(nothing);
});

it('BAK-38: with restoreForgotten what was forgotten by name or id is restored, if the backup has it', async () => {
  const name = newId();
  const memory = await told({ name });
  const before = await seen(memory);
  const backup = await memory.backup.export();
  await memory.remember({ user: 'My cat is called Tom.', assistant: 'Nice.' });
  await memory.work.settled();
  await memory.forget({ entity: 'Sam' });
  await memory.forget({ entity: 'Tom' });
  const dog = (await memory.facts.list()).find(({ object }) => object === 'Max');
  await memory.forget({ factId: dog?.id ?? '' });
  expect(await memory.facts.list()).toHaveLength(1);
  await memory.backup.import(backup);
  expect(await memory.facts.list()).toHaveLength(1);
  await memory.backup.import(backup, { restoreForgotten: true });
  await memory.work.settled();
  expect(((await seen(memory)) as { facts: unknown }).facts).toEqual((before as { facts: unknown }).facts);
  await memory.backup.rebuild();
  const facts = ((await seen(memory)) as { facts: string[] }).facts;
  expect(facts).toEqual((before as { facts: unknown }).facts);
  expect(JSON.stringify(await dump(name))).toContain('Tom'); // in the turn
  expect(facts.join()).not.toContain('Tom');
});

it('BAK-39: what was forgotten according to the backup is erased with restoreForgotten too', async () => {
  const memory = await told();
  const other = await memoryOf({ sessionId: 's', learning: { delayMs: 0 } });
  await other.backup.import(await memory.backup.export());
  await other.forget({ entity: 'Sam', turns: true });
  await other.work.settled();
  await memory.backup.import(await other.backup.export(), { restoreForgotten: true });
  await memory.work.settled();
  expect(JSON.stringify(await seen(memory))).not.toContain('Sam');
  expect(await memory.history()).toHaveLength(2);
});

it('BAK-40: unknown options of an import and invalid values are rejected, and nothing changes', async () => {
  const memory = await told();
  const backup = await memory.backup.export();
  const wrong = { code: 'invalid-option' };
  await expect(memory.backup.import(backup, { as: 'mine' as never })).rejects.toMatchObject(wrong);
  await expect(memory.backup.import(backup, { restoreForgotten: 1 as never })).rejects.toMatchObject(wrong);
  await expect(memory.backup.import(backup, { restore: true } as never)).rejects.toMatchObject(wrong);
  expect(await memory.backup.import(backup, { as: 'own', restoreForgotten: false })).toMatchObject({
    messages: 0,
  });
});
