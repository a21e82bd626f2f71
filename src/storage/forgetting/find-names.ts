import { nameMatcher, nearMatcher, type NameMatcher } from '../../graph/name-matcher.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { messageText } from '../../model/message.ts';
import { readMissed, type ChangeCursor } from '../change-log.ts';
import { between, startingWith } from '../key-range.ts';
import { getEach, slicesOf } from '../rows.ts';
import type { Change, DocumentRecord, MessageRecord, RecordRow, Schema, StoreName } from '../schema.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';
import { readWritten } from '../transcript/read-session.ts';
import { holdsText, messageHoldsText } from './holds-text.ts';

/** How a row contains a name: as a word, or only within a longer word. */
export type Naming = 'named' | 'near';

/** Rows that contain a name, by their keys as JSON. */
type FoundRows<Key> = Map<string, { readonly key: Key; readonly naming: Naming }>;

/** The rows of a scope that contain a name, as of a position in the change log. */
export class NamingRows {
  readonly names: readonly string[];
  /** By id. */
  readonly messages: FoundRows<string> = new Map();
  readonly documents: FoundRows<Schema['documents']['key']> = new Map();
  readonly records: FoundRows<Schema['records']['key']> = new Map();
  cursor: ChangeCursor | undefined;
  readonly #isNamed: NameMatcher;
  readonly #isNear: NameMatcher;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#isNamed = nameMatcher(names);
    this.#isNear = nearMatcher(names);
  }

  /** Returns how a value of any shape contains a name, if at all. `holds` says how its texts are found. */
  namingOf(holds: (isMeant: NameMatcher) => boolean): Naming | undefined {
    if (holds(this.#isNamed)) return 'named';
    return holds(this.#isNear) ? 'near' : undefined;
  }

  /** Reads a message, as it is now. Returns the number of characters that were compared, as the next two do. */
  readMessage(row: MessageRecord): number {
    note(
      this.messages,
      row.id,
      this.namingOf((isMeant) => messageHoldsText(row, isMeant)),
    );
    return messageText(row).length;
  }

  readDocument({ collection, id, text, metadata }: DocumentRecord): number {
    const naming = this.namingOf((isMeant) => holdsText([text, metadata], isMeant));
    note(this.documents, [collection, id], naming);
    return text.length;
  }

  readRecord({ scope, namespace, key, sessionId = '', value }: RecordRow): number {
    // The key of a session's record may contain the id of the session, which nobody said.
    const naming = this.namingOf(
      (isMeant) => (isMeant(key) && !isMeant(sessionId)) || holdsText(value, isMeant),
    );
    note(this.records, [scope, namespace, key], naming);
    return RECORD_CHARACTERS;
  }

  /** Returns the ids of the messages that contain a name in this way. */
  messageIds(naming: Naming): string[] {
    return keysNaming(this.messages, naming);
  }

  clear(): void {
    for (const rows of [this.messages, this.documents, this.records]) rows.clear();
  }
}

function note<Key>(rows: FoundRows<Key>, key: Key, naming: Naming | undefined): void {
  const path = JSON.stringify(key);
  if (naming) rows.set(path, { key, naming });
  else rows.delete(path);
}

/** Returns the keys of the rows that contain a name in this way. */
export function keysNaming<Key>(rows: FoundRows<Key>, naming: Naming): Key[] {
  return [...rows.values()].flatMap((row) => (row.naming === naming ? [row.key] : []));
}

export interface FindNamesOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each slice with the number of rows read and the total. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

interface Progress {
  done: number;
  total: number;
}

/** Number of rows that one transaction reads. */
const SLICE_ROWS = 256;
/** Number of characters that are compared before the page may render: some milliseconds. */
const SLICE_CHARACTERS = 100_000;
/** Assumed length of a record, which may have any shape. */
const RECORD_CHARACTERS = 2_000;

/**
 * Finds the messages, the documents of retrievers and the records of a scope that contain a name. Reads each of them
 * once, in many small transactions, so that no other tab has to wait.
 */
export async function findNames(
  engine: StorageEngine,
  scope: string,
  names: readonly string[],
  { signal, onProgress }: FindNamesOptions = {},
): Promise<NamingRows> {
  const found = new NamingRows(names);
  let compared = 0;
  await readScope(found, scope, {
    read: (stores, body) => engine.read(stores, body, signal),
    async pause(characters, progress) {
      compared += characters;
      if (progress) onProgress?.(progress);
      else if (compared < SLICE_CHARACTERS) return;
      compared = 0;
      await yieldToEventLoop();
      signal?.throwIfAborted();
    },
  });
  return found;
}

/**
 * Reads the rows that were written since, within a transaction over all stores, or all rows if the change log does not
 * reach back that far.
 */
export async function catchUp(transaction: Transaction, scope: string, found: NamingRows): Promise<void> {
  const { missed } = await readMissed(transaction, found.cursor);
  if (!missed) {
    found.clear();
    await readScope(found, scope, { read: (_stores, body) => body(transaction) });
    return;
  }
  for (const change of missed) await readChanged(transaction, scope, found, change);
}

async function readChanged(
  transaction: Transaction,
  scope: string,
  found: NamingRows,
  change: Change,
): Promise<void> {
  if (change.kind === 'documents') {
    const keys = change.ids.map((id): [string, string] => [change.scope, id]);
    for (const row of await getEach(transaction.objectStore('documents'), keys))
      if (row.scope === scope) found.readDocument(row);
  }
  if (change.scope !== scope) return;
  if (change.kind === 'turn') {
    for (const row of await readWritten(transaction, change)) found.readMessage(row);
  } else if (change.kind === 'records') {
    const range = startingWith(scope, change.namespace);
    for (const row of await transaction.objectStore('records').getAll(range)) found.readRecord(row);
  }
}

/** How the rows of a scope are read: in a transaction each time, or all in one. */
interface Reading {
  readonly read: <T>(
    stores: readonly StoreName[],
    body: (transaction: Transaction) => Promise<T>,
  ) => Promise<T>;
  /** Called after each row, and after each slice with the progress. */
  readonly pause?: (characters: number, progress?: Progress) => Promise<void>;
}

async function readScope(found: NamingRows, scope: string, { read, pause }: Reading): Promise<void> {
  const begin = await read(['sessions', 'documents', 'records', 'changes', 'meta'], async (transaction) => ({
    cursor: (await readMissed(transaction, undefined)).cursor,
    sessions: await transaction.objectStore('sessions').getAll(startingWith(scope)),
    documents: await transaction.objectStore('documents').index('created').getAllKeys(startingWith(scope)),
    records: await transaction.objectStore('records').getAllKeys(startingWith(scope)),
  }));
  found.cursor = begin.cursor;
  const { sessions, documents, records } = begin;
  const messages = sessions.reduce((sum, { messageCount }) => sum + messageCount, 0);
  const progress = { done: 0, total: messages + documents.length + records.length };
  const readSlice = async <Row>(rows: readonly Row[], readRow: (row: Row) => number): Promise<void> => {
    for (const row of rows) {
      const characters = readRow(row);
      await pause?.(characters);
    }
    progress.done = Math.min(progress.done + rows.length, progress.total);
    await pause?.(0, { ...progress });
  };
  let from: (string | number)[] | undefined = [scope];
  while (from) {
    const range = between(from, [scope, []], { lowerOpen: true });
    const rows = await read(['messages'], (tx) => tx.objectStore('messages').getAll(range, SLICE_ROWS));
    await readSlice(rows, (row) => found.readMessage(row));
    const last = rows[SLICE_ROWS - 1];
    from = last && [scope, last.sessionId, last.seq];
  }
  for (const keys of slicesOf(documents, SLICE_ROWS)) {
    const rows = await read(['documents'], (tx) => getEach(tx.objectStore('documents'), keys));
    await readSlice(rows, (row) => found.readDocument(row));
  }
  for (const keys of slicesOf(records, SLICE_ROWS)) {
    const rows = await read(['records'], (tx) => getEach(tx.objectStore('records'), keys));
    await readSlice(rows, (row) => found.readRecord(row));
  }
}
