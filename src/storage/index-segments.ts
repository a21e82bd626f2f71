import { between, startingWith } from './key-range.ts';
import { isConversationSegment, mergeSegments } from '../search/conversation-segment.ts';
import { readMissed } from './change-log.ts';
import type { Plan } from './plan.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import { DOCUMENTS_PER_PART, PARTS_PER_GROUP, type Change, type PostingsRecord } from './schema.ts';
import type { ChangeCursor } from './change-log.ts';

/** A part of a saved keyword index: see `PostingsRecord`. */
export type SavedPart = Pick<PostingsRecord, 'cursor' | 'analyzer' | 'segment'>;
export type NewPart = Omit<SavedPart, 'cursor'>;

/** What a part of a saved index holds: the changes after one cursor, up to another. */
export interface SavedSpan {
  from: ChangeCursor | undefined;
  to: ChangeCursor;
}

type PartKey = [scope: string, part: number];

/** All parts of a scope, oldest first. */
export function readParts(transaction: Transaction, scope: string): Promise<PostingsRecord[]> {
  return transaction.objectStore('postings').getAll(startingWith(scope));
}

/** How far the newest part says that all of them reach; undefined where there is none, or it says no such thing. */
export function reachOf(newest: PostingsRecord | undefined): ChangeCursor | undefined {
  const { generation, revision } = (newest?.cursor ?? {}) as Partial<ChangeCursor>;
  return generation !== undefined && Number.isSafeInteger(revision) ? newest?.cursor : undefined;
}

/** See `TranscriptStore.saveIndex`. */
export async function saveParts(
  transaction: WriteTransaction,
  scope: string,
  parts: readonly NewPart[],
  { from, to }: SavedSpan,
): Promise<ChangeCursor | undefined> {
  const newest = await transaction.objectStore('postings').openCursor(startingWith(scope), 'prev');
  const reach = reachOf(newest?.value);
  const { missed } = await readMissed(transaction, to);
  const isErased = (change: Change): boolean => change.kind === 'removed' && change.scope === scope;
  if (!missed || missed.some(isErased)) return reach; // words of what was forgotten may be in them
  if (from && (reach?.generation !== from.generation || reach.revision !== from.revision)) return reach;
  if (!from && newest) await removeParts(transaction, scope);
  await appendParts(transaction, scope, parts, to);
  return to;
}

/** The parts that hold erased messages, without them; all parts go where one cannot be read. */
export async function planWithoutDocuments(
  transaction: Transaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<Plan> {
  const store = transaction.objectStore('postings');
  const keys = await keysHolding(transaction, scope, erased);
  const rows = (await Promise.all(keys.map((key) => store.get(key)))).filter((row) => row !== undefined);
  if (!rows.every(({ segment }) => isConversationSegment(segment)))
    return { deletes: [{ store: 'postings', key: startingWith(scope) }] };
  // A part stays when it is empty: its cursor tells what is saved.
  return {
    puts: rows.map((row) => ({
      store: 'postings',
      row: { ...row, segment: mergeSegments([row.segment], erased) },
    })),
  };
}

/** Removes all parts of a scope: they can be made again. */
export async function removeParts(transaction: WriteTransaction, scope: string): Promise<void> {
  await transaction.objectStore('postings').delete(startingWith(scope));
}

/**
 * Puts parts behind those of a scope, which reach to a cursor then.
 *
 * Part numbers count documents, roughly: a part is numbered as the last of as many as its documents would fill. Small
 * parts come in groups of {@link PARTS_PER_GROUP} numbers; when a group is left behind, its parts become one, which is
 * not written again but to erase from it. So a message is written twice, and no write is larger than a group, however
 * much there is.
 */
async function appendParts(
  transaction: WriteTransaction,
  scope: string,
  parts: readonly NewPart[],
  cursor: ChangeCursor,
): Promise<void> {
  const store = transaction.objectStore('postings');
  const newest = await store.openKeyCursor(startingWith(scope), 'prev');
  let last = newest?.key[1] ?? -1;
  for (const { analyzer, segment } of parts) {
    const size = Math.max(1, Math.ceil(segment.keywords.ids.length / DOCUMENTS_PER_PART));
    const fits = groupOf(last + size) === groupOf(last + 1);
    const part = (fits ? last : firstOfGroup(groupOf(last) + 1) - 1) + size;
    if (last >= 0 && groupOf(part) !== groupOf(last)) await joinGroup(transaction, scope, groupOf(last));
    await store.put({ scope, part, cursor, analyzer, segment });
    last = part;
  }
}

/** Makes one of the parts of a group, unless one of them cannot be read, or they differ in their analyzer. */
async function joinGroup(transaction: WriteTransaction, scope: string, group: number): Promise<void> {
  const store = transaction.objectStore('postings');
  const first: PartKey = [scope, firstOfGroup(group)];
  const range = between(first, [scope, firstOfGroup(group + 1)], { upperOpen: true });
  const rows = await store.getAll(range);
  const newest = rows.at(-1);
  if (!newest || rows.length < 2) return;
  const segments = rows.map((row) => row.segment);
  const areAlike = rows.every((row) => row.analyzer === newest.analyzer);
  if (!areAlike || !segments.every(isConversationSegment)) return;
  await store.delete(range);
  await store.put({ ...newest, segment: mergeSegments(segments) });
}

/** Keys of the parts of a scope that hold one of these messages, each once. No part is read. */
async function keysHolding(
  transaction: Transaction,
  scope: string,
  ids: ReadonlySet<string>,
): Promise<PartKey[]> {
  const index = transaction.objectStore('postings').index('ids');
  const found = (await Promise.all(Array.from(ids, (id) => index.getAllKeys(id)))).flat();
  const parts = new Set(found.flatMap(([keyScope, part]) => (keyScope === scope ? [part] : [])));
  return Array.from(parts, (part) => [scope, part]);
}

function groupOf(part: number): number {
  return Math.floor(part / PARTS_PER_GROUP);
}

function firstOfGroup(group: number): number {
  return group * PARTS_PER_GROUP;
}
