import { yieldToEventLoop } from '../../model/event-loop.ts';
import { newId } from '../../model/id.ts';
import { revisionOf, type ChangeCursor } from '../change-log.ts';
import { messageIdsOf } from '../facts-and-entities.ts';
import { requireTicket, endJob, type JobTicket } from '../jobs/job-store.ts';
import { between } from '../key-range.ts';
import {
  type GraphRows,
  hasChanged,
  hasNewSources,
  KNOWLEDGE_STORES,
  writeRows,
  type KnowledgeChanges,
  type KnowledgeWrite,
  type NewRows,
} from '../knowledge-store.ts';
import { askEach } from '../rows.ts';
import type { PackedKnowledge } from '../schema.ts';
import { GatheredWrite, type RowsToStore } from './gathered-write.ts';
import { rebuiltKey, rebuiltRange, rebuiltRow, rebuiltValue, type RebuiltKind } from './rebuilt-rows.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';

/** How far a rebuild is. */
export interface RebuildState {
  readonly id: string;
  /** Version of the code that learns. What another version has begun is begun again. */
  readonly madeBy: string;
  /** Numbers of turns whose results are stored, and of all turns to read. */
  readonly done: number;
  readonly total: number;
  readonly learnedTurns: number;
  /** True if its results are in use. Nothing else of it is left then. */
  readonly isOver?: true;
}

const NOTHING = {
  ...{ facts: [], entities: [], claims: [] },
  ...{ removedFacts: [], removedEntities: [], removedClaims: [] },
};
/** Number of rows read at once, which takes a few milliseconds. */
const SLICE_ROWS = 100;

/** Returns how far the rebuild of a scope is, or undefined if none was begun, or if what it had read was forgotten. */
export async function rebuildState(engine: StorageEngine, scope: string): Promise<RebuildState | undefined> {
  return engine.read(['packedKnowledge'], (transaction) => stateIn(transaction, scope));
}

interface RebuiltKnowledgeOptions {
  readonly engine: StorageEngine;
  readonly scope: string;
  readonly madeBy: string;
  /** Returns the rows with which a rebuild begins: those in use that are not learned again. */
  readonly beginWith: () => Promise<FirstRows>;
  /** Number of turns that are stored together. A page that is closed loses what was learned from up to one less. */
  readonly turnsAtOnce: number;
}

/** Rows as of a position in the change log. */
export interface FirstRows extends NewRows {
  readonly cursor: ChangeCursor;
}

/**
 * The facts, entities and claims of a scope that are being learned again, beside those in use. What is stored of them
 * survives the page, and only the leader of the rebuild's queue reads and writes it. It is deleted, and the rebuild begins
 * again, in each transaction that forgets something that may be in it.
 */
export class RebuiltKnowledge implements GraphRows {
  readonly #options: RebuiltKnowledgeOptions;
  /** The rows that the first commit begins the rebuild with. */
  #first: FirstRows | undefined;
  /** Id of the rebuild that was read. */
  #id = '';
  #learnedTurns = 0;
  /** What was learned and is not stored yet. */
  #gathered: GatheredWrite | undefined;
  /** Ids of the turns read so far. */
  readonly turns: Set<string> = new Set();
  /** Number of all turns to read. */
  total = 0;

  constructor(options: RebuiltKnowledgeOptions) {
    this.#options = options;
  }

  /** Returns whether a rebuild is to be begun, by the first commit. */
  async isNew(): Promise<boolean> {
    const { engine, scope, madeBy } = this.#options;
    const state = await rebuildState(engine, scope);
    return !state || state.isOver === true || state.madeBy !== madeBy;
  }

