import { expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const LATER_MS = 60_000;

/** Two devices with the same turn, which each of them has learned from by itself. */
async function devices(): Promise<readonly [here: Memory, there: Memory]> {
  const [here, there] = await Promise.all(
    ['here', 'there'].map((sessionId) =>
      memoryOf({ storage: 'memory', sessionId, learning: { delayMs: LATER_MS } }),
    ),
  );
  if (!here || !there) throw new Error('The memories were not opened.');
  await here.remember({ user: 'My cat is called Faro.', assistant: 'I see.' });
  await there.backup.import(await here.backup.export());
  const [mine, theirs] = [await cat(here), await cat(there)];
  expect(mine.id).not.toBe(theirs.id);
  return [here, there];
}

/** Merges what one device has into another, which then does its work. */
async function merge(from: Memory, into: Memory): Promise<void> {
  await into.backup.import(await from.backup.export());
  await into.work.settled();
}

/** All facts, including those that no longer hold. */
async function known(memory: Memory): Promise<string[]> {
  await memory.work.settled();
  const facts = await memory.facts.list({ includeHistory: true });
  return facts.map(({ predicate, object }) => `${predicate} ${object}`);
}

async function cats(memory: Memory): Promise<string[]> {
  await memory.work.settled();
  return (await memory.facts.list()).map(({ object }) => object);
}

async function cat(memory: Memory): Promise<{ readonly id: string }> {
  await memory.work.settled();
  const [fact, ...others] = await memory.facts.list();
  expect(others).toEqual([]);
  if (!fact) throw new Error('Nothing was learned.');
  return fact;
}

it('BAK-80: what two devices learned from one message is one fact after a merge in either direction', async () => {
  const [here, there] = await devices();
  await merge(there, here);
  await merge(here, there);
  await merge(there, here);
  for (const memory of [here, there]) {
    expect(await known(memory)).toEqual(['has cat Faro']);
    expect((await memory.backup.verify()).problems).toEqual([]);
  }
});

it('BAK-80: after the merge, one call forgets the fact on both devices', async () => {
  const [here, there] = await devices();
  await merge(there, here);
  await here.forget({ factId: (await cat(here)).id });
  expect(await known(here)).toEqual([]);
  await merge(here, there);
  await merge(there, here);
  expect(await known(here)).toEqual([]);
  expect(await known(there)).toEqual([]);
});

it.each(['before', 'after'])(
  'BAK-80: a correction that was made %s the merge replaces the fact on both devices',
  async (time) => {
    const [here, there] = await devices();
    if (time === 'after') await merge(there, here);
    await here.facts.correct((await cat(here)).id, { object: 'Miso' });
    await merge(here, there);
    await merge(there, here);
    expect(await cats(here)).toEqual(['Miso']);
    expect(await cats(there)).toEqual(['Miso']);
    expect((await there.backup.verify()).problems).toEqual([]);
  },
);

it('BAK-81: a fact that was forgotten is not brought back by a device that learned it by itself', async () => {
  const [here, there] = await devices();
  await here.forget({ factId: (await cat(here)).id });
  await merge(there, here);
  expect(await known(here)).toEqual([]);
  await here.backup.rebuild();
  expect(await known(here)).toEqual([]);
});

it('BAK-81: a fact that was forgotten is erased where another device learned it by itself', async () => {
  const [here, there] = await devices();
  await here.forget({ factId: (await cat(here)).id });
  await merge(here, there);
  expect(await known(there)).toEqual([]);
  await there.backup.rebuild();
  expect(await known(there)).toEqual([]);
});

it('BAK-38: with restoreForgotten, a device that learned the fact by itself brings it back', async () => {
  const [here, there] = await devices();
  await here.forget({ factId: (await cat(here)).id });
  await here.backup.import(await there.backup.export(), { restoreForgotten: true });
  expect(await known(here)).toEqual(['has cat Faro']);
});
