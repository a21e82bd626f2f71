import { readMissed, recordChange } from './change-log.ts';
import type { Connection, Transaction } from './connection.ts';
import { entityTombstoneRange } from './entity-tombstone.ts';
import { endJob, requireTicket } from './job-rows.ts';
import type { JobTicket } from './job-store.ts';
import {
  newSourcesOf,
  type KnowledgeChanges,
  type KnowledgeStore,
  type KnowledgeWrite,
  type PackedRows,
  type UnpackedKnowledge,
} from './knowledge-store.ts';
import { dropPacked, putPacked, readPacked } from './packed-knowledge.ts';
import type { Change } from './schema.ts';
import type { ChangeCursor } from './transcript-store.ts';

/** Facts and entities in IndexedDB. */
export class IndexedDbKnowledgeStore implements KnowledgeStore {
  readonly packed: PackedRows = {
    load: (scope, signal) => this.#loadPacked(scope, signal),
    save: (scope, parts, cursor) =>
      this.#connection.write(['changes', 'meta'], 'relaxed', (transaction) =>
        putPacked(transaction, scope, { cursor, parts }),
      ),
  };
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read(scope: string, since?: ChangeCursor, signal?: AbortSignal): Promise<KnowledgeChanges> {
    return this.#connection.read(
      ['triples', 'entities', 'changes', 'meta'],
      async (transaction) => {
        const { cursor, missed } = await readMissed(transaction, since);
        return missed
          ? { cursor, reset: false, ...(await replay(transaction, scope, missed)) }
          : { cursor, reset: true, ...(await readScope(transaction, scope)) };
      },
      signal,
    );
  }

  commit(scope: string, write: KnowledgeWrite, since: ChangeCursor, ticket?: JobTicket): Promise<boolean> {
    return this.#connection.write(
      ['messages', 'triples', 'entities', 'changes', 'tombstones', 'jobs', 'meta'],
      ticket ? 'relaxed' : 'strict', // what the user entered cannot be made again
      async (transaction) => {
        if (ticket && !(await requireTicket(transaction, ticket))) return false;
        const { missed } = await readMissed(transaction, since);
        if (!missed || missed.some((change) => isKnowledge(change, scope))) return false;
        if (!(await hasMessages(transaction, newSourcesOf(write)))) return false;
        await writeRows(transaction, scope, write);
        if (erases(write)) await dropPacked(transaction, scope);
        if (ticket) await endJob(transaction, ticket);
        return true;
      },
    );
  }

  tombstones(messageIds: readonly string[]): Promise<string[]> {
    return this.#connection.read(['tombstones'], async (transaction) => {
      const store = transaction.objectStore('tombstones');
      const keys = await Promise.all(messageIds.map((id) => store.getAllKeys(entityTombstoneRange(id))));
      return keys.flat();
    });
  }

  #loadPacked(scope: string, signal: AbortSignal | undefined): Promise<UnpackedKnowledge | undefined> {
    return this.#connection.read(
      ['triples', 'entities', 'changes', 'meta'],
      async (transaction) => {
        const packed = await readPacked(transaction, scope);
        if (!packed) return undefined;
        const { cursor, missed } = await readMissed(transaction, packed.cursor);
        if (!missed) return undefined;
        const rows = await replay(transaction, scope, missed);
        return { parts: packed.parts, changes: { cursor, reset: false, ...rows } };
      },
      signal,
    );
  }
}

/** Whether something goes that may have been packed. */
function erases({ removedFacts, removedEntities, tombstones = [] }: KnowledgeWrite): boolean {
  return removedFacts.length + removedEntities.length + tombstones.length > 0;
}

type Rows = Omit<KnowledgeChanges, 'cursor' | 'reset'>;

async function readScope(transaction: Transaction, scope: string): Promise<Rows> {
  const [facts, entities] = await Promise.all([
    transaction.objectStore('triples').index('scope').getAll(scope),
    transaction.objectStore('entities').getAll(IDBKeyRange.bound([scope], [scope, []])),
  ]);
  return { facts, entities, removedFacts: [], removedEntities: [] };
}

async function replay(transaction: Transaction, scope: string, changes: readonly Change[]): Promise<Rows> {
  const removedFacts = new Set<string>();
  const removedEntities = new Set<string>();
  for (const change of changes) {
    if (!isKnowledge(change, scope)) continue;
    for (const id of change.facts) removedFacts.add(id);
    for (const id of change.entities) removedEntities.add(id);
  }
  const [facts, entities] = await Promise.all([
    Promise.all([...removedFacts].map((id) => transaction.objectStore('triples').get(id))),
    Promise.all([...removedEntities].map((id) => transaction.objectStore('entities').index('id').get(id))),
  ]);
  const rows: Rows = {
    facts: facts.filter((fact) => fact !== undefined),
    entities: entities.filter((entity) => entity !== undefined),
    removedFacts: [],
    removedEntities: [],
  };
  for (const { id } of rows.facts) removedFacts.delete(id);
  for (const { id } of rows.entities) removedEntities.delete(id);
  return { ...rows, removedFacts: [...removedFacts], removedEntities: [...removedEntities] };
}

function isKnowledge(change: Change, scope: string): change is Extract<Change, { kind: 'knowledge' }> {
  return change.kind === 'knowledge' && change.scope === scope;
}

async function hasMessages(transaction: Transaction, ids: readonly string[]): Promise<boolean> {
  const index = transaction.objectStore('messages').index('id');
  const keys = await Promise.all(ids.map((id) => index.getKey(id)));
  return keys.every((key) => key !== undefined);
}

async function writeRows(
  transaction: Transaction<'readwrite'>,
  scope: string,
  write: KnowledgeWrite,
): Promise<void> {
  const triples = transaction.objectStore('triples');
  const entities = transaction.objectStore('entities');
  const tombstones = transaction.objectStore('tombstones');
  const facts = [...write.facts.map((fact) => fact.id), ...write.removedFacts];
  const touched = [...write.entities, ...write.removedEntities].map((entity) => entity.id);
  await Promise.all([
    ...write.facts.map((fact) => triples.put(fact)),
    ...write.removedFacts.map((id) => triples.delete(id)),
    ...write.entities.map((entity) => entities.put(entity)),
    ...write.removedEntities.map(({ key }) => entities.delete([scope, key])),
    ...(write.tombstones ?? []).map((key) => tombstones.put(true, key)),
  ]);
  if (facts.length + touched.length > 0) {
    await recordChange(transaction, { kind: 'knowledge', scope, facts, entities: touched });
  }
}
