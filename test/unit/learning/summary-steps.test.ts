import fc from 'fast-check';
import { expect, it } from 'vitest';
import { summarySteps } from '../../../src/learning/summary/summary-policy.ts';

const turns = fc.array(fc.record({ tokens: fc.oneof(fc.nat({ max: 400 }), fc.nat({ max: 3000 })) }), {
  maxLength: 60,
});
const limits = fc.record({ recentTurns: fc.nat({ max: 12 }), maxTokens: fc.integer({ min: 1, max: 2500 }) });

it('LRN-11: a summary has the same steps turn by turn or all at once, without the newest turn', () => {
  fc.assert(
    fc.property(turns, limits, (all, given) => {
      const atOnce = summarySteps(all, given);
      const oneByOne: (typeof all)[] = [];
      let raw: typeof all = [];
      for (const turn of all) {
        raw.push(turn);
        const steps = summarySteps(raw, given);
        oneByOne.push(...steps);
        raw = raw.slice(steps.flat().length);
      }
      expect(oneByOne).toEqual(atOnce);
      expect(atOnce.flat()).toEqual(all.slice(0, atOnce.flat().length));
      expect(atOnce.flat().length).toBeLessThan(Math.max(1, all.length));
      expect(atOnce.every((step) => step.length > 0)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it('LRN-11: raw turns stay within the limits, except for a newest turn that exceeds them alone', () => {
  fc.assert(
    fc.property(turns, limits, (all, given) => {
      const raw = all.slice(summarySteps(all, given).flat().length);
      const tokens = raw.reduce((sum, turn) => sum + turn.tokens, 0);
      if (raw.length > 1) expect(raw.length).toBeLessThanOrEqual(given.recentTurns);
      if (raw.length > 1) expect(tokens).toBeLessThanOrEqual(given.maxTokens);
    }),
    { numRuns: 1000 },
  );
});
