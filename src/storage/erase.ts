import { carryOut } from './carry-out.ts';
import { erasureOf, type Erasure } from './erasure.ts';
import { between, startingWith } from './key-range.ts';
import { removeParts } from './index-segments.ts';
import { emptyForgetReceipt, type ForgetReceipt } from './receipts.ts';
import type { MessageRecord } from './schema.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import { STORE_RULES } from './store-rules.ts';
import type { ErasureSelector } from './transcript-store.ts';
import { removeBlocks } from './vector-blocks.ts';

/** What a selector names in a scope. */
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

/** The whole turns, tool messages included, of which these messages are parts. */
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

/** Erases from every store of the table what goes with messages and sessions. Over all stores. */
export async function erase(transaction: WriteTransaction, erasure: Erasure): Promise<ForgetReceipt> {
  const plans = await Promise.all(
    Object.values(STORE_RULES).flatMap((store) => store.erase?.(transaction, erasure) ?? []),
  );
  return { ...emptyForgetReceipt(), ...(await carryOut(transaction, plans)) };
}

/**
 * Deletes messages and their vectors' blocks and writes nothing: all that a full disk still allows. Without the
 * generation every reader of changes reads the whole state again. To be followed by {@link erase}, which needs the room
 * that this makes.
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
