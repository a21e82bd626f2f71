import { nameKeysOf, nameMatcher, type NameMatcher } from '../../graph/name-matcher.ts';
import { messageText } from '../../model/message.ts';
import { entityTombstones } from '../entity-tombstone.ts';
import { startingWith } from '../key-range.ts';
import { applyPlans } from '../plan.ts';
import { addReceipts, type ForgetReceipt } from '../receipts.ts';
import type { MessageRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { erase, selectTurnsOf } from './erase.ts';
import { holdsText, planWithoutNames } from './plan-without-names.ts';

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
  const keys = names.flatMap(nameKeysOf);
  const tombstonesIn = (messageIds: Iterable<string>): string[] =>
    Array.from(messageIds).flatMap((id) => entityTombstones(id, keys));
  const naming = await messagesWhere(transaction, scope, (message) => isNamedIn(message, isNamed));
  const messageIds = withTurns ? [...sources, ...naming.map(({ id }) => id)] : [];
  const receipt = await erase(transaction, await selectTurnsOf(transaction, messageIds, scope));
  const left = withTurns ? [] : naming;
  await applyPlans(transaction, [{ tombstones: tombstonesIn(left.map(({ id }) => id)) }]);
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
  // Facts entered by hand are in backups and have no message with a tombstone, so they get tombstones of their own.
  const factIds = plans
    .flatMap(({ deletes }) => deletes?.triples ?? [])
    .filter((id) => typeof id === 'string');
  const counts = await applyPlans(transaction, [
    ...plans,
    { tombstones: [...tombstonesIn(told), ...factIds] },
  ]);
  return addReceipts(receipt, {
    ...counts,
    turnsStillNaming: new Set(left.map(({ turnId }) => turnId)).size,
  });
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

/** Returns whether a message contains a name: in its text, tool calls, metadata or author. */
function isNamedIn(message: MessageRecord, isNamed: NameMatcher): boolean {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    messageText(message),
    'name' in message ? message.name : undefined,
    calls.map((call) => [call.function.name, call.function.arguments]),
    message.metadata,
  ].some((told) => holdsText(told, isNamed));
}
