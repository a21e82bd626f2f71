import { nameKeysOf, nameMatcher } from '../../graph/name-matcher.ts';
import { carryOut } from '../carry-out.ts';
import { entityTombstones } from '../entity-tombstone.ts';
import { erase, selectTurnsOf } from '../erase.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { addReceipts, type ForgetReceipt } from '../receipts.ts';
import type { MessageRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { isNamedIn } from './message-names.ts';
import { planWithoutNames } from './plan-without-names.ts';

/** Somebody or something that is to be forgotten by name. */
export interface NameErasure {
  /** All names that mean it. */
  readonly names: readonly string[];
  /** Messages that told of it, whether they name it or not. */
  readonly sources: readonly string[];
  /** Whether the turns of those messages, and all in which one of the names stands, go as well. */
  readonly withTurns: boolean;
}

/**
 * Erases what is derived in a scope and names somebody, and with `withTurns` the turns that do. Messages in which a name
 * still stands get tombstones of it, so that nothing is learned of it from them, and no summary of them names it.
 * Over all stores.
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
  told.delete(''); // what was entered by hand has the tombstones of whoever forgets it
  await leaveTombstones(transaction, [...told], names);
  await leaveTombstonesOfFacts(transaction, plans);
  return addReceipts(receipt, {
    ...(await carryOut(transaction, plans)),
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

/** What was entered by hand is in backups, and came from no message. */
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
  // One session at a time: all messages of months may be too many to hold.
  for (const sessionId of await transaction.objectStore('sessions').index('scope').getAllKeys(scope)) {
    const messages = await transaction.objectStore('messages').getAll(startingWith(sessionId));
    found.push(...messages.filter(isMeant));
  }
  return found;
}
