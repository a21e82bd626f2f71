import { nameKeysOf, nameMatcher } from '../../graph/name-matcher.ts';
import { applyPlans } from '../apply-plans.ts';
import { entityTombstones } from '../entity-tombstone.ts';
import { erase, selectTurnsOf } from '../erase.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { addReceipts, type ForgetReceipt } from '../receipts.ts';
import type { MessageRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { isNamedIn } from './message-names.ts';
import { planWithoutNames } from './plan-without-names.ts';

/** An entity to forget by name. */
export interface NameErasure {
  /** All names of the entity. */
  readonly names: readonly string[];
  /** Ids of messages with information about it, whether they contain a name or not. */
  readonly sources: readonly string[];
  /** True to erase the turns of those messages, and all turns that contain a name. */
  readonly withTurns: boolean;
}

/**
 * Erases everything derived in a scope that contains a name and, with `withTurns`, the turns that contain it.
 * Remaining messages with a name get tombstones for it, so that nothing is learned about it from them, and summaries
 * of them do not name it. Needs a transaction over all stores.
 */
export async function eraseName(
  transaction: WriteTransaction,
  scope: string,
  { names, sources, withTurns }: NameErasure,
): Promise<ForgetReceipt> {
  const isNamed = nameMatcher(names);
  const naming = await messagesWhere(transaction, scope, (message) => isNamedIn(message, isNamed));
  const messageIds = withTurns ? [...sources, ...naming.map(({ id }) => id)] : [];
  const receipt = await erase(transaction, await selectTurnsOf(transaction, messageIds, scope));
  const left = withTurns ? [] : naming;
  await leaveTombstones(
    transaction,
    left.map(({ id }) => id),
    names,
  );
  const sessions = new Set(left.map(({ sessionId }) => sessionId));
  const told = new Set<string>();
  const plans = await planWithoutNames(transaction, scope, {
    inTextOf: (messageId, text) => {
      const isIn = isNamed(text);
      if (isIn) told.add(messageId);
      return isIn;
    },
    inTextOfSession: (_sessionId, text) => isNamed(text),
    isInMessagesOf: (sessionId) => sessions.has(sessionId),
    isForgotten: () => false,
  });
  for (const { id } of left) told.delete(id);
  told.delete(''); // the caller stores the tombstones for what was entered by hand
  await leaveTombstones(transaction, [...told], names);
  await leaveTombstonesOfFacts(transaction, plans);
  return addReceipts(receipt, {
    ...(await applyPlans(transaction, plans)),
    turnsStillNaming: new Set(left.map(({ turnId }) => turnId)).size,
  });
}

async function leaveTombstones(
  transaction: WriteTransaction,
  messageIds: readonly string[],
  names: readonly string[],
): Promise<void> {
  const keys = names.flatMap(nameKeysOf);
  const store = transaction.objectStore('tombstones');
  await Promise.all(
    messageIds.flatMap((id) => entityTombstones(id, keys).map((key) => store.put(true, key))),
  );
}

/** Facts entered by hand are in backups and have no message with a tombstone, so they get tombstones of their own. */
async function leaveTombstonesOfFacts(transaction: WriteTransaction, plans: readonly Plan[]): Promise<void> {
  const store = transaction.objectStore('tombstones');
  const factIds = plans
    .flatMap((plan) => plan.deletes ?? [])
    .flatMap(({ store: name, key }) => (name === 'triples' && typeof key === 'string' ? [key] : []));
  await Promise.all(factIds.map((id) => store.put(true, id)));
}

async function messagesWhere(
  transaction: Transaction,
  scope: string,
  isMeant: (message: MessageRecord) => boolean,
): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  // One session at a time, because all messages of months may not fit in memory.
  for (const sessionId of await transaction.objectStore('sessions').index('scope').getAllKeys(scope)) {
    const messages = await transaction.objectStore('messages').getAll(startingWith(sessionId));
    found.push(...messages.filter(isMeant));
  }
  return found;
}
