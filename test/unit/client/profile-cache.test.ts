import { expect, it } from 'vitest';
import { approximateTokenizer, createMemory } from '../../../src/index.ts';

it('PROF-9: the profile is chosen once until something is learned or forgotten', async () => {
  const counted: string[] = [];
  const own = approximateTokenizer();
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: { delayMs: 0 },
    clock: () => Date.UTC(2024, 0, 1),
    tokenizer: {
      ...own,
      id: 'counting/1',
      countText(text) {
        counted.push(text);
        return own.countText(text);
      },
    },
  });
  const stated = await memory.remember({ user: 'I am allergic to walnuts.', assistant: 'I see.' });
  await memory.remember({ user: 'I live in Rome with my sister.', assistant: 'I see.' });
  await memory.work.settled();
  /** Texts that are counted for a profile, besides the lines that it consists of. */
  const choosing = async (): Promise<number> => {
    counted.length = 0;
    const lines = await memory.profile();
    return counted.length - lines.length;
  };
  expect(await choosing()).toBeGreaterThan(0);
  expect(await choosing()).toBe(0);
  await memory.recall('Where do I live?');
  expect(await choosing()).toBe(0);
  await memory.remember({ user: 'I am vegan.', assistant: 'I see.' });
  await memory.work.settled();
  expect(await choosing()).toBeGreaterThan(0);
  expect(await choosing()).toBe(0);
  await memory.forget({ turnId: stated.turnId });
  expect(await choosing()).toBeGreaterThan(0);
  expect((await memory.profile()).map(({ text }) => text)).not.toContain('I am allergic to walnuts.');
  await memory.close();
});

it('REC-105: recall and profile tell a fact neither after its stated end nor before its begin, although nothing was stored since', async () => {
  const day = 24 * 60 * 60_000;
  let now = Date.UTC(2024, 0, 1, 10, 0, 30);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  await memory.facts.add({
    subject: 'user',
    predicate: 'stays at',
    object: 'Hotel Bristol',
    validTo: now + day,
  });
  await memory.facts.add({
    subject: 'user',
    predicate: 'works at',
    object: 'Acme',
    validFrom: now + 2 * day,
  });
  /** Facts that a context and the profile tell at a time. */
  const toldAt = async (time: number): Promise<{ recalled: string[]; profile: string[] }> => {
    now = time;
    const { text } = await memory.recall('Where do I stay and where do I work?');
    const facts = ['user stays at Hotel Bristol', 'user works at Acme'];
    return {
      recalled: facts.filter((fact) => text.includes(fact)),
      profile: (await memory.profile()).map((line) => line.text),
    };
  };
  const start = now;
  const stays = ['user stays at Hotel Bristol'];
  const works = ['user works at Acme'];
  expect(await toldAt(start)).toEqual({ recalled: stays, profile: stays });
  expect(await toldAt(start + day - 60_000)).toEqual({ recalled: stays, profile: stays });
  expect(await toldAt(start + day + 60_000)).toEqual({ recalled: [], profile: [] });
  expect(await toldAt(start + 2 * day - 60_000)).toEqual({ recalled: [], profile: [] });
  expect(await toldAt(start + 2 * day + 60_000)).toEqual({ recalled: works, profile: works });
  await memory.close();
});

it.each([160, 250, 350, 700])(
  'PROF-12: a context of %i tokens contains all lines of the profile, and a standing wish before all others',
  async (maxTokens) => {
    const memory = await createMemory({ storage: 'memory', embedder: false, maxTokens });
    for (const said of [
      'Always answer me in short bullet lists.',
      'I work as a nurse in the children’s hospital of Turin.',
      'I am allergic to penicillin, it gives me a rash.',
      'My dog Rex is thirteen years old and nearly blind.',
      'I do not eat pork or anything with gelatin in it.',
      'My daughter Carla has lactose intolerance since she was four.',
      'I live in Turin, on the fifth floor without a lift.',
    ]) {
      await memory.remember({ user: said, assistant: 'I see.' });
    }
    await memory.work.settled();
    const lines = (await memory.profile()).map(({ text }) => text);
    const { items } = await memory.session('other').recall('What is a glacier?');
    expect(items.filter(({ kind }) => kind === 'profile').map(({ text }) => text)).toEqual(lines);
    expect(lines.some((line) => line.startsWith('Always answer'))).toBe(true);
    await memory.close();
  },
);
