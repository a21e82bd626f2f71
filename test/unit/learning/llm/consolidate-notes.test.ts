import { expect, it } from 'vitest';
import type { Extractor, Memory } from '../../../../src/index.ts';
import { codedExtractor } from '../../../fakes/coded-extractor.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';

const MERGED = 'Sam plays the cello. Sam bakes bread. Sam is married to Dana.';

const TURNS = [
  'Sam plays the cello. [[Sam:Sam plays the cello.]]',
  'Sam bakes bread. [[Sam:Sam bakes bread.]]',
  'Sam is married to Dana. [[Sam|is married to|Dana]]',
  // Notes are merged after 20 turns.
  ...Array.from({ length: 20 }, (_, number) => `Turn ${number}.`),
];

/** Tells a memory all turns, and merges its notes. Returns everything but the turns as a backup has it. */
async function merged(duringMerge: (memory: Memory) => Promise<unknown>): Promise<string> {
  const shown: unknown[] = [];
  const consolidate: Extractor['consolidate'] = async ({ entities }) => {
    shown.push(...entities);
    await duringMerge(memory);
    return new Map([['Sam', MERGED]]);
  };
  const extractor = { ...codedExtractor(), batchTurns: 10, consolidate };
  const memory = await memoryOf({ storage: 'memory', sessionId: 's', learning: { extractor, delayMs: 0 } });
  for (const user of TURNS) await memory.remember({ user, assistant: 'I see.' });
  await memory.work.settled();
  expect(shown).toMatchObject([{ name: 'Sam', facts: ['Sam is married to Dana'] }]);
  const lines = (await (await memory.backup.export()).text()).split('\n');
  return lines.filter((line) => !line.includes('"store":"messages"')).join('\n');
}

it('FGT-76: notes that a model has merged are stored if nothing that it was shown was forgotten', async () => {
  expect(await merged(async () => undefined)).toContain(MERGED);
});

it.each<[string, (memory: Memory) => Promise<unknown>]>([
  ['a name in a fact', (memory) => memory.forget({ entity: 'Dana' })],
  ['a fact', async (memory) => memory.forget({ factId: (await memory.facts.list())[0]?.id ?? '' })],
])(
  'FGT-76: notes that a model has merged are dropped if %s that it was shown was forgotten',
  async (_, forget) => {
    const learned = await merged(forget);
    expect(learned).not.toContain('Dana');
    expect(learned).toContain('Sam bakes bread.');
  },
);
