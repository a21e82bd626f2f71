import type { FactGraph, KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import { abortable } from '../model/abortable.ts';
import { checkName } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { inBackground, runInSlices, yieldToEventLoop, type Steps } from '../model/event-loop.ts';
import { announcedWrites } from '../sessions/announced-writes.ts';
import { engineOf, type MemoryDatabase } from '../sessions/memory-database.ts';
import type { NameErasure } from '../storage/forgetting/erase-name.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { ChangeCursor } from '../storage/change-log.ts';
import { ChangeFollower, MAX_TRIES } from '../storage/change-follower.ts';
import {
  type GraphRows,
  type KnowledgeChanges,
  type KnowledgeWrite,
  type NewRows,
  type RowChanges,
  Knowledge,
} from '../storage/knowledge-store.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { slicesOf } from '../storage/rows.ts';
import { PackedGraph, toParts } from './packed-graph.ts';
import { packedWords, type PackedWords } from './packed-words.ts';

/** Number of rows applied at once, which takes a few milliseconds. */
const SLICE_ROWS = 250;
/** Time without a read after which rows are packed, in ms. */
const PACK_AFTER_MS = 1000;

export interface ScopeGraphOptions extends KnowledgeGraphOptions {
  /** A database from `openDatabase`. */
  database: MemoryDatabase;
  /** The scope whose facts are used, as in `createMemory`. @default 'user' */
  scope?: string;
}

/** A knowledge graph in a database, which other tabs read and change, too. */
export interface StoredGraph {
  /** Returns the graph as it is stored now. Treat it as read-only. */
  read(signal?: AbortSignal): Promise<FactGraph>;
  /**
   * Changes the graph and stores the change, all or nothing. `change` is called again if another tab has changed the
   * graph in the meantime.
   *
   * @throws MnemoraError `not-found` if a source message of a new fact is not in the database, or was forgotten;
   *   the `storage-…` codes, and what `change` throws. Nothing is changed then.
   */
  update(change: (draft: { readonly graph: FactGraph }) => void): Promise<void>;
  /** @internal With a ticket, the same transaction also ends the job. */
  update(change: (draft: { readonly graph: FactGraph }) => void, ticket?: JobTicket): Promise<void>;
  /** @internal Returns the tombstones of what was forgotten in these messages. */
  forgotten?(messageIds: readonly string[]): Promise<string[]>;
  /** Resolves when nothing is being read or changed. */
  settled(): Promise<void>;
}

/**
 * Returns the knowledge graph of a scope in a database, which is the one that `createMemory` over this database uses.
 *
 * @throws MnemoraError `invalid-option`
 *
 * @example
 * const database = await openDatabase();
 * const memory = new ConversationKGMemory({ llm, graph: scopeGraph({ database }) });
 */
export function scopeGraph({ database, scope = 'user', ...options }: ScopeGraphOptions): StoredGraph {
  const store = new Knowledge(announcedWrites(engineOf(database)));
  const graph = new ScopeGraph({ store, scope: checkName('scope', scope), ...options });
  return {
    read: (signal) => graph.read(signal),
    update: async (change: (draft: { readonly graph: FactGraph }) => void, ticket?: JobTicket) => {
      if (await graph.update(change, ticket)) return;
      throw new MnemoraError(
        'not-found',
        'The graph was not changed: a source message of a new fact is not in its database, or was forgotten. Store the message first, or omit the source.',
      );
    },
    forgotten: (messageIds) => store.tombstones(messageIds),
    settled: () => graph.settled(),
  };
}

/**
 * The stored knowledge graph of a scope. It is loaded once; then changes of other tabs are replayed from the change
 * log, and changes of this tab are written record by record. Readers see a change only after the store has taken it.
 */
export class ScopeGraph {
  readonly scope: string;
  readonly #store: GraphRows;
  readonly #isAsked: boolean;
  readonly #graphOptions: KnowledgeGraphOptions;
  readonly #packed: PackedGraph;
  #packTimer: ReturnType<typeof setTimeout> | undefined;
  readonly follower: ChangeFollower<GraphChanges>;
  /** Undefined before the first read, and after a failed change. */
  #rows: KnowledgeRows | undefined;

  /**
   * @param isAsked whether questions are asked of it. If not, words that only they search are not indexed, and what has
   *   changed is never read again: a rebuild has not stored all of it
   */
  constructor({
    store,
    scope,
    isAsked = true,
    ...graphOptions
  }: KnowledgeGraphOptions & {
    readonly store: GraphRows;
    readonly scope: string;
    readonly isAsked?: boolean;
  }) {
    this.#store = store;
    this.scope = scope;
    this.#isAsked = isAsked;
    this.#graphOptions = graphOptions;
    this.follower = new ChangeFollower({
      read: (since, signal, within) => this.#read(since, signal, within),
      apply: (changes, signal) => this.#apply(changes, signal),
      afterwards: (signal) => this.#readWords(signal),
    });
    this.#packed = new PackedGraph(store.packed, scope);
  }

  /** Returns the graph as it is stored now. Treat it as read-only. */
  async read(signal?: AbortSignal): Promise<FactGraph> {
    return (await this.rows(signal)).graph;
  }

  /**
   * Returns the graph and the rows that it is stored in. Use them before the next `await`: the same objects keep
   * changing, and can contain changes that will not be stored.
   */
  rows(signal?: AbortSignal): Promise<KnowledgeRows> {
    return this.look((rows) => rows, signal);
  }

  /** Returns what `look` reads from the rows. Nothing changes them before it is done, so that it may read in slices. */
  look<T>(look: (rows: KnowledgeRows) => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.follower.inTurn(async () => {
      await this.follower.syncNow(signal);
      return look(this.rowsRead);
    });
  }

  /** Does the same as {@link look} for a call that has looked before, without reading what has changed since then. */
  lookAgain<T>(look: (rows: KnowledgeRows) => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const looking = this.follower.inTurn(async () => {
      if (!this.#rows) await this.follower.syncNow(signal);
      return look(this.rowsRead);
    });
    return abortable(looking, signal);
  }

  /** Packs the stored rows if enough have changed since they were packed. Resolves when that is done, or has failed. */
  async pack(): Promise<void> {
    clearTimeout(this.#packTimer);
    await this.#packed.settled();
    // A failure is not reported: the rows are packed again later.
    await this.follower.inTurn(() => this.#packNow()).catch(() => undefined);
    await this.#packed.settled();
  }

  async #packNow(): Promise<void> {
    if (!this.#rows) return;
    const cursor = await this.follower.syncNow();
    clearTimeout(this.#packTimer);
    this.#packed.packIfBehind(this.rowsRead, cursor);
  }

  /** Resolves when nothing is being read, changed or packed. */
  async settled(): Promise<void> {
    await this.follower.inTurn(() => Promise.resolve());
    await this.#packed.settled();
  }

  /** Returns {@link rows} as of the last read, without reading again. There must have been one. */
  get rowsRead(): KnowledgeRows {
    if (this.#rows) return this.#rows;
    throw new MnemoraError('storage-failed', 'The knowledge was not read. Try again.');
  }

  /**
   * Changes the graph and stores the change in one transaction; with a ticket, that transaction also ends the job.
   * `change` is called again if another tab has written in the meantime. Returns false, and changes nothing, if a
   * message that a new fact or mention refers to no longer exists. Rejects with the signal's reason if it aborts
   * before the change is stored.
   *
   * @throws MnemoraError `leadership-lost`, the `storage-…` codes, and what `change` throws. Nothing is changed then.
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
      { signal },
    );
    return stored === true;
  }

  /**
   * Erases what `change` removes from the graph and, in the same transaction, everything else that contains the names
   * it returns, if any. A preview changes nothing and returns the receipt of the erasure.
   *
   * @throws MnemoraError `not-found` if nothing contains the names; the `storage-…` codes, and what `change` throws.
   *   Nothing is changed then.
   */
  async forget(
    change: (draft: KnowledgeDraft) => Promise<NameErasure | undefined>,
    { isPreview = false, signal }: { isPreview?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<ForgetReceipt> {
    let name: NameErasure | undefined;
    const receipt = await this.#change(
      async (draft) => {
        name = await change(draft);
      },
      async (write, cursor) =>
        this.#store.forget?.(this.scope, write, cursor, { ...(name ? { name } : {}), isPreview }),
      { isTakenBack: isPreview, signal },
    );
    if (receipt) return receipt;
    throw new MnemoraError(
      'storage-failed',
      'Nothing was forgotten, because the stored data changed in the meantime. Try again.',
    );
  }

  /**
   * Returns undefined if the change was refused although no other tab has written. With `isTakenBack`, the change is
   * removed from the graph afterwards.
   */
  #change<T>(
    change: (draft: KnowledgeDraft) => void | Promise<void>,
    store: (write: KnowledgeWrite, cursor: ChangeCursor) => Promise<T | undefined>,
    { signal, isTakenBack = false }: { signal: AbortSignal | undefined; isTakenBack?: boolean },
  ): Promise<T | undefined> {
    return this.follower.inTurn(async () => {
      const { KnowledgeDraft: Draft } = await import('./knowledge-draft.ts');
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const cursor = await this.follower.syncNow(signal);
        const rows = this.rowsRead;
        const draft = new Draft(rows);
        let stored: T | undefined;
        try {
          await change(draft);
          signal?.throwIfAborted();
          const write = draft.toWrite();
          stored = await store(write, cursor);
          if (stored !== undefined && !isTakenBack) {
            // The next read replays this change from the change log. By then another tab may have erased part of it,
            // and the rows need to know what to remove.
            if (this.#isAsked && removesMost(rows, write)) this.#drop();
            else await runInSlices(applying(rows, rowsOf(write)));
            return stored;
          }
        } catch (error) {
          this.#drop();
          throw error;
        }
        this.#drop();
        if (stored !== undefined) return stored;
        const now = (await this.#store.read(this.scope, cursor)).cursor;
        // An import changes the generation but not the revision.
        if (now.generation === cursor.generation && now.revision === cursor.revision) return undefined;
      }
      throw new MnemoraError(
        'storage-failed',
        `The knowledge of scope "${this.scope}" was not changed, because other tabs kept changing it. Try again.`,
      );
    });
  }

  async #read(
    since: ChangeCursor | undefined,
    signal: AbortSignal | undefined,
    within: Transaction | undefined,
  ): Promise<GraphChanges> {
    loadGraph().catch(() => undefined); // while the database is reading; `#apply` gets the error
    const packed = since ? undefined : await this.#store.packed?.load(this.scope, signal, within);
    const words = packedWords(packed?.parts ?? []);
    // Without usable words, the rows are read instead; they contain the same information.
    if (packed && words)
      return {
        ...packed.changes,
        packed: { rows: packed.parts.map(({ rows }) => rows), words, at: packed.packedAt },
      };
    return this.#store.read(this.scope, since, signal, within);
  }

  async #apply(changes: GraphChanges, signal: AbortSignal | undefined): Promise<void> {
    const { cursor, reset, packed } = changes;
    const { KnowledgeRows: Rows } = await loadGraph();
    if (reset || packed || !this.#rows) this.#rows = new Rows(this.scope, this.#graphOptions, packed?.words);
    const rows = this.#rows;
    await runInSlices(unpacking(rows, packed?.rows ?? []), signal);
    await runInSlices(applying(rows, changes), signal);
    const voidsPacked = reset || removalsIn(changes) > 0;
    this.#packed.follow({ cursor, count: sizeOf(changes), packedAt: packed?.at, voidsPacked });
    if (this.#packed.isBehind(rows)) this.#packLater();
  }

  /** Packs once nothing has been read for a while, so that work of many steps does not cause a packing after each. */
  #packLater(): void {
    clearTimeout(this.#packTimer);
    this.#packTimer = inBackground(setTimeout(() => void this.pack(), PACK_AFTER_MS));
  }

  /** Indexes in slices what is searched next. */
  async #readWords(signal: AbortSignal | undefined): Promise<void> {
    while (this.#rows?.readSome(this.#isAsked)) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }

  /** Drops the whole graph, because it may contain a change that was not stored. It is read again when needed. */
  #drop(): void {
    this.#rows = undefined;
    this.follower.reset();
  }
}

/** Loads the code of the graph and its indexes, which most of a page's first load does not need. */
export async function loadGraph(): Promise<{ readonly KnowledgeRows: typeof KnowledgeRows }> {
  return import('./knowledge-rows.ts');
}

/** Changes since the cursor or, on the first read, everything: the packed parts and what has changed since. */
interface GraphChanges extends KnowledgeChanges {
  readonly packed?: {
    readonly rows: readonly string[];
    readonly words: readonly PackedWords[];
    readonly at: ChangeCursor;
  };
}

function* unpacking(rows: KnowledgeRows, packed: readonly string[]): Steps<void> {
  for (const part of packed) {
    rows.unpack(JSON.parse(part) as NewRows);
    yield;
  }
}

/** Applies the changes step by step: first what is removed. */
function* applying(rows: KnowledgeRows, changes: RowChanges): Steps<void> {
  // Every question reads the changes since the last one. Mostly there are none, and what was computed stays valid.
  const size = sizeOf(changes) + removalsIn(changes);
  if (size === 0) return;
  if (size <= SLICE_ROWS) return rows.apply(changes);
  const { removedClaims, removedFacts, removedEntities } = changes;
  const parts: Partial<RowChanges>[] = [
    ...Array.from(slicesOf(removedClaims, SLICE_ROWS), (some) => ({ removedClaims: some })),
    ...Array.from(slicesOf(removedFacts, SLICE_ROWS), (some) => ({ removedFacts: some })),
    ...Array.from(slicesOf(removedEntities, SLICE_ROWS), (some) => ({ removedEntities: some })),
    ...toParts(changes, SLICE_ROWS),
  ];
  for (const part of parts) {
    rows.apply({ ...NO_CHANGES, ...part });
    yield;
  }
}

const NO_CHANGES: RowChanges = {
  ...{ facts: [], entities: [], claims: [] },
  ...{ removedFacts: [], removedEntities: [], removedClaims: [] },
};

/** Whether to read what is left takes less than to remove the rest row by row. */
function removesMost(rows: KnowledgeRows, write: KnowledgeWrite): boolean {
  const removed = removalsIn(rowsOf(write));
  return removed > SLICE_ROWS && removed > rows.size / 2;
}

function sizeOf({ facts, entities, claims }: NewRows): number {
  return facts.length + entities.length + claims.length;
}

function removalsIn({ removedFacts, removedEntities, removedClaims }: RowChanges): number {
  return removedFacts.length + removedEntities.length + removedClaims.length;
}

/** Returns the changes of a write in the form in which they are read back. */
function rowsOf(write: KnowledgeWrite): RowChanges {
  return { ...write, removedEntities: write.removedEntities.map(({ id }) => id) };
}
