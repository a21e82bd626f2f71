import { nameKeysOf, nameMatcher } from '../../graph/name-matcher.ts';
import type { CountedMessage } from '../../model/message.ts';
import { DEFAULT_SCOPE } from '../../model/scope.ts';
import { entityTombstones, isEntityForgotten } from '../entity-tombstone.ts';
import { applyPlans, type Plan } from '../plan.ts';
import { addReceipts, type ForgetReceipt } from '../receipts.ts';
import { getEach, tombstonesOf } from '../rows.ts';
import type { ChatMemoryRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { planWithoutTexts } from '../stores/documents.ts';
import { planWithoutRecords } from '../record-store.ts';
import { ownMessages } from '../transcript/read-session.ts';
import { erase, selectTurnsOf } from './erase.ts';
import { catchUp, keysNaming, type Naming, type NamingRows } from './find-names.ts';
import { messageHoldsText } from './holds-text.ts';
import { planWithoutNames, type DerivedRows, type ForgottenNames } from './plan-without-names.ts';
import { type ForgottenWords, NO_WORDS } from './forgotten-words.ts';

/** What to forget by name or by words. */
export interface NameErasure {
  /** The rows that contain one of the names. */
  readonly found: NamingRows;
  /** Ids of messages with information about what is forgotten, whether they contain a name or not. */
  readonly sources: readonly string[];
  /** Ids of messages from which the names must not be learned again, whether they contain a name or not. */
  readonly keptFrom: readonly string[];
  /** True to erase the turns of those messages, and all turns that contain a name. */
  readonly withTurns: boolean;
  /** Set if words rather than an entity are forgotten: tests whether data was derived from them. */
  readonly words?: ForgottenWords;
  /** The derived rows that can contain a name or words. @default all rows of the scope are read */
  readonly derived?: DerivedRows;
  /** Whether it was removed from the graph, so that something was forgotten even if nothing else contains a name. */
  readonly isKnown: boolean;
}

/**
 * Erases everything derived in a scope that contains a name and, with `withTurns`, the turns that contain it.
 * Remaining messages with a name get tombstones for it, so that nothing is learned about it from them, and summaries
 * of them do not name it. Needs a transaction over all stores.
 */
export async function eraseName(
  transaction: WriteTransaction,
  scope: string,
  { found, sources, keptFrom, withTurns, words = NO_WORDS, derived }: NameErasure,
): Promise<ForgetReceipt> {
  await catchUp(transaction, scope, found);
  const isNamed = nameMatcher(found.names);
  const keys = [...found.names, ...words.parts].flatMap(nameKeysOf);
  const rows = await namingRows(transaction, found);
  // Data entered by hand has no message. Every name is hashed separately: the aliases are erased too, so no name can be
  // resolved to another later.
  await applyPlans(transaction, [
    { tombstones: await newTombstones(transaction, new Set(['', ...keptFrom]), keys) },
  ]);
  const receipt = await erase(
    transaction,
    await selectTurnsOf(transaction, withTurns ? [...sources, ...rows.named] : [], scope),
  );
  const apart = await planApart(transaction, scope, found, withTurns);
  const left = withTurns ? [] : await ownMessages(transaction, scope, rows.named);
  const leftIds = left.map(({ id }) => id);
  const ofApart = await applyPlans(transaction, [
    ...apart.plans,
    { tombstones: await newTombstones(transaction, leftIds, keys) },
  ]);
  const sessions = new Set(left.map(({ sessionId }) => sessionId));
  const naming = new Set(rows.named);
  const told = new Set<string>();
  const forgotten: ForgottenNames = {
    inTextOf: (messageId, text) => {
      const isIn = isNamed(text) || (naming.has(messageId) && words.isDerived(text));
      if (isIn) told.add(messageId);
      return isIn;
    },
    inTextOfSession: (_session, text) => isNamed(text),
    isInMessagesOf: ([, sessionId]) => sessions.has(sessionId),
    isForgotten: () => false,
    isSaidIn: (messageId, text) => naming.has(messageId) && words.holds(text),
  };
  const plans = await planWithoutNames(transaction, scope, forgotten, derived);
  for (const id of ['', ...leftIds, ...keptFrom]) told.delete(id);
  // Facts entered by hand are in backups and have no message with a tombstone, so they get separate tombstones.
  const factIds = plans
    .flatMap(({ deletes }) => deletes?.triples ?? [])
    .filter((id) => typeof id === 'string');
  const counts = await applyPlans(transaction, [
    ...plans,
    { tombstones: [...(await newTombstones(transaction, told, keys)), ...factIds] },
  ]);
  const turns = new Set(left.map(({ turnId }) => turnId));
  const near = (await ownMessages(transaction, scope, rows.near)).filter(({ turnId }) => !turns.has(turnId));
  return addReceipts(addReceipts(addReceipts(receipt, ofApart), counts), {
    turnsStillNaming: turns.size + apart.stillNaming,
    turnsNear: new Set(near.map(({ turnId }) => turnId)).size + apart.near,
  });
}

/** Returns tombstones for these keys in messages that have none for them yet: forgetting again adds nothing. */
async function newTombstones(
  transaction: Transaction,
  messageIds: Iterable<string>,
  keys: readonly string[],
): Promise<string[]> {
  const added: string[] = [];
  for (const id of messageIds) {
    const known = await tombstonesOf(transaction, [id]);
    const unknown = keys.filter((key) => !isEntityForgotten(known, id, key));
    added.push(...entityTombstones(id, unknown));
  }
  return added;
}

/** Returns the ids of the messages whose text, or whose record, contains a name. */
async function namingRows(transaction: Transaction, found: NamingRows): Promise<Record<Naming, string[]>> {
  const records = await rowsNaming(transaction.objectStore('records'), found.records);
  const idsOf = (naming: Naming): string[] => {
    const ofRecords = records[naming].flatMap(({ messageIds }) => messageIds);
    return [...new Set([...found.messageIds(naming), ...ofRecords])];
  };
  return { named: idsOf('named'), near: idsOf('near') };
}

/** Rows that contain a name and are not part of a turn. */
interface Apart {
  readonly plans: readonly Plan[];
  /** Number of texts that remain and contain a name. */
  readonly stillNaming: number;
  /** Number of texts that contain a name only within a longer word. */
  readonly near: number;
}

/**
 * Plans the erasure of rows that contain a name and are not part of a turn. Records without messages, such as the files
 * of a memory tool, are derived and always erased. The texts of retrievers and the lists of chat memories contain what
 * was said, and are erased only with the turns.
 */
async function planApart(
  transaction: Transaction,
  scope: string,
  found: NamingRows,
  withTurns: boolean,
): Promise<Apart> {
  const records = await rowsNaming(transaction.objectStore('records'), found.records);
  const documents = await rowsNaming(transaction.objectStore('documents'), found.documents);
  const gone = records.named.filter((row) => withTurns || row.messageIds.length === 0);
  const nearRecords = records.near.filter((row) => row.messageIds.length === 0);
  const lists = await listsNaming(transaction, scope, found);
  const plans: Plan[] = [planWithoutRecords(gone)];
  if (withTurns)
    plans.push(planWithoutTexts(documents.named), {
      puts: { chatMemories: lists.filter(({ messages }) => messages > 0).map(({ left }) => left) },
      counts: { chatMessages: sumOf(lists, ({ messages }) => messages) },
    });
  return {
    plans,
    stillNaming: withTurns ? 0 : documents.named.length + sumOf(lists, ({ counts }) => counts.named),
    near: nearRecords.length + documents.near.length + sumOf(lists, ({ counts }) => counts.near),
  };
}

/** Returns the rows that still exist of those that were found, by how they contain a name. */
async function rowsNaming<Key, Row>(
  store: { get(key: Key): Promise<Row | undefined> },
  found: Parameters<typeof keysNaming<Key>>[0],
): Promise<Record<Naming, Row[]>> {
  const rowsOf = (naming: Naming): Promise<Row[]> => getEach(store, keysNaming(found, naming));
  return { named: await rowsOf('named'), near: await rowsOf('near') };
}

function sumOf(lists: readonly NamingList[], numberOf: (list: NamingList) => number): number {
  return lists.reduce((sum, list) => sum + numberOf(list), 0);
}

/** A list of a chat memory that contains a name. */
interface NamingList {
  /** The list without the exchanges that contain a name. */
  readonly left: ChatMemoryRecord;
  /** Number of messages that the list would lose. */
  readonly messages: number;
  /** Number of exchanges with a name, and of those with a name only within a longer word. */
  readonly counts: Readonly<Record<Naming, number>>;
}

/** Finds the lists of chat memories that belong to sessions of a scope and contain a name: see {@link ChatMemoryRecord}. */
async function listsNaming(
  transaction: Transaction,
  scope: string,
  found: NamingRows,
): Promise<NamingList[]> {
  const store = transaction.objectStore('chatMemories');
  const lists: NamingList[] = [];
  for (const id of scope === DEFAULT_SCOPE ? await store.getAllKeys() : []) {
    if ((await transaction.objectStore('sessions').getKey([scope, id])) === undefined) continue;
    const list = await store.get(id);
    const checked = exchangesOf(list?.messages ?? []).map((messages) => ({
      messages,
      naming: found.namingOf((isMeant) => messages.some((message) => messageHoldsText(message, isMeant))),
    }));
    const countOf = (naming: Naming): number => checked.filter((each) => each.naming === naming).length;
    const counts = { named: countOf('named'), near: countOf('near') };
    if (!list || counts.named + counts.near === 0) continue;
    const left = checked.flatMap(({ messages, naming }) => (naming === 'named' ? [] : messages));
    lists.push({
      left: { ...list, messages: left },
      messages: list.messages.length - left.length,
      counts,
    });
  }
  return lists;
}

/** Splits a list into exchanges: what the user says, and all that follows until they speak again. */
function exchangesOf(messages: readonly CountedMessage[]): CountedMessage[][] {
  const exchanges: CountedMessage[][] = [];
  for (const message of messages) {
    const isAlone = message.role === 'user' || message.role === 'system';
    const last = exchanges.at(-1);
    if (!last || isAlone || last[0]?.role === 'system') exchanges.push([message]);
    else last.push(message);
  }
  return exchanges;
}
