import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredMessage } from '../../../src/model/message.ts';
import { turnsBeyond, turnsNewestFirst, type TurnSource } from '../../../src/sessions/read-turns.ts';

/** What two tabs wrote into one session: the questions and answers of their turns in any order, a question first. */
const session = fc
  .array(fc.record({ tabs: fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }) }), { maxLength: 12 })
  .map((rounds) => {
    const rows: StoredMessage[] = [];
    const open: [number | undefined, number | undefined] = [undefined, undefined];
    let nextTurn = 0;
    for (const tab of rounds.flatMap(({ tabs }) => tabs.map(Number))) {
      const turn = open[tab] ?? nextTurn++;
      const isAnswer = open[tab] !== undefined;
      open[tab] = isAnswer ? undefined : turn;
      rows.push(message(rows.length, turn, isAnswer ? 'assistant' : 'user'));
    }
    const unanswered = new Set(open);
    return rows.map((row) => (unanswered.has(row.turn) ? { ...row, state: 'pending' as const } : row));
  });

function message(seq: number, turn: number, role: 'user' | 'assistant'): StoredMessage {
  const ids = { id: `m${seq}`, sessionId: 's', turnId: `t${turn}` };
  return { ...ids, role, content: `${seq}`, seq, turn, createdAt: seq, state: 'complete' };
}

function sourceOf(rows: readonly StoredMessage[]): TurnSource {
  return {
    list: async ({ last = Infinity, beforeSeq = Infinity }) =>
      rows.filter(({ seq }) => seq < beforeSeq).slice(-Math.min(last, rows.length + 1)),
  };
}

it('HIST-10: turns are read back whole and newest first, regardless of page size and concurrent writes', async () => {
  await fc.assert(
    fc.asyncProperty(
      session,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: -1, max: 40 }),
      async (rows, pageSize, afterSeq) => {
        const read: StoredMessage[][] = [];
        for await (const turn of turnsNewestFirst(sourceOf(rows), { pageSize, afterSeq })) read.push(turn);
        const complete = rows.filter(({ state }) => state === 'complete');
        const turns = [...new Set(complete.map(({ turn }) => turn))]
          .toSorted((a, b) => b - a)
          .map((turn) => complete.filter((row) => row.turn === turn))
          .filter((turn) => (turn.at(-1)?.seq ?? 0) > afterSeq);
        expect(read).toEqual(turns);
        const ends = (await turnsBeyond(sourceOf(rows), afterSeq)).map((turn) => turn.at(-1)?.seq);
        expect(ends).toEqual(turns.map((turn) => turn.at(-1)?.seq ?? 0).toSorted((a, b) => a - b));
      },
    ),
    { numRuns: 1000 },
  );
});
