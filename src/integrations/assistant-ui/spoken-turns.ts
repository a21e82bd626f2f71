import type { Memory, StoredMessage } from '../../index.ts';
import { toUIMessages } from '../ai-sdk/to-ui-messages.ts';
import { replacedTurns } from '../ai-sdk/chats/turns-in.ts';
import { listStoredUITurns, type StoredUITurn } from '../ai-sdk/chats/ui-turns.ts';

/** A stored turn with the messages that show it. */
export interface SpokenTurn extends StoredUITurn {
  readonly isReplaced: boolean;
  /** False if no page has shown the turn; `shown` was then made from the stored messages. */
  readonly wasShown: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Returns the turns of a thread in the order of the conversation, including replaced turns. */
export async function listSpokenTurns(memory: Memory, threadId: string): Promise<SpokenTurn[]> {
  const shown = new Map((await listStoredUITurns(memory, threadId)).map((turn) => [turn.turnId, turn]));
  const turns = new Map<string, StoredMessage[]>();
  const history = await memory.history({ sessionId: threadId });
  const replaced = replacedTurns(history);
  for (const message of history) {
    const turn = turns.get(message.turnId);
    if (turn) turn.push(message);
    else turns.set(message.turnId, [message]);
  }
  return Array.from(turns, ([turnId, stored]) => ({
    turnId,
    shown: shown.get(turnId)?.shown ?? toUIMessages(stored),
    messageIds: shown.get(turnId)?.messageIds ?? stored.map(({ id }) => id),
    isReplaced: replaced.has(turnId),
    wasShown: shown.has(turnId),
    createdAt: stored[0]?.createdAt ?? 0,
  }));
}

/**
 * Returns the ids of the stored messages that a message of a turn shows: a turn begins with its question, and all
 * others belong to the answer. An answer without stored messages belongs to the whole turn.
 */
export function storedIdsOf({ shown, messageIds }: StoredUITurn, id: string): readonly string[] {
  const [first] = shown;
  if (first?.role !== 'user') return messageIds;
  const answer = messageIds.slice(1);
  if (first.id === id) return messageIds.slice(0, 1);
  return answer.length === 0 ? messageIds : answer;
}
