import { isSearchable, type StoredMessage } from '../model/message.ts';
import { readMissed, readSince, recordChange, type ChangeCursor } from './change-log.ts';
import { between, startingWith } from './key-range.ts';
import { isConversationSegment, mergeSegments } from '../search/conversation-segment.ts';
import {
  DOCUMENTS_PER_PART,
  PARTS_PER_GROUP,
  type Change,
  type MessageRecord,
  type PostingsRecord,
  type StoreName,
} from './schema.ts';
import type { StorageEngine, Transaction, WriteTransaction } from './storage-engine.ts';
import { readRows } from './codec/read-in-pages.ts';
import { readWritten } from './transcript/read-session.ts';
import { appendRows, readRowsOf, rowsOf, type BlockKey, type VectorRow } from './vector-blocks.ts';

/** Changes since a cursor. */
export interface ChangeSet {
  cursor: ChangeCursor;
  /**
   * True if the cursor was unknown or too old: drop everything read before, because this is the whole state, except for
   * vectors, which have to be loaded again.
   */
  reset: boolean;
  /** Messages written or rewritten, in any state. */
  messages: StoredMessage[];
  removed: string[];
  vectors: VectorRow[];
}

/** One segment of a saved keyword index: see `PostingsRecord`. */
export type SavedPart = Pick<PostingsRecord, 'cursor' | 'analyzer' | 'segment'>;
export type NewPart = Omit<SavedPart, 'cursor'>;

/** Range of changes that segments to be saved contain: those after one cursor, up to another. */
export interface SavedSpan {
  from: ChangeCursor | undefined;
  to: ChangeCursor;
}

export interface SavedIndexParts {
  /** Saved segments, oldest first, as they were stored; they may be damaged. */
  parts: SavedPart[];
  /** Changes since the cursor of the newest segment, without vectors. */
  changes: ChangeSet;
}

/** Stores that {@link SearchRows.readChanges} needs. */
const CHANGE_STORES: readonly StoreName[] = ['sessions', 'messages', 'vectors', 'changes', 'meta'];

/** Stores that {@link SearchRows.loadIndex} needs. */
export const INDEX_STORES: readonly StoreName[] = ['postings', ...CHANGE_STORES];

