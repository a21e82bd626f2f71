import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recentWindow, windowStart, type WindowTurn } from '../../src/recall/recent-window.ts';

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
  it('P28: holds the newest turns that there are, within both limits, more than half of them where tokens allow', () => {
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

  it('P29: keeps at least half of the turns that it may hold, and moves once in half a window', () => {
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
