import { requireTime, type Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { newId, requireId } from '../model/id.ts';
import type { JsonValue } from '../model/json.ts';
import { applyPlans } from './plan.ts';
import { between } from './key-range.ts';
import type { RecordRow, Schema } from './schema.ts';
import type { StorageEngine } from './storage-engine.ts';
import { planWithoutRecords } from './stores/records.ts';

/** A record of an integration, as returned by `list`. */
export interface StoredRecord {
  key: string;
  value: JsonValue;
  sessionId?: string;
  messageIds: readonly string[];
  /** Time of the last `put`, in milliseconds since 1970. */
  updatedAt: number;
}

export interface PutRecordOptions {
  /**
   * Id of the session that the record belongs to. Forgetting or deleting the session erases the record.
   *
   * @default none
   */
  sessionId?: string;
  /** Ids of the messages that the record belongs to. Erasing any of them erases the record. @default none */
  messageIds?: readonly string[];
  signal?: AbortSignal;
}

export interface ListRecordsOptions {
  /** Returns only records whose key begins with this prefix. @default all */
  prefix?: string;
  /**
   * Returns only records whose key sorts after this one, in the order of UTF-16 units. Use it for paging.
   *
   * @default all
   */
  after?: string;
  /** Largest number of records to return. @default all */
  limit?: number;
  signal?: AbortSignal;
}

/**
 * Stores JSON values of an integration under string keys, in one namespace. A value is durable when the promise of
 * `put` resolves. It is part of backups, and is erased with its session or messages.
 */
export interface RecordStore {
  get(key: string, options?: { signal?: AbortSignal }): Promise<JsonValue | undefined>;
  /**
   * Writes a record, replacing the one with the same key.
   *
   * @throws MnemoraError `invalid-input` if the value is not valid JSON data; `not-found` if one of the messages does
   *   not exist; the `storage-…` codes. Nothing is changed then
   */
  put(key: string, value: JsonValue, options?: PutRecordOptions): Promise<void>;
  /** Removes a record. Does nothing if the key does not exist. */
  delete(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Lists records, sorted by key. */
  list(options?: ListRecordsOptions): Promise<StoredRecord[]>;
}

/** Returns the record store of a namespace. @throws MnemoraError `invalid-option` */
export function recordStore(
  engine: StorageEngine,
  namespace: string,
  { scope, clock = Date.now }: { scope: string; clock?: Clock | undefined },
): RecordStore {
  if (typeof namespace !== 'string' || namespace === '') {
    throw new MnemoraError('invalid-option', 'The namespace of records must be a non-empty string.');
  }
  const pathOf = (key: unknown): Schema['records']['key'] => [
    scope,
    namespace,
    requireId(key, 'The key of a record'),
  ];
  return {
    get: async (key, { signal } = {}) => {
      const path = pathOf(key);
      const row = await engine.read(['records'], (tx) => tx.objectStore('records').get(path), signal);
      return row?.value;
    },
    async put(key, value, { sessionId, messageIds = [], signal } = {}) {
      const path = pathOf(key);
      const row = {
        namespace,
        key,
        scope,
        value,
        ...(sessionId === undefined ? {} : { sessionId: requireId(sessionId, 'The session id of a record') }),
        messageIds: parseIds(messageIds),
        updatedAt: requireTime(clock(), 'The time of a record'),
      };
      await engine.write(
        ['records', 'messages', 'changes'],
        async (transaction) => {
          const known = await transaction.objectStore('records').get(path);
          const messages = transaction.objectStore('messages').index('id');
          for (const id of row.messageIds) {
            if ((await messages.get(id))?.scope === scope) continue;
            throw new MnemoraError(
              'not-found',
              `The record "${key}" was not stored: its message "${id}" does not exist or was forgotten.`,
            );
          }
          await applyPlans(transaction, [
            {
              puts: { records: [{ ...row, id: known?.id ?? newId() }] },
              changes: [{ kind: 'records', scope, namespace }],
            },
          ]);
        },
        signal,
      );
    },
    async delete(key, { signal } = {}) {
      const path = pathOf(key);
      await engine.write(
        ['records', 'tombstones', 'changes'],
        async (transaction) => {
          const row = await transaction.objectStore('records').get(path);
          if (row) await applyPlans(transaction, [planWithoutRecords([row])]);
        },
        signal,
      );
    },
    async list({ prefix = '', after, limit = Infinity, signal } = {}) {
      if (typeof prefix !== 'string' || (after !== undefined && typeof after !== 'string'))
        throw new MnemoraError('invalid-input', 'prefix and after must be strings.');
      if (limit !== Infinity && (!Number.isSafeInteger(limit) || limit < 0))
        throw new MnemoraError(
          'invalid-input',
          `limit must be a whole number of at least 0; got ${String(limit)}.`,
        );
      const isLater = after !== undefined && after >= prefix;
      const from = [scope, namespace, isLater ? after : prefix];
      const range = between(from, [scope, namespace, []], { lowerOpen: isLater });
      const rows: RecordRow[] = [];
      await engine.read(
        ['records'],
        async (transaction) => {
          // Keys with the same prefix are adjacent.
          let cursor = limit === 0 ? null : await transaction.objectStore('records').openCursor(range);
          while (cursor && cursor.value.key.startsWith(prefix) && rows.length < limit) {
            rows.push(cursor.value);
            cursor = await cursor.advance(1);
          }
        },
        signal,
      );
      return rows.map(({ key, value, sessionId, messageIds, updatedAt }) => ({
        key,
        value,
        ...(sessionId === undefined ? {} : { sessionId }),
        messageIds,
        updatedAt,
      }));
    },
  };
}

function parseIds(ids: unknown): string[] {
  if (!Array.isArray(ids)) throw new MnemoraError('invalid-input', 'messageIds must be an array.');
  return [...new Set(ids.map((id) => requireId(id, 'A message id')))];
}
