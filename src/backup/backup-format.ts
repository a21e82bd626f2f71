import type { StoredMessage } from '../model/message.ts';
import type {
  ChatMemoryRecord,
  DocumentRecord,
  EntityRow,
  FactRow,
  SessionRecord,
  SummaryRecord,
} from '../storage/schema.ts';

/**
 * The file of a backup, version 1. Text in UTF-8, one JSON value a line, each line ended by a line feed:
 *
 * 1. the header `{"format":"mnemora-backup","scope":"user","version":1}`, without `scope` where it holds all scopes,
 * 2. the records `{"row":{…},"store":"messages"}`, store after store in the order of {@link BACKUP_STORES}, in each by
 *    key as IndexedDB orders keys,
 * 3. the trailer `{"counts":{"messages":2},"sha256":"…"}`: how many records of each store there are, and the SHA-256 of
 *    all bytes before this line.
 *
 * The same state gives the same bytes: keys of objects are in order, and nothing is in it that says when or by whom it
 * was written. What a record says by its place is left out of it (the scope of what belongs to a session, the message
 * ids that follow from sources and mentions), as are secrets, counters that can be counted, and how far work has come.
 */
export const BACKUP_FORMAT = 'mnemora-backup';
export const BACKUP_VERSION = 1;

export type BackupStore =
  | 'tombstones'
  | 'sessions'
  | 'messages'
  | 'summaries'
  | 'chatMemories'
  | 'documents'
  | 'triples'
  | 'entities'
  | 'vectors'
  | 'jobs';

/** In this order, so that what a record refers to has been read before it. */
export const BACKUP_STORES: readonly BackupStore[] = [
  'tombstones',
  'sessions',
  'messages',
  'summaries',
  'chatMemories',
  'documents',
  'triples',
  'entities',
  'vectors',
  'jobs',
];

/** Longest line, in UTF-16 units. */
export const MAX_LINE: number = 2 ** 26;

/** A vector of a message, whatever block it is stored in. */
export interface VectorEntry {
  embedder: string;
  scope: string;
  id: string;
  vector: Float32Array;
}

/** Work that was still to be done, without how often it was tried and who was at it. */
export interface QueuedWork {
  queue: string;
  sessionId: string;
  /** Empty where it is about the session as a whole. */
  turnIds: string[];
  createdAt: number;
}

/** The records of a backup, once read. */
export interface BackupRows {
  tombstones: { key: string };
  sessions: Omit<SessionRecord, 'fenceMark' | 'messageCount' | 'erasures'>;
  messages: StoredMessage;
  summaries: Omit<SummaryRecord, 'scope'>;
  chatMemories: ChatMemoryRecord;
  documents: DocumentRecord;
  triples: Omit<FactRow, 'messageIds'>;
  entities: Omit<EntityRow, 'messageIds'>;
  vectors: VectorEntry;
  jobs: QueuedWork;
}

export type BackupEntry = {
  [Store in BackupStore]: { store: Store; row: BackupRows[Store]; line: number };
}[BackupStore];

export type BackupKey = readonly (string | number)[];

/** What records of a store are ordered by. */
export function keyOf(entry: Pick<BackupEntry, 'store' | 'row'>): BackupKey {
  const { store, row } = entry as BackupEntry;
  switch (store) {
    case 'tombstones':
      return [row.key];
    case 'sessions':
    case 'chatMemories':
    case 'triples':
      return [row.id];
    case 'messages':
      return [row.sessionId, row.seq];
    case 'summaries':
      return [row.sessionId, row.memoryId];
    case 'documents':
      return [row.collection, row.id];
    case 'entities':
      return [row.scope, row.key];
    case 'vectors':
      return [row.embedder, row.scope, row.id];
    case 'jobs':
      return [row.queue, row.sessionId, Math.min(row.turnIds.length, 1)];
  }
}

/** As IndexedDB orders keys of equal make: negative where `a` comes first. */
export function compareKeys(a: BackupKey, b: BackupKey): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return a.length - b.length;
}

/** How far an export or import has come, in steps of its own. */
export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}
