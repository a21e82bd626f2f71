import { abandoned, pendingTurns, type PendingTurn } from './append-plan.ts';
import { recordChange } from '../change-log.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';
import type { MessageRecord } from '../schema.ts';

/**
 * Marks pending turns of a scope as failed if `isAbandoned` says that nobody will end them. Such a turn may still be
 * ended by the tab that began it. Returns the number of turns. Writes nothing if there are none.
 */
export async function endAbandonedTurns(
  engine: StorageEngine,
  scope: string,
  isAbandoned: (turn: PendingTurn) => boolean,
): Promise<number> {
  const turnIds = await engine.read(['messages'], async (transaction) =>
    pendingTurns(await pendingMessages(transaction, scope), isAbandoned),
  );
  if (turnIds.size === 0) return 0;
  return engine.write(['sessions', 'messages', 'changes'], 'strict', async (transaction) => {
    const messages = transaction.objectStore('messages');
    const turns = await Promise.all([...turnIds].map((turnId) => messages.index('turnId').getAll(turnId)));
    // Some may have ended since they were read.
    const left = turns.filter((turn) => pendingTurns(turn, isAbandoned).size > 0);
    for (const turn of left) {
      const seqs = turn.map((row) => row.seq);
      const span = { fromSeq: Math.min(...seqs), toSeq: Math.max(...seqs) };
      const sessionId = turn[0]?.sessionId ?? '';
      await Promise.all([
        ...turn.map((row) => messages.put(abandoned(row))),
        recordChange(transaction, { kind: 'turn', scope, sessionId, ...span }),
      ]);
    }
    return left.length;
  });
}

/** Returns the pending messages of a scope: only they have the field `openedBy`. */
async function pendingMessages(transaction: Transaction, scope: string): Promise<MessageRecord[]> {
  const rows = await transaction.objectStore('messages').index('openedBy').getAll();
  return rows.filter((row) => row.scope === scope);
}
