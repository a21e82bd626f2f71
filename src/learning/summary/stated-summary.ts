import { runInSlices, type Steps } from '../../model/event-loop.ts';
import type { StoredMessage } from '../../model/message.ts';
import type { Extractor } from '../extractor.ts';
import { readClaim, readParts } from '../claims/claim-reading.ts';
import { endedWords } from '../claims/endings.ts';
import { withoutWords } from '../claims/claim-parts.ts';
import { markClaims } from '../claims/mark-claims.ts';
import { claimsOfTurn } from '../claims/learn-claims.ts';
import { bulletOf, textOf } from './claim-bullets.ts';

/** Returns the user's claims in some turns as bullets, each with its day in UTC. Empty if there are none. */
export function statedLines(
  turns: readonly (readonly StoredMessage[])[],
  userName?: string,
): Promise<string> {
  return runInSlices(reading(turns, userName));
}

function* reading(turns: readonly (readonly StoredMessage[])[], userName: string | undefined): Steps<string> {
  const bullets: string[] = [];
  for (const [position, turn] of turns.entries()) {
    const before = turns.slice(Math.max(0, position - 1), position);
    bullets.push(...claimsOfTurn(turn, before, userName).map(bulletOf));
    yield;
  }
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
      const holding = await runInSlices(withoutEnded(lines));
      return (await runInSlices(fittingLines(holding, maxTokens, countTokens))).join('\n');
    },
  };
}

/** Returns the lines without the words that a later one has ended. */
function* withoutEnded(lines: readonly string[]): Steps<readonly string[]> {
  const said = lines.map((line) => ({ line, text: textOf(line) }));
  // Reads the lines, so that comparing them finds them read.
  for (const each of said) {
    readClaim(each);
    readParts(each);
    yield;
  }
  const holding: string[] = [];
  for (const [at, each] of said.entries()) {
    const { line, text } = each;
    const later = said.slice(at + 1);
    let words: string | undefined;
    for (const other of later) {
      yield;
      if ((words = endedWords(other, each)) !== undefined) break;
    }
    const left = words === undefined ? text : withoutWords(text, words);
    if (words === undefined) holding.push(line);
    else if (left !== '') holding.push(line.replace(text, () => left));
  }
  return holding;
}

/** Returns the lines that fit, in their order. Prefers the most important and, among equals, the newest. */
function* fittingLines(
  lines: readonly string[],
  maxTokens: number,
  countTokens: (text: string) => number,
): Steps<readonly string[]> {
  const weighed = [];
  for (const [at, line] of lines.entries()) {
    weighed.push({ at, worth: worthOf(line), cost: countTokens(`${line}\n`) });
    yield;
  }
  let left = maxTokens;
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
