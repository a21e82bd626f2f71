import { expect, it } from 'vitest';
import { approximateTokenizer, createMemory } from '../../../src/index.ts';

it('PROF-9: the profile is chosen once until something is learned or forgotten', async () => {
  const counted: string[] = [];
  const own = approximateTokenizer();
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: { delayMs: 0 },
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
