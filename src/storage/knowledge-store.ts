import { knowledgeChange, readMissed, readSince, type ChangeCursor } from './change-log.ts';
import { messageIdsOf } from './facts-and-entities.ts';
import { MnemoraError } from '../model/error.ts';
import type { NameErasure } from './forgetting/erase-name.ts';
import type { FindNamesOptions, NamingRows } from './forgetting/find-names.ts';
import { endJob, requireTicket, type JobTicket } from './jobs/job-store.ts';
import { startingWith } from './key-range.ts';
import { applyPlans } from './plan.ts';
import { addReceipts, emptyForgetReceipt, type ForgetReceipt } from './receipts.ts';
import { rebuiltRange } from './rebuilt/rebuilt-rows.ts';
import { askEach, findRows, tombstonesOf } from './rows.ts';
import type { Change, EntityRow, FactRow, MetaRecord, PackedRows, ClaimRow, StoreName } from './schema.ts';
import type { StorageEngine, Transaction, WriteTransaction } from './storage-engine.ts';

/** Facts, entities and claims of a scope. */
export interface NewRows {
  readonly facts: readonly FactRow[];
  readonly entities: readonly EntityRow[];
  readonly claims: readonly ClaimRow[];
}

/** Rows that were added or replaced, and ids of rows that were removed. */
export interface RowChanges extends NewRows {
  readonly removedFacts: readonly string[];
  readonly removedEntities: readonly string[];
  readonly removedClaims: readonly string[];
}

/** Knowledge of a scope, or its changes since a cursor. */
export interface KnowledgeChanges extends RowChanges {
  readonly cursor: ChangeCursor;
  /** True if this is all knowledge: drop everything read before. */
  readonly reset: boolean;
}

/** Packed knowledge of a scope, and its changes since it was packed. */
export interface UnpackedKnowledge {
  parts: readonly PackedRows[];
  /** When it was packed. */
  packedAt: ChangeCursor;
  changes: KnowledgeChanges;
}

/** Stores a second, packed copy of a scope's rows, which a new tab reads at once. */
export interface PackedKnowledgeStore {
  /** Returns undefined if nothing is packed, or too much has changed since. */
  load(scope: string, signal?: AbortSignal, within?: Transaction): Promise<UnpackedKnowledge | undefined>;
  /** Returns false, and stores nothing, if something of the scope was erased since the cursor. */
  save(scope: string, parts: readonly PackedRows[], cursor: ChangeCursor): Promise<boolean>;
}

export interface KnowledgeWrite extends Omit<RowChanges, 'removedEntities'> {
  removedEntities: readonly Pick<EntityRow, 'id' | 'key'>[];
  /**
   * Ids of the messages that the rows name now and did not name when they were read. Only these are looked up, so
   * that repeated facts stay cheap.
   *
   * @default all messages that the rows name
   */
  newSources?: readonly string[];
  /** Keys of tombstones to store: see `entity-tombstone.ts`. */
  tombstones?: readonly string[];
  /** Number of turns learned from since the notes of the scope were consolidated. @default unchanged */
  learnedTurns?: number;
}

/** What to forget in addition to facts and entities. */
export interface KnowledgeErasure {
  /** The name to forget. @default none */
  readonly name?: NameErasure;
  readonly isPreview?: boolean;
}

/** A write that changes nothing. */
export const NO_CHANGE: KnowledgeWrite = {
  facts: [],
  entities: [],
  claims: [],
  removedFacts: [],
  removedEntities: [],
  removedClaims: [],
};

/** Stores that {@link KnowledgeStore.read} needs. */
export const KNOWLEDGE_STORES: readonly StoreName[] = [
  'triples',
  'entities',
  'claims',
  'packedKnowledge',
  'changes',
  'meta',
];

