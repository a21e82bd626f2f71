import { between, startingWith } from './key-range.ts';
import { isConversationSegment, mergeSegments } from '../search/conversation-segment.ts';
import { readMissed, type ChangeCursor } from './change-log.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import { DOCUMENTS_PER_PART, PARTS_PER_GROUP, type Change, type PostingsRecord } from './schema.ts';

/** One segment of a saved keyword index: see `PostingsRecord`. */
export type SavedPart = Pick<PostingsRecord, 'cursor' | 'analyzer' | 'segment'>;
export type NewPart = Omit<SavedPart, 'cursor'>;

/** Range of changes that segments to be saved contain: those after one cursor, up to another. */
export interface SavedSpan {
  from: ChangeCursor | undefined;
  to: ChangeCursor;
}

type PartKey = [scope: string, part: number];

/** Returns all segments of a scope, oldest first. */
export function readParts(transaction: Transaction, scope: string): Promise<PostingsRecord[]> {
  return transaction.objectStore('postings').getAll(startingWith(scope));
}

/**
 * Returns the cursor up to which the index is saved, as stored with the newest segment. Undefined if there is none,
 * or if it is not valid.
 */
export function persistedCursor(newest: PostingsRecord | undefined): ChangeCursor | undefined {
  const { generation, revision } = (newest?.cursor ?? {}) as Partial<ChangeCursor>;
  return generation !== undefined && Number.isSafeInteger(revision) ? newest?.cursor : undefined;
}

/** Saves segments: see `SearchRows.saveIndex`. */
export async function saveParts(
  transaction: WriteTransaction,
  scope: string,
  parts: readonly NewPart[],
  { from, to }: SavedSpan,
): Promise<ChangeCursor | undefined> {
  const newest = await transaction.objectStore('postings').openCursor(startingWith(scope), 'prev');
  const saved = persistedCursor(newest?.value);
  const { missed } = await readMissed(transaction, to);
  const isErased = (change: Change): boolean => change.kind === 'removed' && change.scope === scope;
  if (!missed || missed.some(isErased)) return saved; // the segments may contain words of what was forgotten
  if (from && (saved?.generation !== from.generation || saved.revision !== from.revision)) return saved;
  if (!from && newest) await transaction.objectStore('postings').delete(startingWith(scope));
  await appendParts(transaction, scope, parts, to);
  return to;
}

/**
 * Appends segments to those of a scope, whose index is then saved up to the cursor.
 *
 * A segment's number roughly counts documents: it is the last of as many numbers as its documents would fill small
 * segments. Small segments are numbered in groups of {@link PARTS_PER_GROUP}. When a group is complete, its segments
 * are merged into one, which is rewritten only to erase from it. So each message is written twice, and no write is
 * larger than a group, whatever the size of the index.
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

/** Merges the segments of a group, unless one cannot be read or their analyzers differ. */
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

function groupOf(part: number): number {
  return Math.floor(part / PARTS_PER_GROUP);
}

function firstOfGroup(group: number): number {
  return group * PARTS_PER_GROUP;
}