  async read(scope: string, since?: ChangeCursor, signal?: AbortSignal): Promise<KnowledgeChanges> {
    if (since) return { ...NOTHING, cursor: since, reset: false };
    const { engine, beginWith } = this.#options;
    this.#gathered = undefined;
    if (await this.isNew()) {
      this.#first = await beginWith();
      this.#learnedTurns = 0;
      this.turns.clear();
      this.#id = newId();
      const { facts, entities, claims } = this.#first;
      return { ...NOTHING, facts, entities, claims, cursor: this.#cursor, reset: true };
    }
    this.#first = undefined;
    const state = await rebuildState(engine, scope);
    this.#learnedTurns = state?.learnedTurns ?? 0;
    this.#id = state?.id ?? '';
    this.turns.clear();
    for (const turnIds of await this.#all('turn', signal))
      for (const turnId of turnIds as string[]) this.turns.add(turnId);
    const rows = {
      facts: (await this.#all('facts', signal)) as NewRows['facts'],
      entities: (await this.#all('entities', signal)) as NewRows['entities'],
      claims: (await this.#all('claims', signal)) as NewRows['claims'],
    };
    return { ...NOTHING, ...rows, cursor: this.#cursor, reset: true };
  }

  /**
   * Takes what was learned and the turns that the ticket's step has done. It is stored with the next {@link
   * RebuiltKnowledgeOptions.turnsAtOnce} turns, or at once if it counts turns whose notes are to be merged: what a model has
   * merged was paid for. Returns true until then. When it stores, returns the same as {@link storeGathered}.
   *
   * @throws MnemoraError `leadership-lost`, when it stores
   */
  async commit(
    _scope: string,
    write: KnowledgeWrite,
    _since: ChangeCursor,
    ticket: JobTicket,
  ): Promise<boolean> {
    const turnIds = (ticket.partial?.doneTurnIds ?? []).filter((id) => !this.turns.has(id));
    const gathered = (this.#gathered ??= new GatheredWrite());
    gathered.add(write, write.newSources ?? sourcesOf(write), turnIds);
    for (const id of turnIds) this.turns.add(id);
    this.#learnedTurns = write.learnedTurns ?? this.#learnedTurns;
    const isDue = gathered.turnIds.length >= this.#options.turnsAtOnce || write.learnedTurns !== undefined;
    return isDue || this.#first ? this.storeGathered(ticket) : true;
  }

  /**
   * Stores what {@link commit} has taken since the last time. Returns false, and drops all of it, if one of the new sources no
   * longer exists, or if the rebuild must begin again.
   *
   * @throws MnemoraError `leadership-lost`
   */
  async storeGathered(ticket: JobTicket): Promise<boolean> {
    const gathered = this.#gathered;
    if (!gathered) return true;
    this.#gathered = undefined;
    const { engine, scope, madeBy } = this.#options;
    const { turnIds } = gathered;
    const rows = gathered.rows();
    const isStored = await engine.write(
      ['packedKnowledge', 'messages', 'jobs', 'changes', 'meta'],
      async (transaction) => {
        if (!(await requireTicket(transaction, ticket)) || !(await hasNewSources(transaction, rows)))
          return false;
        const store = transaction.objectStore('packedKnowledge');
        const put = (all: Iterable<PackedKnowledge>): Promise<unknown> =>
          askEach(all, (row) => store.put(row));
        if (this.#first) {
          // What is kept may have been forgotten since it was read.
          if (await hasChanged(transaction, scope, this.#first.cursor, ({ erases }) => erases === true))
            return false;
          await store.delete(rebuiltRange(scope));
          await put(rebuiltRows(scope, this.#first, { turnIds: [], sources: sourcesOf(this.#first) }));
        } else if ((await stateIn(transaction, scope))?.id !== this.#id) return false;
        await removeRows(store, scope, rows);
        await put(rebuiltRows(scope, rows, { turnIds, sources: rows.newSources }));
        const done = this.turns.size;
        const state: RebuildState = {
          ...{ id: this.#id, madeBy, done, total: this.total, learnedTurns: this.#learnedTurns },
        };
        await store.put(rebuiltRow(rebuiltKey(scope, 'state'), state));
        return true;
      },
    );
    if (isStored) this.#first = undefined;
    return isStored;
  }

  /**
   * Puts a part of the results in use. The last part ends the job. Returns the cursor after it, or undefined, and changes
   * nothing, if the knowledge in use has changed since the cursor, or if the rebuild must begin again.
   *
   * @throws MnemoraError `leadership-lost`
   */
  use(
    part: KnowledgeWrite,
    since: ChangeCursor,
    { ticket, isLast }: { ticket: JobTicket; isLast: boolean },
  ): Promise<ChangeCursor | undefined> {
    const { engine, scope } = this.#options;
    return engine.write([...KNOWLEDGE_STORES, 'jobs', 'tombstones'], async (transaction) => {
      if (!(await requireTicket(transaction, ticket))) return undefined;
      const state = await stateIn(transaction, scope);
      if (state?.id !== this.#id || (await hasChanged(transaction, scope, since))) return undefined;
      await writeRows(transaction, scope, part, true);
      if (isLast) {
        const store = transaction.objectStore('packedKnowledge');
        await store.delete(rebuiltRange(scope));
        await store.put(rebuiltRow(rebuiltKey(scope, 'state'), { ...state, isOver: true }));
        await endJob(transaction, ticket);
      }
      return { generation: since.generation, revision: revisionOf(transaction) ?? since.revision };
    });
  }

  /** Returns the number of turns read since notes were last consolidated. Known after the first read. */
  get learnedTurns(): number {
    return this.#learnedTurns;
  }

  /** Nobody else writes, so the cursor stays the same as long as the rebuild does. */
  get #cursor(): ChangeCursor {
    return { generation: this.#id, revision: 0 };
  }

  /** Reads all rows of a kind in slices. Nobody else writes them. */
  async #all(kind: RebuiltKind, signal: AbortSignal | undefined): Promise<unknown[]> {
    const { engine, scope } = this.#options;
    const range = rebuiltRange(scope, kind);
    const values: unknown[] = [];
    let from: IDBKeyRange | undefined = range;
    while (from) {
      const within: IDBKeyRange = from;
      const rows = await engine.read(
        ['packedKnowledge'],
        (transaction) => transaction.objectStore('packedKnowledge').getAll(within, SLICE_ROWS),
        signal,
      );
      values.push(...rows.map(rebuiltValue));
      const last = rows[SLICE_ROWS - 1];
      from = last && between(last.scope, range.upper, { lowerOpen: true });
      if (from) await yieldToEventLoop();
    }
    return values;
  }
}

async function removeRows(
  store: { delete(key: string): Promise<void> },
  scope: string,
  { removedFacts, removedEntities, removedClaims }: RowsToStore,
): Promise<void> {
  const keys = [
    ...removedFacts.map((id) => rebuiltKey(scope, 'facts', id)),
    ...removedEntities.map(({ key }) => rebuiltKey(scope, 'entities', key)),
    ...removedClaims.map((id) => rebuiltKey(scope, 'claims', id)),
  ];
  await askEach(keys, (key) => store.delete(key));
}

function* rebuiltRows(
  scope: string,
  { facts, entities, claims }: NewRows,
  { turnIds, sources }: { readonly turnIds: readonly string[]; readonly sources: readonly string[] },
): Generator<ReturnType<typeof rebuiltRow>, void> {
  for (const row of facts) yield rebuiltRow(rebuiltKey(scope, 'facts', row.id), row);
  for (const row of entities) yield rebuiltRow(rebuiltKey(scope, 'entities', row.key), row);
  for (const row of claims) yield rebuiltRow(rebuiltKey(scope, 'claims', row.id), row);
  for (const id of turnIds) yield rebuiltRow(rebuiltKey(scope, 'turn', id), [id]);
  for (const id of sources) yield rebuiltRow(rebuiltKey(scope, 'message', id), null);
}

async function stateIn(transaction: Transaction, scope: string): Promise<RebuildState | undefined> {
  const row = await transaction.objectStore('packedKnowledge').get(rebuiltKey(scope, 'state'));
  return rebuiltValue(row) as RebuildState | undefined;
}

/** Returns the ids of all messages that rows name. */
function sourcesOf({ facts, entities, claims }: NewRows): string[] {
  return messageIdsOf([
    ...facts,
    ...entities,
    ...claims.map(({ messageId }) => ({ messageIds: [messageId] })),
  ]);
}
