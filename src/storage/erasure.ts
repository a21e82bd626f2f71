import { afterErasing, titleIsErased } from './append-plan.ts';
import { recordChange } from './change-log.ts';
import type { Transaction } from './connection.ts';
import { eraseDerived, eraseScope, type ErasedKnowledge } from './derived-erasure.ts';
import { entityTombstoneRange } from './entity-tombstone.ts';
import { dropPacked } from './packed-knowledge.ts';
import { removeFromParts, removeParts } from './postings-parts.ts';
import type { DocumentRecord, MessageRecord } from './schema.ts';
import type { ForgetReceipt, ErasureSelector } from './transcript-store.ts';
import { removeBlocks, removeRows } from './vector-blocks.ts';

/** The messages of a scope that a selector names. */
export async function selectMessages(
  transaction: Transaction,
  selector: ErasureSelector,
  scope: string,
): Promise<MessageRecord[]> {
  const store = transaction.objectStore('messages');
  const inScope = (rows: MessageRecord[]): MessageRecord[] => rows.filter((row) => row.scope === scope);
  if ('messageId' in selector) return inScope(await store.index('id').getAll(selector.messageId));
  if ('turnIds' in selector) return inScope(await rowsOfTurns(transaction, new Set(selector.turnIds)));
  if ('sessionId' in selector) {
    const { sessionId } = selector;
    return inScope(await store.getAll(IDBKeyRange.bound([sessionId], [sessionId, []])));
  }
  if ('everything' in selector) return store.index('created').getAll(IDBKeyRange.bound([scope], [scope, []]));
  const early = IDBKeyRange.bound([scope], [scope, selector.before], false, true);
  const rows = await store.index('created').getAll(early);
  return rowsOfTurns(transaction, new Set(rows.map((row) => row.turnId)));
}

async function rowsOfTurns(transaction: Transaction, turnIds: ReadonlySet<string>): Promise<MessageRecord[]> {
  const index = transaction.objectStore('messages').index('turnId');
  return (await Promise.all(Array.from(turnIds, (turnId) => index.getAll(turnId)))).flat();
}

/**
 * Deletes messages and their vectors' blocks and writes nothing: all that a full disk still allows. Without the
 * generation every reader of changes reads the whole state anew. To be followed by {@link eraseMessages}, which needs
 * the room that this makes.
 */
export async function makeRoom(
  transaction: Transaction<'readwrite'>,
  rows: readonly MessageRecord[],
): Promise<void> {
  const messages = transaction.objectStore('messages');
  await Promise.all(rows.map((row) => messages.delete([row.sessionId, row.seq])));
  const ids = new Set(rows.map((row) => row.id));
  for (const scope of new Set(rows.map((row) => row.scope))) {
    await removeParts(transaction, scope);
    await removeBlocks(transaction, scope, ids);
  }
  await dropPacked(transaction);
  await transaction.objectStore('meta').delete('generation');
}

/**
 * Erases messages, what is derived from them, and leaves tombstones and a change for the other tabs.
 *
 * @param wholeScope the scope of which these are all messages: all that it knows goes, whoever entered it
 */
export async function eraseMessages(
  transaction: Transaction<'readwrite'>,
  rows: readonly MessageRecord[],
  wholeScope?: string,
): Promise<ForgetReceipt> {
  const ids = new Set(rows.map((row) => row.id));
  const messages = transaction.objectStore('messages');
  const tombstones = transaction.objectStore('tombstones');
  await Promise.all([
    ...rows.map((row) => messages.delete([row.sessionId, row.seq])),
    ...rows.map((row) => tombstones.put(true, row.id)),
    ...rows.map((row) => tombstones.delete(entityTombstoneRange(row.id))),
  ]);
  let vectors = 0;
  for (const scope of new Set(rows.map((row) => row.scope))) {
    const erased = rows.flatMap((row) => (row.scope === scope ? [row.id] : []));
    vectors += await removeRows(transaction, scope, ids);
    if (scope === wholeScope) await removeParts(transaction, scope);
    else await removeFromParts(transaction, scope, ids);
    await recordChange(transaction, { kind: 'removed', scope, ids: erased });
  }
  await updateSessionRows(transaction, rows, ids);
  const derived = await eraseDerived(transaction, rows);
  if (wholeScope !== undefined) {
    const rest = await eraseScope(transaction, wholeScope);
    for (const name of Object.keys(rest) as (keyof ErasedKnowledge)[]) derived[name] += rest[name];
  }
  const turns = new Set(rows.map((row) => row.turnId)).size;
  return { messages: ids.size, turns, sessions: 0, documents: 0, vectors, ...derived };
}

/**
 * Erases the documents of retrievers that a session, a time or all names: of one collection, or of each where none is
 * given. Returns how many there were.
 */
export async function eraseDocuments(
  transaction: Transaction<'readwrite'>,
  selector: ErasureSelector,
  collection?: string,
): Promise<number> {
  const selected = (await candidateDocuments(transaction, selector, collection)).filter(
    (document) =>
      (collection === undefined || document.collection === collection) &&
      (!('before' in selector) || document.createdAt < selector.before),
  );
  const store = transaction.objectStore('documents');
  await Promise.all(selected.map((document) => store.delete([document.collection, document.id])));
  for (const scope of new Set(selected.map((document) => document.collection))) {
    const ids = selected.flatMap((document) => (document.collection === scope ? [document.id] : []));
    await recordChange(transaction, { kind: 'documents', scope, ids });
  }
  return selected.length;
}

async function candidateDocuments(
  transaction: Transaction,
  selector: ErasureSelector,
  collection: string | undefined,
): Promise<DocumentRecord[]> {
  const store = transaction.objectStore('documents');
  if ('sessionId' in selector) return store.index('sessionId').getAll(selector.sessionId);
  if (!('before' in selector || 'everything' in selector) || collection === undefined) return [];
  return store.getAll(IDBKeyRange.bound([collection], [collection, []]));
}

/** Deletes the rows of the sessions that a selector names as a whole. Returns how many there were. */
export async function eraseSessionRows(
  transaction: Transaction<'readwrite'>,
  selector: ErasureSelector,
  scope: string,
): Promise<number> {
  const store = transaction.objectStore('sessions');
  const whole =
    'everything' in selector
      ? await store.index('scope').getAll(scope)
      : 'sessionId' in selector
        ? await store.getAll(selector.sessionId)
        : [];
  const ids = whole.flatMap((session) => (session.scope === scope ? [session.id] : []));
  await Promise.all(ids.map((id) => store.delete(id)));
  return ids.length;
}

async function updateSessionRows(
  transaction: Transaction<'readwrite'>,
  rows: readonly MessageRecord[],
  ids: ReadonlySet<string>,
): Promise<void> {
  const sessions = transaction.objectStore('sessions');
  for (const sessionId of new Set(rows.map((row) => row.sessionId))) {
    const session = await sessions.get(sessionId);
    if (!session) continue;
    const erased = rows.filter((row) => row.sessionId === sessionId);
    const opening = titleIsErased(session, ids) ? await firstUserMessage(transaction, sessionId) : undefined;
    await sessions.put(afterErasing(session, erased, opening));
  }
}

async function firstUserMessage(
  transaction: Transaction,
  sessionId: string,
): Promise<MessageRecord | undefined> {
  const range = IDBKeyRange.bound([sessionId], [sessionId, []]);
  let cursor = await transaction.objectStore('messages').openCursor(range);
  while (cursor && cursor.value.role !== 'user') cursor = await cursor.continue();
  return cursor?.value;
}
