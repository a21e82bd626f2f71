import { MnemoraError } from '../../model/error.ts';
import { inState, titleFrom, turnChange, type AppendPlan } from './append-plan.ts';
import { erasureOf } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { MessageRecord, StoreName } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { STORE_RULES } from '../store-rules.ts';

/** Stores that lose what was derived from replaced turns only. */
const DERIVED_STORES = ['vectors', 'postings', 'summaries', 'triples', 'statements', 'jobs'] as const;

/** Stores that {@link planReplacement} and its plans need. */
export const REPLACEMENT_STORES: readonly StoreName[] = [
  'sessions',
  'messages',
  ...DERIVED_STORES,
  'entities',
  'packedKnowledge',
  'tombstones',
  'changes',
  'meta',
];

/**
 * Plans the replacement of turns by a new one of the same session: the old turns stay in the transcript as
 * `replaced`, and what was derived from them only is erased.
 *
 * @throws MnemoraError `not-found` if the session does not have one of these turns
 */
export async function planReplacement(
  transaction: Transaction,
  turnIds: readonly string[],
  append: AppendPlan,
): Promise<Plan[]> {
  const { session } = append;
  const byTurn = transaction.objectStore('messages').index('turnId');
  const old: MessageRecord[] = [];
  for (const turnId of turnIds) {
    const rows = (await byTurn.getAll(turnId)).filter((row) => row.sessionId === session.id);
    old.push(...rows);
    if (rows.length > 0) continue;
    throw new MnemoraError(
      'not-found',
      `The session "${session.id}" has no turn "${turnId}" to replace. Nothing was stored.`,
    );
  }
  const erasure = erasureOf(old);
  const derived = await Promise.all(
    DERIVED_STORES.flatMap((name) => STORE_RULES[name].erase?.(transaction, erasure) ?? []),
  );
  return [...derived.flat(), planReplaced(old, append)];
}

function planReplaced(old: readonly MessageRecord[], { session, messages }: AppendPlan): Plan {
  const ids = old.map((row) => row.id);
  const opening = messages.find((message) => message.role === 'user');
  const isTitle = session.titleFrom !== undefined && ids.includes(session.titleFrom);
  const title = isTitle && opening ? titleFrom([opening]) : {};
  return {
    puts: {
      messages: old.map((row) => inState(row, 'replaced')),
      sessions: [{ ...session, ...title, erasures: (session.erasures ?? 0) + 1 }],
    },
    changes: [{ kind: 'removed', scope: session.scope, ids }, turnChange(session, old)],
  };
}
