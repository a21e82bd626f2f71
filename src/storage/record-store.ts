import { requireTime, type Clock } from '../model/clock.ts';
import { checkSignal, type SignalOption } from '../model/call-options.ts';
import { anything, checkOptions, type OptionChecks } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { newId, requireId } from '../model/id.ts';
import { parseJson, type JsonValue } from '../model/json.ts';
import type { StoreRules } from './codec/backup-rows.ts';
import { RowFields } from './codec/row-fields.ts';
import type { Erasure } from './erasure.ts';
import { between, startingWith } from './key-range.ts';
import { applyPlans, type Plan } from './plan.ts';
import { getAllOf, MOST_ROWS, uniqueBy } from './rows.ts';
import type { RecordRow, Schema } from './schema.ts';
import type { StorageEngine, Transaction, WriteTransaction } from './storage-engine.ts';

export const records: StoreRules<'records'> = {
  /** A record is erased with its session, with any of its messages, and with its whole scope. */
  erase: async (transaction, erasure) => [planWithoutRecords(await selectRecords(transaction, erasure))],
  refersTo: ({ messageIds }) => ({ messageIds }),
  tombstones: { keyOf: ({ id }) => id, planWithout: (_transaction, rows) => [planWithoutRecords(rows)] },
  backup: {
    keyOf: ({ scope, namespace, key }) => [scope, namespace, key],
    read: checkRecord,
    write: (row, contents) =>
      contents.isWanted(row.scope) && contents.missing(row.scope, row.messageIds).size === 0
        ? row
        : undefined,
  },
};

/** Plans the removal of records, with tombstones so that no backup restores them. */
export function planWithoutRecords(rows: readonly RecordRow[]): Plan {
  return {
    deletes: { records: rows.map(({ scope, namespace, key }) => [scope, namespace, key]) },
    tombstones: rows.map(({ id }) => id),
    changes: uniqueBy(rows, ({ scope, namespace }) => JSON.stringify([scope, namespace])).map(
      ({ scope, namespace }) => ({ kind: 'records', scope, namespace }),
    ),
    counts: { records: rows.length },
  };
}

async function selectRecords(transaction: Transaction, erasure: Erasure): Promise<RecordRow[]> {
  const store = transaction.objectStore('records');
  const found = await Promise.all([
    ...Array.from(erasure.wholeScopes, (scope) => store.getAll(startingWith(scope))),
    getAllOf(store.index('sessionId'), erasure.sessions),
    getAllOf(store.index('messageIds'), erasure.ids),
  ]);
  return uniqueBy(found.flat(), (row) => row.id);
}

const RECORD_FIELDS = {
  namespace: 'id',
  key: 'id',
  id: 'id',
  scope: 'id',
  sessionId: 'id?',
  messageIds: 'ids',
  updatedAt: 'time',
} as const;

function checkRecord(value: unknown): RecordRow {
  const fields = new RowFields(value, [...Object.keys(RECORD_FIELDS), 'value']);
  return { ...fields.all(RECORD_FIELDS), value: parseJson(fields.raw('value'), 'the field "value"') };
}

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
   * @throws MnemoraError `invalid-option`; `invalid-input` if the value is not valid JSON data; `not-found` if one of the messages does
   *   not exist; the `storage-…` codes. Nothing is changed then
   */
  put(key: string, value: JsonValue, options?: PutRecordOptions): Promise<void>;
  /** Removes a record. Does nothing if the key does not exist. */
  delete(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Lists records, sorted by key. */
  list(options?: ListRecordsOptions): Promise<StoredRecord[]>;
}

// A misspelled `sessionId` would leave the record behind when its session is forgotten. The values are checked where they
// are used.
const ONLY_SIGNAL: OptionChecks<SignalOption> = { signal: checkSignal('records') };
const PUT_CHECKS: OptionChecks<PutRecordOptions> = {
  ...ONLY_SIGNAL,
  sessionId: anything,
  messageIds: anything,
};
const LIST_CHECKS: OptionChecks<ListRecordsOptions> = {
  ...ONLY_SIGNAL,
  prefix: anything,
  after: anything,
  limit: anything,
};

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
    get: async (key, options = {}) => {
      const { signal } = checkOptions('get', options, ONLY_SIGNAL);
      const path = pathOf(key);
      const row = await engine.read(['records'], (tx) => tx.objectStore('records').get(path), signal);
      return row?.value;
    },
    async put(key, value, options = {}) {
      const { sessionId, messageIds = [], signal } = checkOptions('put', options, PUT_CHECKS);
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
      const write = async (transaction: WriteTransaction): Promise<void> => {
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
      };
      await engine.write(['records', 'messages', 'changes'], write, signal);
    },
    async delete(key, options = {}) {
      const { signal } = checkOptions('delete', options, ONLY_SIGNAL);
      const path = pathOf(key);
      const remove = async (transaction: WriteTransaction): Promise<void> => {
        const row = await transaction.objectStore('records').get(path);
        if (row) await applyPlans(transaction, [planWithoutRecords([row])]);
      };
      await engine.write(['records', 'tombstones', 'changes'], remove, signal);
    },
    async list(options = {}) {
      const { prefix = '', after, limit = Infinity, signal } = checkOptions('list', options, LIST_CHECKS);
      if (typeof prefix !== 'string' || (after !== undefined && typeof after !== 'string'))
        throw new MnemoraError('invalid-input', 'prefix and after must be strings.');
      if (limit !== Infinity && (!Number.isSafeInteger(limit) || limit < 0))
        throw new MnemoraError(
          'invalid-input',
          `limit must be a whole number of at least 0; got ${String(limit)}.`,
        );
      const isLater = after !== undefined && after >= prefix;
      if (limit === 0 || (isLater && !after.startsWith(prefix))) return [];
      const from = [scope, namespace, isLater ? after : prefix];
      const range = between(from, [scope, namespace, endOf(prefix)], { lowerOpen: isLater, upperOpen: true });
      const count = limit > MOST_ROWS ? undefined : limit;
      const rows = await engine.read(
        ['records'],
        (tx) => tx.objectStore('records').getAll(range, count),
        signal,
      );
      return rows.map(({ id: _id, namespace: _namespace, scope: _scope, ...record }) => record);
    },
  };
}

/** Returns the smallest string greater than all that begin with a prefix, or a key greater than all strings. */
function endOf(prefix: string): string | [] {
  const bare = prefix.replace(/\uffff+$/u, '');
  return bare === '' ? [] : bare.slice(0, -1) + String.fromCharCode(bare.charCodeAt(bare.length - 1) + 1);
}

function parseIds(ids: unknown): string[] {
  if (!Array.isArray(ids)) throw new MnemoraError('invalid-input', 'messageIds must be an array.');
  return [...new Set(ids.map((id) => requireId(id, 'A message id')))];
}
