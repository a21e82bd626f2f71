import type { StoredMessage } from '../model/message.ts';
import { readMissed, recordChange, type ChangeCursor } from './change-log.ts';
import { between, startingWith } from './key-range.ts';
import {
  persistedCursor,
  readParts,
  saveParts,
  type NewPart,
  type SavedPart,
  type SavedSpan,
} from './index-segments.ts';
import type { Change, MessageRecord, StoreName } from './schema.ts';
import type { StorageEngine, Transaction } from './storage-engine.ts';
import { appendRows, readRows, readRowsOf, type BlockKey, type VectorRow } from './vector-blocks.ts';

/** Changes since a cursor. */
export interface ChangeSet {
  cursor: ChangeCursor;
  /** True if the cursor was unknown or too old: drop everything read before, because this is the whole state. */
  reset: boolean;
  /** Messages written or rewritten, in any state. */
  messages: StoredMessage[];
  removed: string[];
  vectors: VectorRow[];
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

/**
 * Stores the data of search: vectors, the saved keyword index, and the changes since it was saved. Commits are
 * `relaxed`.
 */
export class SearchRows {
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  /**
   * Stores vectors of messages, and skips messages that were forgotten in the meantime. The last vector stored for an
   * id counts.
   */
  appendVectors(embedder: string, scope: string, entries: readonly VectorRow[]): Promise<void> {
    return this.#engine.write(['messages', 'vectors', 'changes'], 'relaxed', async (transaction) => {
      const index = transaction.objectStore('messages').index('id');
      const keys = await Promise.all(entries.map((entry) => index.getKey(entry.id)));
      const rows = entries.filter((_entry, position) => keys[position] !== undefined);
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
    return within ? read(within) : this.#engine.read([...CHANGE_STORES], read, signal);
  }

  /** Returns all vectors of an embedder for a scope's messages. */
  readVectors(scope: string, embedder: string): Promise<VectorRow[]> {
    return this.#engine.read(['vectors'], (transaction) => readRows(transaction, embedder, scope));
  }

  /** Removes the vectors of all other embedders for a scope's messages. */
  async dropOtherVectors(scope: string, embedders: readonly string[]): Promise<void> {
    const isOther = ([embedder, keyScope]: BlockKey): boolean =>
      keyScope === scope && !embedders.includes(embedder);
    const keys = await this.#engine.read(['vectors'], (transaction) =>
      transaction.objectStore('vectors').getAllKeys(),
    );
    if (!keys.some(isOther)) return;
    await this.#engine.write(['vectors'], 'relaxed', async (transaction) => {
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
    return within ? read(within) : this.#engine.read([...INDEX_STORES], read, signal);
  }

  /**
   * Saves the changes of a scope's keyword index between two cursors. Does nothing if anything of the scope was
   * erased since, or if another tab has saved in the meantime. If `from` is undefined, replaces the whole saved
   * index. Returns the cursor up to which the index is saved now, or undefined if nothing is saved.
   */
  saveIndex(scope: string, parts: readonly NewPart[], span: SavedSpan): Promise<ChangeCursor | undefined> {
    return this.#engine.write(['postings', 'changes', 'meta'], 'relaxed', (transaction) =>
      saveParts(transaction, scope, parts, span),
    );
  }
}

/** Returns the changes that a scope's indexes have missed, read in one transaction so that they form one state. */
async function readChangeSet(
  transaction: Transaction,
  scope: string,
  embedder: string | undefined,
  since: ChangeCursor | undefined,
): Promise<ChangeSet> {
  const { cursor, missed } = await readMissed(transaction, since);
  if (!missed)
    return { cursor, reset: true, removed: [], ...(await readScope(transaction, scope, embedder)) };
  return { cursor, reset: false, ...(await replay(transaction, missed, scope, embedder)) };
}

async function readScope(
  transaction: Transaction,
  scope: string,
  embedder: string | undefined,
): Promise<Pick<ChangeSet, 'messages' | 'vectors'>> {
  const range = startingWith(scope);
  const [messages, vectors] = await Promise.all([
    transaction.objectStore('messages').index('created').getAll(range),
    embedder === undefined ? [] : readRows(transaction, embedder, scope),
  ]);
  return { messages, vectors };
}

async function replay(
  transaction: Transaction,
  changes: readonly Change[],
  scope: string,
  embedder: string | undefined,
): Promise<Pick<ChangeSet, 'messages' | 'removed' | 'vectors'>> {
  const messages = new Map<string, MessageRecord>();
  const removed = new Set<string>();
  const embedded = new Set<string>();
  const blocks = new Set<number>();
  for (const change of changes) {
    if (change.scope !== scope) continue;
    if (change.kind === 'turn') {
      const range = between([change.sessionId, change.fromSeq], [change.sessionId, change.toSeq]);
      // A message that was forgotten later is no longer found, and is listed as removed.
      for (const row of await transaction.objectStore('messages').getAll(range)) messages.set(row.id, row);
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
