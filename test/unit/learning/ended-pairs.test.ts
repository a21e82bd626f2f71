import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import pairs from '../../fixtures/data/ended-pairs.json' with { type: 'json' };

const DAY = 86_400_000;
/** Share of a phrase that the marked words must have, as in the definition by which marks are judged. */
const COVERED = 0.6;

interface Mark {
  readonly id: string;
  readonly words: string;
  readonly isRight: boolean;
  readonly isExact: boolean;
}

/** Share of a phrase that some words of a message have. */
function covered(message: string, words: string, phrase: string): number {
  const from = message.indexOf(words);
  const at = message.indexOf(phrase);
  const shared = Math.min(from + words.length, at + phrase.length) - Math.max(from, at);
  return from < 0 || at < 0 ? 0 : Math.max(0, shared) / phrase.length;
}

async function marksOf({ id, earlier, later, ended, stillTrue }: (typeof pairs)[number]): Promise<Mark[]> {
  let now = Date.UTC(2026, 0, 5);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  const { messageIds } = await memory.remember({ user: earlier, assistant: 'Okay.' });
  await memory.work.settled();
  now += 30 * DAY;
  await memory.remember({ user: later, assistant: 'Okay.' });
  await memory.work.settled();
  const claims = await memory.claims.list({ includeHistory: true });
  await memory.close();
  const over = claims.filter(({ messageId, status }) => messageIds.includes(messageId) && status !== 'holds');
  return over.map(({ text, endedText: words = text }) => ({
    id,
    words,
    isRight: ended.some((phrase) => covered(earlier, words, phrase) >= COVERED),
    isExact: !stillTrue.some((phrase) => covered(earlier, words, phrase) >= COVERED),
  }));
}

it('CLM-11: of 160 pairs that somebody wrote to judge the marks, at least nine of ten marks are right and exact', async () => {
  const marks: Mark[] = [];
  for (const pair of pairs) marks.push(...(await marksOf(pair)));
  const right = marks.filter(({ isRight }) => isRight);
  const wrong = marks.filter(({ isRight, isExact }) => !isRight || !isExact);
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(3);
  expect(marks.length).toBeGreaterThanOrEqual(25);
  expect(right.length / marks.length).toBeGreaterThanOrEqual(0.9);
});
