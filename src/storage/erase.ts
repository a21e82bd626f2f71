import { applyPlans } from './apply-plans.ts';
import { erasureOf, type Erasure } from './erasure.ts';
import { between, startingWith } from './key-range.ts';
import { removeParts } from './index-segments.ts';
import { emptyForgetReceipt, type ForgetReceipt } from './receipts.ts';
import type { MessageRecord } from './schema.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import { STORE_RULES } from './store-rules.ts';
import type { ErasureSelector } from './transcript/transcript-store.ts';
import { removeBlocks } from './vector-blocks.ts';

/** Returns what a selector selects in a scope. */
export async function selectErasure(
  transaction: Transaction,
  selector: ErasureSelector,
  scope: string,
): Promise<Erasure> {
  const messages = await selectMessages(transaction, selector, scope);
  return erasureOf(messages, {
    scope,
    sessionIds: await selectSessions(transaction, selector, scope),
    ...('before' in selector ? { before: selector.before } : {}),
    isWholeScope: 'everything' in selector,
  });
}

/** Returns the whole turns of these messages, including tool messages. */
export async function selectTurnsOf(
  transaction: Transaction,
  messageIds: readonly string[],
  scope: string,
): Promise<Erasure> {
  const index = transaction.objectStore('messages').index('id');
  const rows = await Promise.all(messageIds.map((id) => index.get(id)));
  const turnIds = rows.flatMap((row) => (row?.scope === scope ? [row.turnId] : []));
  return erasureOf(await rowsOfTurns(transaction, new Set(turnIds)), { scope });
}

/**
 * Erases messages and sessions, and what depends on them, from every store of the table. Needs a transaction over all
 * stores.
 */
export async function erase(transaction: WriteTransaction, erasure: Erasure): Promise<ForgetReceipt> {
  const plans = await Promise.all(
    Object.values(STORE_RULES).flatMap((store) => store.erase?.(transaction, erasure) ?? []),
  );
  return { ...emptyForgetReceipt(), ...(await applyPlans(transaction, plans)) };
}

/**
 * Deletes messages and the blocks of their vectors, and writes nothing, which is all that a full disk allows. It also
 * deletes the generation, so that every follower of the change log reads the whole state again. Call {@link erase}
 * afterwards, which needs the space that this frees.
 */
export async function makeRoom(transaction: WriteTransaction, rows: readonly MessageRecord[]): Promise<void> {
  const messages = transaction.objectStore('messages');
  await Promise.all(rows.map((row) => messages.delete([row.sessionId, row.seq])));
  const ids = new Set(rows.map((row) => row.id));
  for (const scope of new Set(rows.map((row) => row.scope))) {
    await removeParts(transaction, scope);
    await removeBlocks(transaction, scope, ids);
  }
  await transaction.objectStore('meta').delete('generation');
}

async function selectMessages(
  transaction: Transaction,
  selector: ErasureSelector,
  scope: string,
): Promise<MessageRecord[]> {
  const store = transaction.objectStore('messages');
  const inScope = (rows: MessageRecord[]): MessageRecord[] => rows.filter((row) => row.scope === scope);
  if ('messageId' in selector) return inScope(await store.index('id').getAll(selector.messageId));
  if ('turnIds' in selector) return inScope(await rowsOfTurns(transaction, new Set(selector.turnIds)));
  if ('sessionId' in selector) return inScope(await store.getAll(startingWith(selector.sessionId)));
  if ('everything' in selector) return store.index('created').getAll(startingWith(scope));
  const early = between([scope], [scope, selector.before], { upperOpen: true });
  const rows = await store.index('created').getAll(early);
  return rowsOfTurns(transaction, new Set(rows.map((row) => row.turnId)));
}

async function rowsOfTurns(transaction: Transaction, turnIds: ReadonlySet<string>): Promise<MessageRecord[]> {
  const index = transaction.objectStore('messages').index('turnId');
  return (await Promise.all(Array.from(turnIds, (turnId) => index.getAll(turnId)))).flat();
}

async function selectSessions(
  transaction: Transaction,
  selector: ErasureSelector,
  scope: string,
): Promise<ReadonlySet<string>> {
  if ('sessionId' in selector) return new Set([selector.sessionId]);
  if (!('everything' in selector)) return new Set();
  return new Set(await transaction.objectStore('sessions').index('scope').getAllKeys(scope));
}
