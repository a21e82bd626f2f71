import { parseJson } from '../../model/json.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { sessionKeys, type Erasure } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { RowFields } from '../codec/row-fields.ts';
import { getAllOf, uniqueBy } from '../rows.ts';
import type { RecordRow } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

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
    getAllOf(store.index('sessionId'), sessionKeys(erasure)),
    getAllOf(store.index('messageIds'), erasure.ids),
  ]);
  return uniqueBy(found.flat(), (row) => row.id);
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
