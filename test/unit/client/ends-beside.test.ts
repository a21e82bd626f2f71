import { expect, it } from 'vitest';
import { createMemory, type Extractor } from '../../../src/index.ts';
import { scriptedEnds, type EndsPair } from '../../bench/truth/scripted-ends.ts';
import { ENDS_BESIDE } from '../../fixtures/claims/ends-beside.ts';

const DAY = 86_400_000;

/** Returns the words of the earlier message that are marked as ended after the later one. */
async function markedIn({ earlier, later }: EndsPair, extractor?: Extractor): Promise<string[]> {
  let now = Date.UTC(2026, 0, 5, 10);
  const memory = await createMemory({
    ...{ storage: 'memory', embedder: false, clock: () => now },
    learning: extractor ? { extractor } : {},
  });
  const { messageIds } = await memory.remember({ user: earlier, assistant: 'Okay.' });
  await memory.work.settled();
  now += DAY;
  await memory.remember({ user: later, assistant: 'Okay.' });
  await memory.work.settled();
  const claims = await memory.claims.list({ includeHistory: true });
  await memory.close();
  return claims
    .filter(({ messageId, status }) => messageIds.includes(messageId) && status !== 'holds')
    .map(({ text, endedText = text }) => endedText);
}

it.each(ENDS_BESIDE)('CLM-26: $lang: "$later" ends only what it is about of "$earlier"', async (pair) => {
  const readers = [undefined, scriptedEnds(ENDS_BESIDE, 'ended'), scriptedEnds(ENDS_BESIDE, 'all')];
  for (const extractor of readers) {
    for (const words of await markedIn(pair, extractor)) {
      expect(pair.stillTrue.filter((phrase) => words.includes(phrase) || phrase.includes(words))).toEqual([]);
      expect(pair.ended).toContainEqual(expect.stringContaining(words.replace(/[.。！]$/u, '')));
    }
  }
});
