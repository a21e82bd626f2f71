import { foreignParts } from '../model/foreign-parts.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { OutdatedQuote } from '../learning/outdated-parts.ts';
import type { ContextNote } from '../recall/context-item.ts';
import type { CountedTurn, FoundTurn } from '../recall/context-layout.ts';
import { questionFeatures } from '../recall/gate/question-features.ts';
import type { IndexedMessage } from '../recall/scope-index.ts';
import { statedText } from '../recall/said-once.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { StatementRow } from '../storage/schema.ts';
import { worth, type StatementsByMessage } from './statements-by-message.ts';

/** Messages found of which sentences are told. */
const STATED_MESSAGES = 40;

/** What the user states in the messages that search found best and is still so, turn by turn. */
export function statedIn(
  hits: readonly FusedHit[],
  statements: StatementsByMessage,
  found: readonly FoundTurn[],
  userName?: string,
): ContextNote[] {
  const scores = new Map(
    hits.slice(0, STATED_MESSAGES).map(({ id, score, parts }) => [id, { score, parts }]),
  );
  return found.flatMap(({ messages }, rank) => {
    const notes = messages.flatMap((message) => {
      const { id, turnId, sessionId, createdAt } = message;
      const hit = scores.get(id);
      if (!hit) return [];
      const rows = statements.holdingIn(id);
      const isWhole = rank < WHOLE_MESSAGES && !statements.hasEndedIn(id);
      const whole = isWhole ? wholeMessage(message, userName) : undefined;
      if (rows.length === 0 && whole === undefined) return [];
      return [
        {
          text: statedText(whole === undefined ? rows : [{ text: whole }], createdAt),
          sources: [id],
          statements: rows,
          turnId,
          sessionId,
          createdAt,
          score: hit.score + (rows.length === 0 ? 0 : WORTH_WEIGHT * worth(rows)),
          why: hit.parts,
        },
      ];
    });
    return notes.slice(0, 1);
  });
}

/** Of the messages that fit a question best, so many are told whole where they are short: a sentence needs its neighbors. */
const WHOLE_MESSAGES = 2;
const SHORT_MESSAGE_CHARACTERS = 300;

function wholeMessage(message: StoredMessage, userName: string | undefined): string | undefined {
  const text = messageText(message).trim();
  if (message.role !== 'user' || text.length > SHORT_MESSAGE_CHARACTERS) return undefined;
  if (asksOnly(text) || foreignParts(message, text, userName).length > 0) return undefined;
  return text.replaceAll(/\s+/gu, ' ');
}

/** What the log-odds that the best of its sentences is worth keeping add to the score of a message. */
const WORTH_WEIGHT = 0.2;

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

/** Turns with what the sentences in them are worth, and those marked in which the user asks for something and states nothing. */
export function withWorth(turns: readonly FoundTurn[], statements: StatementsByMessage): FoundTurn[] {
  return turns.map((turn) => {
    const rows = turn.messages.flatMap(({ id }) => statements.statedIn(id));
    if (rows.length > 0) return { ...turn, score: turn.score + WORTH_WEIGHT * worth(rows) };
    const own = turn.messages.filter(({ role }) => role === 'user');
    const isRequest = own.length > 0 && own.every((message) => asksOnly(messageText(message)));
    return isRequest ? { ...turn, isRequest } : turn;
  });
}

function asksOnly(text: string): boolean {
  const { isTask, isGeneral, isTechnical } = questionFeatures(text);
  return isTask + isGeneral + isTechnical > 0 || /[?？]["'”’)\s]*$/u.test(text);
}

/** Of many, this many are considered. */
const OTHER_MESSAGES = 40;
/** Below the score of whatever was found. */
const NOT_FOUND = -100;

/** What the user states in messages that were not found, the most worth keeping first. */
export function statedElsewhere(
  statements: StatementsByMessage,
  found: readonly FoundTurn[],
  placeOf: (messageId: string) => IndexedMessage | undefined,
): ContextNote[] {
  const ids = new Set(found.flatMap(({ messages }) => messages.map(({ id }) => id)));
  const notes: ContextNote[] = [];
  for (const { messageId, rows, score } of statements.ranked()) {
    const place = ids.has(messageId) ? undefined : placeOf(messageId);
    if (!place) continue;
    const { turnId, sessionId, createdAt } = place;
    notes.push({
      text: statedText(rows, createdAt),
      sources: [messageId],
      statements: rows,
      turnId,
      sessionId,
      createdAt,
      score: NOT_FOUND + score,
      why: {},
    });
    if (notes.length === OTHER_MESSAGES) break;
  }
  return notes;
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
