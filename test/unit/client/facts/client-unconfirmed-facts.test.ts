import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../../src/client/memory.ts';
import type { MemoryFact } from '../../../../src/client/rooms/facts-room.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';

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

it('FACT-43: what was accepted, corrected or rejected in the meantime is neither accepted nor rejected, and nothing changes', async () => {
  const decide: Record<string, (memory: Memory, id: string) => Promise<unknown>> = {
    accepted: (memory, id) => memory.review.accept(id),
    corrected: (memory, id) => memory.facts.correct(id, { object: 'Tenet' }),
    rejected: (memory, id) => memory.review.reject(id),
  };
  const left: Record<string, readonly string[]> = {};
  for (const [how, decided] of Object.entries(decide)) {
    const memory = await tellingMemory();
    await tellOfNolan(memory);
    const [item] = await memory.review.list();
    const id = item?.id ?? '';
    await decided(memory, id);
    const history = { includeHistory: true, includeUnconfirmed: true };
    const before = await memory.facts.list(history);
    for (const again of [memory.review.accept, memory.review.reject]) {
      await expect(again(id), how).rejects.toMatchObject({ code: 'not-found' });
    }
    expect(await memory.facts.list(history), how).toEqual(before);
    expect(await memory.review.list(), how).toEqual([]);
    left[how] = statements(await memory.facts.list({ about: 'Christopher Nolan', includeUnconfirmed: true }));
  }
  expect(left).toEqual({ accepted: [FILM], corrected: ['Christopher Nolan directed Tenet'], rejected: [] });
});

it('FACT-43: of decisions made at the same time, one counts', async () => {
  const memory = await tellingMemory();
  await tellOfNolan(memory);
  const [item] = await memory.review.list();
  const id = item?.id ?? '';
  const { accept, reject } = memory.review;
  const made = await Promise.allSettled([accept(id), reject(id), accept(id)]);
  expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(statements(await memory.facts.list({ about: 'Christopher Nolan' }))).toEqual([FILM]);
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

describe('a fact that has ended by what was said', () => {
  /** A memory of a user who has quit a choir, and the fact that has ended. */
  async function quitChoir(): Promise<{ memory: Memory; past: MemoryFact; held: string[] }> {
    const memory = await tellingMemory();
    for (const user of ['I sing in a choir.', 'I quit the choir. I do not sing in a choir any more.']) {
      await memory.remember({ user, assistant: 'I see.' });
      await memory.work.settled();
    }
    const facts = await memory.facts.list({ includeHistory: true });
    const past = facts.find(({ predicate }) => predicate === 'sings in');
    if (past?.validTo === undefined) throw new Error('no such fact has ended');
    return { memory, past, held: statements(await memory.facts.list()) };
  }

  it('FACT-44: correcting it does not make it hold again', async () => {
    const { memory, past, held } = await quitChoir();
    const corrected = await memory.facts.correct(past.id, { object: 'a church choir' });
    expect(corrected).toMatchObject({ object: 'a church choir', validTo: past.validTo });
    expect(statements(await memory.facts.list())).toEqual(held);
  });

  it('FACT-44: correcting it again, by its old id, does not make it hold again', async () => {
    const { memory, past, held } = await quitChoir();
    await memory.facts.correct(past.id, { object: 'a church choir' });
    const again = await memory.facts.correct(past.id, { object: 'a gospel choir' });
    expect(again).toMatchObject({ object: 'a gospel choir', validTo: past.validTo });
    expect(statements(await memory.facts.list())).toEqual(held);
  });

  it('FACT-44: ending it again does not move its end', async () => {
    const { memory, past, held } = await quitChoir();
    const ended = await memory.facts.end(past.id);
    expect(ended).toMatchObject({ object: past.object, validTo: past.validTo });
    expect(statements(await memory.facts.list())).toEqual(held);
  });
});
