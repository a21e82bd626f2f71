import { toolCallsOf, type ChatMessage, type StoredMessage } from './message.ts';

/**
 * Sorts messages by turn, then by sequence number. Two tabs that answer at the same time write their messages
 * interleaved.
 */
export function inTurnOrder(messages: readonly StoredMessage[]): StoredMessage[] {
  return messages.toSorted((a, b) => a.turn - b.turn || a.seq - b.seq);
}

/** A message of any format, with the turn that it was stored as. */
interface TurnMessage {
  readonly role: string;
  readonly turnId?: string;
}

/**
 * Groups messages into turns: a user message opens a turn, and everything up to the next user message belongs to it,
 * including tool calls and results. Messages before the first user message form a turn of their own.
 *
 * Stored messages keep the turn that they were written as: one `remember` is one turn, whatever it contains.
 */
export function splitTurns<T extends TurnMessage>(messages: readonly T[]): T[][] {
  const turns: T[][] = [];
  let previous: T | undefined;
  for (const message of messages) {
    const current = turns.at(-1);
    if (!current || !previous || opensTurn(previous, message)) turns.push([message]);
    else current.push(message);
    previous = message;
  }
  return turns;
}

function opensTurn(previous: TurnMessage, message: TurnMessage): boolean {
  if (previous.turnId !== undefined && message.turnId !== undefined)
    return previous.turnId !== message.turnId;
  return message.role === 'user';
}

/**
 * Drops tool results whose call is not among the messages before them, matched by id. Endpoints refuse a request with
 * such an orphan.
 */
export function dropOrphanToolResults<T extends ChatMessage>(messages: readonly T[]): T[] {
  const called = new Set<string>();
  return messages.filter((message) => {
    for (const call of toolCallsOf(message)) called.add(call.id);
    return message.role !== 'tool' || called.has(message.tool_call_id);
  });
}
