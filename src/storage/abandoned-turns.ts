import { abandoned, pendingTurns, type PendingTurn } from './append-plan.ts';
import { recordChange } from './change-log.ts';
import type { Connection, Transaction } from './connection.ts';
import type { MessageRecord } from './schema.ts';

/** `endAbandoned` of a transcript in IndexedDB. */
export async function endAbandonedTurns(
  connection: Connection,
  scope: string,
  isAbandoned: (turn: PendingTurn) => boolean,
): Promise<number> {
  const turnIds = await connection.read(['messages'], async (transaction) =>
    pendingTurns(await pendingMessages(transaction, scope), isAbandoned),
  );
  if (turnIds.size === 0) return 0;
  return connection.write(['sessions', 'messages', 'changes'], 'strict', async (transaction) => {
    const messages = transaction.objectStore('messages');
    const turns = await Promise.all([...turnIds].map((turnId) => messages.index('turnId').getAll(turnId)));
    // Some may have been ended since they were read.
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

/** The messages of a scope that are pending. It reads them all: there is no index of those that are pending. */
async function pendingMessages(transaction: Transaction, scope: string): Promise<MessageRecord[]> {
  const index = transaction.objectStore('messages').index('created');
  const rows = await index.getAll(IDBKeyRange.bound([scope], [scope, []]));
  return rows.filter((row) => row.state === 'pending');
}
