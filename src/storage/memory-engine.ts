import { MnemoraError } from '../model/error.ts';
import { newId, randomHex } from '../model/id.ts';
import { copyKey } from './key-range.ts';
import { MemoryStore, type MemoryRow } from './memory-store.ts';
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
      this.#stores.get('meta')?.put({ key, value: randomHex(32) }, undefined, 'replace');
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
    for (const store of this.#stores.values()) store.delete(undefined);
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
      const transaction = new MemoryTransaction(covered, mode);
      const abort = (): void => transaction.end();
      signal?.addEventListener('abort', abort);
      try {
        const result = await body(transaction as unknown as WriteTransaction);
        signal?.throwIfAborted();
        transaction.throwIfFailed();
        return result;
      } catch (cause) {
        transaction.undo();
        if (signal?.aborted) throw signal.reason;
        throw cause instanceof DOMException ? storageError(cause, this.name) : cause;
      } finally {
        signal?.removeEventListener('abort', abort);
        transaction.end();
      }
    });
    this.#last = next.catch(() => undefined); // each caller gets its own error only
    return next;
  }
}

class MemoryTransaction {
  readonly staysOpen = true;
  readonly #stores: ReadonlyMap<string, MemoryStore | undefined>;
  readonly #mode: 'readonly' | 'readwrite';
  readonly #undo: (() => void)[] = [];
  #isOver = false;
  /** Error of a failed request. As in IndexedDB it aborts the transaction, even if the caller catches it. */
  #failure: DOMException | undefined;

  constructor(stores: ReadonlyMap<string, MemoryStore | undefined>, mode: 'readonly' | 'readwrite') {
    this.#stores = stores;
    this.#mode = mode;
  }

  objectStore(name: string): object {
    const store = this.#stores.get(name);
    if (!store)
      throw new DOMException(`The transaction does not include the store "${name}".`, 'NotFoundError');
    const ask = <T>(answer: () => T): Promise<T> => this.#ask(answer);
    return {
      ...readsOf(store, ask),
      index: (indexName: string) => readsOf(store.index(indexName), ask),
      last: (query?: unknown) => ask(() => valueOf(store.select(query).at(-1))),
      lastKey: (query?: unknown, before = 0) => ask(() => copyKey(store.select(query).at(-1 - before)?.key)),
      put: (value: unknown, key?: unknown) => this.#change(() => store.put(value, key, 'replace')),
      add: (value: unknown, key?: unknown) => this.#change(() => store.put(value, key, 'refuse')),
      delete: (query: unknown) => this.#change(() => store.delete(requireQuery(query))),
      clear: () => this.#change(() => store.delete(undefined)),
    };
  }

  undo(): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo();
  }

  end(): void {
    this.#isOver = true;
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure;
  }

  async #ask<T>(answer: () => T): Promise<T> {
    this.#requireActive();
    return answer();
  }

  async #change<T>(change: () => { result: T; undo: () => void }): Promise<T> {
    this.#requireActive();
    if (this.#mode !== 'readwrite') throw new DOMException('The transaction only reads.', 'ReadOnlyError');
    try {
      const { result, undo } = change();
      this.#undo.push(undo);
      return result;
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'ConstraintError') this.#failure = cause;
      throw cause;
    }
  }

  #requireActive(): void {
    if (this.#isOver || this.#failure)
      throw new DOMException('The transaction has ended.', 'TransactionInactiveError');
  }
}

type Ask = <T>(answer: () => T) => Promise<T>;

/** A store or index that can select rows by a query, in order. */
interface Selection {
  select(query: unknown, count?: number): readonly MemoryRow[];
}

function readsOf(rows: Selection, ask: Ask): object {
  return {
    get: (query: unknown) => ask(() => valueOf(rows.select(requireQuery(query), 1)[0])),
    getKey: (query: unknown) => ask(() => copyKey(rows.select(requireQuery(query), 1)[0]?.key)),
    // As in IndexedDB, a count of 0 is no limit.
    getAll: (query?: unknown, count?: number) =>
      ask(() => rows.select(query, count || Infinity).map(valueOf)),
    getAllKeys: (query?: unknown, count?: number) =>
      ask(() => rows.select(query, count || Infinity).map((row) => copyKey(row.key))),
    count: (query?: unknown) => ask(() => rows.select(query).length),
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
