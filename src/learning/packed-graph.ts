import type { NewRows, PackedKnowledgeStore } from '../storage/knowledge-store.ts';
import type { PackedRows } from '../storage/schema.ts';
import type { ChangeCursor } from '../storage/change-log.ts';
import { nextTimerTask } from '../model/event-loop.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** Smaller graphs load as fast row by row. */
const MIN_ROWS = 1000;
/** Number of rows that may be loaded one by one besides the packed ones. */
const MIN_UNPACKED = 250;
const UNPACKED_SHARE = 1 / 20;
/** Changes of any kind after which the rows are packed again, because the change log keeps only the newest. */
const UNPACKED_CHANGES = 1024;
/** Number of rows written or loaded at once, which takes a few milliseconds. */
const PART_ROWS = 500;

/** What a tab has read of a scope's rows. */
export interface RowsRead {
  readonly cursor: ChangeCursor;
  /** Number of rows read one by one. */
  readonly count: number;
  /** When the packed rows were packed that were read with them, if any were. */
  readonly packedAt?: ChangeCursor | undefined;
  /** Whether what was packed before can no longer be used: rows were removed, or everything was read again. */
  readonly voidsPacked: boolean;
}

/** Keeps the rows of a scope packed in the store, and packs them again after enough have changed. */
export class PackedGraph {
  readonly #store: PackedKnowledgeStore | undefined;
  readonly #scope: string;
  /** Number of rows that this tab knows to have changed since they were packed; infinite if that can no longer be used. */
  #unpacked = 0;
  /** Number of changes of any kind since. */
  #changes = 0;
  #packedAt = 0;
  /** Multiplier of the thresholds for packing; doubles after each failure. */
  #backoff = 1;
  #packing: Promise<void> | undefined;

  constructor(store: PackedKnowledgeStore | undefined, scope: string) {
    this.#store = store;
    this.#scope = scope;
  }

  /** Call it after rows were read. */
  follow({ cursor, count, packedAt, voidsPacked }: RowsRead): void {
    this.#packedAt = packedAt?.revision ?? this.#packedAt;
    this.#changes = cursor.revision - this.#packedAt;
    this.#unpacked = voidsPacked ? Infinity : this.#unpacked + count;
  }

  /** Returns whether so much has changed that the rows of the scope should be packed. */
  isBehind({ size }: KnowledgeRows): boolean {
    if (!this.#store || this.#packing || size < MIN_ROWS) return false;
    const most = this.#backoff * Math.max(MIN_UNPACKED, size * UNPACKED_SHARE);
    return this.#unpacked >= most || this.#changes >= this.#backoff * UNPACKED_CHANGES;
  }

  /** Starts packing the rows as of a cursor if enough have changed and it is not already in progress. */
  packIfBehind(rows: KnowledgeRows, cursor: ChangeCursor): void {
    if (!this.#store || !this.isBehind(rows)) return;
    this.#packing = this.#pack(this.#store, rows, cursor)
      .then(
        (isStored) => {
          // What was erased meanwhile is read, and packed without, soon.
          if (isStored) this.#packedAt = cursor.revision;
          this.#backoff = 1;
        },
        () => {
          // Not reported: the rows are packed again later.
          this.#backoff *= 2;
          this.#unpacked = rows.size;
        },
      )
      .finally(() => (this.#packing = undefined));
  }

  /** Resolves when nothing is being packed. */
  async settled(): Promise<void> {
    await this.#packing;
  }

  async #pack(store: PackedKnowledgeStore, rows: KnowledgeRows, cursor: ChangeCursor): Promise<boolean> {
    // Copied now, while the rows are consistent. Later writes are loaded as changes since the cursor.
    const parts = toParts(rows.all(), PART_ROWS);
    this.#unpacked = 0;
    this.#changes = 0;
    const packed: PackedRows[] = [];
    for (const part of parts) {
      await nextTimerTask(); // lets pending work of the page go first
      if (this.#unpacked === Infinity) return false;
      packed.push({ rows: JSON.stringify(part), index: rows.pack(part) });
    }
    return store.save(this.#scope, packed, cursor);
  }
}

/** Packing one claim takes as long as packing this number of facts, because it has more words. */
const CLAIM_WEIGHT = 5;

/**
 * Splits rows into parts that take about as long as this number of facts. Entities come first, so that facts find
 * their entities by all names.
 */
export function toParts({ facts, entities, claims }: NewRows, size: number): NewRows[] {
  const none: NewRows = { facts: [], entities: [], claims: [] };
  const inOrder = facts.toSorted((a, b) => a.seq - b.seq);
  return [
    ...slices(entities, size, ({ mentions }) => 1 + mentions.length).map((part) => ({
      ...none,
      entities: part,
    })),
    ...slices(inOrder, size, () => 1).map((part) => ({ ...none, facts: part })),
    ...slices(claims, size, () => CLAIM_WEIGHT).map((part) => ({ ...none, claims: part })),
  ];
}

/** Each slice but the last reaches the weight with its last row. */
function slices<Row>(rows: readonly Row[], size: number, weightOf: (row: Row) => number): Row[][] {
  const all: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    if (left <= 0) {
      all.push([]);
      left = size;
    }
    all.at(-1)?.push(row);
    left -= weightOf(row);
  }
  return all;
}
