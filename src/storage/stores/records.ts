import { parseJson } from '../../model/json.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import type { Erasure } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import { RowFields } from '../codec/row-fields.ts';
import { getAllOf, groupedBy, uniqueBy } from '../rows.ts';
import type { RecordRow } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

export const records: StoreRules<'records'> = {
  /** A record is erased with its session, with any of its messages, and with its whole scope. */
  erase: async (transaction, erasure) => [planWithoutRecords(await selectRecords(transaction, erasure))],
  refersTo: ({ scope, messageIds }) => ({ scope, messageIds }),
  backup: {
    keyOf: ({ namespace, key }) => [namespace, key],
    read: checkRecord,
    write: (row, contents) =>
      contents.isWanted(row.scope) && contents.missing(row).size === 0 ? row : undefined,
    refersTo: ({ scope, sessionId, messageIds, id }) => ({
      scope,
      messageIds,
      tombstone: id,
      ...(sessionId === undefined ? {} : { sessionId }),
    }),
  },
};

/** Plans the removal of records, with tombstones so that no backup restores them. */
export function planWithoutRecords(rows: readonly RecordRow[]): Plan {
  return {
    deletes: { records: rows.map(({ namespace, key }) => [namespace, key]) },
    tombstones: rows.map(({ id }) => id),
    changes: Array.from(
      groupedBy(rows, ({ scope, namespace }) => JSON.stringify([scope, namespace])).values(),
      ([first, ...rest]) => ({
        kind: 'records',
        scope: first?.scope ?? '',
        namespace: first?.namespace ?? '',
        keys: [first?.key ?? '', ...rest.map((row) => row.key)],
      }),
    ),
    counts: { records: rows.length },
  };
}

async function selectRecords(transaction: Transaction, erasure: Erasure): Promise<RecordRow[]> {
  const store = transaction.objectStore('records');
  const found = await Promise.all([
    getAllOf(store.index('scope'), erasure.wholeScopes),
    ...Array.from(erasure.sessionIds, (id) => recordsOfSession(transaction, id, erasure.scope)),
    getAllOf(store.index('messageIds'), erasure.ids),
  ]);
  return uniqueBy(found.flat(), (row) => row.id);
}

/**
 * Returns all records of a session of this scope. If the session belongs to another scope or has no row, returns only
 * the records of this scope.
 */
async function recordsOfSession(
  transaction: Transaction,
  sessionId: string,
  scope: string | undefined,
): Promise<RecordRow[]> {
  const [session, rows] = await Promise.all([
    transaction.objectStore('sessions').get(sessionId),
    transaction.objectStore('records').index('sessionId').getAll(sessionId),
  ]);
  const isOwn = scope === undefined || session?.scope === scope;
  return rows.filter((row) => isOwn || row.scope === scope);
}

function checkRecord(value: unknown): BackupRows['records'] {
  const names = ['namespace', 'key', 'id', 'scope', 'value', 'sessionId', 'messageIds', 'updatedAt'];
  const fields = new RowFields(value, names);
  return {
    namespace: fields.id('namespace'),
    key: fields.id('key'),
    id: fields.id('id'),
    scope: fields.id('scope'),
    value: parseJson(fields.raw('value'), 'the field "value"'),
    ...fields.optional('sessionId', (name) => fields.id(name)),
    messageIds: fields.ids('messageIds'),
    updatedAt: fields.time('updatedAt'),
  };
}
