import { startingWith } from './key-range.ts';
import { readMissed, recordChange, type ChangeCursor } from './change-log.ts';
import type { StorageEngine, Transaction, WriteTransaction } from './storage-engine.ts';
import { tombstonesOf } from './rows.ts';
import { endJob, requireTicket } from './jobs/job-rows.ts';
import type { JobTicket } from './jobs/job-store.ts';
import { addReceipts, emptyForgetReceipt, type ForgetReceipt } from './receipts.ts';
import {
  KNOWLEDGE_STORES,
  newSourcesOf,
  type KnowledgeChanges,
  type KnowledgeErasure,
  type KnowledgeStore,
  type KnowledgeWrite,
  type PackedKnowledgeStore,
  type UnpackedKnowledge,
} from './knowledge-store.ts';
import { putPacked } from './packed-knowledge.ts';
import type { Change } from './schema.ts';

/** Stores facts, entities and statements, by scope. */
export class Knowledge implements KnowledgeStore {
  readonly packed?: PackedKnowledgeStore;
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
    // The memory engine has all rows at hand and needs no packed copy.
    if (engine.presence) this.packed = this.#packedStore();
  }

  read(
    scope: string,
    since?: ChangeCursor,
    signal?: AbortSignal,
    within?: Transaction,
  ): Promise<KnowledgeChanges> {
    const read = async (transaction: Transaction): Promise<KnowledgeChanges> => {
      const { cursor, missed } = await readMissed(transaction, since);
      return missed
        ? { cursor, reset: false, ...(await replay(transaction, scope, missed)) }
        : { cursor, reset: true, ...(await readScope(transaction, scope)) };
    };
    return within ? read(within) : this.#engine.read([...KNOWLEDGE_STORES], read, signal);
  }

  commit(scope: string, write: KnowledgeWrite, since: ChangeCursor, ticket?: JobTicket): Promise<boolean> {
    return this.#engine.write(
      [...KNOWLEDGE_STORES, 'messages', 'tombstones', 'jobs'],
      ticket ? 'relaxed' : 'strict', // what the user entered cannot be rebuilt
      async (transaction) => {
        if (ticket && !(await requireTicket(transaction, ticket))) return false;
        if (await isOutdated(transaction, scope, since)) return false;
        if (!(await hasMessages(transaction, newSourcesOf(write)))) return false;
        await writeRows(transaction, scope, write, erases(write));
        if (ticket) await endJob(transaction, ticket);
        return true;
      },
    );
  }

  async forget(
    scope: string,
    write: KnowledgeWrite,
    since: ChangeCursor,
    { name, isPreview = false }: KnowledgeErasure = {},
  ): Promise<ForgetReceipt | undefined> {
    const { eraseName, eraseOrPreview } = await import('./on-demand.ts');
    return eraseOrPreview(this.#engine, isPreview, async (transaction) => {
      if (await isOutdated(transaction, scope, since)) return undefined;
      await writeRows(transaction, scope, write, true);
      const facts = write.removedFacts.length;
      const receipt = { ...emptyForgetReceipt(), facts };
      return name ? addReceipts(receipt, await eraseName(transaction, scope, name)) : receipt;
    });
  }

  tombstones(messageIds: readonly string[]): Promise<string[]> {
    return this.#engine.read(['tombstones'], (transaction) => tombstonesOf(transaction, messageIds));
  }

  madeBy(scope: string): Promise<string | undefined> {
    return this.#engine.read(['meta'], async (transaction) => {
      const row = await transaction.objectStore('meta').get(`made:${scope}`);
      return typeof row?.value === 'string' ? row.value : undefined;
    });
  }

  setMadeBy(scope: string, version: string): Promise<void> {
    return this.#engine.write(['meta'], 'relaxed', async (transaction) => {
      await transaction.objectStore('meta').put({ key: `made:${scope}`, value: version });
    });
  }

  learnedTurns(scope: string): Promise<number> {
    return this.#engine.read(['meta'], async (transaction) => {
      const row = await transaction.objectStore('meta').get(`learned:${scope}`);
      return typeof row?.value === 'number' ? row.value : 0;
    });
  }

  #packedStore(): PackedKnowledgeStore {
    return {
      load: (scope, signal, within) => this.#loadPacked(scope, signal, within),
      save: (scope, parts, cursor) =>
        this.#engine.write(['packedKnowledge', 'changes', 'meta'], 'relaxed', (transaction) =>
          putPacked(transaction, { scope, cursor, parts }),
        ),
    };
  }

  #loadPacked(
    scope: string,
    signal: AbortSignal | undefined,
    within: Transaction | undefined,
  ): Promise<UnpackedKnowledge | undefined> {
    const load = async (transaction: Transaction): Promise<UnpackedKnowledge | undefined> => {
      const packed = await transaction.objectStore('packedKnowledge').get(scope);
      if (!packed) return undefined;
      const { cursor, missed } = await readMissed(transaction, packed.cursor);
      if (!missed) return undefined;
      const rows = await replay(transaction, scope, missed);
      return { parts: packed.parts, changes: { cursor, reset: false, ...rows } };
    };
    return within ? load(within) : this.#engine.read([...KNOWLEDGE_STORES], load, signal);
  }
}

