import { nameMatcher, nearMatcher, type NameMatcher } from '../../graph/name-matcher.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { messageText } from '../../model/message.ts';
import { readMissed, type ChangeCursor } from '../change-log.ts';
import { between, startingWith } from '../key-range.ts';
import { getAllOf, getEach } from '../rows.ts';
import type { Change, DocumentRecord, MessageRecord, RecordRow, Schema, StoreName } from '../schema.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';
import { holdsText, messageHoldsText } from './holds-text.ts';

/** How a row contains a name: as a word, or only within a longer word. */
export type Naming = 'named' | 'near';

/** A row that contains a name. */
export interface NamingRow<Key> {
  readonly key: Key;
  readonly naming: Naming;
}

/** The rows of a scope that contain a name, by key, as of a position in the change log. */
export class NamingRows {
  readonly names: readonly string[];
  readonly messages: Map<string, Naming> = new Map();
  readonly documents: Map<string, NamingRow<Schema['documents']['key']>> = new Map();
  readonly records: Map<string, NamingRow<Schema['records']['key']>> = new Map();
  cursor: ChangeCursor | undefined;
  readonly #isNamed: NameMatcher;
  readonly #isNear: NameMatcher;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#isNamed = nameMatcher(names);
    this.#isNear = nearMatcher(names);
  }

  /** Returns the ids of the messages that contain a name in this way. */
  messageIds(naming: Naming): string[] {
    return [...this.messages].flatMap(([id, how]) => (how === naming ? [id] : []));
  }

  /** Returns how a value of any shape contains a name, if at all. `holds` says how its texts are found. */
  namingOf(holds: (isMeant: NameMatcher) => boolean): Naming | undefined {
    if (holds(this.#isNamed)) return 'named';
    return holds(this.#isNear) ? 'near' : undefined;
  }

  readMessage(row: MessageRecord): void {
    const naming = this.namingOf((isMeant) => messageHoldsText(row, isMeant));
    if (naming) this.messages.set(row.id, naming);
    else this.messages.delete(row.id);
  }

  readDocument({ collection, id, text, metadata }: DocumentRecord): void {
    const naming = this.namingOf((isMeant) => holdsText([text, metadata], isMeant));
    note(this.documents, [collection, id], naming);
  }

  readRecord({ scope, namespace, key, sessionId = '', value }: RecordRow): void {
    // The key of a session's record may contain the id of the session, which nobody said.
    const naming = this.namingOf(
      (isMeant) => (isMeant(key) && !isMeant(sessionId)) || holdsText(value, isMeant),
    );
    note(this.records, [scope, namespace, key], naming);
  }

  clear(): void {
    for (const rows of [this.messages, this.documents, this.records]) rows.clear();
  }
}

function note<Key>(rows: Map<string, NamingRow<Key>>, key: Key, naming: Naming | undefined): void {
  const path = JSON.stringify(key);
  if (naming) rows.set(path, { key, naming });
  else rows.delete(path);
}

export interface FindNamesOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each slice with the number of rows read and the total. */
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** Number of rows that one transaction reads. */
const SLICE_ROWS = 256;
/** Number of characters that are compared before the page may render: some milliseconds. */
const SLICE_CHARACTERS = 100_000;

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
    read: (stores, body) => engine.read([...stores], body, signal),
    async afterRow(characters) {
      compared += characters;
      if (compared < SLICE_CHARACTERS) return;
      compared = 0;
      await yieldToEventLoop();
      signal?.throwIfAborted();
    },
    async afterSlice(progress) {
      onProgress?.(progress);
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
    const { sessionId, fromSeq, toSeq } = change;
    const rows = await transaction
      .objectStore('messages')
      .getAll(between([scope, sessionId, fromSeq], [scope, sessionId, toSeq]));
    for (const row of rows) found.readMessage(row);
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
  readonly afterRow?: (characters: number) => Promise<void>;
  readonly afterSlice?: (progress: { done: number; total: number }) => Promise<void>;
}

async function readScope(
  found: NamingRows,
  scope: string,
  { read, afterRow, afterSlice }: Reading,
): Promise<void> {
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
  const readSlice = async <Row>(
    rows: readonly Row[],
    readRow: (row: Row) => void,
    lengthOf: (row: Row) => number,
  ): Promise<void> => {
    for (const row of rows) {
      readRow(row);
      await afterRow?.(lengthOf(row));
    }
    progress.done = Math.min(progress.done + rows.length, progress.total);
    await afterSlice?.({ ...progress });
  };
  let from: (string | number)[] | undefined = [scope];
  while (from) {
    const range = between(from, [scope, []], { lowerOpen: true });
    const rows = await read(['messages'], (transaction) =>
      transaction.objectStore('messages').getAll(range, SLICE_ROWS),
    );
    await readSlice(
      rows,
      (row) => found.readMessage(row),
      (row) => messageText(row).length,
    );
    const last = rows.length === SLICE_ROWS ? rows.at(-1) : undefined;
    from = last && [scope, last.sessionId, last.seq];
  }
  for (const keys of slicesOf(documents)) {
    const rows = await read(['documents'], (transaction) =>
      getEach(transaction.objectStore('documents'), keys),
    );
    await readSlice(
      rows,
      (row) => found.readDocument(row),
      ({ text }) => text.length,
    );
  }
  for (const keys of slicesOf(records)) {
    const rows = await read(['records'], (transaction) => getEach(transaction.objectStore('records'), keys));
    await readSlice(
      rows,
      (row) => found.readRecord(row),
      () => RECORD_CHARACTERS,
    );
  }
}

/** Assumed length of a record, which may have any shape. */
const RECORD_CHARACTERS = 2_000;

function* slicesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += SLICE_ROWS) yield all.slice(at, at + SLICE_ROWS);
}

/** Returns those of these messages that still exist in this scope. */
export async function ownMessages(
  transaction: Transaction,
  scope: string,
  ids: readonly string[],
): Promise<MessageRecord[]> {
  const rows = await getAllOf(transaction.objectStore('messages').index('id'), new Set(ids));
  return rows.filter((row) => row.scope === scope);
}