/** Stores the data of search: vectors, the saved keyword index, and the changes since it was saved. */
export class SearchRows {
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  /**
   * Stores vectors of messages, and skips messages that were forgotten or replaced in the meantime. The last vector stored
   * for an id counts.
   */
  appendVectors(embedder: string, scope: string, entries: readonly VectorRow[]): Promise<void> {
    return this.#engine.write(['messages', 'vectors', 'changes'], async (transaction) => {
      const index = transaction.objectStore('messages').index('id');
      const stored = await Promise.all(entries.map((entry) => index.get(entry.id)));
      const rows = entries.filter((_entry, position) => {
        const message = stored[position];
        return message !== undefined && isSearchable(message);
      });
      for (const part of await appendRows(transaction, embedder, scope, rows)) {
        await recordChange(transaction, { kind: 'vectors', scope, embedder, ...part });
      }
    });
  }

  /**
   * Returns the changes that a scope's indexes have missed since a cursor, or everything without one. Uses the given
   * transaction over {@link CHANGE_STORES}, if any.
   */
  readChanges(
    scope: string,
    embedder: string | undefined,
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
    within?: Transaction,
  ): Promise<ChangeSet> {
    const read = (transaction: Transaction): Promise<ChangeSet> =>
      readChangeSet(transaction, scope, embedder, since);
    return within ? read(within) : this.#engine.read(CHANGE_STORES, read, signal);
  }

  /** Passes all vectors of an embedder for a scope's messages to a function, block by block and as they are at one time. */
  readVectors(scope: string, embedder: string, take: (rows: readonly VectorRow[]) => void): Promise<void> {
    return this.#engine.read(['vectors'], async (transaction) => {
      for await (const block of readRows(transaction, 'vectors', startingWith(embedder, scope)))
        take(rowsOf(block));
    });
  }

  /** Removes the vectors of all other embedders for a scope's messages. */
  async dropOtherVectors(scope: string, embedders: readonly string[]): Promise<void> {
    const isOther = ([embedder, keyScope]: BlockKey): boolean =>
      keyScope === scope && !embedders.includes(embedder);
    const keys = await this.#engine.read(['vectors'], (transaction) =>
      transaction.objectStore('vectors').getAllKeys(),
    );
    if (!keys.some(isOther)) return;
    await this.#engine.write(['vectors'], async (transaction) => {
      const store = transaction.objectStore('vectors');
      const others = (await store.getAllKeys()).filter(isOther);
      await Promise.all(others.map((key) => store.delete(key)));
    });
  }

  /** Returns the saved keyword index of a scope, and the changes since it was saved. */
  loadIndex(scope: string, signal?: AbortSignal, within?: Transaction): Promise<SavedIndexParts> {
    const read = async (transaction: Transaction): Promise<SavedIndexParts> => {
      const parts = await readParts(transaction, scope);
      const changes = await readChangeSet(transaction, scope, undefined, persistedCursor(parts.at(-1)));
      return { parts, changes };
    };
    return within ? read(within) : this.#engine.read(INDEX_STORES, read, signal);
  }

  /**
   * Saves the changes of a scope's keyword index between two cursors. Does nothing if anything of the scope was
   * erased since, or if another tab has saved in the meantime. If `from` is undefined, replaces the whole saved
   * index. Returns the cursor up to which the index is saved now, or undefined if nothing is saved.
   */
  saveIndex(
    scope: string,
    parts: readonly NewPart[],
    { from, to }: SavedSpan,
  ): Promise<ChangeCursor | undefined> {
    return this.#engine.write(['postings', 'changes', 'meta'], async (transaction) => {
      const store = transaction.objectStore('postings');
      const newest = await store.last(startingWith(scope));
      const saved = persistedCursor(newest);
      const { missed } = await readMissed(transaction, to);
      const isErased = (change: Change): boolean => change.kind === 'removed' && change.scope === scope;
      if (!missed || missed.some(isErased)) return saved; // the segments may contain words of what was forgotten
      if (from && (saved?.generation !== from.generation || saved.revision !== from.revision)) return saved;
      if (!from && newest) await store.delete(startingWith(scope));
      await appendParts(transaction, scope, parts, to);
      return to;
    });
  }
}

/** Returns the changes that a scope's indexes have missed, read in one transaction so that they form one state. */
function readChangeSet(
  transaction: Transaction,
  scope: string,
  embedder: string | undefined,
  since: ChangeCursor | undefined,
): Promise<ChangeSet> {
  return readSince<Missed>(transaction, since, {
    missed: (changes) => replay(transaction, changes, scope, embedder),
    whole: async () => ({
      messages: await transaction.objectStore('messages').index('created').getAll(startingWith(scope)),
      removed: [],
      vectors: [],
    }),
  });
}

type Missed = Pick<ChangeSet, 'messages' | 'removed' | 'vectors'>;

async function replay(
  transaction: Transaction,
  changes: readonly Change[],
  scope: string,
  embedder: string | undefined,
): Promise<Missed> {
  const messages = new Map<string, MessageRecord>();
  const removed = new Set<string>();
  const embedded = new Set<string>();
  const blocks = new Set<number>();
  for (const change of changes) {
    if (change.scope !== scope) continue;
    if (change.kind === 'turn') {
      // A message that was forgotten later is no longer found, and is listed as removed.
      for (const row of await readWritten(transaction, change)) messages.set(row.id, row);
    } else if (change.kind === 'removed') {
      for (const id of change.ids) removed.add(id);
    } else if (change.kind === 'vectors' && change.embedder === embedder) {
      blocks.add(change.block);
      for (const id of change.ids) embedded.add(id);
    }
  }
  const rows = embedder === undefined ? [] : await readRowsOf(transaction, embedder, scope, blocks);
  const vectors = rows.filter((row) => embedded.has(row.id));
  return { messages: [...messages.values()], removed: [...removed], vectors };
}

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
  let last = (await store.lastKey(startingWith(scope)))?.[1] ?? -1;
  for (const { analyzer, segment } of parts) {
    const size = Math.max(1, Math.ceil(segment.ids.length / DOCUMENTS_PER_PART));
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
  const range = between([scope, firstOfGroup(group)], [scope, firstOfGroup(group + 1)], { upperOpen: true });
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
