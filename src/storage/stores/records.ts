import { parseJson } from '../../model/json.ts';
import type { StoreRules } from '../codec/backup-rows.ts';
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

const FIELDS = {
  namespace: 'id',
  key: 'id',
  id: 'id',
  scope: 'id',
  sessionId: 'id?',
  messageIds: 'ids',
  updatedAt: 'time',
} as const;

function checkRecord(value: unknown): RecordRow {
  const fields = new RowFields(value, [...Object.keys(FIELDS), 'value']);
  return { ...fields.all(FIELDS), value: parseJson(fields.raw('value'), 'the field "value"') };
}
