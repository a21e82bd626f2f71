import { MnemoraError } from '../model/error.ts';
import { newId, randomHex } from '../model/id.ts';
import { copyKey } from './key-range.ts';
import { MemoryStore, type MemoryRow, type SortedRows, type UndoList } from './memory-store.ts';
import { type StoreName, STORES } from './schema.ts';
import type { StorageEngine, WriteTransaction } from './storage-engine.ts';
import { storageError } from './storage-error.ts';

/**
 * A database in RAM that lives as long as the page. Like IndexedDB, it copies rows in and out, and undoes everything
 * in a transaction that fails. Transactions run one after another.
 */
export class MemoryEngine implements StorageEngine {
  readonly name: string = `memory:${newId()}`;
  readonly #stores: ReadonlyMap<string, MemoryStore>;
  readonly #closing = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#stores = new Map(
      Object.entries(STORES).map(([name, definition]) => [name, new MemoryStore(definition)]),
    );
    for (const key of ['generation', 'secret'])
      this.#stores.get('meta')?.put({ key, value: randomHex(32) }, undefined, 'replace', []);
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  readonly read: StorageEngine['read'] = (stores, body, signal) =>
    this.#run(stores, 'readonly', body, signal);

  readonly write: StorageEngine['write'] = (stores, body, signal) =>
    this.#run(stores, 'readwrite', body, signal);

  close(): void {
    this.#closing.abort(new DOMException('The memory was closed.', 'AbortError'));
  }

  async delete(): Promise<void> {
    this.close();
    await this.#last; // transactions that have begun are completed
    for (const store of this.#stores.values()) store.delete(undefined, []);
  }

  /**
   * Runs a transaction after those before it. Only starting one requires an open engine: transactions begun before
   * closing are completed.
   */
  async #run<T>(
    stores: readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    body: (transaction: WriteTransaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.closed.aborted)
      throw new MnemoraError('storage-closed', 'The database in RAM is closed. Open it again.');
    const next = this.#last.then(async () => {
      signal?.throwIfAborted();
      const covered = new Map(stores.map((name) => [name, this.#stores.get(name)]));
      const { transaction, end, undo, throwIfFailed } = beginTransaction(covered, mode);
      signal?.addEventListener('abort', end);
      try {
        const result = await body(transaction);
        signal?.throwIfAborted();
        throwIfFailed();
        return result;
      } catch (cause) {
        undo();
        if (signal?.aborted) throw signal.reason;
        throw cause instanceof DOMException ? storageError(cause, this.name) : cause;
      } finally {
        signal?.removeEventListener('abort', end);
        end();
      }
    });
    this.#last = next.catch(() => undefined); // each caller gets its own error only
    return next;
  }
}

/** Begins a transaction over some stores. */
function beginTransaction(
  stores: ReadonlyMap<string, MemoryStore | undefined>,
  mode: 'readonly' | 'readwrite',
) {
  const changes: UndoList = [];
  let isOver = false;
  /** Error of a failed request. As in IndexedDB it aborts the transaction, even if the caller catches it. */
  let failure: DOMException | undefined;

  const ask: Ask = async (answer) => {
    if (isOver || failure) throw new DOMException('The transaction has ended.', 'TransactionInactiveError');
    return answer();
  };
  const change: Ask = (make) =>
    ask(() => {
      if (mode !== 'readwrite') throw new DOMException('The transaction only reads.', 'ReadOnlyError');
      try {
        return make();
      } catch (cause) {
        if (cause instanceof DOMException && cause.name === 'ConstraintError') failure = cause;
        throw cause;
      }
    });
  const objectStore = (name: string): object => {
    const store = stores.get(name);
    if (!store)
      throw new DOMException(`The transaction does not include the store "${name}".`, 'NotFoundError');
    return {
      ...readsOf(store.rows, ask),
      index: (indexName: string) => readsOf(store.index(indexName), ask),
      last: (query?: unknown) => ask(() => valueOf(store.rows.select(query).at(-1))),
      put: (value: unknown, key?: unknown) => change(() => store.put(value, key, 'replace', changes)),
      add: (value: unknown, key?: unknown) => change(() => store.put(value, key, 'refuse', changes)),
      delete: (query: unknown) => change(() => store.delete(requireQuery(query), changes)),
      clear: () => change(() => store.delete(undefined, changes)),
    };
  };
  return {
    transaction: { staysOpen: true, objectStore } as unknown as WriteTransaction,
    end: (): void => void (isOver = true),
    undo: (): void =>
      changes
        .splice(0)
        .toReversed()
        .forEach((undo) => undo()),
    throwIfFailed(): void {
      if (failure) throw failure;
    },
  };
}

type Ask = <T>(answer: () => T) => Promise<T>;

function readsOf(rows: SortedRows, ask: Ask): object {
  return {
    get: (query: unknown) => ask(() => valueOf(rows.select(requireQuery(query), 1)[0])),
    getKey: (query: unknown) => ask(() => copyKey(rows.select(requireQuery(query), 1)[0]?.key)),
    // As in IndexedDB, a count of 0 is no limit.
    getAll: (query?: unknown, count?: number) =>
      ask(() => rows.select(query, count || Infinity).map(valueOf)),
    getAllKeys: (query?: unknown, count?: number) =>
      ask(() => rows.select(query, count || Infinity).map((row) => copyKey(row.key))),
    count: (query?: unknown) => ask(() => rows.select(query).length),
    lastKey: (query?: unknown, before = 0) => ask(() => copyKey(rows.lastKey(query, before))),
  };
}

/** Refuses a missing key or range, which would select all rows. */
function requireQuery(query: unknown): unknown {
  if (query === undefined || query === null)
    throw new DOMException('The query is not a valid key.', 'DataError');
  return query;
}

function valueOf(row: MemoryRow | undefined): unknown {
  return structuredClone(row?.value);
}
