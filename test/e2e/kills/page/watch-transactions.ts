import { patchMethod } from '../../../fixtures/faults/patched-method.ts';

/** Where a transaction stands: not begun; its first row is written; it is complete, and nobody knows yet. */
export type Moment = 'before' | 'inside' | 'after';

/** One of the transactions of a kind, counted from 1. */
export interface NumberedKind {
  kind: string;
  nth: number;
}

/** A transaction that has written something. */
export interface WrittenTransaction {
  /** Before it has begun only its stores are known. */
  before: NumberedKind;
  /** Known from its first row on: the queue that it belongs to, and what is done to which store first. */
  written: NumberedKind;
}

export interface TransactionWatch {
  /** In the order of their first rows. */
  transactions: readonly WrittenTransaction[];
  /** Forgets what there was, and counts from 1. */
  restart(): void;
}

export type MomentListener = (moment: Moment, which: NumberedKind) => void;

interface Watched {
  before: NumberedKind;
  queue: string;
  written?: NumberedKind;
}

/**
 * Tells of every write transaction of this page, in the middle of it: where the listener does not return, the page gets
 * no further.
 */
export function watchTransactions(listener: MomentListener): TransactionWatch {
  const transactions: WrittenTransaction[] = [];
  const watched = new WeakMap<IDBTransaction, Watched>();
  const counts = new Map<string, number>();
  const number = (kind: string): NumberedKind => {
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    return { kind, nth };
  };

  patchMethod(IDBDatabase.prototype, 'transaction', (original, database, parameters) => {
    const [stores, mode] = parameters as unknown as [string[], IDBTransactionMode];
    if (mode !== 'readwrite') return Reflect.apply(original, database, parameters);
    const before = number([...stores].join(' '));
    listener('before', before);
    const transaction = Reflect.apply(original, database, parameters) as IDBTransaction;
    const state: Watched = { before, queue: '' };
    watched.set(transaction, state);
    transaction.addEventListener('complete', () => {
      if (state.written) listener('after', state.written);
    });
    return transaction;
  });

  patchMethod(IDBObjectStore.prototype, 'get', (original, store, parameters) => {
    const state = watched.get((store as IDBObjectStore).transaction);
    const [key] = parameters as unknown[];
    if (state && typeof key === 'string' && key.startsWith('term:')) state.queue = key.slice(5);
    return Reflect.apply(original, store, parameters);
  });

  for (const method of ['put', 'delete'] as const) {
    patchMethod(IDBObjectStore.prototype, method, (original, store, parameters) => {
      const { transaction, name } = store as IDBObjectStore;
      const request = Reflect.apply(original, store, parameters) as IDBRequest;
      const state = watched.get(transaction);
      if (!state || state.written) return request;
      const [row] = parameters as unknown[];
      const queue = name === 'jobs' && method === 'put' ? (row as { queue: string }).queue : state.queue;
      const written = number(`${queue}: ${method} ${name}`);
      state.written = written;
      transactions.push({ before: state.before, written });
      request.addEventListener('success', () => listener('inside', written));
      return request;
    });
  }
  return {
    transactions,
    restart() {
      transactions.length = 0;
      counts.clear();
    },
  };
}
