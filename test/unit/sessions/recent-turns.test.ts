import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { findPassage, recentTurns } from '../../../src/sessions/read-turns.ts';

async function historyOf(count: number): Promise<InMemoryChatMessageHistory> {
  const history = new InMemoryChatMessageHistory();
  for (let turn = 0; turn < count; turn++) {
    const messages = [
      { role: 'user', content: `i${turn}` },
      { role: 'assistant', content: `o${turn}` },
    ] as const;
    await history.addMessages(messages.slice(0, 1 + (turn % 2)), { turnId: `t${turn}` });
  }
  return history;
}

function idsOf(turns: readonly (readonly { turnId: string }[])[]): (string | undefined)[] {
  return turns.map(([first]) => first?.turnId);
}

it('KG-2: the turns shown start k before the first requested turn and end with the last', async () => {
  const wanted = fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      wanted,
      fc.integer({ min: 0, max: 4 }),
      async (count, asked, k) => {
        const history = await historyOf(count);
        const there = asked.filter((turn) => turn < count).toSorted((a, b) => a - b);
        const { turns, window } = await findPassage(
          history,
          asked.map((turn) => `t${turn}`),
          k,
        );
        const [first, last] = [there[0], there.at(-1)];
        if (first === undefined || last === undefined) {
          // A history that knows none of the ids gives its newest turns.
          expect(idsOf(turns)).toEqual(idsOf(await recentTurns(history, asked.length)));
          return;
        }
        const start = Math.max(0, first - k);
        const shown = Array.from({ length: last + 1 - start }, (_, index) => `t${start + index}`);
        expect(idsOf(turns)).toEqual(there.map((turn) => `t${turn}`));
        expect(idsOf(window)).toEqual(shown);
      },
    ),
  );
});
