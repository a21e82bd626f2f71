import { expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';

const THINGS = ['kayak', 'violin', 'greenhouse', 'drone', 'sourdough', 'telescope', 'caravan', 'loom'];
const DOING = ['repaired', 'sold', 'painted', 'borrowed', 'cleaned', 'lost', 'photographed', 'insured'];

/** Remembers what others say between some statements, whose names occur nowhere else. */
async function tellAmongOthers(said: readonly string[], others = 60): Promise<Memory> {
  let now = Date.UTC(2026, 0, 5);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  const tell = async (user: string): Promise<void> => {
    await memory.remember({ user, assistant: 'Okay.' }, { sessionId: `s${Math.floor(now / 1e9)}` });
    now += 7 * 3_600_000;
  };
  const every = Math.floor(others / said.length);
  for (let other = 0; other < others; other += 1) {
    if (other % every === 0) await tell(said[other / every] ?? 'Good morning.');
    const thing = THINGS[other % THINGS.length];
    const doing = DOING[Math.floor(other / THINGS.length) % DOING.length];
    await tell(
      `My neighbor has ${doing} my ${thing} twice since week ${other}, and I need a new one for my class.`,
    );
  }
  await memory.work.settled();
  return memory;
}

const PAIRS = [
  [
    'My landlord is called Gerhard Brown.',
    'Gerhard fixed the heating within a day.',
    'Is my landlord quick with repairs?',
    'within a day',
  ],
  [
    'Our new cat is called Biscuit.',
    'Biscuit had to go to the vet because of an ear mite.',
    'Is the cat healthy?',
    'ear mite',
  ],
  [
    'My boss Helena is back from leave.',
    'Helena wants the report by Thursday.',
    'What does my boss expect?',
    'Thursday',
  ],
  ['Her brother Tomas is a locksmith.', 'Tomas broke his wrist.', 'Is the locksmith okay?', 'wrist'],
  [
    'My dentist is Dr. Oliver.',
    'Oliver moved his practice to Elm Street.',
    'Where do I have to go to see the dentist?',
    'Elm Street',
  ],
  [
    'I study with Wendy, a classmate.',
    'Wendy got an internship at Bosch.',
    'What does my classmate do now?',
    'Bosch',
  ],
] as const;

it('RANK-27: what was said of somebody by name is told to a question that says who they are', async () => {
  const memory = await tellAmongOthers([...PAIRS.map(([who]) => who), ...PAIRS.map(([, what]) => what)]);
  const session = memory.session('new');
  for (const [, , question, needed] of PAIRS) {
    const { text } = await session.recall(question, { maxTokens: 350 });
    expect(text).toContain(needed);
  }
  await memory.close();
});
