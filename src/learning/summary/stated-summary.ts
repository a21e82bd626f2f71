import type { StoredMessage } from '../../model/message.ts';
import type { Extractor } from '../extractor.ts';
import { endedWords } from '../claims/endings.ts';
import { withoutWords } from '../claims/claim-parts.ts';
import { markClaims } from '../claims/mark-claims.ts';
import { claimsOfTurn } from '../claims/learn-claims.ts';
import { bulletOf, textOf } from './claim-bullets.ts';

/** Returns the user's claims in some turns as bullets, each with its day in UTC. Empty if there are none. */
export function statedLines(turns: readonly (readonly StoredMessage[])[], userName?: string): string {
  const bullets = turns.flatMap((turn, position) =>
    claimsOfTurn(turn, turns.slice(Math.max(0, position - 1), position), userName).map(bulletOf),
  );
  return bullets.join('\n');
}

/**
 * Merges the bullets of a summary with new ones. Drops duplicates and claims that a later one has ended; if they
 * exceed the limit, keeps the most important. Other lines are kept.
 */
export function statedSummary(countTokens: (text: string) => number): Pick<Extractor, 'summarize'> {
  return {
    async summarize({ summary, newLines, maxTokens = Infinity }) {
      const lines = [...new Set(`${summary}\n${newLines}`.split('\n'))].filter((line) => line.trim() !== '');
      const holding = withoutEnded(lines);
      return fittingLines(holding, maxTokens, countTokens).join('\n');
    },
  };
}

/** Returns the lines without the words that a later one has ended. */
function withoutEnded(lines: readonly string[]): string[] {
  const said = lines.map((line) => ({ line, text: textOf(line) }));
  return said.flatMap((each, at) => {
    const { line, text } = each;
    const words = said
      .slice(at + 1)
      .reduce<string | undefined>((ended, later) => ended ?? endedWords(later, each), undefined);
    if (words === undefined) return line;
    const left = withoutWords(text, words);
    return left === '' ? [] : line.replace(text, () => left);
  });
}

/** Returns the lines that fit, in their order. Prefers the most important and, among equals, the newest. */
function fittingLines(
  lines: readonly string[],
  maxTokens: number,
  countTokens: (text: string) => number,
): readonly string[] {
  let left = maxTokens;
  const weighed = lines.map((line, at) => ({ at, worth: worthOf(line), cost: countTokens(`${line}\n`) }));
  const kept = new Set<number>();
  for (const { at, cost } of weighed.toSorted((a, b) => b.worth - a.worth || b.at - a.at)) {
    if (cost > left) continue;
    left -= cost;
    kept.add(at);
  }
  return lines.filter((_, at) => kept.has(at));
}

function worthOf(line: string): number {
  return Math.max(0, ...markClaims(textOf(line), { threshold: 0, pasted: [] }).map(({ score }) => score));
}
