import { expect, it } from 'vitest';
import type { ClaimRow } from '../../../../src/storage/schema.ts';
import { atOnce } from '../../../fixtures/context-input.ts';
import { bulletOf, withoutEndedClaims } from '../../../../src/learning/summary/claim-bullets.ts';

const DAY = Date.UTC(2026, 2, 1);

interface EndedClaim {
  readonly claim: ClaimRow;
  readonly over: readonly string[];
}

function ended(text: string, ...over: string[]): EndedClaim {
  return { claim: { text, saidAt: DAY } as ClaimRow, over: over.length > 0 ? over : [text] };
}

it('REC-84: a summary is told without the words of its claims that are over by now', () => {
  const lines = ['I sing in Rome.', 'I row, I live in Porto  and I ski.', 'I live in Lima.'];
  const summary = [...lines.map((text) => bulletOf({ text, saidAt: DAY })), 'They talked about Porto.'].join(
    '\n',
  );
  const withoutEnded = (text: string, over: readonly EndedClaim[]): string =>
    atOnce(
      withoutEndedClaims(text, {
        saying: () => over.map(({ claim }) => claim),
        overIn: (claim) => over.find((each) => each.claim === claim)?.over ?? [],
      }),
    );
  const told = withoutEnded(summary, [
    ended(lines[0] ?? ''),
    ended(lines[1] ?? '', 'I row', 'I ski.'),
    { ...ended('I live in Lima.'), claim: { ...ended('I live in Lima.').claim, saidAt: DAY + 86_400_000 } },
    ended('I live in Lima with Ana.', 'with Bo'),
  ]);
  expect(told).toBe('- 2026-03-01: I live in Porto\n- 2026-03-01: I live in Lima.\nThey talked about Porto.');
  // What was over when it was summarized is not in the line any more.
  const rest = bulletOf({ text: 'I live in Porto.', saidAt: DAY });
  expect(withoutEnded(rest, [ended('I row and I live in Porto.', 'I row', 'I live in Porto.')])).toBe('');
  expect(withoutEnded(summary, [])).toBe(summary);
});
