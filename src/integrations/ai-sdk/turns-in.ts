import type { StoredMessage } from '../../index.ts';

/** Returns the messages of each turn that was not replaced, by its id, in the order of the chat. */
export function turnsIn(stored: readonly StoredMessage[]): Map<string, StoredMessage[]> {
  const turns = new Map<string, StoredMessage[]>();
  for (const message of stored) {
    if (message.state === 'replaced') continue;
    const turn = turns.get(message.turnId);
    if (turn) turn.push(message);
    else turns.set(message.turnId, [message]);
  }
  return turns;
}
