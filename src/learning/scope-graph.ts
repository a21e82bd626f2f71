import type { KnowledgeGraph, KnowledgeGraphOptions } from '../graph/knowledge-graph.ts';
import { MnemoraError } from '../model/error.ts';
import type { JobTicket } from '../storage/job-store.ts';
import { ChangeFollower } from '../storage/change-follower.ts';
import type { KnowledgeChanges, KnowledgeStore, KnowledgeWrite } from '../storage/knowledge-store.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import type { ChangeCursor } from '../storage/transcript-store.ts';
import { KnowledgeDraft } from './knowledge-draft.ts';
import { KnowledgeRows, type RowChanges } from './knowledge-rows.ts';
import { pause } from '../model/pause.ts';

/** A change that other tabs keep getting in the way of is given up after so many tries. */
const MAX_TRIES = 20;
/** Rows that are taken up in one go: some milliseconds. */
const PART_ROWS = 250;

export interface ScopeGraphOptions extends KnowledgeGraphOptions {
  store: KnowledgeStore;
  scope: string;
}

/**
 * The knowledge graph of a scope, as stored. Loaded once; then what other tabs write is replayed, and what this one
 * changes is written record by record. A change is stored before anyone reads it here, or not made at all.
 */
export class ScopeGraph {
  readonly scope: string;
  readonly #store: KnowledgeStore;
  readonly #graphOptions: KnowledgeGraphOptions;
  readonly follower: ChangeFollower<KnowledgeChanges>;
  #rows: KnowledgeRows;

  constructor({ store, scope, ...graphOptions }: ScopeGraphOptions) {
    this.#store = store;
    this.scope = scope;
    this.#graphOptions = graphOptions;
    this.#rows = new KnowledgeRows(graphOptions);
    this.follower = new ChangeFollower({
      read: (since, signal, within) => store.read(scope, since, signal, within),
      apply: (changes, signal) => this.#apply(changes, signal),
    });
  }

  /** The graph as it is stored now. To be read, not to be written to. */
  async read(signal?: AbortSignal): Promise<KnowledgeGraph> {
    return (await this.rows(signal)).graph;
  }

  /**
   * The graph and the rows that it is stored in, to be read before anything else is waited for: they go on changing, and
   * may hold what turns out not to be stored.
   */
  rows(signal?: AbortSignal): Promise<KnowledgeRows> {
    return this.follower.inTurn(async () => {
      await this.follower.syncNow(signal);
      return this.#rows;
    });
  }

  /** {@link rows} as they were when they were last read. */
  get rowsRead(): KnowledgeRows {
    return this.#rows;
  }

  /**
   * Changes the graph and stores the change, and with a ticket ends the job that it was made for, in one transaction.
   * `change` may be called again, with what another tab has written meanwhile. Returns false, and changes nothing,
   * where a message that a new fact or mention names is not there any more. Rejects with the reason of the signal where
   * it aborts before the change is stored; a later abort changes nothing.
   *
   * @throws MnemoraError `leadership-lost`, the `storage-…` codes, and what `change` throws; nothing is changed then
   */
  async update(
    change: (draft: KnowledgeDraft) => void | Promise<void>,
    ticket?: JobTicket,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const stored = await this.#change(
      change,
      async (write, cursor) =>
        (await this.#store.commit(this.scope, write, cursor, ticket)) ? true : undefined,
      signal,
    );
    return stored === true;
  }

  /**
   * Forgets what `change` takes out of the graph and, in the same transaction, the whole turns of the messages that it
   * returns.
   *
   * @throws MnemoraError the `storage-…` codes, and what `change` throws; nothing is changed then
   */
  async forget(change: (draft: KnowledgeDraft) => Promise<readonly string[]>): Promise<ForgetReceipt> {
    let turnsOf: readonly string[] = [];
    const receipt = await this.#change(
      async (draft) => {
        turnsOf = await change(draft);
      },
      (write, cursor) => this.#store.forget(this.scope, write, cursor, turnsOf),
    );
    if (receipt) return receipt;
    throw new MnemoraError('storage-failed', 'Nothing was forgotten: what is stored has changed. Try again.');
  }

  /** Undefined where nothing came between, and the change was refused all the same. */
  #change<T>(
    change: (draft: KnowledgeDraft) => void | Promise<void>,
    store: (write: KnowledgeWrite, cursor: ChangeCursor) => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    return this.follower.inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const cursor = await this.follower.syncNow(signal);
        const draft = new KnowledgeDraft(this.#rows, this.scope);
        try {
          await change(draft);
          signal?.throwIfAborted();
          // The next read replays it from the log of changes, to no effect.
          const stored = await store(draft.toWrite(), cursor);
          if (stored !== undefined) return stored;
        } catch (error) {
          this.#drop();
          throw error;
        }
        this.#drop();
        const now = (await this.#store.read(this.scope, cursor)).cursor;
        // An import changes the generation and no revision.
        if (now.generation === cursor.generation && now.revision === cursor.revision) return undefined;
      }
      throw new MnemoraError(
        'storage-failed',
        `What is known in "${this.scope}" was not changed: other tabs kept changing it. Try again.`,
      );
    });
  }

  async #apply(changes: KnowledgeChanges, signal: AbortSignal | undefined): Promise<void> {
    if (changes.reset) this.#rows = new KnowledgeRows(this.#graphOptions);
    const rows = this.#rows;
    for (const [index, part] of inParts(changes).entries()) {
      if (index > 0) {
        await pause();
        signal?.throwIfAborted();
      }
      rows.apply(part);
    }
    while (rows.readSome()) {
      await pause();
      signal?.throwIfAborted();
    }
  }

  /** What was changed here and not stored is forgotten with the whole graph: reading it again is simplest. */
  #drop(): void {
    this.#rows = new KnowledgeRows(this.#graphOptions);
    this.follower.reset();
  }
}

/** The same changes in parts that take some milliseconds each. */
function inParts({ facts, entities, ...removed }: RowChanges): RowChanges[] {
  if (facts.length + entities.length <= PART_ROWS) return [{ facts, entities, ...removed }];
  const none = { facts: [], entities: [], removedFacts: [], removedEntities: [] };
  // Entities first: a fact then finds its ends by all their names.
  return [
    { ...none, ...removed },
    ...slices(entities).map((part) => ({ ...none, entities: part })),
    ...slices(facts).map((part) => ({ ...none, facts: part })),
  ];
}

function slices<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / PART_ROWS);
  return Array.from({ length: count }, (_, n) => rows.slice(n * PART_ROWS, (n + 1) * PART_ROWS));
}
