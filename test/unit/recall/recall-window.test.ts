import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarySteps } from '../../../src/learning/summary/summary-policy.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import { SHARES } from '../../../src/recall/layout/budget-shares.ts';
import type { ContextNote } from '../../../src/recall/layout/context-item.ts';
import { recentWindow, windowStart, type WindowTurn } from '../../../src/recall/layout/recent-window.ts';
import { assemble, counted, EMPTY, spoken } from '../../fixtures/context-input.ts';

const anyTurns = fc
  .array(fc.record({ gap: fc.nat({ max: 3 }), tokens: fc.nat({ max: 300 }) }), { maxLength: 40 })
  .map((steps): WindowTurn[] => {
    let turn = -1;
    return steps.map(({ gap, tokens }) => ({ turn: (turn += 1 + gap), tokens }));
  });
const anyLimits = fc.record({ recentTurns: fc.nat({ max: 12 }), maxTokens: fc.nat({ max: 2000 }) });

function sum(turns: readonly WindowTurn[]): number {
  return turns.reduce((total, turn) => total + turn.tokens, 0);
}

describe('recentWindow', () => {
  it('REC-5: the window holds the newest turns within both limits, and more than half of them where tokens allow', () => {
    fc.assert(
      fc.property(anyTurns, anyLimits, (turns, limits) => {
        const window = recentWindow(turns, limits);
        expect(window).toEqual(turns.slice(turns.length - window.length));
        expect(window.length).toBeLessThanOrEqual(limits.recentTurns);
        expect(sum(window)).toBeLessThanOrEqual(limits.maxTokens);
        const { recentTurns, maxTokens } = limits;
        const least = recentTurns - Math.max(1, Math.floor(recentTurns / 2)) + 1;
        if (recentTurns > 0 && sum(turns.slice(-recentTurns)) <= maxTokens) {
          expect(window.length).toBeGreaterThanOrEqual(Math.min(turns.length, least));
        }
        const newest = turns.at(-1);
        if (newest && limits.recentTurns > 0 && newest.tokens <= limits.maxTokens) {
          expect(window.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('REC-6: the window keeps at least half of the turns it may hold and moves once per half window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 80 }), (recentTurns, total) => {
        const step = Math.max(1, Math.floor(recentTurns / 2));
        let moves = 0;
        for (let newest = 1; newest < total; newest++) {
          const start = windowStart(newest, recentTurns);
          const held = newest + 1 - start;
          expect(held).toBeLessThanOrEqual(recentTurns);
          expect(held).toBeGreaterThanOrEqual(Math.min(newest + 1, recentTurns - step + 1));
          if (start !== windowStart(newest - 1, recentTurns)) moves += 1;
        }
        expect(moves).toBeLessThanOrEqual(Math.ceil(total / step));
      }),
    );
  });
});

describe('the window of a context', { timeout: 60_000 }, () => {
  it('REC-22: everything but the last message stays the beginning of the next request between steps of the window', () => {
    fc.assert(
      fc.property(anySession, (session) => {
        stepsOf(session);
      }),
      { numRuns: 300 },
    );
    for (const recentTurns of [2, 8]) {
      const sizes = Array.from({ length: 200 }, (_, turn) => 1 + ((turn * 37) % 100));
      const byItself = stepsOf({ recentTurns, areUncovered: false, sizes });
      expect(byItself).toBeLessThanOrEqual(Math.ceil(200 / Math.max(1, Math.floor(recentTurns / 2))));
      const bySummaries = stepsOf({ recentTurns, areUncovered: true, sizes });
      expect(bySummaries).toBeLessThanOrEqual(Math.ceil(200 / (Math.floor(recentTurns / 2) + 1)));
    }
  });
});

interface Session {
  /** Of the window, at most. */
  recentTurns: number;
  /** Whether summaries cover what leaves the window. */
  areUncovered: boolean;
  /** Words of each turn: eight of the longest fit the share of the window. */
  sizes: number[];
}

const anySession: fc.Arbitrary<Session> = fc.record({
  recentTurns: fc.integer({ min: 1, max: 8 }),
  areUncovered: fc.boolean(),
  sizes: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 4, maxLength: 9 }),
});

/** Adds turn after turn, sees that the beginning of the request stays, and counts how often the window moves. */
function stepsOf(session: Session): number {
  let steps = 0;
  const turns = session.sizes.map((words, turn) => [
    spoken('word '.repeat(words), turn),
    spoken('yes', turn, 'assistant', 1),
  ]);
  let before = requestOf(session, turns.slice(0, 1));
  for (let newest = 1; newest < session.sizes.length; newest += 1) {
    const request = requestOf(session, turns.slice(0, newest + 1));
    expect(request.first).toBeGreaterThanOrEqual(before.first);
    if (request.first !== before.first) steps += 1;
    else expect(request.prefix.startsWith(before.prefix)).toBe(true);
    before = request;
  }
  return steps;
}

/** The request after a number of turns, with facts and old turns found for it, and where its window begins. */
function requestOf(
  { recentTurns, areUncovered }: Session,
  turns: StoredMessage[][],
): { first: number; prefix: string } {
  const maxTokens = 2000;
  const limits = { recentTurns, maxTokens: maxTokens * SHARES.recent };
  const covered = areUncovered ? summarySteps(counted(turns), limits).flat().length : 0;
  const note = (text: string): ContextNote => ({ text, sources: [], createdAt: 0, score: 0, why: {} });
  const context = assemble({
    ...EMPTY,
    system: 'Be kind.',
    input: `And ${turns.length}?`,
    pinned: [note('Sam lives in Rome')],
    facts: [note(`Max is ${turns.length}`)],
    summary: covered > 0 ? note(`They said ${covered} things.`) : undefined,
    raw: turns.slice(areUncovered ? covered : -recentTurns),
    found: [{ messages: [spoken(`boat ${turns.length}`, 900)], score: 1, why: {} }],
    areUncovered,
    recentTurns,
    maxTokens,
  });
  const oldest = context.items.find((item) => item.kind === 'recent');
  // Without the end of the JSON, which goes on in the next request.
  return {
    first: Number(oldest?.turnId.slice('turn-'.length)),
    prefix: JSON.stringify(context.messages.slice(0, -1)).slice(0, -1),
  };
}
