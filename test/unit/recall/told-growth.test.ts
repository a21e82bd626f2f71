import { expect, it, vi } from 'vitest';
import { truthOf } from '../../../src/learning/claims/truth-of.ts';
import { Truth } from '../../../src/learning/claims/truth.ts';
import { profileSources } from '../../../src/recall/profile/profile.ts';
import { readTold } from '../../../src/recall/told-claims.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';
import { atOnce } from '../../fixtures/context-input.ts';
import { livingIn, NOTHING } from '../../fixtures/claims/living-in.ts';

it('CLM-33: a question after a change computes what holds for the claims that it may tell', () => {
  const askedOf = (facts: number): { claims: number; facts: number } => {
    const rows = livingIn(facts);
    const endsOf = vi.spyOn(Truth.prototype, 'endsOf');
    const endOfFact = vi.spyOn(Truth.prototype, 'endOfFact');
    for (const change of [0, 1]) {
      const [claim] = rows.claims.values();
      if (claim) rows.apply({ ...NOTHING, claims: [{ ...claim, saidAt: claim.saidAt + change }] });
      const truth = truthOf(rows, {});
      atOnce(profileSources(rows, truth, {}));
      atOnce(readTold(rows, truth, { ids: ['m0', 'm1', 'm2'], notFoundIds: [], isTellable: () => true }));
    }
    const asked = {
      claims: new Set(endsOf.mock.calls.map(([{ id }]) => id)).size,
      facts: new Set(endOfFact.mock.calls.map(([{ id }]) => id)).size,
    };
    vi.restoreAllMocks();
    return asked;
  };
  // The newest and the best for the profile, those found, and those that they depend on, before the change and after it.
  for (const asked of [askedOf(1600), askedOf(3200)]) {
    expect(asked.claims).toBeLessThan(1000);
    expect(asked.facts).toBeLessThan(1000);
  }
});

it('CLM-37: a question follows a chain of changes up to the first message with something that holds', () => {
  const rows = livingIn(100, 100);
  const [home] = rows.claims.values();
  // Beside their homes, the messages from the tenth one on say something that holds.
  const claims = Array.from({ length: home ? 90 : 0 }, (_, n) => {
    const text = `P0 has a cat called Cat${n}.`;
    const messageId = `m${n + 10}`;
    return { ...home, id: `${messageId}/1`, messageId, text, start: 40, end: 40 + text.length } as ClaimRow;
  });
  rows.apply({ ...NOTHING, claims });
  const asked = { ids: ['m0', 'm50'], notFoundIds: [], isTellable: () => false };
  const { outdated } = atOnce(readTold(rows, truthOf(rows, {}), asked));
  const upToTenth = Array.from({ length: 11 }, (_, n) => `m${n}`);
  expect(new Set(outdated.keys())).toEqual(new Set([...upToTenth, 'm50', 'm51']));
});