/** Stores facts, entities and claims by scope. Each method is one transaction. */
export class Knowledge {
  /** Absent if all rows are in memory anyway. */
  readonly packed?: PackedKnowledgeStore;
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
    if (engine.presence) this.packed = packedStore(engine);
  }

  /**
   * Returns the changes since a cursor, or everything without one. Uses the given transaction over {@link
   * KNOWLEDGE_STORES}, if any.
   */
  read(
    scope: string,
    since?: ChangeCursor,
    signal?: AbortSignal,
    within?: Transaction,
  ): Promise<KnowledgeChanges> {
    const read = (transaction: Transaction): Promise<KnowledgeChanges> =>
      readSince(transaction, since, {
        whole: () => readScope(transaction, scope),
        missed: (changes) => replay(transaction, scope, changes),
      });
    return within ? read(within) : this.#engine.read([...KNOWLEDGE_STORES], read, signal);
  }

  /**
   * Writes everything and removes the job that made it. Writes nothing and returns false if the scope's knowledge has
   * changed since the cursor, or if one of the new sources no longer exists.
   *
   * @throws MnemoraError `leadership-lost`
   */
  commit(scope: string, write: KnowledgeWrite, since: ChangeCursor, ticket?: JobTicket): Promise<boolean> {
    return this.#engine.write(
      [...KNOWLEDGE_STORES, 'messages', 'tombstones', 'jobs'],
      async (transaction) => {
        if (ticket && !(await requireTicket(transaction, ticket))) return false;
        if (await hasChanged(transaction, scope, since)) return false;
        if (!(await hasNewSources(transaction, write))) return false;
        await writeRows(transaction, scope, write, erases(write));
        if (ticket) await endJob(transaction, ticket);
        return true;
      },
    );
  }

  /**
   * Writes the rows that remain after forgetting, and erases everything else that contains the name, in one
   * transaction. Returns undefined, and writes nothing, if the scope's knowledge has changed since the cursor. A
   * preview writes nothing and returns the same receipt.
   *
   * @throws MnemoraError `not-found` if nothing contains the name; nothing is changed then
   */
  async forget(
    scope: string,
    write: KnowledgeWrite,
    since: ChangeCursor,
    { name, isPreview = false }: KnowledgeErasure = {},
  ): Promise<ForgetReceipt | undefined> {
    const { eraseName, eraseOrPreview } = await import('./on-demand.ts');
    return eraseOrPreview(this.#engine, isPreview, async (transaction) => {
      if (await hasChanged(transaction, scope, since)) return undefined;
      await writeRows(transaction, scope, write, true);
      await transaction.objectStore('packedKnowledge').delete(rebuiltRange(scope)); // it may contain the same
      const receipt = { ...emptyForgetReceipt(), facts: write.removedFacts.length };
      if (!name) return receipt;
      const erased = addReceipts(receipt, await eraseName(transaction, scope, name));
      if (name.isKnown || Object.values(erased).some((count) => count > 0)) return erased;
      throw new MnemoraError(
        'not-found',
        `No stored data contains ${shown(name.found.names)}. Nothing was changed.`,
      );
    });
  }

  /** Finds the rows of a scope that contain one of these names, for {@link forget}. */
  async findNames(scope: string, names: readonly string[], options?: FindNamesOptions): Promise<NamingRows> {
    const { findNames } = await import('./on-demand.ts');
    return findNames(this.#engine, scope, names, options);
  }

  /** Returns the tombstones of entities that were forgotten in these messages. */
  tombstones(messageIds: readonly string[]): Promise<string[]> {
    return this.#engine.read(['tombstones'], (transaction) => tombstonesOf(transaction, messageIds));
  }

  /** Returns the version that made the derived rows of a scope, or undefined if none was recorded. */
  async madeBy(scope: string): Promise<string | undefined> {
    const made = await this.#meta(`made:${scope}`);
    return typeof made === 'string' ? made : undefined;
  }

  setMadeBy(scope: string, version: string): Promise<void> {
    return this.#engine.write(['meta'], async (transaction) => {
      await transaction.objectStore('meta').put({ key: `made:${scope}`, value: version });
    });
  }

  /** Returns the recorded number of turns learned from since the notes of a scope were consolidated. */
  async learnedTurns(scope: string): Promise<number> {
    const learned = await this.#meta(`learned:${scope}`);
    return typeof learned === 'number' ? learned : 0;
  }

  #meta(key: MetaRecord['key']): Promise<MetaRecord['value'] | undefined> {
    return this.#engine.read(['meta'], async (transaction) => {
      return (await transaction.objectStore('meta').get(key))?.value;
    });
  }
}

export type KnowledgeStore = Pick<Knowledge, keyof Knowledge>;

/** Where the rows of a graph are read and written. Only what is in use can be packed, or be forgotten by name. */
export type GraphRows = Pick<KnowledgeStore, 'read' | 'commit'> &
  Partial<Pick<KnowledgeStore, 'packed' | 'forget'>>;

function packedStore(engine: StorageEngine): PackedKnowledgeStore {
  return {
    load(scope, signal, within) {
      const load = async (transaction: Transaction): Promise<UnpackedKnowledge | undefined> => {
        const packed = await transaction.objectStore('packedKnowledge').get(scope);
        if (!packed) return undefined;
        const { cursor, missed } = await readMissed(transaction, packed.cursor);
        if (!missed) return undefined;
        const rows = await replay(transaction, scope, missed);
        return { parts: packed.parts, packedAt: packed.cursor, changes: { cursor, reset: false, ...rows } };
      };
      return within ? load(within) : engine.read([...KNOWLEDGE_STORES], load, signal);
    },
    save: (scope, parts, cursor) =>
      engine.write(['packedKnowledge', 'changes', 'meta'], async (transaction) => {
        if (await hasChanged(transaction, scope, cursor, (change) => change.erases === true)) return false;
        await transaction.objectStore('packedKnowledge').put({ scope, cursor, parts });
        return true;
      }),
  };
}

