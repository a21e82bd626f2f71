import { MnemoraError } from '../../model/error.ts';
import { erasedSession, inState, retitled, turnChange, type AppendPlan } from './append-plan.ts';
import { erasureOf } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { MessageRecord, SessionRecord, StoreName } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { STORE_RULES } from '../store-rules.ts';

/** Stores from which data derived only from replaced turns is erased. */
const DERIVED_STORES = [
  'vectors',
  'postings',
  'summaries',
  'triples',
  'claims',
  'jobs',
  'packedKnowledge',
] as const;

/** Stores that {@link planReplacement} and its plans need. */
export const REPLACEMENT_STORES: readonly StoreName[] = [
  'sessions',
  'messages',
  ...DERIVED_STORES,
  'entities',
  'tombstones',
  'changes',
  'meta',
];

/** The turns that a turn replaces: those that its caller names now, and those that it was stored with. */
export interface Replaced {
  readonly named: readonly string[];
  readonly stored: readonly string[];
}

/**
 * Plans the replacement of turns by another one of the same session: the old turns stay in the transcript as
 * `replaced`, and what was derived from them alone is erased.
 *
 * A complete turn is replaced only by a complete one, so that a failed answer removes nothing: until then, its id is
 * stored with the new turn. A turn that is not complete is replaced at once, and the new turn also takes over the turns
 * that it was to replace.
 *
 * @throws MnemoraError `not-found` if the session does not have one of the turns that the caller names
 */
export async function planReplacement(
  transaction: Transaction,
  { named, stored }: Replaced,
  append: AppendPlan,
): Promise<Plan[]> {
  const { session, messages } = append;
  const turns = new Map<string, readonly MessageRecord[]>();
  const waiting = [...named, ...stored];
  for (const turnId of waiting) {
    if (turns.has(turnId)) continue;
    const rows = await transaction.objectStore('messages').index('turnId').getAll([session.scope, turnId]);
    const own = rows.filter((row) => row.sessionId === session.id);
    if (own.length === 0) {
      if (!named.includes(turnId)) continue; // forgotten since it was named
      throw new MnemoraError(
        'not-found',
        `The session "${session.id}" has no turn "${turnId}" to replace. Nothing was stored.`,
      );
    }
    turns.set(turnId, own);
    waiting.push(...own.flatMap((row) => row.replaces ?? []));
  }
  const isComplete = messages.at(-1)?.state === 'complete';
  const isKept = (rows: readonly MessageRecord[]): boolean => !isComplete && rows[0]?.state === 'complete';
  const kept = [...turns].filter(([, rows]) => isKept(rows)).map(([turnId]) => turnId);
  const old = [...turns.values()].filter((rows) => !isKept(rows)).flat();
  const later: Plan = { puts: { messages: messages.map((row) => ({ ...row, replaces: kept })) } };
  const opening = messages.find((message) => message.role === 'user');
  return [...(kept.length > 0 ? [later] : []), ...(await planReplaced(transaction, old, session, opening))];
}

/**
 * Plans that messages are `replaced`, and that what was derived from them alone is erased.
 *
 * @param opening message that gives the session its title if the title quotes an old one
 */
export async function planReplaced(
  transaction: Transaction,
  old: readonly MessageRecord[],
  session: SessionRecord,
  opening: MessageRecord | undefined,
): Promise<Plan[]> {
  if (old.length === 0) return [];
  const erasure = erasureOf(old);
  const derived = await Promise.all(
    DERIVED_STORES.flatMap((name) => STORE_RULES[name].erase?.(transaction, erasure) ?? []),
  );
  const ids = old.map((row) => row.id);
  const isTitle = session.titleFrom !== undefined && ids.includes(session.titleFrom);
  const replaced: Plan = {
    puts: {
      messages: old.map((row) => inState(row, 'replaced')),
      sessions: [erasedSession(isTitle && opening ? retitled(session, opening) : session)],
    },
    changes: [{ kind: 'removed', scope: session.scope, ids }, turnChange(session, old)],
  };
  return [...derived.flat(), replaced];
}
