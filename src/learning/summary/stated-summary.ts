import type { StoredMessage } from '../../model/message.ts';
import type { Extractor } from '../extractor.ts';
import { endedStatements } from '../statements/endings.ts';
import { markStatements } from '../statements/mark-statements.ts';
import { stateTurn } from '../statements/state-turn.ts';

/** What the user states in some turns, a bullet each with its day, in UTC; empty where that is nothing. */
export function statedLines(turns: readonly (readonly StoredMessage[])[], userName?: string): string {
  const bullets = turns.flatMap((turn, position) =>
    stateTurn(turn, turns.slice(Math.max(0, position - 1), position), userName).map(
      ({ text, saidAt }) => `- ${new Date(saidAt).toISOString().slice(0, 10)}: ${oneLine(text)}`,
    ),
  );
  return bullets.join('\n');
}

/**
 * Joins the bullets of a summary and new ones: without what a later one has ended, each once, and where they are more
 * than there is room for, those most worth keeping. Lines that somebody else wrote stay.
 */
export function statedSummary(countTokens: (text: string) => number): Pick<Extractor, 'summarize'> {
  return {
    async summarize({ summary, newLines, maxTokens = Infinity }) {
      const lines = [...new Set(`${summary}\n${newLines}`.split('\n'))].filter((line) => line.trim() !== '');
      const ended = endedStatements(
        lines.map((line, at) => ({ id: String(at), text: textOf(line), messageId: String(at) })),
      );
      const holding = lines.filter((_, at) => !ended.has(String(at)));
      return within(holding, maxTokens, countTokens).join('\n');
    },
  };
}

/** The lines that fit, in their order: those most worth keeping, of equals the newer. */
function within(
  lines: readonly string[],
  maxTokens: number,
  countTokens: (text: string) => number,
): readonly string[] {
  const tokens = lines.map((line) => countTokens(`${line}\n`));
  let left = maxTokens;
  const byWorth = lines.map((line, at) => ({ at, worth: worthOf(line) }));
  const kept = new Set<number>();
  for (const { at } of byWorth.toSorted((a, b) => b.worth - a.worth || b.at - a.at)) {
    const cost = tokens[at] ?? 0;
    if (cost > left) continue;
    left -= cost;
    kept.add(at);
  }
  return lines.filter((_, at) => kept.has(at));
}

function worthOf(line: string): number {
  return Math.max(0, ...markStatements(textOf(line), { threshold: 0, pasted: [] }).map(({ score }) => score));
}

const BULLET = /^- \d{4}-\d\d-\d\d: /u;

function textOf(line: string): string {
  return line.replace(BULLET, '');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
