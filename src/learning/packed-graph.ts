import type { PackedKnowledgeStore } from '../storage/knowledge-store.ts';
import type { PackedRows } from '../storage/schema.ts';
import type { ChangeCursor } from '../storage/transcript-store.ts';
import { awake } from '../tabs/awake.ts';
import type { KnowledgeRows, NewRows } from './knowledge-rows.ts';
import type { PackedWords } from './packed-words.ts';

/** Fewer rows are read one by one as fast. */
const MIN_ROWS = 1000;
/** So many may be read one by one beside what is packed. */
const MIN_UNPACKED = 250;
const UNPACKED_SHARE = 1 / 20;
/** Written, and taken up again, in one go: some milliseconds. */
const PART_ROWS = 500;

/** Keeps the rows of a scope packed in the store: packs them again once enough has come that is not. */
export class PackedGraph {
  readonly #store: PackedKnowledgeStore | undefined;
  readonly #scope: string;
  /** Rows that came since, as far as this tab knows. */
  #unpacked = 0;
  /** So many times as much is worth it: more after a try that failed. */
  #patience = 1;
  #packing: Promise<void> | undefined;

  constructor(store: PackedKnowledgeStore | undefined, scope: string) {
    this.#store = store;
    this.#scope = scope;
  }

  /** To be called with how many rows came, and whether some were erased: what was packed is gone then. */
  follow(came: number, areSomeErased: boolean): void {
    this.#unpacked = areSomeErased ? Number.MAX_SAFE_INTEGER : this.#unpacked + came;
  }

  /** Begins to pack rows as they stand at a cursor, if it is worth it and not under way. */
  packIfWorthIt(rows: KnowledgeRows, cursor: ChangeCursor): void {
    const enough = this.#patience * Math.max(MIN_UNPACKED, rows.size * UNPACKED_SHARE);
    if (!this.#store || this.#packing || rows.size < MIN_ROWS || this.#unpacked < enough) return;
    // A failure is not reported: the rows are packed again later.
    this.#packing = this.#pack(this.#store, rows, cursor)
      .catch(() => false)
      .then((isStored) => {
        this.#patience = isStored ? 1 : this.#patience * 2;
        if (!isStored) this.#unpacked = rows.size;
        this.#packing = undefined;
      });
  }

  /** Resolves when nothing is being packed. */
  async settled(): Promise<void> {
    await this.#packing;
  }

  async #pack(store: PackedKnowledgeStore, rows: KnowledgeRows, cursor: ChangeCursor): Promise<boolean> {
    // Taken now, while they belong together. What is written from now on is read again, as a change since.
    const all = { facts: rows.facts(), entities: rows.entities(), statements: rows.statements() };
    const parts = toParts(all, PART_ROWS);
    this.#unpacked = 0;
    const packed: PackedRows[] = [];
    for (const part of parts) {
      await awake(); // whoever waits for an answer goes first
      const index: PackedWords = {
        facts: rows.factIndex.pack(part.facts, part.entities),
        statements: rows.statementIndex.pack(part.statements),
      };
      packed.push({ rows: JSON.stringify(part), index });
    }
    return store.save(this.#scope, packed, cursor);
  }
}

/** Facts that take as long to pack as one statement, which has more words. */
const STATEMENT_ROWS = 5;

/** Parts of a limited number of rows. Entities first: a fact then finds its ends by all their names. */
export function toParts({ facts, entities, statements }: NewRows, size: number): NewRows[] {
  const none: NewRows = { facts: [], entities: [], statements: [] };
  const inOrder = facts.toSorted((a, b) => a.seq - b.seq);
  return [
    ...slices(entities, size).map((part) => ({ ...none, entities: part })),
    ...slices(inOrder, size).map((part) => ({ ...none, facts: part })),
    ...slices(statements, Math.ceil(size / STATEMENT_ROWS)).map((part) => ({ ...none, statements: part })),
  ];
}

function slices<T>(rows: readonly T[], size: number): T[][] {
  const count = Math.ceil(rows.length / size);
  return Array.from({ length: count }, (_, n) => rows.slice(n * size, (n + 1) * size));
}
