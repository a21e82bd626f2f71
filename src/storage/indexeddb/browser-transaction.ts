import { wrap, type IDBPIndex, type IDBPObjectStore, type IDBPTransaction } from 'idb';
import type { WriteTransaction } from '../storage-engine.ts';

const READS = ['get', 'getKey', 'getAll', 'getAllKeys', 'count'];
const WRITES = ['put', 'add', 'delete', 'clear'];

type Methods = Readonly<Record<string, (...parameters: unknown[]) => unknown>>;
type Store = IDBPObjectStore<unknown, string[], string, IDBTransactionMode>;
type Rows = Store | IDBPIndex<unknown, string[], string, string, IDBTransactionMode>;

/** Number of looks at a transaction within the time that it may be silent. */
const LOOKS = 4;

/**
 * A transaction of the browser through idb, with promises instead of events. Its methods never throw: whatever fails
 * rejects the promise of that request. Such a rejection may be left unhandled, because the end of the transaction
 * reports it as well.
 */
export class BrowserTransaction {
  readonly #raw: IDBTransaction;
  readonly #wrapped: IDBPTransaction<unknown, string[], IDBTransactionMode>;
  readonly #copy: (value: unknown) => unknown;
  #requests = 0;
  #answers = 0;
  /**
   * Resolves when the transaction is committed. Rejects with the browser's reason when it is rolled back: null if the
   * browser has none, as after {@link abort}.
   */
  readonly ended: Promise<void>;

  constructor(raw: IDBTransaction) {
    this.#raw = raw;
    this.#wrapped = wrap(raw);
    // Values read through a frame are made of the frame's classes. `instanceof` does not tell them apart: see
    // `healing-frame.ts`.
    const isOfPage = raw.db.constructor === IDBDatabase;
    this.#copy = isOfPage ? (value) => value : (value) => structuredClone(value);
    this.ended = new Promise((resolve, reject) => {
      const over = new AbortController();
      const fail = (): void => {
        over.abort();
        reject(raw.error);
      };
      const complete = (): void => {
        over.abort();
        resolve();
      };
      // idb rejects at the first error already, before the browser says why the transaction is rolled back.
      this.#wrapped.done.then(complete, () => undefined);
      raw.addEventListener('abort', fail);
      // Chromium closes a database whose data are cleared, and does not always report the end of its transactions.
      raw.db.addEventListener('close', fail, { signal: over.signal });
    });
    this.ended.catch(() => undefined);
  }

  /** The transaction as the code above the storage engines uses it. */
  get stores(): WriteTransaction {
    const stores = new Map<string, object>();
    const objectStore = (name: string): object => {
      // Looked up in each request, so that a failing look-up rejects as well.
      const store = (): Store => this.#wrapped.objectStore(name);
      const asked = stores.get(name) ?? {
        ...this.#methods(WRITES, store),
        ...this.#reads(store),
        index: (index: string) => this.#reads(() => store().index(index)),
        last: (query?: IDBKeyRange) =>
          this.#ask(async () => (await store().openCursor(query, 'prev'))?.value as unknown),
      };
      stores.set(name, asked);
      return asked;
    };
    return { objectStore } as unknown as WriteTransaction;
  }

  /** True once the browser has answered a request: nothing outside of this transaction blocks it any more. */
  get hasBegun(): boolean {
    return this.#answers > 0;
  }

  /**
   * Rolls the transaction back. Returns false if it may still be committed, which only {@link ended} shows: a browser
   * commits once every request is answered, and not before.
   */
  abort(): boolean {
    const isOpen = !this.hasBegun || this.#requests > this.#answers;
    try {
      this.#raw.abort();
      return isOpen;
    } catch {
      return false; // it has ended
    }
  }

  /**
   * Spends the transaction after one that found the disk full: in Firefox it may only delete, and every `put` of it
   * throws InvalidStateError.
   */
  spendCleanup(): void {
    const { db, objectStoreNames } = this.#raw;
    try {
      db.transaction(objectStoreNames, 'readwrite').abort();
    } catch {
      // the connection was closed meanwhile, and a new one is not affected
    }
  }

  /**
   * Calls the listener each time that no request was answered for this time, until the returned function is called.
   * Counts looks rather than time, so that a page that was frozen or busy gets the answers that wait for it first.
   *
   * @param onLook is told whether a request was answered since the look before, and returns whether to be patient, as if
   *   one had been
   */
  onSilence(ms: number, listener: () => void, onLook: (isAnswered: boolean) => boolean): () => void {
    let silentLooks = 0;
    let answers = 0;
    const timer = setInterval(() => {
      const isPatient = onLook(answers !== this.#answers);
      silentLooks = answers === this.#answers && !isPatient ? silentLooks + 1 : 0;
      answers = this.#answers;
      if (silentLooks >= LOOKS) listener();
    }, ms / LOOKS);
    return () => clearInterval(timer);
  }

  #reads(rows: () => Rows): object {
    return {
      ...this.#methods(READS, rows),
      lastKey: (query?: IDBKeyRange, before = 0) => this.#ask(() => keyBefore(rows(), query, before)),
    };
  }

  #methods(names: readonly string[], find: () => object): object {
    const methods = names.map((name) => [
      name,
      (...parameters: unknown[]) => this.#ask(() => (find() as Methods)[name]?.(...parameters)),
    ]);
    return Object.fromEntries(methods) as object;
  }

  #ask(make: () => unknown): Promise<unknown> {
    const ask = async (): Promise<unknown> => {
      const answer = make();
      this.#requests += 1;
      try {
        return this.#copy(await answer);
      } finally {
        this.#answers += 1;
      }
    };
    const asked = ask();
    asked.catch(() => undefined);
    return asked;
  }
}

async function keyBefore(rows: Rows, query: IDBKeyRange | undefined, before: number): Promise<unknown> {
  const last = await rows.openKeyCursor(query, 'prev');
  return (before > 0 ? await last?.advance(before) : last)?.key;
}