/** Returns names for an error, shortened. */
function shown(names: readonly string[]): string {
  const [first = ''] = names;
  return JSON.stringify(first.length <= 40 ? first : `${first.slice(0, 40).toWellFormed()}…`);
}

type KnowledgeChange = Extract<Change, { kind: 'knowledge' }>;

function knowledgeOf(scope: string, changes: readonly Change[]): KnowledgeChange[] {
  return changes.filter((change) => change.kind === 'knowledge').filter((change) => change.scope === scope);
}

/** Returns whether the knowledge of a scope has changed since a cursor in a way that matters, or may have. */
export async function hasChanged(
  transaction: Transaction,
  scope: string,
  since: ChangeCursor,
  matters: (change: KnowledgeChange) => boolean = () => true,
): Promise<boolean> {
  const { missed } = await readMissed(transaction, since);
  return !missed || knowledgeOf(scope, missed).some(matters);
}

async function readScope(transaction: Transaction, scope: string): Promise<RowChanges> {
  const [facts, entities, claims] = await Promise.all([
    transaction.objectStore('triples').index('scope').getAll(scope),
    transaction.objectStore('entities').getAll(startingWith(scope)),
    transaction.objectStore('claims').index('scope').getAll(scope),
  ]);
  return { facts, entities, claims, removedFacts: [], removedEntities: [], removedClaims: [] };
}

async function replay(
  transaction: Transaction,
  scope: string,
  missed: readonly Change[],
): Promise<RowChanges> {
  const changes = knowledgeOf(scope, missed);
  const idsOf = (kind: keyof NewRows): string[] => changes.flatMap((change) => change[kind] ?? []);
  const [facts, entities, claims] = await Promise.all([
    findRows(transaction.objectStore('triples'), idsOf('facts')),
    findRows(transaction.objectStore('entities').index('id'), idsOf('entities')),
    findRows(transaction.objectStore('claims'), idsOf('claims')),
  ]);
  return {
    ...{ facts: facts.found, entities: entities.found, claims: claims.found },
    removedFacts: facts.missing,
    removedEntities: entities.missing,
    removedClaims: claims.missing,
  };
}

/** Returns whether all messages that a write needs exist and none has been replaced since it was read. */
export async function hasNewSources(
  transaction: Transaction,
  write: NewRows & Pick<KnowledgeWrite, 'newSources'>,
): Promise<boolean> {
  const { facts, entities, claims } = write;
  const named = [...facts, ...entities, ...claims.map(({ messageId }) => ({ messageIds: [messageId] }))];
  const ids = write.newSources ?? messageIdsOf(named);
  const index = transaction.objectStore('messages').index('id');
  const rows = await askEach(ids, (id) => index.get(id));
  return rows.every((row) => row !== undefined && row.state !== 'replaced');
}

/** Returns whether a write removes something that may have been packed. */
function erases(write: KnowledgeWrite): boolean {
  const { removedFacts, removedEntities, removedClaims, tombstones = [] } = write;
  return removedFacts.length + removedEntities.length + removedClaims.length + tombstones.length > 0;
}

export async function writeRows(
  transaction: WriteTransaction,
  scope: string,
  write: KnowledgeWrite,
  isErasure: boolean,
): Promise<void> {
  const facts = [...write.facts.map(({ id }) => id), ...write.removedFacts];
  const entities = [...write.entities, ...write.removedEntities].map(({ id }) => id);
  const claims = [...write.claims.map(({ id }) => id), ...write.removedClaims];
  const ids = { facts, entities, ...(claims.length > 0 ? { claims } : {}) };
  const isChange = isErasure || facts.length + entities.length + claims.length > 0;
  const { learnedTurns } = write;
  const learned = { key: `learned:${scope}`, value: learnedTurns ?? 0 } as const;
  const isNew =
    learnedTurns !== undefined &&
    ((await transaction.objectStore('meta').get(learned.key))?.value ?? 0) !== learnedTurns;
  await applyPlans(transaction, [
    {
      deletes: {
        triples: write.removedFacts,
        entities: write.removedEntities.map(({ key }) => [scope, key]),
        claims: write.removedClaims,
        packedKnowledge: isErasure ? [scope] : [],
      },
      puts: {
        triples: write.facts,
        entities: write.entities,
        claims: write.claims,
        meta: isNew ? [learned] : [],
      },
      tombstones: write.tombstones ?? [],
      changes: isChange ? [knowledgeChange(scope, ids, isErasure)] : [],
    },
  ]);
}
