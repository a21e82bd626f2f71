import { expect, it, onTestFinished, vi } from 'vitest';
import { createMemory, type Memory, type RecalledContext } from '../../../src/index.ts';
import { analyze } from '../../../src/language/terms.ts';

async function memoryThatHeard(...said: string[]): Promise<Memory> {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  onTestFinished(() => memory.close());
  for (const user of said) await memory.remember({ user, assistant: 'I will keep that in mind.' });
  return memory;
}

const ask = (memory: Memory, question: string): Promise<RecalledContext> =>
  memory.session('another').recall(question);

const BIKE = ['thinking of buying a cargo bike, its like 2300 euro', 'wait no the bike is 2800 not 2300'];

it.each([
  ['My daughter is allergic to peanuts.', 'What is my daughter allergic to?'],
  ['Remember: the spare key is with our neighbor Amira.', 'Where is the spare key?'],
  ['My sister Nora lives in Oslo.', 'Where does Nora live?'],
  ['Our tortoise Shelly stays with Martin when we travel.', 'Where does Martin live?'],
  ['The printer at the club is broken until Friday.', 'Is the printer still broken?'],
  ['We painted the boat dark green.', 'What color did we paint the boat?'],
  ['the boiler pressure should be 1.5 bar', 'what should the boiler pressure be?'],
  ['the guest wifi is "Olive Tree"', 'what is the guest wifi called?'],
])('REC-50: before anything was learned from %j, %j recalls it', async (said, question) => {
  const memory = await memoryThatHeard(said);
  const { items, text } = await ask(memory, question);
  expect(items.map(({ kind }) => kind)).toContain('recalled');
  expect(text).toContain(said);
  expect(await memory.work.list()).not.toEqual([]); // the turn still waits to be learned from
});

it.each([
  'how much is the cargo bike',
  'how much does the cargo bike cost?',
  'what does the cargo bike cost?',
  'how much is the bike?',
])('GATE-30: %j recalls both turns about it, before and after the background work', async (question) => {
  const memory = await memoryThatHeard(...BIKE);
  for (const wait of [false, true]) {
    if (wait) await memory.work.settled();
    const { text } = await ask(memory, question);
    for (const said of BIKE) expect(text).toContain(said);
  }
});

it.each([
  'how much is a kilo of rice?',
  'how heavy is the average blue whale?',
  'how much does a bike weigh?',
  'What is the capital of Mongolia?',
])('GATE-30: %j, of which the user has said nothing, recalls nothing', async (question) => {
  const memory = await memoryThatHeard(...BIKE, 'how heavy is the average blue whale?');
  for (const wait of [false, true]) {
    if (wait) await memory.work.settled();
    expect((await ask(memory, question)).items.filter(({ kind }) => kind === 'recalled')).toEqual([]);
  }
});

it('REC-36: an analyzer is called once for a question', async () => {
  const cut: string[] = [];
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    analyzer: {
      id: 'counting/1',
      analyze(text) {
        cut.push(text);
        return analyze(text);
      },
    },
  });
  onTestFinished(() => memory.close());
  await memory.remember({ user: 'I live in Rome.', assistant: 'I see.' });
  await memory.search('Rome'); // the message is indexed
  for (const question of ['Quick question: where do I live?', 'how far is Rome']) {
    cut.length = 0;
    await ask(memory, question);
    expect(cut).toEqual([question]);
    cut.length = 0;
    await memory.search(question);
    expect(cut).toEqual([question]);
  }
});

it('REC-81: a question is normalized five times', async () => {
  const memory = await memoryThatHeard('My zebra finch is called Pip.', 'I collect stamps.');
  await memory.work.settled();
  const normalize = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => normalize.mockRestore());
  const { items } = await ask(memory, 'Where does my zebra finch Pip sleep?');
  expect(items).not.toEqual([]);
  const read = normalize.mock.contexts.filter((text) => /^where does my zebra/i.test(String(text)));
  expect(read.length).toBeLessThanOrEqual(5);
  expect(read.length).toBeGreaterThan(0);
});