/** Returns whether a write removes something that may have been packed. */
function erases(write: KnowledgeWrite): boolean {
  const { removedFacts, removedEntities, removedStatements, tombstones = [] } = write;
  return removedFacts.length + removedEntities.length + removedStatements.length + tombstones.length > 0;
}

async function isOutdated(transaction: Transaction, scope: string, since: ChangeCursor): Promise<boolean> {
  const { missed } = await readMissed(transaction, since);
  return !missed || missed.some((change) => isKnowledge(change, scope));
}

type Rows = Omit<KnowledgeChanges, 'cursor' | 'reset'>;

async function readScope(transaction: Transaction, scope: string): Promise<Rows> {
  const [facts, entities, statements] = await Promise.all([
    transaction.objectStore('triples').index('scope').getAll(scope),
    transaction.objectStore('entities').getAll(startingWith(scope)),
    transaction.objectStore('statements').index('scope').getAll(scope),
  ]);
  return { facts, entities, statements, removedFacts: [], removedEntities: [], removedStatements: [] };
}

async function replay(transaction: Transaction, scope: string, changes: readonly Change[]): Promise<Rows> {
  const removedFacts = new Set<string>();
  const removedEntities = new Set<string>();
  const removedStatements = new Set<string>();
  for (const change of changes) {
    if (!isKnowledge(change, scope)) continue;
    for (const id of change.facts) removedFacts.add(id);
    for (const id of change.entities) removedEntities.add(id);
    for (const id of change.statements ?? []) removedStatements.add(id);
  }
  const [facts, entities, statements] = await Promise.all([
    Promise.all([...removedFacts].map((id) => transaction.objectStore('triples').get(id))),
    Promise.all([...removedEntities].map((id) => transaction.objectStore('entities').index('id').get(id))),
    Promise.all([...removedStatements].map((id) => transaction.objectStore('statements').get(id))),
  ]);
  const rows: Rows = {
    facts: facts.filter((fact) => fact !== undefined),
    entities: entities.filter((entity) => entity !== undefined),
    statements: statements.filter((statement) => statement !== undefined),
    removedFacts: [],
    removedEntities: [],
    removedStatements: [],
  };
  for (const { id } of rows.facts) removedFacts.delete(id);
  for (const { id } of rows.entities) removedEntities.delete(id);
  for (const { id } of rows.statements) removedStatements.delete(id);
  return {
    ...rows,
    removedFacts: [...removedFacts],
    removedEntities: [...removedEntities],
    removedStatements: [...removedStatements],
  };
}

function isKnowledge(change: Change, scope: string): change is Extract<Change, { kind: 'knowledge' }> {
  return change.kind === 'knowledge' && change.scope === scope;
}

/** Returns whether all messages exist and none has been replaced since it was read. */
async function hasMessages(transaction: Transaction, ids: readonly string[]): Promise<boolean> {
  const index = transaction.objectStore('messages').index('id');
  const rows = await Promise.all(ids.map((id) => index.get(id)));
  return rows.every((row) => row !== undefined && row.state !== 'replaced');
}

async function putLearnedTurns(transaction: WriteTransaction, scope: string, count: number): Promise<void> {
  const row = { key: `learned:${scope}`, value: count } as const;
  const known = await transaction.objectStore('meta').get(row.key);
  if ((known?.value ?? 0) !== count) await transaction.objectStore('meta').put(row);
}

async function writeRows(
  transaction: WriteTransaction,
  scope: string,
  write: KnowledgeWrite,
  isErasure: boolean,
): Promise<void> {
  const triples = transaction.objectStore('triples');
  const entities = transaction.objectStore('entities');
  const statements = transaction.objectStore('statements');
  const tombstones = transaction.objectStore('tombstones');
  const facts = [...write.facts.map((fact) => fact.id), ...write.removedFacts];
  const touched = [...write.entities, ...write.removedEntities].map((entity) => entity.id);
  const stated = [...write.statements.map((statement) => statement.id), ...write.removedStatements];
  await Promise.all([
    ...write.facts.map((fact) => triples.put(fact)),
    ...write.removedFacts.map((id) => triples.delete(id)),
    ...write.entities.map((entity) => entities.put(entity)),
    ...write.removedEntities.map(({ key }) => entities.delete([scope, key])),
    ...write.statements.map((statement) => statements.put(statement)),
    ...write.removedStatements.map((id) => statements.delete(id)),
    ...(write.tombstones ?? []).map((key) => tombstones.put(true, key)),
  ]);
  if (write.learnedTurns !== undefined) await putLearnedTurns(transaction, scope, write.learnedTurns);
  if (isErasure) await transaction.objectStore('packedKnowledge').delete(scope);
  if (facts.length + touched.length + stated.length === 0 && !isErasure) return;
  await recordChange(transaction, {
    kind: 'knowledge',
    scope,
    facts,
    entities: touched,
    ...(stated.length > 0 ? { statements: stated } : {}),
    ...(isErasure ? { erases: true } : {}),
  });
}
