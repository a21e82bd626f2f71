import { expect, it } from 'vitest';
import type { Memory } from '../../../src/client/memory.ts';
import type { MemoryFact } from '../../../src/client/rooms/facts-room.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

function tellingMemory(): Promise<Memory> {
  let now = Date.UTC(2026, 0, 1);
  return memoryOf({
    storage: 'memory',
    tokenizer: approximateTokenizer(),
    learning: { delayMs: 0 },
    clock: () => (now += 60_000),
  });
}

const statements = (facts: readonly MemoryFact[]): string[] =>
  facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);

const FILM = 'Christopher Nolan directed Memento';

async function tellOfNolan(memory: Memory): Promise<void> {
  await memory.remember({
    user: 'Which film is good?',
    assistant: '"Memento", directed by Christopher Nolan.',
  });
  await memory.remember({ user: 'I live in Rome.', assistant: 'Nice.' });
  await memory.work.settled();
}

it('TRU-12: facts() leaves out what only an assistant has said, unless includeUnconfirmed is set', async () => {
  const memory = await tellingMemory();
  await tellOfNolan(memory);
  expect(statements(await memory.facts.list())).toEqual(['user lives in Rome']);
  expect(statements(await memory.facts.list({ about: 'Christopher Nolan' }))).toEqual([]);
  const all = await memory.facts.list({ includeUnconfirmed: true });
  expect(statements(all)).toEqual([FILM, 'user lives in Rome']);
  await memory.facts.pin(all[0]?.id ?? '');
  expect(statements(await memory.facts.list())).toEqual([FILM, 'user lives in Rome']);
  await expect(memory.facts.list({ includeUnconfirmed: 'yes' as unknown as boolean })).rejects.toMatchObject({
    code: 'invalid-option',
  });
});

it('TRU-13: a fact that only an assistant has said is recalled together with who said it', async () => {
  const memory = await tellingMemory();
  await tellOfNolan(memory);
  // One whose turn is quoted is not listed as well.
  const considered = await memory
    .session('later')
    .explain('Which films has Nolan directed, and where do I live?');
  const facts = considered.filter(({ kind }) => kind === 'fact').map(({ text }) => text);
  expect(facts).toEqual(
    expect.arrayContaining([
      `${FILM} (2026-01-01, said by the assistant)`,
      'user lives in Rome (2026-01-01)',
    ]),
  );
});

it("TRU-14: what the user said stays the user's word when an assistant repeats it", async () => {
  const memory = await tellingMemory();
  await memory.remember({ user: 'I live in Rome.', assistant: 'Nice.' });
  await memory.work.settled();
  await memory.remember({ user: 'Tell me what you know.', assistant: 'You live in Rome.' });
  await memory.work.settled();
  expect(statements(await memory.facts.list())).toEqual(['user lives in Rome']);
});

it('FACT-8: "we broke up" ends the fact about an unnamed partner, and forgetting it restores the fact', async () => {
  const memory = await tellingMemory();
  await memory.remember({ user: 'My girlfriend Marta is a nurse.', assistant: 'Nice.' }, { sessionId: 'a' });
  await memory.work.settled();
  const ending = await memory.remember({ user: 'we broke up', assistant: 'Sorry.' }, { sessionId: 'b' });
  await memory.work.settled();
  expect(statements(await memory.facts.list({ about: 'me' }))).toEqual(['user broke up with Marta']);
  await memory.forget({ turnId: ending.turnId });
  await memory.work.settled();
  const restored = ['user has girlfriend Marta', 'Marta is a nurse'];
  expect(statements(await memory.facts.list({ about: 'me' }))).toEqual(restored);
});
