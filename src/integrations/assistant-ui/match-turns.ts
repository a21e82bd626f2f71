import type { JsonValue } from '../../index.ts';
import { storedIdsOf, type ChatTurn } from '../ai-sdk/chats/chat-turns.ts';

/** A stored message with assistant-ui's field names. */
export interface MessageRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly format: string;
  readonly content: JsonValue;
}

/** A row that shows a message of a turn, with the ids of the stored messages. */
export interface MatchedRow {
  readonly row: MessageRow;
  readonly turn: ChatTurn;
  readonly messageIds: readonly string[];
}

/**
 * Finds the rows that show turns stored without a record of their rows, such as those of `withMemory`: a row shows the
 * first message with its role and text that no other row shows.
 */
export function matchTurns(rows: readonly MessageRow[], turns: readonly ChatTurn[]): MatchedRow[] {
  const left = new Map(rows.map((row) => [row, spokenIn(row.content)]));
  return turns.flatMap((turn) =>
    turn.shown.flatMap(({ id, role, parts }) => {
      const spoken = `${role} ${textOf(parts)}`;
      const row = Array.from(left).find(([, each]) => each === spoken)?.[0];
      if (!row) return [];
      left.delete(row);
      return [{ row, turn, messageIds: storedIdsOf(turn, id) }];
    }),
  );
}

/** Role and text of a message of the AI SDK or of assistant-ui. */
function spokenIn(content: JsonValue): string {
  const outer = content as { message?: Message } & Message;
  const { role, parts, content: inner } = outer.message ?? outer;
  return `${String(role)} ${textOf(parts ?? inner)}`;
}

interface Message {
  readonly role?: unknown;
  readonly parts?: unknown;
  readonly content?: unknown;
}

function textOf(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts
    .map((part: { type?: unknown; text?: unknown }) => (part.type === 'text' ? part.text : ''))
    .join('');
}
