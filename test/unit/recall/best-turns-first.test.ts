import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import type { Reach } from '../../../src/recall/layout/assemble-context.ts';
import type { FoundTurn } from '../../../src/recall/layout/context-layout.ts';
import { assemble, EMPTY, spoken, type Given } from '../../fixtures/context-input.ts';

it('REC-100: what the assistant said about the question is told before what the user stated about other things', async () => {
  let now = Date.UTC(2026, 0, 5);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  const said = [
    ...Array.from({ length: 12 }, (_, n) => [
      `My cousin number ${n} loves cats, works at a bakery in Porto and has two children called Ana and Rui.`,
      'Nice.',
    ]),
    ['What do people call the pair of cats on the lighthouse stamp', 'Their names are Luna and Oliver.'],
    ['We saw them again.', 'Then the names of the lighthouse cats are familiar to you: Luna and Oliver.'],
  ] as const;
  for (const [user = '', assistant = ''] of said) {
    await memory.remember({ user, assistant }, { sessionId: 'earlier' });
    now += 86_400_000;
  }
  await memory.work.settled();
  const { text } = await memory.session('new').recall('Which names did you say the lighthouse cats have?', {
    maxTokens: 300,
  });
  expect(text).toContain('Luna and Oliver');
  expect(text).toContain('My cousin');
  await memory.close();
});

describe('a turn without claims', () => {
  const request = spoken(`Write about ${'a lighthouse keeper who paints the sea, '.repeat(10)}please.`, 1);
  const claim = 'I am allergic to nuts.';
  const given = (turn: Partial<FoundTurn>, reach?: Reach): Given => ({
    ...EMPTY,
    input: 'snacks for the meeting?',
    found: [{ messages: [request], score: 2, why: { similarity: 1 }, ...turn }],
    stated: [
      { text: claim, sources: ['m2x0'], turnId: 'turn-2', createdAt: 120_000, score: 1, why: { keyword: 1 } },
    ],
    ...(reach ? { reach } : {}),
  });
  const unsure = { maxTurns: 4, maxTokens: 130 };
  const toldIn = (input: Given): string => assemble(input).text;

  it.each([{}, { isBestLong: true }])(
    'REC-91 REC-100: takes no room from what the user states if the gate is unsure: %o',
    (turn) => {
      expect(toldIn(given(turn, unsure))).toContain(claim);
      expect(toldIn(given(turn, unsure))).not.toContain('lighthouse');
      expect(toldIn(given(turn, { ...unsure, maxTokens: 400 }))).toContain('lighthouse');
    },
  );

  it.each([{ hasAskedWords: true }, { hasAskedPassage: true }])(
    'REC-91 REC-100: is told first with the words of the question: %o',
    (turn) => {
      expect(toldIn(given(turn, unsure))).toContain('lighthouse');
      expect(toldIn(given(turn, unsure))).not.toContain(claim);
    },
  );

  it.each([{}, { isBestLong: true }])('REC-91 REC-100: is told first if the gate is sure: %o', (turn) => {
    const { text } = assemble({ ...given(turn), maxTokens: 220 });
    expect(text).toContain('lighthouse');
  });
});
