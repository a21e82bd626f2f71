import { expect, it, onTestFinished } from 'vitest';
import { createMemory } from '../../../../src/index.ts';

it("FACT-40: facts about 'me' contain those about the user's daughter, each once", async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  onTestFinished(() => memory.close());
  await memory.remember({ user: 'My name is Ada.', assistant: 'Hello Ada.' });
  await memory.remember({
    user: 'My daughter is allergic to peanuts.',
    assistant: 'I will keep that in mind.',
  });
  await memory.remember({ user: 'Nora lives in Oslo.', assistant: 'I see.' });
  await memory.work.settled();
  const about = async (name?: string): Promise<string[]> =>
    (await memory.facts.list(name === undefined ? {} : { about: name })).map(
      ({ subject, predicate, object }) => `${subject} ${predicate} ${object}`,
    );
  const daughter = "user's daughter is allergic to peanuts";
  const [first, ...rest] = await about('me');
  expect(first).toMatch(/^user .*Ada$/);
  expect(rest).toEqual([daughter]);
  expect(await about('I')).toEqual(await about('me'));
  expect(await about('my daughter')).toEqual([daughter]);
  expect(await about('peanuts')).toEqual([daughter]);
  expect((await about()).length).toBeGreaterThan(2);
});

it("FACT-40: facts about 'me' contain those about relatives who have a name", async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  onTestFinished(() => memory.close());
  await memory.remember({ user: 'My daughter Ana is allergic to kiwi.', assistant: 'I see.' });
  await memory.work.settled();
  const facts = await memory.facts.list({ about: 'me' });
  expect(facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`)).toEqual([
    'user has daughter Ana',
    'Ana is allergic to kiwi',
  ]);
});
