import type { FactGraph, KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import { MnemoraError } from '../model/error.ts';
import type { NameErasure } from '../storage/forgetting/erase-name.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import { ChangeFollower } from '../storage/change-follower.ts';
import type { KnowledgeChanges, KnowledgeStore, KnowledgeWrite } from '../storage/knowledge-store.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import type { ChangeCursor } from '../storage/change-log.ts';
import { KnowledgeDraft } from './knowledge-draft.ts';
import { KnowledgeRows, type NewRows, type RowChanges } from './knowledge-rows.ts';
import { PackedGraph, toParts } from './packed-graph.ts';
import { packedWords, type PackedWords } from './packed-words.ts';
import { yieldToEventLoop } from '../model/yield-to-event-loop.ts';

/** The number of tries before a change is given up that other tabs keep outdating. */
const MAX_TRIES = 20;
/** Rows that are taken up in one go: some milliseconds. */
const FEW_ROWS = 250;

export interface StoredGraphOptions extends KnowledgeGraphOptions {
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
  readonly #packed: PackedGraph;
  readonly follower: ChangeFollower<GraphChanges>;
  #rows: KnowledgeRows;

  constructor({ store, scope, ...graphOptions }: StoredGraphOptions) {
    this.#store = store;
    this.scope = scope;
    this.#graphOptions = graphOptions;
    this.#rows = new KnowledgeRows(graphOptions);
    this.follower = new ChangeFollower({
      read: (since, signal, within) => this.#read(since, signal, within),
      apply: (changes, signal) => this.#apply(changes, signal),
      afterwards: (signal) => this.#readWords(signal),
    });
    this.#packed = new PackedGraph(store.packed, scope);
  }

  /** The graph as it is stored now. To be read, not to be written to. */
  async read(signal?: AbortSignal): Promise<FactGraph> {
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

  /** Resolves when nothing is being read, changed or packed. */
  async settled(): Promise<void> {
    await this.follower.inTurn(() => Promise.resolve());
    await this.#packed.settled();
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
      signal ? { signal } : {},
    );
    return stored === true;
  }

  /**
   * Forgets what `change` takes out of the graph and, in the same transaction, all else that has the names which it
   * returns, if any. A preview changes nothing, and gives the receipt of what it would have changed.
   *
   * @throws MnemoraError the `storage-…` codes, and what `change` throws; nothing is changed then
   */
  async forget(
    change: (draft: KnowledgeDraft) => Promise<NameErasure | undefined>,
    { isPreview = false }: { isPreview?: boolean } = {},
  ): Promise<ForgetReceipt> {
    let name: NameErasure | undefined;
    const receipt = await this.#change(
      async (draft) => {
        name = await change(draft);
      },
      (write, cursor) =>
        this.#store.forget(this.scope, write, cursor, { ...(name ? { name } : {}), isPreview }),
      { isTakenBack: isPreview },
    );
    if (receipt) return receipt;
    throw new MnemoraError('storage-failed', 'Nothing was forgotten: what is stored has changed. Try again.');
  }

  /**
   * Undefined where nothing came between, and the change was refused all the same. With `isTakenBack` nothing of it stays
   * in the graph.
   */
  #change<T>(
    change: (draft: KnowledgeDraft) => void | Promise<void>,
    store: (write: KnowledgeWrite, cursor: ChangeCursor) => Promise<T | undefined>,
    { signal, isTakenBack = false }: { signal?: AbortSignal; isTakenBack?: boolean } = {},
  ): Promise<T | undefined> {
    return this.follower.inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const cursor = await this.follower.syncNow(signal);
        const draft = new KnowledgeDraft(this.#rows, this.scope);
        try {
          await change(draft);
          signal?.throwIfAborted();
          const write = draft.toWrite();
          const stored = await store(write, cursor);
          if (stored !== undefined && isTakenBack) {
            this.#drop();
            return stored;
          }
          if (stored !== undefined) {
            // The next read replays this from the change log. By then another tab may have erased some of it, and the
            // rows have to know what they lose.
            await inTurn(applying(this.#rows, rowsOf(write)));
            return stored;
          }
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

  async #read(
    since: ChangeCursor | undefined,
    signal: AbortSignal | undefined,
    within: Transaction | undefined,
  ): Promise<GraphChanges> {
    const packed = since ? undefined : await this.#store.packed?.load(this.scope, signal, within);
    const words = packedWords(packed?.parts ?? []);
    // Where the words cannot be used, the rows themselves tell the same.
    if (packed && words)
      return { ...packed.changes, packed: { rows: packed.parts.map(({ rows }) => rows), words } };
    return this.#store.read(this.scope, since, signal, within);
  }

  async #apply(changes: GraphChanges, signal: AbortSignal | undefined): Promise<void> {
    const { cursor, reset, packed } = changes;
    if (reset || packed) this.#rows = new KnowledgeRows(this.#graphOptions, packed?.words);
    const rows = this.#rows;
    const unpacking = (packed?.rows ?? []).map((part) => () => rows.unpack(JSON.parse(part) as NewRows));
    await inTurn([...unpacking, ...applying(rows, changes)], signal);
    this.#packed.follow(sizeOf(changes), areSomeRemoved(changes));
    this.#packed.packIfWorthIt(rows, cursor);
  }

  /** What a question looks through is read before it is asked, in slices. */
  async #readWords(signal: AbortSignal | undefined): Promise<void> {
    while (this.#rows.readSome()) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }

  /** What was changed here and not stored is forgotten with the whole graph: reading it again is simplest. */
  #drop(): void {
    this.#rows = new KnowledgeRows(this.#graphOptions);
    this.follower.reset();
  }
}

/** What has changed, or all there is: that in packed parts, and what has changed of it since. */
interface GraphChanges extends KnowledgeChanges {
  readonly packed?: { readonly rows: readonly string[]; readonly words: readonly PackedWords[] };
}

/** What applies changes, in parts that take some milliseconds each. */
function applying(rows: KnowledgeRows, changes: RowChanges): (() => void)[] {
  if (sizeOf(changes) <= FEW_ROWS) return [() => rows.apply(changes)];
  return [
    () => rows.apply({ ...changes, facts: [], entities: [], statements: [] }),
    ...toParts(changes, FEW_ROWS).map(
      (part) => () => rows.apply({ ...part, removedFacts: [], removedEntities: [], removedStatements: [] }),
    ),
  ];
}

function sizeOf({ facts, entities, statements }: NewRows): number {
  return facts.length + entities.length + statements.length;
}

function areSomeRemoved({ removedFacts, removedEntities, removedStatements }: RowChanges): boolean {
  return removedFacts.length + removedEntities.length + removedStatements.length > 0;
}

/** Takes one step after the other, with a pause after each, so that the page is not held up. */
async function inTurn(steps: readonly (() => void)[], signal?: AbortSignal): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (index > 0) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
    step();
  }
}

/** What a write changes, as it is read back. */
function rowsOf(write: KnowledgeWrite): RowChanges {
  return { ...write, removedEntities: write.removedEntities.map(({ id }) => id) };
}
