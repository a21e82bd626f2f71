import type { OutdatedQuote } from '../learning/outdated-parts.ts';
import type { ContextNote } from '../recall/context-item.ts';
import type { CountedTurn, FoundTurn } from '../recall/context-layout.ts';
import { statedText } from '../recall/stated-text.ts';
import type { FusedHit } from '../search/fuse.ts';
import { groupedBy } from '../storage/erasure.ts';
import type { StatementRow } from '../storage/schema.ts';

/** Messages found of which sentences are told. */
const STATED_MESSAGES = 40;

/** What the user states in the messages that search found best and is still so, turn by turn. */
export function statedIn(
  hits: readonly FusedHit[],
  statements: readonly StatementRow[],
  found: readonly FoundTurn[],
): ContextNote[] {
  const scores = new Map(
    hits.slice(0, STATED_MESSAGES).map(({ id, score, parts }) => [id, { score, parts }]),
  );
  const holding = groupedBy(
    statements.filter(({ endedBy }) => endedBy === undefined),
    ({ messageId }) => messageId,
  );
  return found.flatMap(({ messages }) => {
    const notes = messages.flatMap(({ id, turnId, sessionId, createdAt }) => {
      const hit = scores.get(id);
      const rows = holding.get(id) ?? [];
      if (!hit || rows.length === 0) return [];
      return [
        {
          text: statedText(rows, createdAt),
          sources: [id],
          statements: rows,
          turnId,
          sessionId,
          createdAt,
          score: hit.score + WORTH_WEIGHT * worth(rows),
          why: hit.parts,
        },
      ];
    });
    return notes.slice(0, 1);
  });
}

/** What the best of its sentences adds to the score of a message, by the log-odds that it is worth keeping. */
const WORTH_WEIGHT = 1;

function worth(rows: readonly StatementRow[]): number {
  const best = Math.max(...rows.map(({ score }) => score));
  return Math.log(best / (1 - best));
}

/** What was stated in some turns and is still so, the newest first. */
export function statedAmong(
  statements: readonly StatementRow[],
  turns: readonly CountedTurn[],
): ContextNote[] {
  const ids = new Set(turns.flatMap(({ messages }) => messages.map((message) => message.id)));
  return statements
    .filter(({ messageId, endedBy }) => ids.has(messageId) && endedBy === undefined)
    .toSorted((a, b) => b.saidAt - a.saidAt || (a.id < b.id ? -1 : 1))
    .map(noteOf);
}

function noteOf(row: StatementRow): ContextNote {
  return {
    text: statedText([row], row.saidAt),
    sources: [row.messageId],
    statements: [row],
    createdAt: row.saidAt,
    score: row.score,
    why: {},
  };
}

/** More than a score comes to. */
const NOTHING_STATED = 3;

/** Turns in which the user states nothing come behind the others: there is less in them to remember. */
export function behindStated(turns: readonly FoundTurn[], statements: readonly StatementRow[]): FoundTurn[] {
  const stating = new Set(statements.map(({ messageId }) => messageId));
  return turns.map((turn) =>
    turn.messages.some(({ id }) => stating.has(id)) ? turn : { ...turn, score: turn.score - NOTHING_STATED },
  );
}

/** What is no longer true says so, and comes behind the turn that says what is. */
export function withOutdated(
  turns: readonly FoundTurn[],
  outdated: ReadonlyMap<string, OutdatedQuote>,
): FoundTurn[] {
  const scores = new Map(
    turns.flatMap(({ messages, score }) => messages.map(({ id }) => [id, score] as const)),
  );
  return turns.map((turn) => {
    const part = turn.messages.map(({ id }) => outdated.get(id)).find((each) => each !== undefined);
    if (!part) return turn;
    const successor = scores.get(part.byMessageId ?? '') ?? turn.score;
    return { ...turn, outdated: part, score: Math.min(turn.score, successor - BEHIND) };
  });
}

/** Of scores from 0 to about 3: nothing comes between. */
const BEHIND = 1e-9;
