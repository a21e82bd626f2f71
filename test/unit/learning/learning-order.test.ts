import { expect, it } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import type { Memory } from '../../../src/client/memory.ts';
import type { Extractor } from '../../../src/learning/extractor.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { knownBy, learned, seededNumbers, toldTurn } from '../../fixtures/retold.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

/** Tells ten turns, each after as much of the work as chance allows, and learns from all of them. */
async function tell(
  random: () => number,
  sessions: readonly string[],
  failure: (messageId: string) => Error | undefined = () => undefined,
): Promise<Memory> {
  const rules = offlineExtractor();
  const extractor: Extractor = {
    ...rules,
    async extract(input) {
      const extraction = await rules.extract(input);
      const error = failure(input.messages[0]?.id ?? '');
      if (error) throw error;
      return extraction;
    },
  };
  let now = Date.UTC(2026, 0, 1);
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    tokenizer: approximateTokenizer(),
    learning: { extractor, delayMs: 0 },
    clock: () => now,
  });
  for (let n = 0; n < 10; n += 1) {
    now += 60_000;
    const sessionId = sessions[Math.floor(random() * sessions.length)] ?? 'a';
    await memory.remember(toldTurn(random), { sessionId, turnId: `t${n}` });
    if (random() < 0.4) await learned(memory);
    else if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, 5 * random()));
  }
  await learned(memory);
  return memory;
}

async function expectSameRebuilt(memory: Memory): Promise<void> {
  const known = await knownBy(memory);
  await memory.backup.rebuild();
  expect(await knownBy(memory)).toEqual(known);
}

it.each(SEEDS)(
  'LRN-8: interrupted work that is tried again in any order learns what rebuild learns (%i)',
  async (seed) => {
    const random = seededNumbers(seed);
    let isCut = true;
    const cut = new Error('cut off before it was stored');
    await using memory = await tell(random, ['a'], () => (isCut && random() < 0.3 ? cut : undefined));
    isCut = false;
    await expectSameRebuilt(memory);
  },
);

it.each(SEEDS)(
  'LRN-9: alternating sessions are learned from in order, with the result of rebuild (%i)',
  async (seed) => {
    await using memory = await tell(seededNumbers(seed), ['a', 'b', 'c']);
    await expectSameRebuilt(memory);
  },
);

it.each(SEEDS)(
  'LRN-9: turns whose storage was lost for a moment are learned before later ones of other sessions (%i)',
  async (seed) => {
    const random = seededNumbers(seed);
    const lost = new MnemoraError('storage-failed', 'The storage was lost.');
    let isLost = false;
    let lostAt = '';
    // Never twice for a turn or in a row: after a few failures the other sessions no longer wait.
    const failure = (messageId: string): Error | undefined => {
      isLost = !isLost && messageId !== lostAt && random() < 0.2;
      if (isLost) lostAt = messageId;
      return isLost ? lost : undefined;
    };
    await using memory = await tell(random, ['a', 'b', 'c'], failure);
    await expectSameRebuilt(memory);
  },
);

it.each([
  ['another session', 'b'],
  ['the same session', 'a'],
])('LRN-9: a turn is learned from after those of %s that ended while it was unanswered', async (_, other) => {
  let now = Date.UTC(2026, 0, 1);
  await using memory = await createMemory({
    storage: 'memory',
    embedder: false,
    tokenizer: approximateTokenizer(),
    learning: { extractor: offlineExtractor(), delayMs: 0 },
    clock: () => (now += 60_000),
  });
  const said = (turnId: string): string => `This is note ${turnId}. My neighbor is Ida.`;
  await memory.remember({ user: said('first'), assistant: 'Hi.' }, { sessionId: 'a', turnId: 'first' });
  const slow = { sessionId: 'a', turnId: 'slow' };
  await memory.remember(
    { messages: [{ role: 'user', content: said('slow') }] },
    { ...slow, state: 'pending' },
  );
  await memory.remember({ user: said('quick'), assistant: 'Good.' }, { sessionId: other, turnId: 'quick' });
  await learned(memory);
  await memory.remember({ user: said('slow'), assistant: 'Fine.' }, slow);
  await learned(memory);
  const turnsOf = async (): Promise<unknown> => {
    const messages = (await Promise.all(['a', 'b'].map((id) => memory.history({ sessionId: id })))).flat();
    const facts = await memory.facts.list();
    return facts.map(({ sources }) =>
      sources.map(({ messageId }) => messages.find(({ id }) => id === messageId)?.turnId),
    );
  };
  expect(await turnsOf()).toEqual([['first', 'quick', 'slow']]);
  await memory.backup.rebuild();
  expect(await turnsOf()).toEqual([['first', 'quick', 'slow']]);
});
