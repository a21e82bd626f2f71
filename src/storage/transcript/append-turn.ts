import { applyPlans } from '../plan.ts';
import type { SessionKey, StoreName } from '../schema.ts';
import type { StorageEngine, WriteTransaction } from '../storage-engine.ts';
import { DEFAULT_SCOPE } from '../../model/scope.ts';
import {
  abandoned,
  pendingTurns,
  planAppend,
  turnChange,
  type AppendInput,
  type PendingTurn,
} from './append-plan.ts';
import { loadTurn, sessionRange } from './read-session.ts';
import type { planReplacement } from './replace-turn.ts';

export interface RememberReceipt {
  turnId: string;
  /** Ids of all messages of the turn. */
  messageIds: string[];
  sessionId: string;
  /** True if the same turn was already stored, so that nothing was written. */
  duplicate: boolean;
}

/** Returns the stores that {@link appendTurn} needs when it replaces no turn. */
export function appendStores({ jobs = [] }: AppendInput): StoreName[] {
  const stores: StoreName[] = ['sessions', 'messages', 'changes'];
  return jobs.length > 0 ? [...stores, 'jobs', 'meta'] : stores;
}

/**
 * Appends messages to a session within a transaction. Returns undefined, and writes nothing, if turns are to be replaced
 * and `replace` was not given.
 *
 * @param now time from which jobs are due, by this machine's clock
 * @param replace plans the changes to the turns that this one replaces; loaded before the transaction begins
 */
export async function appendTurn(
  transaction: WriteTransaction,
  input: AppendInput,
  now: number,
  replace?: typeof planReplacement,
): Promise<RememberReceipt | undefined> {
  const {
    scope = DEFAULT_SCOPE,
    sessionId,
    turnId,
    replaces: named = [],
    jobs = [],
    createdAt: time,
  } = input;
  const key: SessionKey = [scope, sessionId];
  const [stored, last, sameTurn] = await Promise.all([
    transaction.objectStore('sessions').get(key),
    transaction.objectStore('messages').last(sessionRange(key)),
    turnId === undefined ? [] : loadTurn(transaction, scope, turnId),
  ]);
  const createdAt = typeof time === 'function' ? time() : time;
  const plan = planAppend({ ...input, createdAt }, { session: stored, last, sameTurn });
  const { session, messages, turn, duplicate } = plan;
  if (!duplicate) {
    const replaced = {
      named,
      stored: input.state === 'complete' ? sameTurn.flatMap((row) => row.replaces ?? []) : [],
    };
    const isReplacing = replaced.named.length > 0 || replaced.stored.length > 0;
    if (isReplacing && !replace) return undefined;
    const turnIds = [...new Set(messages.map((message) => message.turnId))];
    const requests = jobs.map((job) => ({ ...job, scope, sessionId, turnIds, now }));
    await applyPlans(transaction, [
      { puts: { sessions: [session], messages }, changes: [turnChange(session, messages)] },
      ...(replace && isReplacing ? await replace(transaction, replaced, plan) : []),
      { jobs: input.state === 'complete' ? requests : [] },
    ]);
  }
  const messageIds = turn.map((row) => row.id);
  return { turnId: turn[0]?.turnId ?? '', messageIds, sessionId, duplicate };
}

/**
 * Marks pending turns of a scope as failed if `isAbandoned` says that nobody will end them. Such a turn may still be
 * ended by the tab that began it. Returns the number of turns. Writes nothing if there are none.
 */
export async function endAbandonedTurns(
  engine: StorageEngine,
  scope: string,
  isAbandoned: (turn: PendingTurn) => boolean,
): Promise<number> {
  const turnIds = await engine.read(['messages'], async (transaction) => {
    // Only pending messages have the field `openedBy`.
    const rows = await transaction.objectStore('messages').index('openedBy').getAll();
    return pendingTurns(
      rows.filter((row) => row.scope === scope),
      isAbandoned,
    );
  });
  if (turnIds.size === 0) return 0;
  return engine.write(['sessions', 'messages', 'changes'], async (transaction) => {
    const turns = await Promise.all(Array.from(turnIds, (id) => loadTurn(transaction, scope, id)));
    // Some may have ended since they were read.
    const left = turns.filter((turn) => pendingTurns(turn, isAbandoned).size > 0);
    await applyPlans(
      transaction,
      left.map((turn) => ({
        puts: { messages: turn.map(abandoned) },
        changes: [turnChange({ id: turn[0]?.sessionId ?? '', scope }, turn)],
      })),
    );
    return left.length;
  });
}
