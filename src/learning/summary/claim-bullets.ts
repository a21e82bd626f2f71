import { saidWords, wordsSought, type SaidWords } from '../../language/shared-words.ts';
import type { Steps } from '../../model/event-loop.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import { withoutWords } from '../claims/claim-parts.ts';

const BULLET = /^- \d{4}-\d\d-\d\d: /u;

/** Returns a claim as a line of a summary, with its day in UTC. */
export function bulletOf({ text, saidAt }: Pick<ClaimRow, 'text' | 'saidAt'>): string {
  return `${dayOf(saidAt)}${onOneLine(text)}`;
}

/** Returns the claim in a line of a summary; of another line, all of it. */
export function textOf(line: string): string {
  return line.replace(BULLET, '');
}

/** What a summary needs to know of claims. */
export interface SummarizedClaims {
  /** Returns the claims that have all words of a text. */
  saying(text: string): Iterable<ClaimRow>;
  /** Returns the words of a claim that are over. */
  overIn(claim: ClaimRow): readonly string[];
}

/** Returns a summary without the words of its claims that are over by now. Other lines are as they were. */
export function* withoutEndedClaims(summary: string, claims: SummarizedClaims): Steps<string> {
  const lines: string[] = [];
  for (const line of summary.split('\n')) {
    yield;
    const text = textOf(line);
    const hasLine = wordsSought(text);
    const day = BULLET.exec(line)?.[0];
    const over: string[] = [];
    for (const claim of day === undefined ? [] : claims.saying(text)) {
      // If a part of a claim was over when it was summarized, the summary contains the claim without that part.
      if (dayOf(claim.saidAt) === day && hasLine(wordsOf(claim))) over.push(...claims.overIn(claim));
      yield;
    }
    if (over.length === 0) {
      lines.push(line);
      continue;
    }
    const left = withoutWords(text, ...over.map(onOneLine));
    if (left !== '') lines.push(line.replace(text, () => left));
  }
  return lines.join('\n');
}

const read = new WeakMap<ClaimRow, SaidWords>();

/** Read once for all questions: a summary has many lines, and a day many claims. */
function wordsOf(claim: ClaimRow): SaidWords {
  const words = read.get(claim) ?? saidWords(claim.text);
  read.set(claim, words);
  return words;
}

function dayOf(saidAt: number): string {
  return `- ${new Date(saidAt).toISOString().slice(0, 10)}: `;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
