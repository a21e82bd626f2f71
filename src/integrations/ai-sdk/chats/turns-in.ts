import type { StoredMessage } from '../../../index.ts';

/**
 * Returns the messages of each turn that a page shows, by its id, in the order of the chat. A turn that replaces others
 * is shown instead of them, even while the memory still uses the others because the new turn is not complete.
 */
export function turnsIn(stored: readonly StoredMessage[]): Map<string, StoredMessage[]> {
  const replaced = replacedTurns(stored);
  const turns = new Map<string, StoredMessage[]>();
  for (const message of stored) {
    if (replaced.has(message.turnId)) continue;
    const turn = turns.get(message.turnId);
    if (turn) turn.push(message);
    else turns.set(message.turnId, [message]);
  }
  return turns;
}

/** Returns the ids of the turns in whose place another turn was stored, complete or not. */
export function replacedTurns(stored: readonly StoredMessage[]): ReadonlySet<string> {
  return new Set(
    stored.flatMap(({ state, turnId, replaces = [] }) => (state === 'replaced' ? turnId : replaces)),
  );
}
