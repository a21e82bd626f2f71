import type { KnowledgeGraph, KnowledgeGraphOptions } from '../graph/knowledge-graph.ts';
import { MnemoraError } from '../model/error.ts';
import type { JobTicket } from '../storage/job-store.ts';
import type { KnowledgeStore } from '../storage/knowledge-store.ts';
import type { ChangeCursor } from '../storage/transcript-store.ts';
import { KnowledgeDraft } from './knowledge-draft.ts';
import { KnowledgeRows, type RowChanges } from './knowledge-rows.ts';
import { toParts, PackedGraph, type PackedPart } from './packed-graph.ts';
import { pause } from '../model/pause.ts';

/** A change that other tabs keep getting in the way of is given up after so many tries. */
const MAX_TRIES = 20;
/** Rows that are taken up in one go: some milliseconds. */
const FEW_ROWS = 250;

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
  readonly #packed: PackedGraph;
  #rows: KnowledgeRows | undefined;
  #cursor: ChangeCursor | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ store, scope, ...graphOptions }: ScopeGraphOptions) {
    this.#store = store;
    this.scope = scope;
    this.#graphOptions = graphOptions;
    this.#packed = new PackedGraph(store.packed, scope);
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
    return this.#inTurn(async () => {
      const rows = await this.#sync(signal);
      while (rows.readSome()) {
        await pause();
        signal?.throwIfAborted();
      }
      return rows;
    });
  }

  /** Resolves when nothing is being read, changed or packed. */
  async settled(): Promise<void> {
    await this.#queue;
    await this.#packed.settled();
  }

  /**
   * Changes the graph and stores the change, and with a ticket ends the job that it was made for, in one transaction.
   * `change` may be called again, with what another tab has written meanwhile. Returns false, and changes nothing,
   * where a message that a new fact or mention names is not there any more. Rejects with the reason of the signal where
   * it aborts before the change is stored; a later abort changes nothing.
   *
   * @throws MnemoraError `leadership-lost`, the `storage-…` codes, and what `change` throws; nothing is changed then
   */
  update(
    change: (draft: KnowledgeDraft) => void | Promise<void>,
    ticket?: JobTicket,
    signal?: AbortSignal,
  ): Promise<boolean> {
    return this.#inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const rows = await this.#sync(signal);
        const cursor = this.#cursor as ChangeCursor;
        const draft = new KnowledgeDraft(rows, this.scope);
        try {
          await change(draft);
          signal?.throwIfAborted();
          // The next read replays it from the log of changes, to no effect.
          if (await this.#store.commit(this.scope, draft.toWrite(), cursor, ticket)) return true;
        } catch (error) {
          this.#drop();
          throw error;
        }
        this.#drop();
        const { revision, generation } = (await this.#store.read(this.scope, cursor)).cursor;
        const isSame = revision === cursor.revision && generation === cursor.generation;
        if (isSame) return false; // nothing came between: a source is gone
      }
      throw new MnemoraError(
        'storage-failed',
        `What is known in "${this.scope}" was not changed: other tabs kept changing it. Try again.`,
      );
    });
  }

  async #sync(signal?: AbortSignal): Promise<KnowledgeRows> {
    const packed = this.#cursor ? undefined : await this.#store.packed?.load(this.scope, signal);
    const changes = packed?.changes ?? (await this.#store.read(this.scope, this.#cursor, signal));
    signal?.throwIfAborted(); // here, what was loaded before stays
    if (changes.reset || packed || !this.#rows) this.#rows = new KnowledgeRows(this.#graphOptions);
    this.#cursor = undefined; // should applying fail halfway, the next read starts from nothing
    const rows = this.#rows;
    const parts = [
      ...(packed?.parts.map((part) => () => unpacked(part)) ?? []),
      ...inParts(changes).map((part) => () => part),
    ];
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        await pause();
        signal?.throwIfAborted();
      }
      rows.apply(part());
    }
    const { cursor, facts, entities, removedFacts, removedEntities } = changes;
    this.#cursor = cursor;
    this.#packed.follow(facts.length + entities.length, removedFacts.length + removedEntities.length > 0);
    this.#packed.packIfWorthIt({
      cursor,
      size: rows.size,
      facts: () => rows.facts(),
      entities: () => rows.entities(),
    });
    return rows;
  }

  /** What was changed here and not stored is forgotten with the whole graph: reading it again is simplest. */
  #drop(): void {
    this.#rows = undefined;
    this.#cursor = undefined;
  }

  /** One after the other: nobody is to read what is being changed. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(task);
    this.#queue = next.catch(() => undefined);
    return next;
  }
}

/** The same changes in parts that take some milliseconds each. */
function inParts({ facts, entities, ...removed }: RowChanges): RowChanges[] {
  if (facts.length + entities.length <= FEW_ROWS) return [{ facts, entities, ...removed }];
  return [
    { facts: [], entities: [], ...removed },
    ...toParts(facts, entities, FEW_ROWS).map((part) => ({ ...part, removedFacts: [], removedEntities: [] })),
  ];
}

function unpacked(part: string): RowChanges {
  const { facts, entities } = JSON.parse(part) as PackedPart;
  return { facts, entities, removedFacts: [], removedEntities: [] };
}
