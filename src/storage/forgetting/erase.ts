import { MnemoraError } from '../../model/error.ts';
import { randomHex } from '../../model/id.ts';
import { applyPlans } from '../plan.ts';
import { erasureOf, type Erasure, type ErasureSelector } from '../erasure.ts';
import { between, startingWith } from '../key-range.ts';
import { emptyForgetReceipt, type ForgetReceipt } from '../receipts.ts';
import { getAllOf } from '../rows.ts';
import { STORE_NAMES, type MessageRecord } from '../schema.ts';
import type { StorageEngine, Transaction, WriteTransaction } from '../storage-engine.ts';
import { STORE_RULES } from '../store-rules.ts';
import { removeSearchRows } from '../stores/search.ts';
import { ownMessages } from '../transcript/read-session.ts';

/** Returns what a selector selects in a scope. */
export async function selectErasure(
  transaction: Transaction,
  selector: ErasureSelector,
  scope: string,
): Promise<Erasure> {
  const messages = await selectMessages(transaction, selector, scope);
  const sessions = transaction.objectStore('sessions');
  const all = 'everything' in selector ? await sessions.getAllKeys(startingWith(scope)) : [];
  return erasureOf(messages, {
    scope,
    sessions: 'sessionId' in selector ? [[scope, selector.sessionId]] : all,
    ...('before' in selector ? { before: selector.before } : {}),
    wholeScopes: new Set('everything' in selector ? [scope] : []),
  });
}

/** Returns the whole turns of these messages, including tool messages. */
export async function selectTurnsOf(
  transaction: Transaction,
  messageIds: readonly string[],
  scope: string,
): Promise<Erasure> {
  const own = await ownMessages(transaction, scope, messageIds);
  return erasureOf(await messagesOfTurns(transaction, scope, own.map(turnIdOf)), { scope });
}

/**
 * Erases messages and sessions, and what depends on them, from every store of the table. Needs a transaction over all
 * stores.
 */
export async function erase(transaction: WriteTransaction, erasure: Erasure): Promise<ForgetReceipt> {
  const plans = await Promise.all(
    Object.values(STORE_RULES).flatMap((store) => store.erase?.(transaction, erasure) ?? []),
  );
  return { ...emptyForgetReceipt(), ...(await applyPlans(transaction, plans.flat())) };
}

/**
 * Erases in one transaction over all stores. A preview does the same and then rolls back, so that its result is
 * exactly what would happen.
 */
export async function eraseOrPreview<T>(
  engine: StorageEngine,
  isPreview: boolean,
  body: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  const preview: { result?: T } = {};
  const takenBack = new Error('A preview changes nothing.');
  try {
    return await engine.write(STORE_NAMES, async (transaction) => {
      const result = await body(transaction);
      if (!isPreview) return result;
      preview.result = result;
      throw takenBack;
    });
  } catch (error) {
    if (error === takenBack) return preview.result as T;
    throw error;
  }
}

/** Reads what is to be erased, as it is in a transaction. */
export type Select = (transaction: Transaction) => Promise<Erasure>;

/**
 * Erases what is selected, and leaves tombstones. A full disk has no room for them, so room is made first then: by what
 * can be computed again, and only if that is not enough, by the messages themselves.
 */
export async function eraseSelected(
  engine: StorageEngine,
  select: Select,
  isPreview = false,
): Promise<ForgetReceipt> {
  try {
    return await eraseOrPreview(engine, isPreview, async (transaction) =>
      erase(transaction, await select(transaction)),
    );
  } catch (error) {
    if (isPreview || !isFull(error)) throw error;
  }
  const eraseWith = (deleted: readonly MessageRecord[]): Promise<ForgetReceipt> =>
    engine.write(STORE_NAMES, async (transaction) => {
      await transaction.objectStore('meta').put({ key: 'generation', value: randomHex(32) });
      const here = await select(transaction);
      return erase(transaction, erasureOf([...deleted, ...here.messages], here));
    });
  await makeRoom(engine, select, { keepsMessages: true });
  try {
    return await eraseWith([]);
  } catch (error) {
    if (!isFull(error)) throw error;
  }
  return eraseWith(await makeRoom(engine, select, { keepsMessages: false }));
}

function isFull(error: unknown): boolean {
  return error instanceof MnemoraError && error.code === 'storage-full';
}

/**
 * Deletes the blocks of vectors and postings of messages, and the messages unless they are kept. It writes nothing, which
 * is all that a full disk allows. It also deletes the generation, so that every follower of the change log reads the whole
 * state again. Returns the messages; their erasure needs the space that this frees.
 */
function makeRoom(
  engine: StorageEngine,
  select: Select,
  { keepsMessages }: { readonly keepsMessages: boolean },
): Promise<readonly MessageRecord[]> {
  return engine.write(['sessions', 'messages', 'vectors', 'postings', 'meta'], async (transaction) => {
    const { messages: rows } = await select(transaction);
    if (!keepsMessages) {
      const messages = transaction.objectStore('messages');
      await Promise.all(rows.map((row) => messages.delete([row.scope, row.sessionId, row.seq])));
    }
    await removeSearchRows(transaction, rows);
    await transaction.objectStore('meta').delete('generation');
    return rows;
  });
}

async function selectMessages(
  transaction: Transaction,
  selector: ErasureSelector,
  scope: string,
): Promise<MessageRecord[]> {
  const store = transaction.objectStore('messages');
  if ('messageId' in selector) return ownMessages(transaction, scope, [selector.messageId]);
  if ('turnIds' in selector) return messagesOfTurns(transaction, scope, selector.turnIds);
  if ('sessionId' in selector) return store.getAll(startingWith(scope, selector.sessionId));
  if ('everything' in selector) return store.index('created').getAll(startingWith(scope));
  const early = between([scope], [scope, selector.before], { upperOpen: true });
  const rows = await store.index('created').getAll(early);
  return messagesOfTurns(transaction, scope, rows.map(turnIdOf));
}

const turnIdOf = ({ turnId }: MessageRecord): string => turnId;

/** Returns all messages of these turns of a scope. */
function messagesOfTurns(
  transaction: Transaction,
  scope: string,
  turnIds: readonly string[],
): Promise<MessageRecord[]> {
  const keys = Array.from(new Set(turnIds), (turnId): [string, string] => [scope, turnId]);
  return getAllOf(transaction.objectStore('messages').index('turnId'), keys);
}
